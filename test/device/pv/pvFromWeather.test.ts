import { describe, expect, test } from "vitest";
import { MS_PER_HOUR, MS_PER_MINUTE } from "../../../src/base/time.ts";
import { intervalsOf, pvFromWeather } from "../../../src/engine/device/pv/pvFromWeather.ts";
import { pvModelChain } from "../../../src/engine/device/pv/pvModelChain.ts";
import { defaultPvLosses } from "../../../src/engine/device/pv/pvwattsLosses.ts";
import { solarPosition } from "../../../src/engine/device/pv/solarPosition.ts";
import { buildSeries } from "../../../src/engine/series/model/buildSeries.ts";
import { type Interpolation, Series } from "../../../src/engine/series/model/series.ts";
import type { StampLabel } from "../../../src/engine/series/model/seriesOptions.ts";

const START = Date.UTC(2026, 5, 21);
const array = {
  latitudeDeg: 35.68,
  longitudeDeg: 139.77,
  altitudeM: 0,
  tiltDeg: 20,
  azimuthDeg: 180,
  albedo: 0.25,
  dcCapacityKw: 1200,
  gammaPerC: -0.0037,
  ratedOutputKw: 1000,
  nominalEfficiency: 0.96,
  losses: defaultPvLosses(false),
};
const NOTHING_ELSE = { dniWm2: null, dhiWm2: null, airTemperatureC: null, windSpeedMPerS: null };

/** Minutes after the start. */
const minutesOf = (timesMs: Float64Array) => [...timesMs].map((atMs) => (atMs - START) / MS_PER_MINUTE);

/** Values at minutes after the start, as read from a file and prepared. */
function prepared(label: StampLabel, interpolation: Interpolation, stamps: number[], values: number[]): Series {
  const raw = {
    timesMs: Float64Array.from(stamps, (minute) => START + minute * MS_PER_MINUTE),
    values: Float64Array.from(values),
    lines: Int32Array.from(stamps, (_, k) => k + 2),
  };
  const recipe = {
    name: "w",
    interpolation,
    label,
    shiftMs: 0,
    repeat: "none",
    maxGapMs: null,
    onGap: "hold",
  } as const;
  return buildSeries(raw, recipe, { fromMs: START, toMs: START + MS_PER_HOUR }).series!;
}

describe("instants of the solar position", () => {
  test.each<[StampLabel, Interpolation, number[]]>([
    ["instant", "linear", [60, 120, 180]],
    ["start", "linear", [90, 90, 150, 210]],
    ["middle", "linear", [60, 60, 120, 180]],
    ["end", "linear", [30, 30, 90, 150]],
    ["instant", "step", [60, 120, 180]],
    ["start", "step", [90, 150, 210]],
    ["middle", "step", [60, 120, 180]],
    ["end", "step", [30, 90, 150]],
  ])("hourly stamps at 1, 2 and 3 h, label %s, %s", (label, interpolation, expected) => {
    const series = prepared(label, interpolation, [60, 120, 180], [1, 2, 3]);
    expect(minutesOf(intervalsOf(series, label).middlesMs)).toEqual(expected);
  });

  test("the value from the start of the first interval has the sun of that interval's middle", () => {
    const series = prepared("start", "linear", [0, 60, 120], [1, 2, 3]);
    expect([minutesOf(series.timesMs), [...series.values]]).toEqual([
      [0, 30, 90, 150],
      [1, 1, 2, 3],
    ]);
    expect([...intervalsOf(series, "start").lengthsMs]).toEqual(Array(4).fill(MS_PER_HOUR));
  });

  test("an interval beside a gap has the median spacing", () => {
    const series = prepared("start", "step", [0, 60, 120, 300, 360], [1, 2, 3, 4, 5]);
    expect([...intervalsOf(series, "start").lengthsMs]).toEqual(Array(5).fill(MS_PER_HOUR));
    expect(minutesOf(intervalsOf(series, "start").middlesMs)).toEqual([30, 90, 150, 330, 390]);
  });
});

describe("series of generation and irradiance", () => {
  const stamps = [0, 60, 120, 180];
  const ghi = prepared("end", "step", stamps, [300, 500, 700, 600]);

  test("have the weather's timestamps and interpolation, with the sun at the middle of the interval", () => {
    const { generationKw, irradianceWm2 } = pvFromWeather({ ...NOTHING_ELSE, ghiWm2: ghi }, "end", array, "pv.kw");
    const expected = pvModelChain(
      solarPosition(
        Float64Array.of(-30, 30, 90, 150).map((minute) => START + minute * MS_PER_MINUTE),
        array,
      ),
      { ...NOTHING_ELSE, ghiWm2: Float64Array.of(300, 500, 700, 600) },
      array,
    );
    expect(generationKw.values).toEqual(expected.acKw);
    expect(irradianceWm2.values).toEqual(expected.poaWm2);
    expect(minutesOf(generationKw.timesMs)).toEqual([-60, 0, 60, 120]);
    expect([generationKw.interpolation, generationKw.untilMs, generationKw.name]).toEqual([
      "step",
      ghi.untilMs,
      "pv.kw",
    ]);
    expect(generationKw.values[2]).toBeGreaterThan(400);
  });

  test("sample columns with other timestamps at the sun's instants", () => {
    const airTemperatureC = new Series(
      "t",
      Float64Array.of(START, START + 100 * MS_PER_MINUTE),
      Float64Array.of(10, 30),
      "linear",
      START + 100 * MS_PER_MINUTE,
    );
    const { generationKw } = pvFromWeather({ ...NOTHING_ELSE, ghiWm2: ghi, airTemperatureC }, "end", array, "pv.kw");
    // Sun at −30, 30, 90 and 150 min: held before the first sample and after the last, linear between.
    const expected = pvModelChain(
      solarPosition(
        Float64Array.of(-30, 30, 90, 150).map((minute) => START + minute * MS_PER_MINUTE),
        array,
      ),
      {
        ...NOTHING_ELSE,
        ghiWm2: Float64Array.of(300, 500, 700, 600),
        airTemperatureC: Float64Array.of(10, 16, 28, 30),
      },
      array,
    );
    generationKw.values.forEach((kw, k) => expect(kw).toBeCloseTo(expected.acKw[k], 9));
  });
});
