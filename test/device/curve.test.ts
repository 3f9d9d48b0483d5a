import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  curveIntegral,
  curveSlope,
  curveValue,
  firstPositiveMs,
  phi1,
  phi2,
  phi3,
  turningPointMs,
} from "../../src/engine/device/curve/curve.ts";
import { nonNegativeDurationMs, positivePartIntegral } from "../../src/engine/device/curve/curveIntegrals.ts";
import { runs, seedOr } from "../depth.ts";

const NEVER = Number.POSITIVE_INFINITY;

test("the φ functions are continuous where the series takes over", () => {
  expect([phi1(0), phi2(0), phi3(0)]).toEqual([1, 1 / 2, 1 / 6]);
  // φ1(1) = 1 − 1/e, φ2(1) = 1/e, φ3(1) = 1/2 − 1/e.
  expect(phi1(1)).toBeCloseTo(1 - 1 / Math.E, 15);
  expect(phi2(1)).toBeCloseTo(1 / Math.E, 15);
  expect(phi3(1)).toBeCloseTo(0.5 - 1 / Math.E, 15);
  for (const z of [0.5, -0.5]) {
    const inside = z * (1 - 1e-15);
    expect(Math.abs(phi2(z) - phi2(inside))).toBeLessThan(1e-15);
    expect(Math.abs(phi3(z) - phi3(inside))).toBeLessThan(2e-15);
  }
  // 1/2 − z/6 + z²/24 and 1/6 − z/24: what a plain difference of exponentials would lose entirely.
  expect(phi2(1e-9)).toBeCloseTo(0.5 - 1e-9 / 6, 16);
  expect(phi3(-1e-9)).toBeCloseTo(1 / 6 + 1e-9 / 24, 16);
});

describe("curves", () => {
  test.each([
    // level, slope, curvature, rate, after: value, slope, integral
    ["constant", 3, 0, 0, 0, 4, 3, 0, 12],
    ["linear", 3, -2, 0, 0, 4, -5, -2, -4],
    ["quadratic", 1, 2, 6, 0, 2, 1 + 4 + 12, 2 + 12, 2 + 4 + 8],
    // 5 e^(−τ/2): slope −2.5, curvature 1.25.
    ["exponential", 5, -2.5, 1.25, 0.5, 2, 5 / Math.E, -2.5 / Math.E, 10 * (1 - 1 / Math.E)],
    // 3 − 4 e^(τ/2).
    ["growing", -1, -2, -1, -0.5, 2, 3 - 4 * Math.E, -2 * Math.E, 6 - 8 * (Math.E - 1)],
    // τ + e^(−τ): slope 0, curvature 1.
    ["line and exponential", 1, 0, 1, 1, 1, 1 + 1 / Math.E, 1 - 1 / Math.E, 0.5 + 1 - 1 / Math.E],
  ])("%s", (_, level, slope, curvature, rate, after, value, slopeThere, integral) => {
    expect(curveValue(level, slope, curvature, rate, after)).toBeCloseTo(value, 13);
    expect(curveSlope(slope, curvature, rate, after)).toBeCloseTo(slopeThere, 13);
    expect(curveIntegral(level, slope, curvature, rate, after)).toBeCloseTo(integral, 12);
  });

  test("turn where their slope is 0", () => {
    // 2τ + 3·e^(−τ) − 3 turns at ln 1.5; a line and an exponential never do.
    expect(turningPointMs(-1, 3, 1)).toBeCloseTo(Math.log(1.5), 15);
    expect(turningPointMs(-4, 8, 0)).toBe(0.5);
    expect(turningPointMs(-1, 0, 1)).toBe(NEVER);
    expect(turningPointMs(-1, 1, 1)).toBe(NEVER);
  });
});

