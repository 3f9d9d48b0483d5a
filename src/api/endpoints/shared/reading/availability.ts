import { toTenths } from "../../../../base/rounding.ts";
import type { EpochMs } from "../../../../base/time.ts";
import { type Component, kindOf } from "../../../../engine/site/components/registry.ts";
import type { EnergyAvailable } from "../../../../engine/site/components/wireFacet.ts";
import type { CompositeResource } from "../../../../engine/site/composite/compositeResource.ts";
import { availablePartsKw } from "../../../../engine/site/composite/dispatchDelta.ts";
import { shownExcessKwh } from "../../../../engine/site/shownReadings.ts";
import type { Site } from "../../../../engine/site/site.ts";
import type { ResourceFigures } from "./resourceFigures.ts";

/** Power and energy available at a site, absolute, in whole tenths of kW and kWh; 0 out of service (docs/model/capability.md#sign, docs/model/capability.md#available-power). */
export interface Availability {
  /** As the site API gives it; a VPP does not count the import of consumers. */
  readonly importTenths: number;
  readonly exportTenths: number;
  /** NaN without a battery. */
  readonly importEnergyTenths: number;
  readonly exportEnergyTenths: number;
}

/** Availability of a running or past site at an instant of its present trajectory. Has no side effects. */
export function siteAvailability(site: Site, atMs: EpochMs): Availability {
  const { resource, isInService: isIn, spec } = site;
  if (resource.composite !== null) return compositeAvailability(resource.composite, site, atMs);
  const { wire } = kindOf(resource);
  const mayExport = isIn && spec.capability.reverseFlowAllowed;
  const energy = shownEnergy(site, 0, resource, atMs);
  return {
    importTenths: isIn ? toTenths(wire.importAvailableKw(resource, site.limits.siteImportMaxKw, atMs)) : 0,
    exportTenths: mayExport ? toTenths(wire.exportAvailableKw(resource, site.outputLimitShare, atMs)) : 0,
    ...energyTenths(energy, site),
  };
}

/** Availability of all components together, within the limits of the connection point (docs/model/capability.md#available-power, docs/model/members.md#sums). */
function compositeAvailability(unit: CompositeResource, site: Site, atMs: EpochMs): Availability {
  const isIn = site.isInService;
  const energies = unit.components.flatMap((part, k) => shownEnergy(site, k, part, atMs) ?? []);
  return {
    importTenths: isIn ? toTenths(Math.min(unit.importMaxKw, availablePartsKw(unit, unit.batteries, true, atMs))) : 0,
    exportTenths: isIn ? toTenths(unit.gridExportAvailableKw(site, atMs)) : 0,
    ...energyTenths(energies.length === 0 ? null : energies.reduce(sum), site),
  };
}

/** The energy available in a component by its SOC sensor; `null` without a store. @param k  index of the component */
export function shownEnergy(site: Site, k: number, component: Component, atMs: EpochMs): EnergyAvailable | null {
  const energy = kindOf(component).wire.energyAvailable(component, atMs);
  const excessKwh = energy === null ? 0 : shownExcessKwh(site, k, component, atMs);
  if (energy === null || excessKwh === 0) return energy;
  const { importKwh, exportKwh } = energy;
  return { importKwh: Math.max(0, importKwh - excessKwh), exportKwh: Math.max(0, exportKwh + excessKwh) };
}

const sum = (a: EnergyAvailable, b: EnergyAvailable): EnergyAvailable => ({
  importKwh: a.importKwh + b.importKwh,
  exportKwh: a.exportKwh + b.exportKwh,
});

type EnergyTenths = Pick<Availability, "importEnergyTenths" | "exportEnergyTenths">;

/** Energies in tenths of kWh; 0 out of service, NaN without a battery. */
export function energyTenths(energy: EnergyAvailable | null, { isInService }: Site): EnergyTenths {
  if (energy === null) return { importEnergyTenths: Number.NaN, exportEnergyTenths: Number.NaN };
  if (!isInService) return { importEnergyTenths: 0, exportEnergyTenths: 0 };
  return { importEnergyTenths: toTenths(energy.importKwh), exportEnergyTenths: toTenths(energy.exportKwh) };
}

/** Power and energy available at a site, in whole tenths of kW and kWh; energies are NaN without a battery. */
interface AvailableTenths {
  readonly importTenths: number;
  readonly exportTenths: number;
  readonly importEnergyTenths: number;
  readonly exportEnergyTenths: number;
}

interface AvailabilityFields {
  import_energy_available?: number;
  export_energy_available?: number;
  import_power_available?: number;
  export_power_available?: number;
}

/** The availability keys of a resource type; keys that do not apply are omitted, not 0 (docs/model/apis.md#status-fields). */
export function availabilityFields(figures: ResourceFigures, available: AvailableTenths): AvailabilityFields {
  const fields: AvailabilityFields = {};
  if (!Number.isNaN(available.importEnergyTenths)) {
    fields.import_energy_available = available.importEnergyTenths / 10;
    fields.export_energy_available = available.exportEnergyTenths / 10;
  }
  if (figures.hasImportPower) fields.import_power_available = available.importTenths / 10;
  if (figures.hasExportPower) fields.export_power_available = available.exportTenths / 10;
  return fields;
}

/** Keys of a summary that only some resource types have. */
interface SummaryFields extends AvailabilityFields {
  dr_active?: 0 | 1;
  output_control_limit?: number;
}

/** @param hasLoad  whether the resource has demand-response figures */
export function summaryFields(
  figures: ResourceFigures,
  available: AvailableTenths,
  { hasLoad, isReducing: reducing, outputLimitPct }: { hasLoad: boolean; isReducing: boolean; outputLimitPct: number },
): SummaryFields {
  const fields: SummaryFields = availabilityFields(figures, available);
  if (hasLoad) fields.dr_active = reducing ? 1 : 0;
  if (figures.hasOutputControl) fields.output_control_limit = outputLimitPct;
  return fields;
}
