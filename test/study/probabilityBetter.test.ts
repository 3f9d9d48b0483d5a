import { describe, expect, test } from "vitest";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { studentTProbability, studentTQuantile } from "../../src/study/statistics/estimate.ts";
import { isCarriedByOne, probabilityBelow } from "../../src/study/statistics/probabilityBetter.ts";
import { runs } from "../depth.ts";

/** Γ(k/2) by its recurrence. */
const gammaOfHalf = (k: number): number =>
  k === 1 ? Math.sqrt(Math.PI) : k === 2 ? 1 : (k / 2 - 1) * gammaOfHalf(k - 2);

/** 0.5 + the integral of the density from 0 to t, by Simpson's rule. */
function integratedProbability(t: number, freedom: number): number {
  const scale = gammaOfHalf(freedom + 1) / (Math.sqrt(freedom * Math.PI) * gammaOfHalf(freedom));
  const density = (x: number) => scale * (1 + (x * x) / freedom) ** (-(freedom + 1) / 2);
  const steps = 2000;
  let sum = density(0) + density(t);
  for (let k = 1; k < steps; k++) sum += (k % 2 === 1 ? 4 : 2) * density((k * t) / steps);
  return 0.5 + (sum * t) / (3 * steps);
}

describe("the distribution function of Student's t", () => {
  // Values of the NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
  test.each([
    [5, 2.015, 0.95],
    [10, 2.228, 0.975],
    [1, 6.314, 0.95],
    [2, -4.303, 0.025],
    [15, 2.602, 0.99],
    [31, -1.309, 0.1],
    [63, 3.225, 0.999],
  ])("with %i degrees of freedom below %f is the table's", (freedom, t, probability) => {
    expect(studentTProbability(t, freedom)).toBeCloseTo(probability, 3);
  });

  test.each([1, 2, 3, 7, 15, 31, 63])("with %i degrees of freedom is the integral of its density", (freedom) => {
    for (const t of [-12, -3.5, -1, -0.1, 0, 0.02, 0.7, 2.2, 5, 20])
      expect(studentTProbability(t, freedom)).toBeCloseTo(integratedProbability(t, freedom), 10);
  });

  test("is symmetric, rises, and is the inverse of the quantile", () => {
    for (const freedom of [1, 4, 15, 63]) {
      let last = studentTProbability(Number.NEGATIVE_INFINITY, freedom);
      expect(last).toBe(0);
      for (let t = -30; t <= 5; t += 0.125) {
        const probability = studentTProbability(t, freedom);
        expect(probability).toBeGreaterThan(last);
        expect(probability + studentTProbability(-t, freedom)).toBeCloseTo(1, 14);
        last = probability;
      }
      expect(studentTProbability(Number.POSITIVE_INFINITY, freedom)).toBe(1);
      for (const confidence of [0.5, 0.9, 0.95, 0.999])
        expect(studentTProbability(studentTQuantile(confidence, freedom), freedom)).toBeCloseTo(
          0.5 + confidence / 2,
          11,
        );
    }
  });
});

describe("the probability of a mean below a limit", () => {
  test("of four differences by hand", () => {
    // Mean 5, s/√4 = 1.29099. With 3 degrees of freedom t = 2.353 is at 95 %.
    const differences = [2, 4, 6, 8];
    expect(probabilityBelow(differences, 5)).toBe(0.5);
    expect(probabilityBelow(differences, 5 + 2.353363 * 1.290994)).toBeCloseTo(0.95, 6);
    expect(probabilityBelow(differences, 5 - 2.353363 * 1.290994)).toBeCloseTo(0.05, 6);
  });

  test("of negated differences is that of the other side", () => {
    const differences = [-3, 1, -4, -1, 5, -9, -2, 6];
    const negated = differences.map((value) => -value);
    expect(probabilityBelow(negated, 0)).toBeCloseTo(1 - probabilityBelow(differences, 0), 14);
    expect(probabilityBelow(differences, -2)).toBeLessThan(probabilityBelow(differences, 0));
  });

  test.each([
    [[-0.1], 0, 1],
    [[0.1], 0, 0],
    [[0], 0, 0.5],
    // Seven times 0.1 has a mean of its own in floating point.
    [Array<number>(7).fill(0.1), 0.1, 0.5],
    [Array<number>(7).fill(0.1), 0.2, 1],
    [Array<number>(7).fill(0.1), 0, 0],
  ])("without variance: %j below %f", (differences, limit, probability) => {
    expect(probabilityBelow(differences, limit)).toBe(probability);
  });

  test.each([2, 6, 16])("that is the truth is uniform, so that of %i seeds a share p is below p", (seedCount) => {
    const stream = new RandomStreams(31).getStream("calibration", `${seedCount}`);
    const trials = runs(40_000, 8000);
    const probabilities = Array.from({ length: trials }, () =>
      probabilityBelow(
        Array.from({ length: seedCount }, () => 7 + 3 * stream.nextNormal()),
        7,
      ),
    );
    for (const p of [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]) {
      const share = probabilities.filter((probability) => probability < p).length / trials;
      expect(Math.abs(share - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / trials));
    }
  });
});

describe("differences that one seed carries", () => {
  test.each([
    [[0, 0, 0, 100], true],
    [[5, -5, 4, -4, 100, 6], true],
    // Deviations ±10, and four times ±5: 100 of 300.
    [[10, -10, 5, -5, 5, -5], false],
    // 4 of 6.
    [[2, -1, -1], true],
    // 9 of 18.
    [[3, -2, -2, 1], false],
    [[7, 7, 7], false],
    [[0.1, 0.7], false],
    [[3], false],
    [[], false],
  ])("%j: %s", (differences, carried) => {
    expect(isCarriedByOne(differences)).toBe(carried);
    expect(isCarriedByOne(differences.map((value) => -value))).toBe(carried);
  });
});
