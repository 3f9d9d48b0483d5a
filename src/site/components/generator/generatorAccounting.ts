import type { VariableGeneratorSpec } from "../../../device/generator/generatorSpec.ts";
import { generationFields } from "../../meters/energyFields.ts";
import { COMPONENT_REGISTER, REGISTER } from "../../meters/energyRegisters.ts";
import type { ComponentAccountingFacet } from "../accountingFacet.ts";

export const generatorAccounting: ComponentAccountingFacet<VariableGeneratorSpec> = {
  siteRegisters: [
    REGISTER.import,
    REGISTER.export,
    REGISTER.baseline,
    REGISTER.fitCurtailed,
    REGISTER.nonFirmCurtailed,
    REGISTER.manualCurtailed,
    REGISTER.otherCurtailed,
  ],
  partRegisters: [
    COMPONENT_REGISTER.toLoad,
    COMPONENT_REGISTER.toBattery,
    COMPONENT_REGISTER.toGrid,
    COMPONENT_REGISTER.fitCurtailed,
    COMPONENT_REGISTER.nonFirmCurtailed,
    COMPONENT_REGISTER.manualCurtailed,
    COMPONENT_REGISTER.otherCurtailed,
  ],
  energyRole: () => "generation",
  subsidy: ({ subsidy }) => subsidy,
  hasCurtailment: true,
  energyFields: ({ subsidy }, isBalancingResponsible) => generationFields(subsidy, isBalancingResponsible),
  partEnergyFields: ({ subsidy }) => generationFields(subsidy, false),
};
