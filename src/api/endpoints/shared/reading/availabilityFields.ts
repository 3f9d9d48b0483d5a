import type { ResourceFigures } from "./resourceFigures.ts";

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
