import type { BatterySpec } from "../../../device/battery/batterySpec.ts";
import { REGISTER, STORAGE_REGISTERS } from "../../meters/energyRegisters.ts";
import type { ComponentAccountingFacet } from "../accountingFacet.ts";

export const batteryAccounting: ComponentAccountingFacet<BatterySpec> = {
  siteRegisters: [REGISTER.import, REGISTER.export, REGISTER.baseline],
  partRegisters: STORAGE_REGISTERS,
  energyRole: () => "storage",
  // What a battery sends is not subsidised.
  subsidy: () => "none",
  hasCurtailment: false,
  energyFields: () => [],
  partEnergyFields: () => ["non_subsidized_export_kwh"],
};
