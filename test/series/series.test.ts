import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BugError } from "../../src/base/assert.ts";
import { Series } from "../../src/engine/series/model/series.ts";
import { arbitrarySeries, instantsIn, steppedIntegral } from "./arbitrarySeries.ts";
import { makeSeries, minutesMs } from "./makeSeries.ts";

// Uneven on purpose; the even twin has the stamps 0, 30, 60.
const STEP = makeSeries("step", "0:10 30:20 90:-5", 120);
const LINEAR = makeSeries("linear", "0:10 30:20 90:-4", 120);
const EVEN = makeSeries("step", "0:10 30:20 60:-5", 90);

describe("value at an instant", () => {
  test.each([
    [STEP, 0, 10],
    [STEP, 29.999, 10],
    [STEP, 30, 20],
    [STEP, 90, -5],
    [STEP, 120, -5],
    [LINEAR, 0, 10],
    [LINEAR, 15, 15],
    [LINEAR, 30, 20],
    [LINEAR, 60, 8],
    [LINEAR, 90, -4],
    [LINEAR, 115, -4],
    [EVEN, 29, 10],
    [EVEN, 30, 20],
    [EVEN, 89, -5],
    [EVEN, 90, -5],
  ])("case %#", (series, minute, expected) => {
    expect(series.valueAt(minutesMs(minute))).toBeCloseTo(expected, 9);
  });

  test("reading outside the covered period is a bug that names the series", () => {
    expect(() => STEP.valueAt(-1)).toThrow(BugError);
    expect(() => STEP.valueAt(minutesMs(120) + 1)).toThrow(/series s has no value at 7200001/);
  });
});

describe("integral in value·hours", () => {
  test.each([
    [STEP, 0, 120, 10 * 0.5 + 20 * 1 - 5 * 0.5],
    [STEP, 15, 45, 10 * 0.25 + 20 * 0.25],
    [STEP, 40, 40, 0],
    [LINEAR, 0, 30, 15 * 0.5],
    [LINEAR, 30, 90, 8],
    [LINEAR, 15, 60, 0.25 * 17.5 + 0.5 * 14],
    [LINEAR, 90, 120, -4 * 0.5],
    [EVEN, 10, 80, 10 / 3 + 10 - 5 / 3],
  ])("case %#", (series, from, to, expected) => {
    expect(series.integrate(minutesMs(from), minutesMs(to))).toBeCloseTo(expected, 9);
  });

  test("the closed form agrees with fine stepping", () => {
    fc.assert(
      fc.property(arbitrarySeries, fc.nat(), fc.nat(), (series, a, b) => {
        const [fromMs, toMs] = instantsIn(series, a, b);
        expect(series.integrate(fromMs, toMs)).toBeCloseTo(
          steppedIntegral(series, fromMs, toMs, (value) => value),
          6,
        );
      }),
    );
  });
});

test.each([
  [STEP, -1, 0],
  [STEP, 0, 30],
  [STEP, 29, 30],
  [STEP, 30, 90],
  [STEP, 90, Number.POSITIVE_INFINITY],
  [STEP, 500, Number.POSITIVE_INFINITY],
  [EVEN, 59, 60],
])("next change, case %#", (series, minute, expected) => {
  expect(series.nextChangeMs(minutesMs(minute))).toBe(minutesMs(expected));
});

test("slope is per millisecond, and 0 for steps and after the last sample", () => {
  const spans = [30, 60, 30].map(minutesMs);
  expect(spans.map((span, k) => Math.round(LINEAR.slopeAt(k) * span * 1e9) / 1e9)).toEqual([10, -24, 0]);
  expect([0, 1, 2].map((k) => STEP.slopeAt(k))).toEqual([0, 0, 0]);
});

test("an even spacing is noticed, and only then", () => {
  expect(EVEN.stepMs).toBe(minutesMs(30));
  expect(STEP.stepMs).toBe(0);
  expect(makeSeries("step", "0:1", 10).stepMs).toBe(0);
});

test.each([
  ["no samples", [], [], 0],
  ["more stamps than values", [0, 1], [5], 1],
  ["a stamp twice", [0, 0], [5, 6], 1],
  ["a stamp that goes back", [2, 1], [5, 6], 3],
  ["an end before the last stamp", [0, 10], [5, 6], 9],
])("a series with %s is refused", (_, timesMs, values, untilMs) => {
  const build = () => new Series("s", Float64Array.from(timesMs), Float64Array.from(values), "step", untilMs);
  expect(build).toThrow(BugError);
});
