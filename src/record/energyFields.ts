import { toThousandths } from "../base/rounding.ts";
import type { Site } from "../site/site.ts";
import { LEAF, LEAF_COUNT } from "./siteMeter.ts";

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

/** Which fields a site's records have. @see accounting.md §3 */
export function fieldsOf(site: Site): readonly EnergyField[] {
  const { unit, spec } = site;
  if (unit.kind === "battery") return ["import_kwh", "export_kwh", "baseline_kwh"];
  if (unit.kind === "consumer")
    return [
      "import_kwh",
      "export_kwh",
      "baseline_kwh",
      "self_consumed_kwh",
      "grid_to_load_kwh",
      "consumption_kwh",
      "dr_delivered_kwh",
    ];
  const fields: EnergyField[] = ["import_kwh", "export_kwh", "baseline_kwh"];
  if (spec.capability.balancingResponsible) fields.push("imbalance_kwh");
  fields.push(exportFieldOf(unit.spec.subsidy));
  fields.push("curtailed_kwh", "fit_curtailed_kwh", "non_firm_curtailed_kwh", "manual_curtailed_kwh");
  return fields;
}

function exportFieldOf(subsidy: "fit" | "fip" | "none"): EnergyField {
  if (subsidy === "fit") return "fit_export_kwh";
  return subsidy === "fip" ? "fip_export_kwh" : "non_subsidized_export_kwh";
}

/**
 * One interval's value of a field in thousandths, from the leaves' rounded values of that interval: sums of rounded
 * leaves, so that every identity closes in print (accounting.md §3).
 */
export function fieldValue(field: EnergyField, leaves: Float64Array, base = 0): number {
  switch (field) {
    case "import_kwh":
    case "grid_to_load_kwh":
    case "consumption_kwh":
      return leaves[base + LEAF.import];
    case "export_kwh":
    case "fit_export_kwh":
    case "fip_export_kwh":
    case "non_subsidized_export_kwh":
      return leaves[base + LEAF.export];
    case "baseline_kwh":
      return leaves[base + LEAF.baseline];
    case "self_consumed_kwh":
      return 0;
    case "imbalance_kwh":
      return leaves[base + LEAF.export] - leaves[base + LEAF.import] + leaves[base + LEAF.baseline];
    case "curtailed_kwh":
      return (
        leaves[base + LEAF.fitCurtailed] +
        leaves[base + LEAF.nonFirmCurtailed] +
        leaves[base + LEAF.manualCurtailed] +
        leaves[base + LEAF.otherCurtailed]
      );
    case "fit_curtailed_kwh":
      return leaves[base + LEAF.fitCurtailed];
    case "non_firm_curtailed_kwh":
      return leaves[base + LEAF.nonFirmCurtailed];
    case "manual_curtailed_kwh":
      return leaves[base + LEAF.manualCurtailed];
    case "dr_delivered_kwh":
      return leaves[base + LEAF.drDelivered];
  }
}

/** Turns registers in kWh into whole thousandths. */
export function roundRegisters(registers: Float64Array, rounded: Float64Array): void {
  for (let k = 0; k < LEAF_COUNT; k++) rounded[k] = toThousandths(registers[k]);
}
