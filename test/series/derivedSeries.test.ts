import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../src/base/time.ts";
import { cappedIntegral } from "../../src/engine/series/model/cappedIntegral.ts";
import { capSeries } from "../../src/engine/series/model/capSeries.ts";
import { clipSeries } from "../../src/engine/series/model/clipSeries.ts";
import { halfHourMeans } from "../../src/engine/series/model/halfHourMeans.ts";
import { scaleSeries } from "../../src/engine/series/model/scaleSeries.ts";
import { Series } from "../../src/engine/series/model/series.ts";
import { sliceSeries } from "../../src/engine/series/model/sliceSeries.ts";
import { arbitrarySeries, instantsIn, steppedIntegral } from "./arbitrarySeries.ts";
import { makeSeries, minutesMs } from "./makeSeries.ts";

const STEP = makeSeries("step", "0:10 30:20 90:-5", 120);
const RAMP = makeSeries("linear", "0:0 60:60 120:0", 180);
const arbitraryCap = fc.integer({ min: -120, max: 120 });

describe("integral of the smaller of series and cap", () => {
  test.each([
    [STEP, 15, 0, 120, 10 * 0.5 + 15 * 1 - 5 * 0.5],
    [STEP, 100, 0, 120, 22.5],
    [STEP, -6, 0, 120, -12],
    [STEP, 15, 20, 40, 10 / 6 + 15 / 6],
    // Up to 30 within half an hour (mean 15), an hour at the cap of 30, and down again.
    [RAMP, 30, 0, 120, 0.5 * 15 + 1 * 30 + 0.5 * 15],
    [RAMP, 30, 0, 60, 7.5 + 15],
    [RAMP, 30, 20, 40, (10 / 60) * 25 + (10 / 60) * 30],
    [RAMP, 60, 0, 180, 60],
    [RAMP, 0, 0, 180, 0],
    [RAMP, 30, 90, 90, 0],
  ])("case %#", (series, cap, from, to, expected) => {
    expect(cappedIntegral(series, cap, minutesMs(from), minutesMs(to))).toBeCloseTo(expected, 9);
  });

  test("agrees with fine stepping", () => {
    fc.assert(
      fc.property(arbitrarySeries, arbitraryCap, fc.nat(), fc.nat(), (series, cap, a, b) => {
        const [fromMs, toMs] = instantsIn(series, a, b);
        const stepped = steppedIntegral(series, fromMs, toMs, (value) => Math.min(value, cap));
        // A corner inside a millisecond costs the stepping at most 200 / 8 value·ms.
        expect(Math.abs(cappedIntegral(series, cap, fromMs, toMs) - stepped)).toBeLessThan((8 * 25) / 3_600_000);
      }),
    );
  });

  test("is the plain integral where the cap lies above", () => {
    fc.assert(
      fc.property(arbitrarySeries, fc.nat(), fc.nat(), (series, a, b) => {
        const [fromMs, toMs] = instantsIn(series, a, b);
        expect(cappedIntegral(series, 1000, fromMs, toMs)).toBeCloseTo(series.integrate(fromMs, toMs), 9);
      }),
    );
  });
});

describe("smaller of two series", () => {
  test("two steps give a step with the stamps of both", () => {
    const capped = capSeries(STEP, makeSeries("step", "0:15 60:5", 120));
    expect(capped.interpolation).toBe("step");
    expect([...capped.timesMs].map((ms) => (ms - minutesMs(0)) / 60_000)).toEqual([0, 30, 60, 90]);
    expect([...capped.values]).toEqual([10, 15, 5, -5]);
  });

  test("a line is cut at its crossings, and a step of the cap takes the last millisecond before its stamp", () => {
    // 0 to 60 within the first hour and back, at most 30, from 90 minutes on at most 10.
    const capped = capSeries(RAMP, makeSeries("step", "0:30 90:10", 180));
    expect(capped.valueAt(minutesMs(30))).toBeCloseTo(30, 9);
    expect(capped.valueAt(minutesMs(90) - 1)).toBeCloseTo(30, 9);
    expect(capped.valueAt(minutesMs(90))).toBe(10);
    expect(capped.integrate(minutesMs(0), minutesMs(90))).toBeCloseTo(7.5 + 30, 5);
    expect(capped.integrate(minutesMs(90), minutesMs(120))).toBeCloseTo((20 / 60) * 10 + (10 / 60) * 5, 9);
  });

  test("is the smaller one at each instant that both cover", () => {
    fc.assert(
      fc.property(arbitrarySeries, arbitrarySeries, fc.nat(), (series, cap, a) => {
        const fromMs = Math.max(series.startMs, cap.startMs);
        const toMs = Math.min(series.untilMs, cap.untilMs);
        fc.pre(fromMs < toMs);
        const atMs = fromMs + (a % (toMs - fromMs));
        // A step between a line and another series takes a millisecond.
        fc.pre(![...series.timesMs, ...cap.timesMs].some((stampMs) => atMs < stampMs && stampMs <= atMs + 1));
        const capped = capSeries(series, cap);
        expect(capped.valueAt(atMs)).toBeCloseTo(Math.min(series.valueAt(atMs), cap.valueAt(atMs)), 6);
        expect(capped.untilMs).toBe(toMs);
      }),
    );
  });

  test("a number clips as before, and equal input gives the same object", () => {
    expect(capSeries(STEP, 15)).toBe(clipSeries(STEP, 15));
    const cap = makeSeries("step", "0:15", 120);
    expect(capSeries(STEP, cap)).toBe(capSeries(STEP, cap));
  });
});

