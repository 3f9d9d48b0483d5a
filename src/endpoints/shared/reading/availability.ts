import { toTenths } from "../../../base/rounding.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { CompositeResource } from "../../../site/composite/compositeResource.ts";
import { availableBatteriesKw } from "../../../site/composite/dispatchDelta.ts";
import type { Site } from "../../../site/site.ts";

/** What a site could take in and send now, absolute, in whole tenths of kW and kWh; 0 out of service (docs/model/capability.md#sign, docs/model/capability.md#available-power). */
export interface Availability {
  /** As the site itself says; a VPP counts none of a consumer's. */
  readonly importTenths: number;
  readonly exportTenths: number;
  /** NaN without a battery. */
  readonly importEnergyTenths: number;
  readonly exportEnergyTenths: number;
}

/** Of a site, living or past, at an instant of its present law; reading moves no state. */
export function siteAvailability(site: Site, atMs: EpochMs): Availability {
  const { resource: unit } = site;
  const isIn = site.isInService;
  const energy = { importEnergyTenths: Number.NaN, exportEnergyTenths: Number.NaN };
  const exports = isIn && site.spec.capability.reverseFlowAllowed;
  switch (unit.kind) {
    case "battery": {
      const storedKwh = unit.trajectory.storedKwhAt(atMs);
      return {
        importTenths: isIn ? toTenths(unit.importAvailableKw(storedKwh)) : 0,
        exportTenths: exports ? toTenths(unit.exportAvailableKw(atMs, site.outputLimit, storedKwh)) : 0,
        importEnergyTenths: isIn ? toTenths(unit.importEnergyAvailableKwh(storedKwh)) : 0,
        exportEnergyTenths: isIn ? toTenths(unit.exportEnergyAvailableKwh(storedKwh)) : 0,
      };
    }
    case "generator":
      return {
        importTenths: 0,
        exportTenths: exports ? toTenths(unit.exportAvailableKw(atMs, site.outputLimit)) : 0,
        ...energy,
      };
    case "dispatchable":
      return {
        importTenths: 0,
        exportTenths: exports
          ? toTenths(unit.exportAvailableKw(atMs, site.outputLimit, unit.trajectory.storedKwhAt(atMs)))
          : 0,
        ...energy,
      };
    case "multi_component":
      return compositeAvailability(unit, site, atMs);
    case "consumer":
      return {
        importTenths: isIn ? toTenths(Math.min(unit.spec.contractKw, site.spec.constraints.siteImportMaxKw)) : 0,
        exportTenths: 0,
        ...energy,
      };
  }
}

/** What the components can together, within the connection point (docs/model/capability.md#available-power, docs/model/members.md#sums). */
function compositeAvailability(unit: CompositeResource, site: Site, atMs: EpochMs): Availability {
  const isIn = site.isInService;
  let importKwh = 0;
  let exportKwh = 0;
  for (const { component: battery } of isIn ? unit.batteries : []) {
    const storedKwh = battery.trajectory.storedKwhAt(atMs);
    importKwh += battery.importEnergyAvailableKwh(storedKwh);
    exportKwh += battery.exportEnergyAvailableKwh(storedKwh);
  }
  const hasBattery = unit.batteries.length > 0;
  return {
    importTenths: isIn ? toTenths(Math.min(unit.importMaxKw, availableBatteriesKw(unit, true, atMs))) : 0,
    exportTenths: isIn ? toTenths(unit.gridExportAvailableKw(site, atMs)) : 0,
    importEnergyTenths: hasBattery ? toTenths(importKwh) : Number.NaN,
    exportEnergyTenths: hasBattery ? toTenths(exportKwh) : Number.NaN,
  };
}
