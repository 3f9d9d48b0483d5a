import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
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
