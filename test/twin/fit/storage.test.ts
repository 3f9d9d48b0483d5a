import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BatterySpec } from "../../../src/engine/device/battery/batterySpec.ts";
import { fitBattery } from "../../../src/twin/fit/battery.ts";
import type { Estimate } from "../../../src/twin/fit/estimate.ts";
import type { MeasuredTable } from "../../../src/twin/measured/measuredSeries.ts";
import { BATTERY, batteryInput, drawnSteps, HALF_HOUR_MS, meteredBattery, START_MS } from "./measuredBattery.ts";

const MS_PER_DAY = 86_400_000;

const metered = (spec: BatterySpec, days: number, seed = 1): MeasuredTable =>
  meteredBattery(spec, drawnSteps(spec, days, seed), START_MS + days * MS_PER_DAY);

const fitted = (spec: BatterySpec, ...tables: MeasuredTable[]): ReadonlyMap<string, Estimate> =>
  new Map(fitBattery(batteryInput(spec, tables)).estimates.map((estimate) => [estimate.parameter, estimate]));

const numberOf = (row: Estimate | undefined): number => {
  if (typeof row?.value !== "number") throw new Error(`${row?.parameter}: ${row?.status}, ${row?.why}`);
  return row.value;
};

test("a drawn battery is within three widths of its interval", () => {
  const drawn = fc.record({
    ratedCapKwh: fc.integer({ min: 300, max: 2_000 }),
    chargeEfficiency: fc.integer({ min: 880, max: 990 }).map((n) => n / 1000),
    dischargeEfficiency: fc.integer({ min: 880, max: 990 }).map((n) => n / 1000),
    selfDischargePctPerDay: fc.integer({ min: 0, max: 30 }).map((n) => n / 10),
    auxiliaryKw: fc.integer({ min: 0, max: 60 }).map((n) => n / 10),
    seed: fc.integer({ min: 1, max: 1e6 }),
  });
  fc.assert(
    fc.property(drawn, ({ seed, ...parameters }) => {
      const truth: BatterySpec = { ...BATTERY, ...parameters };
      const rows = fitted(BATTERY, metered(truth, 8, seed));
      const root = Math.sqrt(truth.chargeEfficiency * truth.dischargeEfficiency);
      const apparentKwh = truth.ratedCapKwh * Math.sqrt(truth.dischargeEfficiency / truth.chargeEfficiency);
      for (const [name, value] of [
        ["rated_cap", apparentKwh],
        ["round_trip_efficiency", root ** 2],
        ["charge_efficiency", root],
        ["auxiliary_kw", truth.auxiliaryKw],
      ] as const) {
        const row = rows.get(name);
        const width = (row?.high ?? 0) - (row?.low ?? 0);
        expect(row?.status, name).toBe("identified");
        expect(Math.abs(numberOf(row) - value), `${name} ${row?.value} for ${value}`).toBeLessThan(3 * width);
      }
    }),
    { numRuns: 10 },
  );
});

test("all kW ten times as large give ten times the capacity and the same efficiencies", () => {
  const table = metered({ ...BATTERY, ratedCapKwh: 700, auxiliaryKw: 2 }, 6);
  const scaled = {
    ...table,
    columns: new Map(
      [...table.columns].map(([name, values]) => [name, name === "soc" ? values : values.map((kw) => 8 * kw)]),
    ),
  };
  const spec = { ...BATTERY, importMaxKw: 8 * BATTERY.importMaxKw, exportMaxKw: 8 * BATTERY.exportMaxKw };
  const [one, other] = [fitted(BATTERY, table), fitted(spec, scaled)];
  expect(numberOf(other.get("rated_cap")) / 8).toBeCloseTo(numberOf(one.get("rated_cap")), 6);
  expect(numberOf(other.get("round_trip_efficiency"))).toBeCloseTo(numberOf(one.get("round_trip_efficiency")), 9);
});

test("of the same AC power and state of charge, any split of the efficiencies gives the same estimates", () => {
  const truth = { ...BATTERY, chargeEfficiency: 0.99, dischargeEfficiency: 0.9 };
  const split = 1.05;
  const other = {
    ...BATTERY,
    ratedCapKwh: BATTERY.ratedCapKwh / split,
    chargeEfficiency: 0.99 / split,
    dischargeEfficiency: 0.9 * split,
  };
  const steps = drawnSteps(truth, 5, 3);
  const [one, two] = [truth, other].map((spec) =>
    fitted(BATTERY, meteredBattery(spec, steps, START_MS + 5 * MS_PER_DAY)),
  );
  for (const name of ["rated_cap", "round_trip_efficiency"])
    expect(numberOf(one.get(name))).toBeCloseTo(numberOf(two.get(name)), 6);
  expect(one.get("charge_discharge_split")).toMatchObject({
    status: "not_identifiable",
    why: "AC power and SOC give only the product of the efficiencies; both are set to its root",
  });
});

test("the round-trip efficiency is that of closed trips of equal state of charge", () => {
  const truth = { ...BATTERY, chargeEfficiency: 0.93, dischargeEfficiency: 0.94 };
  const table = metered(truth, 10, 5);
  const [soc, power] = [table.columns.get("soc") ?? [], table.columns.get("current_kw") ?? []];
  const first = soc[0];
  const last = soc.findLastIndex((value) => Math.abs(value - first) < 0.05);
  let [inKwh, outKwh] = [0, 0];
  for (let row = 0; row < last; row++) {
    const hours = (table.timesMs[row + 1] - table.timesMs[row]) / 3_600_000;
    if (Math.abs(power[row]) < 1) continue;
    if (power[row] > 0) inKwh += hours * power[row];
    else outKwh -= hours * power[row];
  }
  expect(numberOf(fitted(BATTERY, table).get("round_trip_efficiency"))).toBeCloseTo(outKwh / inKwh, 2);
});

