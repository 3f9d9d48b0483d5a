import { toTenths } from "../../../base/rounding.ts";
import type { EpochMs } from "../../../base/time.ts";
import { kindOf } from "../../../site/components/registry.ts";
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

/** Of a site, living or past, at an instant of its present trajectory; reading moves no state. */
export function siteAvailability(site: Site, atMs: EpochMs): Availability {
  const { resource, isInService: isIn, spec } = site;
  if (resource.composite !== null) return compositeAvailability(resource.composite, site, atMs);
  const { siteImportMaxKw } = spec.constraints;
  const conditions = { outputLimit: site.outputLimit, siteImportMaxKw };
  const available = kindOf(resource).wire.availability(resource, conditions, atMs);
  return {
    importTenths: isIn ? toTenths(available.importKw) : 0,
    exportTenths: isIn && spec.capability.reverseFlowAllowed ? toTenths(available.exportKw) : 0,
    importEnergyTenths: energyTenths(available.importEnergyKwh, isIn),
    exportEnergyTenths: energyTenths(available.exportEnergyKwh, isIn),
  };
}

/** NaN, where there is no battery, stays. */
const energyTenths = (kwh: number, isIn: boolean): number => (Number.isNaN(kwh) ? kwh : isIn ? toTenths(kwh) : 0);

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
