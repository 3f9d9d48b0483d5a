import type { ResourceKind } from "./siteReading.ts";

/** What a site can take in and send, in whole tenths; NaN energies where there is no battery. */
export interface AvailableTenths {
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

/** The availability keys that a kind has: others are left out, not 0 (docs/model/apis.md#status-fields). */
export function availabilityFields(kind: ResourceKind, room: AvailableTenths): AvailabilityFields {
  const import_power_available = room.importTenths / 10;
  const export_power_available = room.exportTenths / 10;
  if (kind === "generator") return { export_power_available };
  if (kind === "consumer") return { import_power_available };
  if (Number.isNaN(room.importEnergyTenths)) return { import_power_available, export_power_available };
  return {
    import_energy_available: room.importEnergyTenths / 10,
    export_energy_available: room.exportEnergyTenths / 10,
    import_power_available,
    export_power_available,
  };
}

/** Keys of a summary that only some kinds have. */
export interface SummaryFields extends AvailabilityFields {
  dr_active?: 0 | 1;
  output_control_limit?: number | null;
}

/** @param hasLoad  whether demand response is one of its figures */
export function summaryFields(
  kind: ResourceKind,
  room: AvailableTenths,
  { hasLoad, isReducing: reducing, outputLimitPct }: { hasLoad: boolean; isReducing: boolean; outputLimitPct: number },
): SummaryFields {
  const fields: SummaryFields = availabilityFields(kind, room);
  if (hasLoad) fields.dr_active = reducing ? 1 : 0;
  if (kind !== "consumer") fields.output_control_limit = Number.isNaN(outputLimitPct) ? null : outputLimitPct;
  return fields;
}
