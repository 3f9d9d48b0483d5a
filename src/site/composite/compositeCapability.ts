import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import type { ResourceSite } from "../components/capabilities.ts";
import type { ComponentGroup } from "./componentGroup.ts";
import { availableBatteriesKw, availablePlantsKw, reducibleLoadKw, uncontrolledMeterKw } from "./dispatchDelta.ts";

// What a site of several components can do as a whole (docs/model/capability.md#immediate-range, docs/model/capability.md#multi-component-headroom, docs/model/allocation.md#compatibility, docs/model/capability.md#capability-flags). All kW are magnitudes.

/**
 * kW by which the site can leave its baseline: what its components can add together, within the connection point; down
 * to 0 where nothing may be sent. Batteries that track have load and sun to make up for first. A component that is told
 * something by itself adds nothing.
 */
export function compositeHeadroomKw(
  unit: ComponentGroup,
  site: ResourceSite,
  { baselineKw, up, atMs }: { baselineKw: number; up: boolean; atMs: EpochMs },
): number {
  const roomKw = up ? unit.importMaxKw - baselineKw : unit.exportMaxKw + baselineKw;
  const aroundKw = unit.isTracking ? uncontrolledMeterKw(unit, atMs) - baselineKw : 0;
  const batteryKw = availableBatteriesKw(unit, up, atMs, unit.siteControlledBatteries) + (up ? aroundKw : -aroundKw);
  const partsKw =
    Math.max(0, batteryKw) +
    availablePlantsKw(unit, up, atMs, unit.siteControlledPlants) +
    (up ? 0 : compositeReductionKw(unit, site, null, atMs));
  return Math.max(0, Math.min(roomKw, partsKw));
}

/** kW that the batteries, plants, PV and wind of the site could send together. */
export function compositeExportKw(unit: ComponentGroup, atMs: EpochMs): number {
  let kw = availableBatteriesKw(unit, false, atMs) + availablePlantsKw(unit, false, atMs);
  for (const generator of unit.generators) kw += generator.exportAvailableKw(atMs, unit.outputLimit);
  return Math.min(unit.exportMaxKw, kw);
}

/** kW of load that can be shed now: none of a load that has to rest from its last reduction (docs/model/consumer.md#dr-capability). */
export function compositeReductionKw(
  unit: ComponentGroup,
  { reduction }: ResourceSite,
  sku: Sku | null,
  atMs: EpochMs,
): number {
  const goesOn = reduction.reducing && (sku === null || reduction.sku === sku);
  const endedMs = reduction.reducing ? atMs : reduction.endedMs;
  let restingKw = 0;
  for (const { component: load } of unit.siteControlledConsumers)
    if (!goesOn && load.spec.drCapable && atMs - endedMs < load.spec.minDrCooldownMs)
      restingKw += load.spec.maxDrReductionKw;
  return Math.max(0, reducibleLoadKw(unit, unit.siteControlledConsumers) - restingKw);
}

/** Whether the site takes part: up with any right to import, down with anything that can give or shed. */
export function isCompositeCompatible(unit: ComponentGroup, direction: number, sku: Sku | null): boolean {
  if (direction > 0) return unit.importMaxKw > 0;
  if (direction === 0 || unit.batteries.length > 0 || reducibleLoadKw(unit) > 0) return true;
  return unit.plants.some((lane) => sku === null || lane.component.spec.subsidy !== "fit");
}

/** Whether a store of the site is full (`up`) or empty, so that it is this that limits the site. */
export const isStorageLimited = ({ batteries, plants }: ComponentGroup, up: boolean): boolean =>
  batteries.some(({ component }) => component.isAtBound(up)) || plants.some(({ component }) => component.isAtBound(up));
