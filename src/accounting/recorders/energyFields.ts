import { kindOf } from "../../site/components/registry.ts";
import type { CompositeResource } from "../../site/composite/compositeResource.ts";
import { ENERGY_FIELDS, type EnergyField } from "../../site/meters/energyFields.ts";
import { REGISTER, SUM_REGISTER } from "../../site/meters/energyRegisters.ts";
import type { Site } from "../../site/site.ts";
import type { SiteSpec } from "../../site/siteSpec.ts";

/** Fields of a site's energy records. @see docs/model/accounting.md#energy-fields */
export function energyFieldsOf(site: Site): readonly EnergyField[] {
  const { resource, spec } = site;
  if (resource.composite !== null) return energyFieldsOfComponents(resource.composite, spec);
  const own = kindOf(resource).accounting.energyFields(resource.spec, spec.capability.balancingResponsible);
  return ["import_kwh", "export_kwh", "baseline_kwh", ...own];
}

/** The union of the fields of its components' kinds. */
function energyFieldsOfComponents({ components }: CompositeResource, { capability }: SiteSpec): readonly EnergyField[] {
  const fields = new Set<EnergyField>(["import_kwh", "export_kwh", "baseline_kwh"]);
  fields.add("self_consumed_kwh").add("grid_to_load_kwh").add("consumption_kwh");
  if (capability.balancingResponsible) fields.add("imbalance_kwh");
  for (const component of components)
    for (const field of kindOf(component).accounting.partEnergyFields(component.spec)) fields.add(field);
  return ENERGY_FIELDS.filter((field) => fields.has(field));
}

/**
 * The register that a field equals at a site of one component; `energyFieldValue` computes the other fields as sums.
 */
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

/** The same for a site of several components. */
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

/** The register that a field equals at a site, or -1. */
export const registerOfField = (field: EnergyField, { resource }: Site): number =>
  (resource.composite === null ? REGISTER_OF_FIELD : COMPOSITE_REGISTER_OF_FIELD)[field] ?? -1;

/**
 * Value of a field in one interval, in thousandths of a kWh, from the rounded register values of that interval. Sums
 * are sums of rounded values, so that printed records satisfy every identity (docs/model/accounting.md#energy-fields).
 */
export function energyFieldValue(field: EnergyField, site: Site, registerValues: Float64Array, base = 0): number {
  const register = registerOfField(field, site);
  if (register >= 0) return registerValues[base + register];
  switch (field) {
    case "imbalance_kwh":
      return (
        registerValues[base + REGISTER.export] -
        registerValues[base + REGISTER.import] +
        registerValues[base + REGISTER.baseline]
      );
    case "curtailed_kwh":
      return (
        registerValues[base + REGISTER.fitCurtailed] +
        registerValues[base + REGISTER.nonFirmCurtailed] +
        registerValues[base + REGISTER.manualCurtailed] +
        registerValues[base + REGISTER.otherCurtailed]
      );
    case "consumption_kwh":
      return registerValues[base + SUM_REGISTER.gridToLoad] + registerValues[base + SUM_REGISTER.selfConsumed];
    default:
      // The only case: self_consumed_kwh of a site of one component.
      return 0;
  }
}
