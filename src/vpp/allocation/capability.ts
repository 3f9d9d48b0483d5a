import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Site } from "../../site/site.ts";

/**
 * kW by which a member can leave its baseline, at least 0: the same figure for allocation, range checks and status.
 *
 * The site must have been advanced to the instant. @see docs/model/capability.md#headroom, docs/model/capability.md#available-power, docs/model/capability.md#multi-component-headroom, docs/model/capability.md#output-control, docs/model/consumer.md#dr-capability
 */
export const headroomKw = (site: Site, baselineKw: number, up: boolean, atMs: EpochMs): number =>
  site.resource.headroomKw(site, baselineKw, up, atMs);

/** `import_power_available` as the VPP counts it: kW that the grid point can take in, absolute. */
export const importAvailableKw = (site: Site): number => site.resource.gridImportAvailableKw(site);

/** `export_power_available` as the VPP counts it: kW that the grid point can send, absolute; none where it may not. */
export const exportAvailableKw = (site: Site, atMs: EpochMs): number => site.resource.gridExportAvailableKw(site, atMs);

/** kW that a dispatchable plant could leave its plan upwards if it were asked now (docs/model/capability.md#immediate-range, docs/model/consumer.md#dr-capability). */
export const dispatchableUpAvailableKw = (site: Site, atMs: EpochMs): number =>
  site.resource.dispatchableUpAvailableKw(site, atMs);

/** kW of load that could be shed if it were asked for now (docs/model/consumer.md#dr-capability). */
export const reductionAvailableKw = (site: Site, sku: Sku | null, atMs: EpochMs): number =>
  site.resource.reductionAvailableKw(site, sku, atMs);
