import type { EnergyField } from "../meters/energyFields.ts";

/** Accounting facet of a kind. @see docs/model/accounting.md#energy-fields */
export interface ComponentAccountingFacet<Spec> {
  /** Registers, of `REGISTER`, that can be nonzero for a site of this component alone. */
  readonly siteRegisters: readonly number[];
  /** Registers, of `COMPONENT_REGISTER`, that can be nonzero for one of several components. */
  readonly partRegisters: readonly number[];
  /** Role in the energy paths of a site (docs/model/connection-point.md#energy-paths). */
  energyRole(spec: Spec): "load" | "generation" | "storage";
  /** Support scheme of its exports. */
  subsidy(spec: Spec): "fit" | "fip" | "none";
  /** Whether site tables contain curtailment figures. */
  readonly hasCurtailment: boolean;
  /** Additional fields of energy records, besides import, export and baseline, for a site of this component alone. */
  energyFields(spec: Spec, isBalancingResponsible: boolean): readonly EnergyField[];
  /** Additional fields that it contributes to a site of several components. */
  partEnergyFields(spec: Spec): readonly EnergyField[];
}
