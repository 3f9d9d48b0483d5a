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
