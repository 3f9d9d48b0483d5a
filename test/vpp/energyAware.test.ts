import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CAUSES } from "../../src/accounting/settlement/causes.ts";
import { MS_PER_HOUR } from "../../src/base/time.ts";
import { planBattery } from "../../src/engine/device/battery/planBattery.ts";
import { Trajectory } from "../../src/engine/device/curve/trajectory.ts";
import { runWorld } from "../runWorld.ts";
import { readScenarioYaml } from "../scenario/scenarioFixtures.ts";

interface Battery {
  readonly capKwh: number;
  readonly ratedKw: number;
  readonly socPct: number;
  readonly chargeEfficiency: number;
  readonly dischargeEfficiency: number;
  readonly planKw: number;
}

const siteOf = (battery: Battery, k: number): string => `  - name: battery-${k}
    components:
      - {component_id: bat, component_type: battery, rated_cap: ${battery.capKwh}, import_pwr_max: ${battery.ratedKw},
         export_pwr_max: ${battery.ratedKw}, soc_op_min: 10, soc_op_max: 90, model: {initial_soc: ${battery.socPct},
         charge_efficiency: ${battery.chargeEfficiency}, discharge_efficiency: ${battery.dischargeEfficiency}}}
    baseline: {method: constant, kw: ${battery.planKw}}
`;

const scenarioOf = (
  batteries: readonly Battery[],
  deltaKw: number,
  hours: number,
  isAware: boolean,
): string => `version: 1
name: aware
start: 2026-04-01T00:00:00Z
end: 2026-04-01T06:00:00Z
sites:
${batteries.map(siteOf).join("")}vpps:
  - {name: east, members: [{site: "battery-*", resource_type: battery}]${isAware ? ", dispatch: {aware_of_energy: true}" : ""}}
awards:
  - {vpp: east, sku: rr, start: 2026-04-01T00:00:00Z, end: 2026-04-01T0${hours}:00:00Z, delta_kw: ${deltaKw}}
`;

const runAward = (batteries: readonly Battery[], deltaKw: number, hours: number, isAware: boolean) => {
  const { world } = readScenarioYaml(scenarioOf(batteries, deltaKw, hours, isAware));
  const [{ uncoveredKw, shortfallKwh, ...row }] = runWorld(world, { intervalMs: MS_PER_HOUR }).awards;
  return { ...row, uncoveredKw: uncoveredKw ?? Number.NaN, shortfallKwh: shortfallKwh ?? Number.NaN };
};

const battery = (keys: Partial<Battery>): Battery => ({
  capKwh: 1000,
  ratedKw: 500,
  socPct: 50,
  chargeEfficiency: 1,
  dischargeEfficiency: 1,
  planKw: 0,
  ...keys,
});

const causeOf = (kwh: Float64Array | readonly number[], cause: string): number =>
  kwh[CAUSES.indexOf(cause as (typeof CAUSES)[number])];

describe("two batteries, one of them with 100 kWh, 400 kW for two hours", () => {
  const batteries = [battery({ socPct: 20 }), battery({ socPct: 90 })];

  test("by power: 200 kW each, and the small store is empty after half an hour", () => {
    const row = runAward(batteries, -400, 2, false);
    expect(row.uncoveredKw).toBe(0);
    expect(row.shortfallKwh).toBeCloseTo(1.5 * 200, 6);
    expect(causeOf(row.shortfallByCauseKwh, "energy_limit")).toBeCloseTo(300, 6);
  });

  test("by energy: 50 kW and 350 kW, and nothing is missing", () => {
    const row = runAward(batteries, -400, 2, true);
    expect(row.uncoveredKw).toBe(0);
    expect(row.shortfallKwh).toBeCloseTo(0, 6);
  });

  test("power beyond the stored energy is uncovered from the start, with the cause energy_limit", () => {
    // 100 and 800 kWh over two hours are 50 and 400 kW.
    const row = runAward(batteries, -600, 2, true);
    expect(row.uncoveredKw).toBe(-150);
    expect(causeOf(row.uncoveredByCauseKw, "energy_limit")).toBeCloseTo(150, 6);
    expect(row.shortfallKwh).toBeCloseTo(300, 6);
    expect(causeOf(row.shortfallByCauseKwh, "energy_limit")).toBeCloseTo(300, 6);
  });
});

