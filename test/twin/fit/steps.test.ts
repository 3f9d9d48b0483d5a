import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BatterySpec } from "../../../src/engine/device/battery/batterySpec.ts";
import { fitBattery } from "../../../src/twin/fit/battery.ts";
import type { Estimate } from "../../../src/twin/fit/estimate.ts";
import type { MeasuredTable } from "../../../src/twin/measured/measuredSeries.ts";
import { BATTERY, batteryInput, METERING, meteredBattery, START_MS, type Step } from "./measuredBattery.ts";

const MINUTE_MS = 60_000;
const BY_SECOND = { ...METERING, spacingMs: 1_000, lossShare: 0 };

/** Set-points of five minutes each. */
const steps = (...kw: readonly number[]): Step[] =>
  kw.map((each, k) => ({ atMs: START_MS + 5 * k * MINUTE_MS, kw: each }));
const STEPS = steps(0, 100, 0, -200, 50, 0, 240, -120, 0);

const metered = (spec: BatterySpec, targets = STEPS, metering = BY_SECOND): MeasuredTable =>
  meteredBattery(spec, targets, targets[targets.length - 1].atMs + 5 * MINUTE_MS, metering);

const rowsOf = (table: MeasuredTable): ReadonlyMap<string, Estimate> =>
  new Map(fitBattery(batteryInput(BATTERY, [table])).estimates.map((row) => [row.parameter, row]));

test("drawn delays and ramps are found", () => {
  const drawn = fc.record({
    responseDelayMs: fc.integer({ min: 0, max: 30 }).map((n) => 500 * n),
    rampKwPerS: fc.integer({ min: 20, max: 500 }).map((n) => n / 10),
    seed: fc.integer({ min: 1, max: 1e6 }),
  });
  fc.assert(
    fc.property(drawn, ({ seed, ...response }) => {
      const rows = rowsOf(metered({ ...BATTERY, ...response }, STEPS, { ...BY_SECOND, seed }));
      const [delay, ramp] = [rows.get("response_delay_s"), rows.get("ramp_kw_per_s")];
      expect(Math.abs(Number(delay?.value) - response.responseDelayMs / 1000)).toBeLessThan(0.6);
      expect(Number(ramp?.value) / response.rampKwPerS).toBeCloseTo(1, 1);
      for (const row of [delay, ramp]) {
        const width = (row?.high ?? 0) - (row?.low ?? 0);
        const truth = row === delay ? response.responseDelayMs / 1000 : response.rampKwPerS;
        expect(Math.abs(Number(row?.value) - truth)).toBeLessThan(3 * width);
      }
    }),
    { numRuns: 8 },
  );
}, 60_000);

describe("what is not identifiable, and the same beside it that is", () => {
  const SLOW = { ...BATTERY, responseDelayMs: 4_000, rampKwPerS: 10 };

  test("delay and ramp, by rows a minute apart", () => {
    const rows = rowsOf(metered(SLOW, STEPS, METERING));
    expect(rows.get("response_delay_s")?.why).toContain("nothing is measured by the second");
    expect(rowsOf(metered(SLOW)).get("response_delay_s")?.status).toBe("identified");
  });

  test("delay and ramp, by the number of steps", () => {
    expect(rowsOf(metered(SLOW, steps(0, 100, 0))).get("ramp_kw_per_s")?.why).toContain(
      "2 steps of 20 times the noise",
    );
    expect(rowsOf(metered(SLOW, steps(0, 100, 0, 100, 0))).get("ramp_kw_per_s")?.status).toBe("identified");
  });

  test("a ramp that is over within one sample", () => {
    const rows = rowsOf(metered({ ...BATTERY, responseDelayMs: 4_000 }));
    expect(rows.get("ramp_kw_per_s")?.why).toMatch(/^reached within one sample: \d+\.\d kW in less than 2 s$/);
    expect(rows.get("response_delay_s")).toMatchObject({ status: "identified" });
    expect(Math.abs(Number(rows.get("response_delay_s")?.value) - 4)).toBeLessThanOrEqual(0.6);
  });

  test("steps that end away from their set-point are left out", () => {
    const limited = { ...SLOW, importMaxKw: 60 };
    expect(rowsOf(metered(limited, steps(0, 100, 0, 100, 0, 100, 0, 100))).get("ramp_kw_per_s")?.samples).toBe(3);
  });
});