describe("clipped series", () => {
  test("steps are cut where they stand", () => {
    const clipped = clipSeries(STEP, 15);
    expect([...clipped.values]).toEqual([10, 15, -5]);
    expect(clipped.untilMs).toBe(STEP.untilMs);
  });

  test("a line gets a stamp where it meets the limit, and none where it only touches it", () => {
    const clipped = clipSeries(RAMP, 30);
    expect([...clipped.timesMs].map((ms) => ms / minutesMs(1))).toEqual([0, 30, 60, 90, 120]);
    expect([...clipped.values]).toEqual([0, 30, 30, 30, 0]);
    expect([...clipSeries(makeSeries("linear", "0:5 60:9 90:5", 91), 5).timesMs].length).toBe(3);
  });

  test("nothing above the limit gives the same object", () => {
    expect(clipSeries(RAMP, 60)).toBe(RAMP);
    expect(clipSeries(RAMP, 30)).toBe(clipSeries(RAMP, 30));
    expect(clipSeries(STEP, 15)).toBe(clipSeries(STEP, 15));
    expect(clipSeries(STEP, 20)).toBe(STEP);
  });

  test("is the smaller of both at every instant, and its integral the capped one", () => {
    fc.assert(
      fc.property(arbitrarySeries, arbitraryCap, fc.nat(), fc.nat(), (series, cap, a, b) => {
        const clipped = clipSeries(series, cap);
        const [fromMs, toMs] = instantsIn(series, a, b);
        expect(clipped.valueAt(fromMs)).toBeCloseTo(Math.min(series.valueAt(fromMs), cap), 6);
        expect(clipped.integrate(fromMs, toMs)).toBeCloseTo(cappedIntegral(series, cap, fromMs, toMs), 6);
      }),
    );
  });
});

describe("half-hour means", () => {
  test.each([
    // 10 for 10 minutes, 40 for 20 minutes: 30. Then 40 held to minute 60.
    ["steps inside a half hour", makeSeries("step", "0:10 10:40", 60), 0, 60, [30, 40]],
    ["a rising line", makeSeries("linear", "0:0 60:60", 61), 0, 60, [15, 45]],
    ["a period that cuts half hours", makeSeries("step", "0:6 30:7 60:8", 90), 29, 61, [6, 7, 8]],
    ["a half hour covered in part", makeSeries("step", "20:3 25:9", 50), 20, 50, [6, 9]],
    ["a value that binary fractions miss", makeSeries("step", "0:0.1 7:0.1 11:0.1", 60), 0, 60, [0.1, 0.1]],
  ])("of %s", (_, series, from, to, expected) => {
    const means = halfHourMeans(series, minutesMs(from), minutesMs(to));
    expect([...means.values]).toEqual(expected);
    expect(means.startMs % MS_PER_HALF_HOUR).toBe(0);
    expect(means.untilMs - means.startMs).toBe(expected.length * MS_PER_HALF_HOUR);
    expect(means.interpolation).toBe("step");
  });

  test("a half hour without data is a bug", () => {
    expect(() => halfHourMeans(STEP, minutesMs(90), minutesMs(160))).toThrow(/no value in the half hour of 7200000/);
  });

  test("whole half hours keep their energy", () => {
    const series = makeSeries("linear", "0:3 17:-20 31:8 55:100 88:1", 90);
    const means = halfHourMeans(series, 0, minutesMs(90));
    expect(means.integrate(0, minutesMs(90))).toBeCloseTo(series.integrate(0, minutesMs(90)), 9);
  });
});

test("scaling multiplies values, keeps the shape and gives no -0", () => {
  const scaled = scaleSeries(makeSeries("linear", "0:0 30:20 60:-4", 90), -0.5);
  expect([...scaled.values]).toEqual([0, -10, 2]);
  expect(scaled.interpolation).toBe("linear");
  expect(scaled.untilMs).toBe(minutesMs(90));
  expect(scaleSeries(STEP, 1)).toBe(STEP);
});

describe("cutSeries", () => {
  const hours = makeHours(100);
  test.each([
    // Two samples more on either side, and no sample before the first or after the last.
    [10.5, 20.5, [8, 22]],
    [0, 5, [0, 7]],
    [90, 100, [88, 99]],
    // Hardly shorter than the whole: the whole.
    [1, 97, [0, 99]],
  ])("from hour %d to hour %d", (from, to, [first, last]) => {
    const cut = sliceSeries(hours, from * MS_PER_HOUR, to * MS_PER_HOUR);
    expect([cut.values[0], cut.values.at(-1)]).toEqual([first, last]);
    for (const hour of [from, (from + to) / 2, to])
      expect(cut.valueAt(hour * MS_PER_HOUR)).toBe(hours.valueAt(hour * MS_PER_HOUR));
    expect(cut.integrate(from * MS_PER_HOUR, to * MS_PER_HOUR)).toBeCloseTo(
      hours.integrate(from * MS_PER_HOUR, to * MS_PER_HOUR),
      9,
    );
  });
});

/** Value k at hour k, straight between. */
function makeHours(count: number): Series {
  const index = Float64Array.from({ length: count }, (_, k) => k);
  return new Series(
    "hours",
    index.map((k) => k * MS_PER_HOUR),
    index,
    "linear",
    count * MS_PER_HOUR,
  );
}
