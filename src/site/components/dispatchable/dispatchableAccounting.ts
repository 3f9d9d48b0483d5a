import type { DispatchableSpec } from "../../../device/dispatchable/dispatchableSpec.ts";
import { generationFields } from "../../meters/energyFields.ts";
import { REGISTER, STORAGE_REGISTERS } from "../../meters/energyRegisters.ts";
import type { ComponentAccountingFacet } from "../accountingFacet.ts";

export const dispatchableAccounting: ComponentAccountingFacet<DispatchableSpec> = {
  siteRegisters: [REGISTER.import, REGISTER.export, REGISTER.baseline],
  partRegisters: STORAGE_REGISTERS,
  energyRole: ({ reservoir }) => (reservoir === null ? "generation" : "storage"),
  subsidy: ({ subsidy }) => subsidy,
  hasCurtailment: true,
  energyFields: ({ subsidy }, isBalancingResponsible) => generationFields(subsidy, isBalancingResponsible),
  partEnergyFields: ({ subsidy }) => generationFields(subsidy, false),
};
