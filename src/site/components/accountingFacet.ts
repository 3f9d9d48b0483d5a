import type { EnergyField } from "../meters/energyFields.ts";

/** What accounting records of a kind. @see docs/model/accounting.md#energy-fields */
export interface ComponentAccountingFacet<Spec> {
  /** Registers, of `REGISTER`, that a site of this component alone moves; its others stay 0. */
  readonly siteRegisters: readonly number[];
  /** Registers, of `COMPONENT_REGISTER`, that it moves as one of several components. */
  readonly partRegisters: readonly number[];
  /** Its place in the energy paths of a site (docs/model/connection-point.md#energy-paths). */
  energyRole(spec: Spec): "load" | "generation" | "storage";
  /** The support scheme that its exports count under. */
  subsidy(spec: Spec): "fit" | "fip" | "none";
  /** Whether site tables have figures of curtailment. */
  readonly hasCurtailment: boolean;
  /** Fields of energy records beside import, export and baseline, of a site of this component alone. */
  energyFields(spec: Spec, isBalancingResponsible: boolean): readonly EnergyField[];
  /** Fields that it adds to those of a site of several components. */
  partEnergyFields(spec: Spec): readonly EnergyField[];
}
