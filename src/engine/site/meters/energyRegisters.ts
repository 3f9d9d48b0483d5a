/** Elementary paths of a site's energy, in kWh from the start of the run; which of them a kind has: its accounting facet. */
export const REGISTER = {
  import: 0,
  export: 1,
  baseline: 2,
  fitCurtailed: 3,
  nonFirmCurtailed: 4,
  manualCurtailed: 5,
  otherCurtailed: 6,
  drDelivered: 7,
} as const;
export const REGISTER_COUNT = 8;

/**
 * Sums that a site of several components has beside `REGISTER`, in kWh; in its registers they follow the leaves.
 *
 * Together with import, export and curtailed they are sums over its components' leaves: `computeSumRegisters` makes them.
 */
export const SUM_REGISTER = {
  selfConsumed: REGISTER_COUNT,
  gridToLoad: REGISTER_COUNT + 1,
  fitExport: REGISTER_COUNT + 2,
  fipExport: REGISTER_COUNT + 3,
  nonSubsidizedExport: REGISTER_COUNT + 4,
} as const;

/**
 * Elementary paths of one component, in kWh. `from…` of a store: what it takes in, from generation (or another store) on the
 * site, or from the grid; a load's `fromGrid`. `to…` of generation and of a store that gives. @see docs/model/accounting.md#energy-paths
 */
export const COMPONENT_REGISTER = {
  fromGenerator: 0,
  fromGrid: 1,
  toLoad: 2,
  toBattery: 3,
  toGrid: 4,
  fitCurtailed: 5,
  nonFirmCurtailed: 6,
  manualCurtailed: 7,
  otherCurtailed: 8,
} as const;
export const COMPONENT_REGISTER_COUNT = 9;

/** Registers of a component that may take in energy and give it. */
export const STORAGE_REGISTERS: readonly number[] = [
  COMPONENT_REGISTER.fromGenerator,
  COMPONENT_REGISTER.fromGrid,
  COMPONENT_REGISTER.toLoad,
  COMPONENT_REGISTER.toBattery,
  COMPONENT_REGISTER.toGrid,
];

/** kWh fields of an energy record, in the order of the documents. */
export const ENERGY_FIELDS = [
  "import_kwh",
  "export_kwh",
  "baseline_kwh",
  "self_consumed_kwh",
  "grid_to_load_kwh",
  "consumption_kwh",
  "imbalance_kwh",
  "fit_export_kwh",
  "fip_export_kwh",
  "non_subsidized_export_kwh",
  "curtailed_kwh",
  "fit_curtailed_kwh",
  "non_firm_curtailed_kwh",
  "manual_curtailed_kwh",
  "dr_delivered_kwh",
] as const;
export type EnergyField = (typeof ENERGY_FIELDS)[number];

/** The field of what goes to the grid under a subsidy. */
function exportFieldOf(subsidy: "fit" | "fip" | "none"): EnergyField {
  if (subsidy === "fit") return "fit_export_kwh";
  return subsidy === "fip" ? "fip_export_kwh" : "non_subsidized_export_kwh";
}

const CURTAILED_FIELDS = [
  "curtailed_kwh",
  "fit_curtailed_kwh",
  "non_firm_curtailed_kwh",
  "manual_curtailed_kwh",
] as const;

/** What a generator's records have beside import, export and baseline. */
export const generationFields = (subsidy: "fit" | "fip" | "none", isBalancingResponsible: boolean): EnergyField[] => [
  ...(isBalancingResponsible ? (["imbalance_kwh"] as const) : []),
  exportFieldOf(subsidy),
  ...CURTAILED_FIELDS,
];
