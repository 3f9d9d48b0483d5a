import { kindOf } from "../../engine/site/components/registry.ts";
import { ENERGY_FIELDS, type EnergyField, REGISTER, SUM_REGISTER } from "../../engine/site/meters/energyRegisters.ts";
import type { Site } from "../../engine/site/site.ts";
import type { SiteSpec } from "../../engine/site/siteSpec.ts";

/** Fields of a site's energy records. @see docs/model/accounting.md#energy-fields */
export function energyFieldsOf({ components, capability }: SiteSpec): readonly EnergyField[] {
  if (components.length > 1) return energyFieldsOfComponents(components, capability);
  const [component] = components;
  const own = kindOf(component).accounting.energyFields(component, capability.balancingResponsible);
  return ["import_kwh", "export_kwh", "baseline_kwh", ...own];
}

/** The union of the fields of its components' kinds. */
function energyFieldsOfComponents(
  components: SiteSpec["components"],
  capability: SiteSpec["capability"],
): readonly EnergyField[] {
  const fields = new Set<EnergyField>(["import_kwh", "export_kwh", "baseline_kwh"]);
  fields.add("self_consumed_kwh").add("grid_to_load_kwh").add("consumption_kwh");
  if (capability.balancingResponsible) fields.add("imbalance_kwh");
  for (const component of components)
    for (const field of kindOf(component).accounting.partEnergyFields(component)) fields.add(field);
  return ENERGY_FIELDS.filter((field) => fields.has(field));
}

/** Registers whose values add up to a field. */
export interface RegisterSum {
  readonly added: readonly number[];
  readonly subtracted: readonly number[];
}

const registerSum = (...added: number[]): RegisterSum => ({ added, subtracted: [] });

const CURTAILED = registerSum(
  REGISTER.fitCurtailed,
  REGISTER.nonFirmCurtailed,
  REGISTER.manualCurtailed,
  REGISTER.otherCurtailed,
);
const IMBALANCE: RegisterSum = { added: [REGISTER.export, REGISTER.baseline], subtracted: [REGISTER.import] };

/** The registers of each field at a site of one component. */
const REGISTERS: Readonly<Record<EnergyField, RegisterSum>> = {
  import_kwh: registerSum(REGISTER.import),
  export_kwh: registerSum(REGISTER.export),
  baseline_kwh: registerSum(REGISTER.baseline),
  self_consumed_kwh: registerSum(),
  grid_to_load_kwh: registerSum(REGISTER.import),
  consumption_kwh: registerSum(REGISTER.import),
  fit_export_kwh: registerSum(REGISTER.export),
  fip_export_kwh: registerSum(REGISTER.export),
  non_subsidized_export_kwh: registerSum(REGISTER.export),
  curtailed_kwh: CURTAILED,
  fit_curtailed_kwh: registerSum(REGISTER.fitCurtailed),
  non_firm_curtailed_kwh: registerSum(REGISTER.nonFirmCurtailed),
  manual_curtailed_kwh: registerSum(REGISTER.manualCurtailed),
  imbalance_kwh: IMBALANCE,
  dr_delivered_kwh: registerSum(REGISTER.drDelivered),
};

/** The same at a site of several components, whose paths have registers of their own. */
const COMPOSITE_REGISTERS: Readonly<Record<EnergyField, RegisterSum>> = {
  ...REGISTERS,
  self_consumed_kwh: registerSum(SUM_REGISTER.selfConsumed),
  grid_to_load_kwh: registerSum(SUM_REGISTER.gridToLoad),
  consumption_kwh: registerSum(SUM_REGISTER.gridToLoad, SUM_REGISTER.selfConsumed),
  fit_export_kwh: registerSum(SUM_REGISTER.fitExport),
  fip_export_kwh: registerSum(SUM_REGISTER.fipExport),
  non_subsidized_export_kwh: registerSum(SUM_REGISTER.nonSubsidizedExport),
};

/** The registers whose values add up to a field at a site (docs/model/accounting.md#energy-fields). */
export const registersOfField = (field: EnergyField, { resource }: Site): RegisterSum =>
  (resource.composite === null ? REGISTERS : COMPOSITE_REGISTERS)[field];

/**
 * Value of a field in one interval, in thousandths of a kWh, from the rounded register values of that interval. Sums
 * are sums of rounded values, so that printed records satisfy every identity (docs/model/accounting.md#energy-fields).
 *
 * @param values  the registers of the site begin at `base`
 */
export function energyFieldValue(field: EnergyField, site: Site, values: Float64Array, base = 0): number {
  return sumRegisters(registersOfField(field, site), values, base);
}

/** @param values  whole thousandths; the registers of the site begin at `base` */
export function sumRegisters({ added, subtracted }: RegisterSum, values: Float64Array, base: number): number {
  let sum = 0;
  for (let k = 0; k < added.length; k++) sum += values[base + added[k]];
  for (let k = 0; k < subtracted.length; k++) sum -= values[base + subtracted[k]];
  return sum;
}