/** The largest whole tenth of kW that a battery holds for so long without meeting a bound, by trial. */
function heldTenths({ planKw, ...keys }: Battery, sign: number, hours: number): number {
  const { world } = readScenarioYaml(scenarioOf([{ planKw, ...keys }], sign * 1, 1, false));
  const [component] = world.sites[0].components;
  if (component.kind !== "battery") throw new Error("a battery");
  const trajectory = new Trajectory();
  const holds = (tenths: number): boolean => {
    const targetKw = planKw + (sign * tenths) / 10;
    planBattery(
      component,
      {
        startMs: 0,
        storedKwh: (keys.socPct / 100) * keys.capKwh,
        flowingKw: targetKw,
        targetKw,
        targetSlopeKwPerMs: 0,
        inService: true,
        importLimitKw: Number.POSITIVE_INFINITY,
        exportLimitKw: Number.POSITIVE_INFINITY,
      },
      trajectory,
    );
    return (
      Math.abs(trajectory.kwAt(hours * MS_PER_HOUR - 1) - targetKw) < 1e-6 &&
      Math.abs(trajectory.kwAt(0) - targetKw) < 1e-6
    );
  };
  let low = 0;
  let high = 20 * keys.ratedKw;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A store that cannot hold its own plan misses its baseline, whatever its share. */
const holdsPlan = (
  { planKw, capKwh, socPct, chargeEfficiency, dischargeEfficiency }: Battery,
  hours: number,
): boolean =>
  planKw > 0
    ? planKw * hours * chargeEfficiency < ((90 - socPct) / 100) * capKwh
    : (-planKw * hours) / dischargeEfficiency < ((socPct - 10) / 100) * capKwh;

const anyBattery = fc.record({
  capKwh: fc.integer({ min: 100, max: 2000 }),
  ratedKw: fc.integer({ min: 50, max: 800 }),
  socPct: fc.integer({ min: 11, max: 89 }),
  chargeEfficiency: fc.constantFrom(1, 0.95, 0.9),
  dischargeEfficiency: fc.constantFrom(1, 0.95, 0.9),
  planKw: fc.constantFrom(0, 0, -20, 15),
});

test("shares agree with trials of every battery, and are held to the end", () => {
  fc.assert(
    fc.property(
      fc.array(anyBattery, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(-1, 1),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 20_000 }),
      (anyBatteries, sign, hours, requestedTenths) => {
        const batteries = anyBatteries.map((one) => (holdsPlan(one, hours) ? one : { ...one, planKw: 0 }));
        const deltaKw = (sign * requestedTenths) / 10;
        const row = runAward(batteries, deltaKw, hours, true);
        const sumTenths = batteries.reduce((sum, one) => sum + heldTenths(one, sign, hours), 0);
        // A trial may differ by rounding at the bound: a tenth a battery.
        const uncoveredTenths = Math.abs(row.uncoveredKw) * 10;
        expect(Math.abs(uncoveredTenths - Math.max(0, requestedTenths - sumTenths))).toBeLessThanOrEqual(
          batteries.length + 1e-6,
        );
        expect(row.shortfallKwh).toBeCloseTo((uncoveredTenths / 10) * hours, 3);
        const byPower = runAward(batteries, deltaKw, hours, false);
        expect(row.shortfallKwh).toBeLessThanOrEqual(byPower.shortfallKwh + 0.1 * batteries.length * hours);
      },
    ),
    { numRuns: 40 },
  );
});

test("a site of several components counts what its stores can hold, beside what it can shed", () => {
  const yaml = scenarioOf([battery({ socPct: 20 })], -400, 2, true)
    .replace(
      "vpps:",
      `  - name: factory
    capability: {dr_capable: true, reverse_flow_allowed: true}
    components:
      - {component_id: bat, component_type: battery, rated_cap: 1000, import_pwr_max: 500, export_pwr_max: 500, soc_op_min: 10,
         soc_op_max: 90, model: {initial_soc: 30, charge_efficiency: 1, discharge_efficiency: 1}}
      - {component_id: load, component_type: consumer, contract_kw: 1000, max_demand_kw: 900, dr_capable: true, max_dr_reduction_kw: 120, model: {load: factory.load_kw}}
vpps:`,
    )
    .replace(
      '{site: "battery-*", resource_type: battery}',
      '{site: "battery-*", resource_type: battery}, {site: factory, resource_type: multi_component}',
    );
  const load = "timestamp,load_kw\n2026-04-01T00:00:00Z,600\n2026-04-02T00:00:00Z,600\n";
  const { world } = readScenarioYaml(
    yaml.replace("sites:", "series: {factory: {file: load.csv, max_gap: P2D}}\nsites:"),
    { "load.csv": load },
  );
  const [row] = runWorld(world, { intervalMs: MS_PER_HOUR }).awards;
  // 100 kWh and 200 kWh over two hours, and 120 kW of load.
  expect(row.uncoveredKw).toBe(-(400 - 50 - 100 - 120));
});
