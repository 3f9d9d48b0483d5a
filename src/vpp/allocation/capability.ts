import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import { availableBatteriesKw, availablePlantsKw } from "../../site/composite/dispatchDelta.ts";
import type { Site } from "../../site/site.ts";
import { compositeExportKw, compositeHeadroomKw, compositeReductionKw } from "./compositeCapability.ts";

/**
 * kW by which a member can leave its baseline, at least 0: the same figure for allocation, range checks and status.
 *
 * The site must have been advanced to the instant. @see docs/model/capability.md#headroom, docs/model/capability.md#available-power, docs/model/capability.md#multi-component-headroom, docs/model/capability.md#output-control, docs/model/consumer.md#dr-capability
 */
export function headroomKw(site: Site, baselineKw: number, up: boolean, atMs: EpochMs): number {
  const { resource: unit } = site;
  if (unit.kind === "multi_component") return compositeHeadroomKw(unit, site, { baselineKw, up, atMs });
  if (unit.kind === "consumer") return up || !site.spec.capability.drCapable ? 0 : unit.spec.maxDrReductionKw;
  const highestKw = unit.kind === "dispatchable" ? unit.maxSetpointKw() : unit.importAvailableKw();
  if (up) return Math.max(0, highestKw - baselineKw);
  return Math.max(0, exportAvailableKw(site, atMs) + baselineKw);
}

/** `import_power_available` as the VPP counts it: kW that the grid point can take in, absolute. */
export function importAvailableKw(site: Site): number {
  const { resource: unit } = site;
  if (unit.kind === "multi_component")
    return Math.min(unit.importMaxKw, availableBatteriesKw(unit, true, site.advancedToMs));
  return unit.kind === "battery" ? unit.importAvailableKw() : 0;
}

/** `export_power_available` as the VPP counts it: kW that the grid point can send, absolute; none where it may not. */
export function exportAvailableKw(site: Site, atMs: EpochMs): number {
  const { resource: unit, spec } = site;
  if (unit.kind === "multi_component") return compositeExportKw(unit, site, atMs);
  return unit.kind === "consumer" || !spec.capability.reverseFlowAllowed
    ? 0
    : unit.exportAvailableKw(atMs, site.outputLimit);
}

/** kW that a dispatchable plant could leave its plan upwards if it were asked now (docs/model/capability.md#immediate-range, docs/model/consumer.md#dr-capability). */
export function dispatchableUpAvailableKw(site: Site, atMs: EpochMs): number {
  if (site.resource.kind === "multi_component") return availablePlantsKw(site.resource, true, atMs);
  return site.resource.kind === "dispatchable" ? headroomKw(site, site.baselineSlotKwAt(atMs), true, atMs) : 0;
}

/**
 * kW of load that a consumer could shed if it were asked now (docs/model/consumer.md#dr-capability); a reduction that is over at this very
 * instant can only go on under its own product.
 */
export function reductionAvailableKw(site: Site, sku: Sku | null, atMs: EpochMs): number {
  const { resource: unit, reduction } = site;
  if (unit.kind === "multi_component") return compositeReductionKw(unit, site, sku, atMs);
  if (unit.kind !== "consumer" || !site.spec.capability.drCapable) return 0;
  const goesOn = reduction.reducing && (site.isLoadReduced || reduction.sku === sku);
  const endedMs = reduction.reducing ? atMs : reduction.endedMs;
  return !goesOn && atMs - endedMs < unit.spec.minDrCooldownMs ? 0 : unit.spec.maxDrReductionKw;
}
