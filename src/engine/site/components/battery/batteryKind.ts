import { storedMaxKwh, storedMinKwh } from "../../../device/battery/batteryCapability.ts";
import type { BatterySpec } from "../../../device/battery/batterySpec.ts";
import { REGISTER, STORAGE_REGISTERS } from "../../meters/energyRegisters.ts";
import type { ComponentAccountingFacet, ComponentKind } from "../componentKind.ts";
import type { ComponentStudyFacet, PlannableStorage, PlanObstacle, StorageRatings } from "../studyFacet.ts";
import type { ComponentTable, ComponentTableRow } from "../tableFacet.ts";
import { type ComponentWireFacet, fcrRefusal } from "../wireFacet.ts";
import { BatteryAgeing, remainingKwh } from "./batteryAgeing.ts";
import { BatteryComponent } from "./batteryComponent.ts";
import { BatteryMeter } from "./batteryMeter.ts";
import { type BatteryKeys, batteryScenario } from "./batteryScenario.ts";

/** One row for each update of the capacity of an ageing battery. @see docs/model/battery.md#ageing */
const batteryAgeingTable: ComponentTable<BatteryComponent> = {
  stem: "battery_ageing",
  columns: [
    { name: "component", kind: "text" },
    { name: "at", kind: "instant" },
    { name: "equivalent_full_cycles", kind: "thousandths" },
    { name: "soc_mean_pct", kind: "thousandths" },
    { name: "depth_pct", kind: "thousandths" },
    { name: "calendar_loss_pct", kind: "thousandths" },
    { name: "cycle_loss_pct", kind: "thousandths" },
    { name: "state_of_health_pct", kind: "thousandths" },
    { name: "capacity_kwh", kind: "thousandths" },
    { name: "lost_kwh", kind: "thousandths" },
  ],
  appliesTo: ({ ageing }) => ageing !== null,
  rows: (battery) => {
    const { ratedSpec, trajectory } = battery;
    return (battery.ageing?.recordsUntilEnd(trajectory) ?? []).map(
      ({ atMs, losses, equivalentFullCycles, meanSocFraction, depth }) => {
        const capacityKwh = remainingKwh(ratedSpec, losses);
        return [
          ratedSpec.componentId,
          atMs,
          equivalentFullCycles,
          100 * meanSocFraction,
          100 * depth,
          100 * losses.calendar,
          100 * losses.cycle,
          (100 * capacityKwh) / ratedSpec.ratedCapKwh,
          capacityKwh,
          ratedSpec.ratedCapKwh - capacityKwh,
        ];
      },
    );
  },
  kpis: [
    { name: "state_of_health_min_pct", of: leastHealthPct },
    { name: "lost_capacity_kwh", of: lostKwh },
  ],
  totals: (rows) => ({ kwh: lostKwh(rows).toFixed(1), pct: leastHealthPct(rows).toFixed(2) }),
};

const AT = 1;
const HEALTH = 7;
const LOST = 9;

function leastHealthPct(rows: readonly ComponentTableRow[]): number {
  return rows.reduce((least, row) => Math.min(least, Number(row[HEALTH])), 100);
}

/** All batteries have a row at the end of the run. */
function lostKwh(rows: readonly ComponentTableRow[]): number {
  const endMs = rows.reduce((last, row) => Math.max(last, Number(row[AT])), Number.NEGATIVE_INFINITY);
  return rows.reduce((sum, row) => (row[AT] === endMs ? sum + Number(row[LOST]) : sum), 0);
}

const batteryStudy: ComponentStudyFacet<BatterySpec> = {
  canParticipate: () => true,
  highestKw: ({ importMaxKw, auxiliaryKw }) => importMaxKw + auxiliaryKw,
  highestUncontrolledKw: ({ auxiliaryKw }) => auxiliaryKw,
  lowestKw: ({ exportMaxKw }) => -exportMaxKw,
  drivingSeries: () => null,
  ratedKw: ({ importMaxKw, exportMaxKw }) => Math.max(importMaxKw, exportMaxKw),
  energyKwh: ({ socOpMinPct, socOpMaxPct, ratedCapKwh }) => ((socOpMaxPct - socOpMinPct) / 100) * ratedCapKwh,
  idealStorage: (spec) => (hasOwnDynamics(spec) ? null : ratingsOf(spec)),
  plannableStorage: (spec) => {
    const obstacles = planObstacles(spec);
    return obstacles.length === 0 ? plannableOf(spec) : obstacles;
  },
};

const hasOwnDynamics = ({ responseDelayMs, rampKwPerS, selfDischargePctPerDay }: BatterySpec): boolean =>
  responseDelayMs > 0 || rampKwPerS !== null || selfDischargePctPerDay > 0;

