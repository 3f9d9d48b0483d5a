import type { CompositeResource } from "../../site/composite/compositeResource.ts";
import type { Site } from "../../site/site.ts";
import { SUM_REGISTER } from "../meters/componentRegisters.ts";
import { REGISTER } from "../meters/energyRegisters.ts";

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

/** Which fields a site's records have. @see docs/model/accounting.md#energy-fields */
export function energyFieldsOf(site: Site): readonly EnergyField[] {
  const { resource: unit, spec } = site;
  if (unit.kind === "battery") return ["import_kwh", "export_kwh", "baseline_kwh"];
  if (unit.kind === "multi_component") return energyFieldsOfComponents(unit, spec.capability.balancingResponsible);
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

/** The union of the fields of its components' kinds; what a battery sends is not subsidised. */
function energyFieldsOfComponents(
  { components: parts }: CompositeResource,
  isBalancing: boolean,
): readonly EnergyField[] {
  const fields = new Set<EnergyField>(["import_kwh", "export_kwh", "baseline_kwh"]);
  fields.add("self_consumed_kwh").add("grid_to_load_kwh").add("consumption_kwh");
  if (isBalancing) fields.add("imbalance_kwh");
  for (const { kind, spec } of parts) {
    if (kind === "battery") fields.add("non_subsidized_export_kwh");
    else if (kind === "consumer") fields.add("dr_delivered_kwh");
    else {
      fields.add(exportFieldOf(spec.subsidy));
      fields.add("curtailed_kwh").add("fit_curtailed_kwh").add("non_firm_curtailed_kwh").add("manual_curtailed_kwh");
    }
  }
  return ENERGY_FIELDS.filter((field) => fields.has(field));
}

function exportFieldOf(subsidy: "fit" | "fip" | "none"): EnergyField {
  if (subsidy === "fit") return "fit_export_kwh";
  return subsidy === "fip" ? "fip_export_kwh" : "non_subsidized_export_kwh";
}

/** The leaf that a field of a site of one component simply is; the others are sums, which `energyFieldValue` makes. */
const REGISTER_OF_FIELD: { readonly [Field in EnergyField]?: number } = {
  import_kwh: REGISTER.import,
  grid_to_load_kwh: REGISTER.import,
  consumption_kwh: REGISTER.import,
  export_kwh: REGISTER.export,
  fit_export_kwh: REGISTER.export,
  fip_export_kwh: REGISTER.export,
  non_subsidized_export_kwh: REGISTER.export,
  baseline_kwh: REGISTER.baseline,
  fit_curtailed_kwh: REGISTER.fitCurtailed,
  non_firm_curtailed_kwh: REGISTER.nonFirmCurtailed,
  manual_curtailed_kwh: REGISTER.manualCurtailed,
  dr_delivered_kwh: REGISTER.drDelivered,
};

/** The same for several components. */
const COMPOSITE_REGISTER_OF_FIELD: { readonly [Field in EnergyField]?: number } = {
  import_kwh: REGISTER.import,
  export_kwh: REGISTER.export,
  baseline_kwh: REGISTER.baseline,
  self_consumed_kwh: SUM_REGISTER.selfConsumed,
  grid_to_load_kwh: SUM_REGISTER.gridToLoad,
  fit_export_kwh: SUM_REGISTER.fitExport,
  fip_export_kwh: SUM_REGISTER.fipExport,
  non_subsidized_export_kwh: SUM_REGISTER.nonSubsidizedExport,
  fit_curtailed_kwh: REGISTER.fitCurtailed,
  non_firm_curtailed_kwh: REGISTER.nonFirmCurtailed,
  manual_curtailed_kwh: REGISTER.manualCurtailed,
  dr_delivered_kwh: REGISTER.drDelivered,
};

/** The register of a field at a site, or -1. */
export const registerOfField = (field: EnergyField, { resource: unit }: Site): number =>
  (unit.kind === "multi_component" ? COMPOSITE_REGISTER_OF_FIELD : REGISTER_OF_FIELD)[field] ?? -1;

/**
 * One interval's value of a field in thousandths, from the leaves' rounded values of that interval: sums of rounded
 * leaves, so that every identity closes in print (docs/model/accounting.md#energy-fields).
 */
export function energyFieldValue(field: EnergyField, site: Site, leaves: Float64Array, base = 0): number {
  const leaf = registerOfField(field, site);
  if (leaf >= 0) return leaves[base + leaf];
  switch (field) {
    case "imbalance_kwh":
      return leaves[base + REGISTER.export] - leaves[base + REGISTER.import] + leaves[base + REGISTER.baseline];
    case "curtailed_kwh":
      return (
        leaves[base + REGISTER.fitCurtailed] +
        leaves[base + REGISTER.nonFirmCurtailed] +
        leaves[base + REGISTER.manualCurtailed] +
        leaves[base + REGISTER.otherCurtailed]
      );
    case "consumption_kwh":
      return leaves[base + SUM_REGISTER.gridToLoad] + leaves[base + SUM_REGISTER.selfConsumed];
    default:
      // self_consumed_kwh of one component.
      return 0;
  }
}
