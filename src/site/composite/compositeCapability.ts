import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import type { ResourceSite } from "../components/capabilities.ts";
import type { ComponentGroup } from "./componentGroup.ts";
import { availableBatteriesKw, availablePlantsKw, reducibleLoadKw, uncontrolledMeterKw } from "./dispatchDelta.ts";

// What a site of several components can do as a whole (docs/model/capability.md#immediate-range, docs/model/capability.md#multi-component-headroom, docs/model/allocation.md#compatibility, docs/model/capability.md#capability-flags). All kW are magnitudes.

/**
 * kW by which the site can deviate from its baseline: the sum over its components, within the connection point; without reverse
 * flow down to a meter power of 0. Tracking batteries must compensate loads, PV and wind first. A component with a set-point of
 * its own adds nothing. Stores must be able to hold it for `hours`; 0: power alone.
 */
export function compositeHeadroomKw(
  group: ComponentGroup,
  site: ResourceSite,
  { baselineKw, up, atMs, hours }: { baselineKw: number; up: boolean; atMs: EpochMs; hours: number },
): number {
  const connectionHeadroomKw = up ? group.importMaxKw - baselineKw : group.exportMaxKw + baselineKw;
  const meterDeviationKw = group.isTracking ? uncontrolledMeterKw(group, atMs) - baselineKw : 0;
  const batteryKw =
    availableBatteriesKw(group, up, atMs, group.siteControlledBatteries, hours) +
    (up ? meterDeviationKw : -meterDeviationKw);
  const componentsKw =
    Math.max(0, batteryKw) +
    availablePlantsKw(group, up, atMs, group.siteControlledPlants, hours) +
    (up ? 0 : compositeReductionKw(group, site, null, atMs));
  return Math.max(0, Math.min(connectionHeadroomKw, componentsKw));
}

/** kW that the site's batteries can charge together, beside their auxiliaries at the connection point. */
export function compositeImportKw(group: ComponentGroup, atMs: EpochMs): number {
  return Math.max(0, Math.min(group.importMaxKw - auxiliaryKw(group), availableBatteriesKw(group, true, atMs)));
}

/** kW that the batteries, plants, PV and wind of the site can export together; auxiliaries at the connection point consume a part. */
export function compositeExportKw(group: ComponentGroup, atMs: EpochMs): number {
  let kw = availableBatteriesKw(group, false, atMs) + availablePlantsKw(group, false, atMs);
  for (const generator of group.generators) kw += generator.exportAvailableKw(atMs, group.outputLimitShare);
  return group.exportMaxKw === 0 ? 0 : Math.min(group.exportMaxKw + auxiliaryKw(group), kw);
}

function auxiliaryKw({ batteries }: ComponentGroup): number {
  let kw = 0;
  for (const { component } of batteries) kw += component.spec.auxiliaryKw;
  return kw;
}

/** kW of load that can be shed now; none of a consumer within its cooldown (docs/model/consumer.md#dr-capability). */
export function compositeReductionKw(
  group: ComponentGroup,
  { reduction }: ResourceSite,
  sku: Sku | null,
  atMs: EpochMs,
): number {
  const isContinuation = reduction.reducing && (sku === null || reduction.sku === sku);
  const endedMs = reduction.reducing ? atMs : reduction.endedMs;
  let inCooldownKw = 0;
  for (const { component: consumer } of group.siteControlledConsumers)
    if (!isContinuation && consumer.spec.drCapable && atMs - endedMs < consumer.spec.minDrCooldownMs)
      inCooldownKw += consumer.spec.maxDrReductionKw;
  return Math.max(0, reducibleLoadKw(group, group.siteControlledConsumers) - inCooldownKw);
}

/** Whether the site takes part: upward if it may import, downward if a component can export or shed. */
export function isCompositeCompatible(group: ComponentGroup, direction: number, sku: Sku | null): boolean {
  if (direction > 0) return group.importMaxKw > 0;
  if (direction === 0 || group.batteries.length > 0 || reducibleLoadKw(group) > 0) return true;
  return group.plants.some((controller) => sku === null || controller.component.spec.subsidy !== "fit");
}

/** Whether a storage component is full (`up`) or empty and therefore limits the site. */
export const isStorageLimited = ({ batteries, plants }: ComponentGroup, up: boolean): boolean =>
  batteries.some(({ component }) => component.isAtBound(up)) || plants.some(({ component }) => component.isAtBound(up));
