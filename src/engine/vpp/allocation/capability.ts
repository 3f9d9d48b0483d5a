import { floorToTenths } from "../../../base/rounding.ts";
import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import { CAPABILITY_LIMIT, type FcrCapabilityQuery } from "../../site/components/capabilities.ts";
import type { Site } from "../../site/site.ts";

/**
 * Headroom of a member from its baseline, in kW, at least 0. Allocation, range checks and status use the same figure.
 *
 * The site must have been advanced to the instant.
 *
 * @param hours  for which its store must be able to hold the power; 0, the default: power alone
 * @see docs/model/capability.md#headroom, docs/model/capability.md#available-power, docs/model/capability.md#multi-component-headroom, docs/model/capability.md#output-control, docs/model/consumer.md#dr-capability
 */
export const headroomKw = (site: Site, baselineKw: number, up: boolean, atMs: EpochMs, hours = 0): number =>
  site.resource.headroomKw(site, baselineKw, up, atMs, hours);

/** `import_power_available` as the VPP counts it: import power available at the connection point, in kW, absolute. */
export const importAvailableKw = (site: Site): number => site.resource.gridImportAvailableKw(site);

/** `export_power_available` as the VPP counts it: export power available, in kW, absolute; 0 without permitted reverse flow. */
export const exportAvailableKw = (site: Site, atMs: EpochMs): number => site.resource.gridExportAvailableKw(site, atMs);

/** Upward headroom of a dispatchable plant from its plan now, in kW (docs/model/capability.md#immediate-range, docs/model/consumer.md#dr-capability). */
export const dispatchableUpAvailableKw = (site: Site, atMs: EpochMs): number =>
  site.resource.dispatchableUpAvailableKw(site, atMs);

/** Load reduction available now, in kW (docs/model/consumer.md#dr-capability). */
export const reductionAvailableKw = (site: Site, sku: Sku | null, atMs: EpochMs): number =>
  site.resource.reductionAvailableKw(site, sku, atMs);

/**
 * FCR capacity of a member: the symmetric headroom around its baseline, in kW, at least 0.
 *
 * The site must have been advanced to the instant. @see docs/model/capability.md#fcr-capacity, docs/model/capability.md#fcr-energy-test
 */
export function fcrCapabilityKw(site: Site, query: FcrCapabilityQuery): number {
  const upKw = site.resource.fcrHeadroomKw(site, query, true) - query.reservedUpKw;
  const downKw = site.resource.fcrHeadroomKw(site, query, false) - query.reservedDownKw;
  return Math.max(0, Math.min(upKw, downKw, site.resource.fcrSustainableKw(query)));
}

/**
 * Limiting factor of the FCR capacity of a member: an entry of `CAPABILITY_LIMIT` (docs/model/capability.md#limiting-factor).
 *
 * @param capabilityTenths its `fcrCapabilityKw` in whole tenths of kW
 */
export function fcrCapabilityLimit(site: Site, query: FcrCapabilityQuery, capabilityTenths: number): number {
  const { resource } = site;
  if (resource.isAtFcrBound) return CAPABILITY_LIMIT.energy;
  const unreserved = { ...query, reservedUpKw: 0, reservedDownKw: 0 };
  if (capabilityTenths < floorToTenths(fcrCapabilityKw(site, unreserved))) return CAPABILITY_LIMIT.otherAward;
  const upKw = resource.fcrHeadroomKw(site, query, true) - query.reservedUpKw;
  const downKw = resource.fcrHeadroomKw(site, query, false) - query.reservedDownKw;
  const isDownLowest = downKw <= upKw && downKw <= resource.fcrSustainableKw(query);
  return isDownLowest && resource.isFcrOutputControlled(site) ? CAPABILITY_LIMIT.outputControl : CAPABILITY_LIMIT.power;
}