describe("the first rise above 0", () => {
  test.each([
    ["already above", 1e-300, -1, 0, 0, 0],
    ["at 0 and rising", 0, 1, 0, 0, 0],
    ["at 0 and falling", 0, -1, 0, 0, NEVER],
    ["constant at 0", 0, 0, 0, 0, NEVER],
    ["at 0, about to rise", 0, 0, 1, 0, 0],
    ["a line", -6, 2, 0, 0, 3],
    ["a parabola from 0 down and up again", 0, -1, 1, 0, 2],
    ["a parabola that only touches", -0.5, 1, -1, 0, NEVER],
    ["a parabola that rises above 0 and falls again", -0.5, 1.5, -1, 0, 1.5 - Math.sqrt(1.25)],
    // 1 − 2 e^(−τ)
    ["an exponential that passes 0", -1, 2, -2, 1, Math.LN2],
    // −1 + (1 − e^(−τ)) · 0.9
    ["an exponential that stays below", -1, 0.9, -0.9, 1, NEVER],
    // e^(τ) − 3
    ["growth", -2, 1, 1, -1, Math.log(3)],
    // A rate of 1e-16 per ms is negligible: 1e-9·τ = 1.
    ["a tiny rate", -1, 1e-9, -1e-25, 1e-16, 1e9 + 5e-8 * 1e9],
  ])("%s", (_, level, slope, curvature, rate, expected) => {
    const found = firstPositiveMs(level, slope, curvature, rate);
    if (expected === NEVER) expect(found).toBe(NEVER);
    else expect(Math.abs(found - expected)).toBeLessThanOrEqual(1e-6 + 1e-13 * expected);
  });

  const number = (limit: number) => fc.integer({ min: -1000, max: 1000 }).map((n) => (n * limit) / 1000);
  const seed = seedOr(7);
  test(`is a root, with nothing above 0 before it (seed ${seed})`, () => {
    fc.assert(
      fc.property(number(10), number(2), number(1), number(0.5), (level, slope, curvature, rate) => {
        const found = firstPositiveMs(level, slope, curvature, rate);
        const lastMs = Math.min(found, 60);
        let highest = Number.NEGATIVE_INFINITY;
        for (let k = 0; k < 200; k++)
          highest = Math.max(highest, curveValue(level, slope, curvature, rate, (k / 200) * lastMs));
        if (0 < found) expect(highest).toBeLessThanOrEqual(1e-7);
        if (0 < found && found < 60)
          expect(Math.abs(curveValue(level, slope, curvature, rate, found))).toBeLessThan(1e-4);
        if (0 < found && found < 60)
          expect(curveValue(level, slope, curvature, rate, found + 1e-3)).toBeGreaterThan(-1e-7);
      }),
      { seed, numRuns: runs(3000, 3000) },
    );
  });
});

describe("parts of a curve", () => {
  test.each([
    ["all above", 1, 1, 0, 0, 2, 4],
    ["all below", -1, -1, 0, 0, 2, 0],
    ["a line falling through 0", 2, -1, 0, 0, 5, 2],
    ["a line rising through 0", -2, 1, 0, 0, 5, 4.5],
    // 2 e^(−τ) − 1 until ln 2: 2·(1 − 1/2) − ln 2.
    ["an exponential falling through 0", 1, -2, 2, 1, 9, 1 - Math.LN2],
    ["an exponential rising through 0", -1, 2, -2, 1, 2, 2 - Math.LN2 - (1 - 2 * Math.exp(-2))],
  ])("positive part: %s", (_, level, slope, curvature, rate, span, expected) => {
    expect(positivePartIntegral(level, slope, curvature, rate, span)).toBeCloseTo(expected, 11);
  });

  test.each([
    ["constant at 0", 0, 0, 0, 0, 5, 5],
    ["constant below", -1, 0, 0, 0, 5, 0],
    ["falling", 2, -1, 0, 0, 5, 2],
    // (τ − 1)(τ − 3) = 3 − 4τ + τ²
    ["down and up", 3, -4, 2, 0, 5, 3],
    ["up and down", -3, 4, -2, 0, 5, 2],
    ["the end cuts", -3, 4, -2, 0, 2.5, 1.5],
  ])("time at or above 0: %s", (_, level, slope, curvature, rate, span, expected) => {
    expect(nonNegativeDurationMs(level, slope, curvature, rate, span)).toBeCloseTo(expected, 9);
  });
});
