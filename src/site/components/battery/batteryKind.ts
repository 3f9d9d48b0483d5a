import type { BatterySpec } from "../../../device/battery/batterySpec.ts";
import type { ComponentKind } from "../componentKind.ts";
import { batteryAccounting } from "./batteryAccounting.ts";
import { batteryAgeingTable } from "./batteryAgeingTable.ts";
import { BatteryComponent } from "./batteryComponent.ts";
import { BatteryMeter } from "./batteryMeter.ts";
import { type BatteryKeys, batteryScenario } from "./batteryScenario.ts";
import { batteryStudy } from "./batteryStudy.ts";
import { batteryWire } from "./batteryWire.ts";

/** Storage that charges and discharges. @see docs/model/battery.md */
export const BATTERY: ComponentKind<BatterySpec, BatteryComponent, BatteryKeys> = {
  name: "battery",
  scenario: batteryScenario,
  wire: batteryWire,
  study: batteryStudy,
  report: { label: "battery", flowRole: "storage" },
  accounting: batteryAccounting,
  operation: {
    responseDelayMs: ({ responseDelayMs }) => responseDelayMs,
    ratedImportKw: ({ importMaxKw }) => importMaxKw,
    ratedExportKw: ({ exportMaxKw }) => exportMaxKw,
    respondsAsPart: true,
    loadTerms: () => null,
    auxiliaryKw: ({ auxiliaryKw }) => auxiliaryKw,
    uncontrolledKw: () => 0,
  },
  create: (spec, { limits, baseline }) => new BatteryComponent(spec, limits, baseline.planKw),
  createPart: (spec, limits) => new BatteryComponent(spec, limits, 0),
  table: batteryAgeingTable,
  createMeter: (component, site, startMs, registers) => new BatteryMeter(site, component, startMs, registers),
};
