import { REGISTER, STORAGE_REGISTERS } from "../../meters/energyRegisters.ts";
import type { ComponentKind } from "../componentKind.ts";
import { DispatchableMeter } from "../dispatchable/dispatchableMeter.ts";
import { EvChargersComponent } from "./evChargersComponent.ts";
import type { EvChargersKeys } from "./evChargersKeys.ts";
import { chargeSumKw, dischargeSumKw, type EvChargersModel, isTwoWay } from "./evChargersModel.ts";
import { drawSessions, evChargersScenario } from "./evChargersScenario.ts";
import { evChargersStudy } from "./evChargersStudy.ts";
import { evChargersWire } from "./evChargersWire.ts";
import { evSessionsTable } from "./evSessionsTable.ts";
import { naturalPlanKw } from "./naturalPlan.ts";

/** Connectors at which cars charge and discharge. @see docs/model/ev-chargers.md */
export const EV_CHARGERS: ComponentKind<EvChargersModel, EvChargersComponent, EvChargersKeys> = {
  name: "ev_chargers",
  scenario: evChargersScenario,
  wire: evChargersWire,
  study: evChargersStudy,
  report: { label: "EV chargers", flowRole: "storage" },
  accounting: {
    siteRegisters: [REGISTER.import, REGISTER.export, REGISTER.baseline],
    partRegisters: STORAGE_REGISTERS,
    energyRole: () => "storage",
    subsidy: () => "none",
    hasCurtailment: false,
    energyFields: (spec) => (isTwoWay(spec) ? [] : ["self_consumed_kwh", "grid_to_load_kwh", "consumption_kwh"]),
    partEnergyFields: () => [],
  },
  operation: {
    responseDelayMs: () => 0,
    ratedImportKw: chargeSumKw,
    ratedExportKw: dischargeSumKw,
    respondsAsPart: false,
    loadTerms: () => null,
    auxiliaryKw: () => 0,
    uncontrolledKw: naturalPlanKw,
  },
  draws: { purpose: "ev_sessions", from: drawSessions },
  table: evSessionsTable,
  create: (spec, { limits }) => new EvChargersComponent(spec, limits),
  createMeter: (component, site, startMs, registers) => new DispatchableMeter(site, component, startMs, registers),
  createPart: (spec, limits) => new EvChargersComponent(spec, limits),
};
