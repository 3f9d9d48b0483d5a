import { describe, expect, test } from "vitest";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { estimateMean, studentTQuantile } from "../../src/study/statistics/estimate.ts";

describe("Student's t", () => {
  // Two-sided values of the NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
  test.each([
    [1, 0.9, 6.314],
    [1, 0.95, 12.706],
    [1, 0.99, 63.657],
    [2, 0.95, 4.303],
    [3, 0.8, 1.638],
    [4, 0.95, 2.776],
    [5, 0.99, 4.032],
    [9, 0.95, 2.262],
    [10, 0.998, 4.144],
    [19, 0.95, 2.093],
    [29, 0.95, 2.045],
    [60, 0.9, 1.671],
    [100, 0.99, 2.626],
    [100_000_000, 0.95, 1.96],
  ])("with %i degrees of freedom at %f", (freedom, confidence, t) => {
    expect(studentTQuantile(confidence, freedom)).toBeCloseTo(t, 3);
  });
});

describe("an estimate", () => {
  test("of four values by hand", () => {
    // Mean 5, deviations -3, -1, 1, 3: s² = 20/3, s/√4 = 1.29099, t(0.95, 3) = 3.18245.
    const { mean, low, high } = estimateMean([2, 4, 6, 8], 0.95);
    expect(mean).toBe(5);
    expect(low).toBeCloseTo(5 - 3.18245 * 1.29099, 4);
    expect(high).toBeCloseTo(5 + 3.18245 * 1.29099, 4);
  });

  test("of one value has no interval, of equal values one without width", () => {
    expect(estimateMean([7], 0.95)).toEqual({ mean: 7, low: null, high: null });
    expect(estimateMean([7, 7, 7], 0.95)).toEqual({ mean: 7, low: 7, high: 7 });
  });

  test("of differences depends only on the differences, for any common noise", () => {
    const stream = new RandomStreams(12).getStream("coverage", "paired");
    let covered = 0;
    let narrower = 0;
    const trials = 4000;
    for (let k = 0; k < trials; k++) {
      // One effect per seed, and a difference of 2 with a little chance of its own.
      const seedEffects = Array.from({ length: 8 }, () => 100 * stream.nextNormal());
      const differences = seedEffects.map(() => 2 + stream.nextNormal());
      const { low, high } = estimateMean(differences, 0.95);
      if ((low as number) <= 2 && 2 <= (high as number)) covered++;
      const alone = estimateMean(seedEffects, 0.95);
      if ((high as number) - (low as number) < (alone.high as number) - (alone.low as number)) narrower++;
    }
    expect(Math.abs(covered / trials - 0.95)).toBeLessThan(4 * Math.sqrt((0.95 * 0.05) / trials));
    expect(narrower).toBe(trials);
  });

  test.each([
    // Exponential values, as the length of outages: few of them hide the long ones. Shares by simulation, to 2 points.
    [5, 0.88],
    [20, 0.92],
    [80, 0.94],
  ])("of %i skewed values covers less than stated, %f of all cases", (count, share) => {
    const stream = new RandomStreams(13).getStream("coverage", `${count}`);
    const trials = 4000;
    let covered = 0;
    for (let k = 0; k < trials; k++) {
      const { low, high } = estimateMean(
        Array.from({ length: count }, () => -Math.log(1 - stream.nextUniform())),
        0.95,
      );
      if ((low as number) <= 1 && 1 <= (high as number)) covered++;
    }
    expect(Math.abs(covered / trials - share)).toBeLessThan(0.02);
  });

  test.each([
    [3, 0.95],
    [8, 0.95],
    [5, 0.8],
  ])("of %i normal values covers the truth in %f of all cases", (count, confidence) => {
    const stream = new RandomStreams(11).getStream("coverage", `${count}`);
    const trials = 8000;
    let covered = 0;
    for (let k = 0; k < trials; k++) {
      const values = Array.from({ length: count }, () => 40 + 3 * stream.nextNormal());
      const { low, high } = estimateMean(values, confidence);
      if ((low as number) <= 40 && 40 <= (high as number)) covered++;
    }
    // Four standard errors of a share.
    const tolerance = 4 * Math.sqrt((confidence * (1 - confidence)) / trials);
    expect(Math.abs(covered / trials - confidence)).toBeLessThan(tolerance);
  });
});
