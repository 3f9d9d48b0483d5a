import { sumOf } from "../../../../base/lists.ts";
import { floorToHalfHour, MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../../../base/time.ts";
import { unservedKwh } from "../../../device/evChargers/evChargersSpec.ts";
import { longestStayMs, undisturbedKwh } from "../../../device/evChargers/undisturbedPlan.ts";
import { Series } from "../../../series/model/series.ts";
import { REGISTER, STORAGE_REGISTERS } from "../../meters/energyRegisters.ts";
import type { ComponentKind } from "../componentKind.ts";
import { DispatchableMeter } from "../dispatchable/dispatchableMeter.ts";
import type { ComponentStudyFacet } from "../studyFacet.ts";
import type { ComponentTable, ComponentTableRow } from "../tableFacet.ts";
import { type ComponentWireFacet, fcrRefusal, type WireSpecification } from "../wireFacet.ts";
import { EvChargersComponent } from "./evChargersComponent.ts";
import type { EvChargersKeys } from "./evChargersKeys.ts";
import { chargeSumKw, dischargeSumKw, type EvChargersModel, isTwoWay, ratedCapKwh } from "./evChargersModel.ts";
import { drawSessions, evChargersScenario } from "./evChargersScenario.ts";

/** One row for each session that ended in the run. @see docs/model/ev-chargers.md#unserved */
const evSessionsTable: ComponentTable<EvChargersComponent> = {
  stem: "ev_sessions",
  columns: [
    { name: "connector", kind: "text" },
    { name: "arrival", kind: "instant" },
    { name: "departure", kind: "instant" },
    { name: "energy_on_arrival_kwh", kind: "thousandths" },
    { name: "energy_wanted_kwh", kind: "thousandths" },
    { name: "energy_at_departure_kwh", kind: "thousandths" },
    { name: "unserved_kwh", kind: "thousandths" },
  ],
  rows: ({ spec, departedSessions, departedKwh }) =>
    departedSessions.map((index, k) => {
      const session = spec.sessions[index];
      return [
        spec.connectors[session.connector].connectorId,
        session.arrivalMs,
        session.departureMs,
        session.energyOnArrivalKwh,
        session.energyWantedKwh,
        departedKwh[k],
        unservedKwh(session, departedKwh[k]),
      ];
    }),
  kpis: [
    { name: "unserved_departures", of: unservedDepartures },
    { name: "unserved_kwh", of: unservedSumKwh },
  ],
  totals: (rows) => ({
    below: String(unservedDepartures(rows)),
    count: String(rows.length),
    kwh: unservedSumKwh(rows).toFixed(1),
  }),
};

const UNSERVED = 6;

function unservedDepartures(rows: readonly ComponentTableRow[]): number {
  return rows.filter((row) => Number(row[UNSERVED]) > 0).length;
}

function unservedSumKwh(rows: readonly ComponentTableRow[]): number {
  return sumOf(rows, (row) => Number(row[UNSERVED]));
}

/** Mean power of the undisturbed plan in each half hour from the start of the run on. @see docs/model/ev-chargers.md#baseline */
function naturalPlanKw(spec: EvChargersModel): Series {
  const { sessions, startMs, endMs } = spec;
  const fromMs = floorToHalfHour(startMs);
  const lastMs = sessions.reduce((latest, { departureMs }) => Math.max(latest, departureMs), endMs);
  // One half hour more, at 0 kW, which holds from then on.
  const count = Math.ceil((lastMs - fromMs) / MS_PER_HALF_HOUR) + 1;
  const timesMs = new Float64Array(count);
  const kw = new Float64Array(count);
  const longestMs = longestStayMs(sessions);
  for (let k = 0; k < count; k++) {
    timesMs[k] = fromMs + k * MS_PER_HALF_HOUR;
    const kwh = undisturbedKwh(spec, longestMs, timesMs[k], timesMs[k] + MS_PER_HALF_HOUR);
    kw[k] = (kwh * MS_PER_HOUR) / MS_PER_HALF_HOUR;
  }
  return new Series(`${spec.componentId}.natural`, timesMs, kw, "step", Number.POSITIVE_INFINITY);
}

/** Bounds by ratings: which cars are connected is left out, so that no bound is too low. */
const evChargersStudy: ComponentStudyFacet<EvChargersModel> = {
  canParticipate: () => true,
  highestKw: chargeSumKw,
  highestUncontrolledKw: chargeSumKw,
  lowestKw: (spec) => -dischargeSumKw(spec) || 0,
  drivingSeries: () => null,
  ratedKw: (spec) => Math.max(chargeSumKw(spec), dischargeSumKw(spec)),
  energyKwh: (spec) => ratedCapKwh(spec),
  idealStorage: () => null,
  plannableStorage: () => ["no_battery"],
};

/** A battery where any connector is two-way, else a consumer. @see docs/model/ev-chargers.md#wire */
const evChargersWire: ComponentWireFacet<EvChargersModel, EvChargersComponent> = {
  componentType: (spec) => (isTwoWay(spec) ? "battery" : "consumer"),
  specification: (spec) => (isTwoWay(spec) ? batterySpecification(spec) : consumerSpecification(spec)),
  v1Ratings: (spec) =>
    isTwoWay(spec)
      ? {
          rated_cap: ratedCapKwh(spec),
          dis_pwr_max: dischargeSumKw(spec),
          chg_pwr_max: chargeSumKw(spec),
          soc_op_max: 100,
          soc_op_min: 0,
        }
      : null,
  v1OutputKw: () => 0,
  hasIrradiance: () => false,
  importAvailableKw: (chargers, _siteImportMaxKw, atMs) => Math.max(0, chargers.powerRange(atMs, 1).highestKw),
  exportAvailableKw: (chargers, outputLimitShare, atMs) => chargers.exportAvailableKw(atMs, outputLimitShare),
  energyAvailable: (chargers, atMs) => (isTwoWay(chargers.spec) ? chargers.energyAvailable(atMs) : null),
  requestHeadroomKw(chargers, outputLimitShare, isUp, atMs) {
    const { lowestKw, highestKw } = chargers.powerRange(atMs, outputLimitShare);
    return Math.max(0, isUp ? highestKw : -lowestKw);
  },
  paths: (spec, paths) =>
    isTwoWay(spec)
      ? {
          from_generator_kwh: paths.fromGeneratorKwh,
          from_grid_kwh: paths.fromGridKwh,
          to_grid_kwh: paths.toGridKwh,
          to_load_kwh: paths.toLoadKwh,
        }
      : { from_grid_kwh: paths.fromGridKwh },
  amountRefusal: (_spec, amounts) => fcrRefusal(false, amounts),
};

const batterySpecification = (spec: EvChargersModel): WireSpecification => ({
  rated_cap: ratedCapKwh(spec),
  import_pwr_max: chargeSumKw(spec),
  export_pwr_max: dischargeSumKw(spec),
  soc_op_max: 100,
  soc_op_min: 0,
});

const consumerSpecification = (spec: EvChargersModel): WireSpecification => ({
  consumer_kind: "ev_charging",
  contract_kw: chargeSumKw(spec),
  max_demand_kw: chargeSumKw(spec),
  dr_capable: true,
  min_dr_reduction_kw: 0,
  max_dr_reduction_kw: chargeSumKw(spec),
  min_dr_duration_minutes: 1,
  min_dr_cooldown_minutes: 0,
});

/** Connectors at which cars charge and discharge. @see docs/model/ev-chargers.md */
export const EV_CHARGERS: ComponentKind<EvChargersModel, EvChargersComponent, EvChargersKeys> = {
  name: "ev_chargers",
  scenario: evChargersScenario,
  wire: evChargersWire,
  study: evChargersStudy,
  report: { flowRole: "storage" },
  accounting: {
    siteRegisters: [REGISTER.import, REGISTER.export, REGISTER.baseline],
    partRegisters: STORAGE_REGISTERS,
    owner: "customer",
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