describe("what is not identifiable, and the same beside it that is", () => {
  /** Charge and discharge of 90 minutes each, so that windows of two hours do not close. */
  const cycles = (count: number, kw: number, restHalfHours: number) =>
    Array.from({ length: count }, (_, k) => {
      const atMs = START_MS + k * (6 + 2 * restHalfHours) * HALF_HOUR_MS;
      const rest = (halfHours: number) =>
        restHalfHours === 0 ? [] : [{ atMs: atMs + halfHours * HALF_HOUR_MS, kw: 0 }];
      const discharge = { atMs: atMs + (3 + restHalfHours) * HALF_HOUR_MS, kw: -kw };
      return [{ atMs, kw }, ...rest(3), discharge, ...rest(6 + restHalfHours)];
    }).flat();
  const days = (steps: readonly { readonly atMs: number }[]) => steps[steps.length - 1].atMs + 3 * HALF_HOUR_MS;
  const statusOf = (steps: ReturnType<typeof cycles>, name: string) => {
    const row = fitted(BATTERY, meteredBattery(BATTERY, steps, days(steps))).get(name);
    return `${row?.status} ${row?.why ?? ""}`.trim();
  };

  test("capacity, by the swing", () => {
    expect(statusOf(cycles(20, 12, 4), "rated_cap")).toContain("not_identifiable the state of charge moves within");
    expect(statusOf(cycles(20, 120, 4), "rated_cap")).toBe("identified");
  });

  test("capacity, by the number of windows", () => {
    expect(statusOf(cycles(2, 200, 8), "rated_cap")).toMatch(/^not_identifiable \d windows of 2 h change/);
    expect(statusOf(cycles(12, 200, 8), "rated_cap")).toBe("identified");
  });

  test("self-discharge, by the idle time", () => {
    expect(statusOf(cycles(20, 150, 0), "self_discharge_pct_per_day")).toContain("the battery is idle for");
    expect(statusOf(cycles(20, 150, 8), "self_discharge_pct_per_day")).not.toContain("not_identifiable");
  });

  test("efficiencies, by energy in one direction", () => {
    const charging = Array.from({ length: 32 }, (_, k) => ({ atMs: START_MS + 2 * k * HALF_HOUR_MS, kw: 20 }));
    const start = { ...BATTERY, initialSocPct: 8, ratedCapKwh: 700 };
    const rows = fitted(BATTERY, meteredBattery(start, charging, days(charging)));
    expect(rows.get("round_trip_efficiency")?.why).toContain("discharging is 0.0 % of the other direction's energy");
    expect(numberOf(rows.get("rated_cap")) / 700).toBeCloseTo(1, 1.7);
    expect(statusOf(cycles(60, 150, 0), "round_trip_efficiency")).toBe("identified");
  });

  test("auxiliaries, by samples at rest", () => {
    expect(statusOf(cycles(20, 150, 0), "auxiliary_kw")).toMatch(
      /^not_identifiable \d+ samples at rest; 60 are needed/,
    );
    expect(statusOf(cycles(20, 150, 4), "auxiliary_kw")).toBe("identified");
  });

  test("anything, without a state of charge", () => {
    const table = metered(BATTERY, 2);
    const columns = new Map([...table.columns].filter(([name]) => name !== "soc"));
    expect(fitted(BATTERY, { ...table, columns }).get("rated_cap")?.why).toContain("no soc");
  });
});

test("energies of counters are used in place of samples", () => {
  const truth = { ...BATTERY, ratedCapKwh: 700, auxiliaryKw: 3 };
  const fine = meteredBattery(truth, drawnSteps(truth, 8, 2), START_MS + 8 * MS_PER_DAY, {
    spacingMs: 10_000,
    noiseKw: 0,
    socDigit: 0.1,
    lossShare: 0,
    seed: 1,
  });
  const every = 90;
  const count = Math.floor(fine.timesMs.length / every);
  const power = fine.columns.get("current_kw") ?? new Float64Array(0);
  const sum = (k: number, sign: number): number =>
    power.subarray(k * every, (k + 1) * every).reduce((kwh, kw) => kwh + Math.max(0, sign * kw) / 360, 0);
  const pick = (values: Float64Array): Float64Array =>
    Float64Array.from({ length: count }, (_, k) => values[k * every]);
  const counters: MeasuredTable = {
    label: "instant",
    spacingMs: every * 10_000,
    timesMs: pick(fine.timesMs),
    columns: new Map([
      ["soc", pick(fine.columns.get("soc") ?? power)],
      ["import_kwh", Float64Array.from({ length: count }, (_, k) => sum(k, 1))],
      ["export_kwh", Float64Array.from({ length: count }, (_, k) => sum(k, -1))],
    ]),
  };
  const spec = { ...BATTERY, auxiliaryKw: 3 };
  expect(numberOf(fitted(spec, counters).get("rated_cap")) / 700).toBeCloseTo(1, 2);
  expect(numberOf(fitted(spec, counters).get("round_trip_efficiency"))).toBeCloseTo(0.9025, 2);
});
