import { describe, expect, test } from "vitest";
import {
  clampSymmetric,
  droopResponsePerKw,
  type FcrConfig,
} from "../../../src/engine/device/frequency/frequencyResponse.ts";
import { fitBattery } from "../../../src/twin/fit/battery.ts";
import type { Estimate } from "../../../src/twin/fit/estimate.ts";
import type { MeasuredColumn, MeasuredTable } from "../../../src/twin/measured/measuredSeries.ts";
import { BATTERY, batteryInput, FCR, fitOptions, START_MS, streamOf } from "./measuredBattery.ts";

interface Recording {
  readonly config: FcrConfig;
  readonly hours: number;
  readonly noiseKw?: number;
  readonly sigmaHz?: number;
  readonly spacingMs?: number;
}

/** Seconds of a battery that holds all of its rating as FCR capacity at a set-point of 20 kW. */
function responding({ config, hours, noiseKw = 1, sigmaHz = 0.02, spacingMs = 1_000 }: Recording): MeasuredTable {
  const count = (3_600_000 * hours) / spacingMs;
  const stream = streamOf(7)("frequency");
  const hz = new Float64Array(count);
  let deviation = 0;
  for (let k = 0; k < count; k++) {
    deviation = 0.99 * deviation + sigmaHz * Math.sqrt(1 - 0.99 ** 2) * stream.nextNormal();
    hz[k] = Math.round(10_000 * (50 + deviation)) / 10_000;
  }
  const lag = Math.round((config.responseDelayMs ?? 0) / spacingMs);
  const capacityKw = BATTERY.importMaxKw;
  const kw = hz.map((_, k) => {
    const response = clampSymmetric(capacityKw * droopResponsePerKw(config, hz[Math.max(0, k - lag)]), capacityKw);
    return Math.round(10 * (20 + response + noiseKw * stream.nextNormal())) / 10;
  });
  const columns = new Map<MeasuredColumn, Float64Array>([
    ["actual_frequency", hz],
    ["fcr_response_kw", new Float64Array(count).fill(capacityKw)],
    ["current_kw", kw],
    ["setpoint_kw", new Float64Array(count).fill(20)],
  ]);
  return { label: "instant", spacingMs, timesMs: hz.map((_, k) => START_MS + k * spacingMs), columns };
}

const rowsOf = (table: MeasuredTable): ReadonlyMap<string, Estimate> =>
  new Map(fitBattery(batteryInput(BATTERY, [table], fitOptions(1, 100))).estimates.map((row) => [row.parameter, row]));

const FULL: FcrConfig = {
  freqRefHz: 50,
  lowDeadbandHz: 0.01,
  upDeadbandHz: 0.015,
  lowDroopPct: 0.4,
  upDroopPct: 0.8,
  deadbandForm: "full",
  responseDelayMs: 2_000,
};

test("dead bands, droops, form and delay of a response are found", () => {
  const rows = rowsOf(responding({ config: FULL, hours: 2 }));
  const near = (name: string, value: number, tolerance: number) =>
    expect(Math.abs(Number(rows.get(name)?.value) - value), name).toBeLessThan(tolerance);
  near("low_deadband", 0.01, 0.0006);
  near("up_deadband", 0.015, 0.0006);
  near("low_droop", 0.4, 0.008);
  near("up_droop", 0.8, 0.016);
  expect(rows.get("deadband_form")).toMatchObject({ status: "identified", value: "full", before: "subtract" });
  expect(rows.get("fcr_response_delay_s")).toMatchObject({ value: 2, key: "fcr_config.response_delay_s" });
});

test("a response from which the dead band is subtracted has that form", () => {
  const { deadbandForm: _, ...subtract } = { ...FULL, responseDelayMs: 0 };
  const rows = rowsOf(responding({ config: subtract, hours: 2 }));
  expect(rows.get("deadband_form")).toMatchObject({ status: "identified", value: "subtract" });
  expect(rows.get("low_droop")?.value).toBeCloseTo(0.4, 2);
});

describe("what is not identifiable, and the same beside it that is", () => {
  const whyOf = (recording: Partial<Recording>, name = "low_droop") =>
    rowsOf(responding({ config: FULL, hours: 1, ...recording })).get(name)?.why ?? "";

  test("all, by rows two seconds apart", () => {
    expect(whyOf({ spacingMs: 2_000 })).toBe("rows are 2 s apart; 1 s is needed");
    expect(whyOf({})).not.toContain("needed");
  });

  test("all, by the rows beyond the dead band", () => {
    expect(whyOf({ hours: 0.25 })).toMatch(/^\d+ rows (below|above) the dead band; 600 are needed on each side$/);
  });

  test("all, without a response", () => {
    expect(whyOf({ config: { ...FULL, lowDroopPct: -0.4, upDroopPct: -0.8 } })).toContain("does not follow");
  });

  test("all, by a response that is at times the other way round", () => {
    const table = responding({ config: FULL, hours: 2 });
    // Mirrored at the set-point of 20 kW in every third block of ten minutes.
    const mirrored = table.columns
      .get("current_kw")
      ?.map((kw, row) => (Math.floor(table.timesMs[row] / 600_000) % 3 < 1 ? 40 - kw : kw));
    const columns = new Map([...table.columns, ["current_kw", mirrored ?? new Float64Array()] as const]);
    const why = rowsOf({ ...table, columns }).get("low_droop")?.why;
    expect(why).toMatch(/does not follow the frequency on \d+ % of the resamples$/);
    expect(rowsOf(table).get("low_droop")?.why).toBeNull();
  });

  test("the form, by noise and a narrow dead band", () => {
    const narrow = { ...FULL, lowDeadbandHz: 0.002, upDeadbandHz: 0.002 };
    expect(whyOf({ config: narrow, noiseKw: 20 }, "deadband_form")).toMatch(/^the error of \w+ is \d+ % smaller/);
    expect(whyOf({}, "deadband_form")).toBe("");
  });
});

test("a site without a component that answers the frequency has no response", () => {
  const table = responding({ config: FULL, hours: 0.1 });
  const spec = { ...BATTERY, fcrCapable: false };
  const rows = fitBattery(batteryInput(spec, [table], fitOptions(), FCR)).estimates;
  expect(rows.find(({ parameter }) => parameter === "low_droop")?.why).toBe("no component is fcr_capable");
});