function planObstacles(spec: BatterySpec): readonly PlanObstacle[] {
  const { rampKwPerS, responseDelayMs, powerTaper, selfDischargePctPerDay, auxiliaryKw } = spec;
  const obstacles: readonly (readonly [PlanObstacle, boolean])[] = [
    ["ramp", rampKwPerS !== null],
    ["delay", 0 < responseDelayMs],
    ["taper", powerTaper !== null && 0 < powerTaper.length],
    ["self_discharge", 0 < selfDischargePctPerDay],
    ["auxiliaries", 0 < auxiliaryKw],
  ];
  return obstacles.filter(([, isPresent]) => isPresent).map(([obstacle]) => obstacle);
}

function ratingsOf(spec: BatterySpec): StorageRatings {
  const { ratedCapKwh, socOpMinPct, socOpMaxPct, initialSocPct } = spec;
  const initialKwh = (initialSocPct * ratedCapKwh) / 100;
  return {
    // A battery that starts outside its operating range stays there until an instruction moves it into the range.
    storedMinKwh: Math.min((socOpMinPct * ratedCapKwh) / 100, initialKwh),
    storedMaxKwh: Math.max((socOpMaxPct * ratedCapKwh) / 100, initialKwh),
    initialKwh,
    importMaxKw: spec.importMaxKw,
    exportMaxKw: spec.exportMaxKw,
    chargeEfficiency: spec.chargeEfficiency,
    dischargeEfficiency: spec.dischargeEfficiency,
    auxiliaryKw: spec.auxiliaryKw,
  };
}

function plannableOf(spec: BatterySpec): PlannableStorage {
  const ageing = spec.ageing === undefined ? null : new BatteryAgeing(spec, spec.ageing);
  const present = (): BatterySpec => (ageing === null ? spec : { ...spec, ratedCapKwh: ageing.capacityKwh });
  const { importMaxKw, exportMaxKw, chargeEfficiency, dischargeEfficiency } = spec;
  return {
    ratedKwh: spec.ratedCapKwh,
    importMaxKw,
    exportMaxKw,
    chargeEfficiency,
    dischargeEfficiency,
    initialKwh: (spec.initialSocPct * present().ratedCapKwh) / 100,
    isAgeing: ageing !== null,
    rangeKwh: () => ({ storedMinKwh: storedMinKwh(present()), storedMaxKwh: storedMaxKwh(present()) }),
    advance: (totals, atMs) => ageing?.add(totals, atMs),
  };
}

const batteryWire: ComponentWireFacet<BatterySpec, BatteryComponent> = {
  componentType: () => "battery",
  specification: (spec) => ({
    rated_cap: spec.ratedCapKwh,
    import_pwr_max: spec.importMaxKw,
    export_pwr_max: spec.exportMaxKw,
    soc_op_max: spec.socOpMaxPct,
    soc_op_min: spec.socOpMinPct,
  }),
  v1Ratings: (spec) => ({
    rated_cap: spec.ratedCapKwh,
    dis_pwr_max: spec.exportMaxKw,
    chg_pwr_max: spec.importMaxKw,
    soc_op_max: spec.socOpMaxPct,
    soc_op_min: spec.socOpMinPct,
  }),
  v1OutputKw: () => 0,
  hasIrradiance: () => false,
  importAvailableKw: (battery, _siteImportMaxKw, atMs) =>
    battery.importAvailableKw(battery.trajectory.storedKwhAt(atMs)),
  exportAvailableKw: (battery, outputLimitShare, atMs) =>
    battery.exportAvailableKw(atMs, outputLimitShare, battery.trajectory.storedKwhAt(atMs)),
  energyAvailable(battery, atMs) {
    const storedKwh = battery.trajectory.storedKwhAt(atMs);
    return {
      importKwh: battery.importEnergyAvailableKwh(storedKwh),
      exportKwh: battery.exportEnergyAvailableKwh(storedKwh),
    };
  },
  requestHeadroomKw: (battery, outputLimitShare, isUp, atMs) =>
    isUp ? battery.importAvailableKw() : battery.exportAvailableKw(atMs, outputLimitShare),
  paths: (_spec, paths) => ({
    from_generator_kwh: paths.fromGeneratorKwh,
    from_grid_kwh: paths.fromGridKwh,
    to_grid_kwh: paths.toGridKwh,
    to_load_kwh: paths.toLoadKwh,
  }),
  amountRefusal: ({ fcrCapable }, amounts) => fcrRefusal(fcrCapable, amounts),
};

const batteryAccounting: ComponentAccountingFacet<BatterySpec> = {
  siteRegisters: [REGISTER.import, REGISTER.export, REGISTER.baseline],
  partRegisters: STORAGE_REGISTERS,
  owner: "aggregator",
  energyRole: () => "storage",
  // What a battery sends is not subsidised.
  subsidy: () => "none",
  hasCurtailment: false,
  energyFields: () => [],
  partEnergyFields: () => ["non_subsidized_export_kwh"],
};

/** Storage that charges and discharges. @see docs/model/battery.md */
export const BATTERY: ComponentKind<BatterySpec, BatteryComponent, BatteryKeys> = {
  name: "battery",
  scenario: batteryScenario,
  wire: batteryWire,
  study: batteryStudy,
  report: { flowRole: "storage" },
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
