import type { ConsumerSpec } from "../../../device/consumer/consumerSpec.ts";
import { COMPONENT_REGISTER, REGISTER } from "../../meters/energyRegisters.ts";
import type { ComponentAccountingFacet } from "../accountingFacet.ts";

export const consumerAccounting: ComponentAccountingFacet<ConsumerSpec> = {
  siteRegisters: [REGISTER.import, REGISTER.export, REGISTER.baseline, REGISTER.drDelivered],
  partRegisters: [COMPONENT_REGISTER.fromGrid],
  energyRole: () => "load",
  subsidy: () => "none",
  hasCurtailment: false,
  energyFields: () => ["self_consumed_kwh", "grid_to_load_kwh", "consumption_kwh", "dr_delivered_kwh"],
  partEnergyFields: () => ["dr_delivered_kwh"],
};
