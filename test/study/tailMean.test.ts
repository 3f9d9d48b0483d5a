import { describe, expect, test } from "vitest";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { tailDifference, tailMean } from "../../src/study/statistics/tailMean.ts";
import { runs } from "../depth.ts";

const streamOf = (owner: string, seed = 41) => new RandomStreams(seed).getStream("tail", owner);
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** By sorting, with a whole number of per cent. */
function sortedTailMean(values: readonly number[], worstPct: number, direction: "minimise" | "maximise"): number {
  const sorted = [...values].sort((x, y) => (direction === "minimise" ? y - x : x - y));
  const worst = sorted.slice(0, Math.max(1, Math.ceil((worstPct * values.length) / 100)));
  return sumOf(worst) / worst.length;
}

describe("the mean of the worst", () => {
  const fifteen = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

  test.each([
    // 0.2 · 15 and 0.07 · 100 are a little above 3 and 7 in floating point.
    [fifteen, 20, "minimise", 14],
    [fifteen, 20, "maximise", 2],
    [Array.from({ length: 100 }, (_, k) => k), 7, "minimise", 96],
    // A part of a value counts as a whole one: 3.15 are 4.
    [fifteen, 21, "minimise", 13.5],
    [fifteen, 1, "minimise", 15],
    [fifteen, 100, "maximise", 8],
    [[7], 20, "minimise", 7],
    [[3, -8, 3, 3], 50, "maximise", -2.5],
    [[3, -8, 3, 3], 50, "minimise", 3],
  ] as const)("of %j, %f %%, to %s", (values, worstPct, direction, mean) => {
    expect(tailMean(values, worstPct, direction)).toBe(mean);
    expect(
      tailMean(
        values.map((value) => -value),
        worstPct,
        direction === "minimise" ? "maximise" : "minimise",
      ),
    ).toBe(-mean);
  });

  test("is that of the sorted values", () => {
    const stream = streamOf("sorted");
    for (let trial = 0; trial < runs(2000, 300); trial++) {
      // Whole numbers, so that there are ties and sums are exact.
      const values = Array.from({ length: 1 + Math.floor(40 * stream.nextUniform()) }, () =>
        Math.floor(20 * stream.nextUniform() - 10),
      );
      const worstPct = 1 + Math.floor(100 * stream.nextUniform());
      for (const direction of ["minimise", "maximise"] as const)
        expect(tailMean(values, worstPct, direction)).toBe(sortedTailMean(values, worstPct, direction));
    }
  });
});

describe("a difference of tails", () => {
  const settings = { worstPct: 20, direction: "minimise", confidence: 0.95 } as const;

  test.each([
    ["minimise", 0.95, 25],
    ["maximise", 0.9, 50],
    ["maximise", 0.99, 5],
  ] as const)(
    "to %s at %f is that of sorted resamples, without the %i lowest and highest",
    (direction, confidence, outside) => {
      const values = streamOf("values");
      const a = Array.from({ length: 13 }, () => Math.floor(30_000 * values.nextUniform()));
      const b = a.map((value) => value + Math.floor(9000 * values.nextUniform()) - 5000);
      const found = tailDifference(a, b, { worstPct: 30, direction, confidence, stream: streamOf("draws") });
      const draws = streamOf("draws");
      const differences = Array.from({ length: 1000 }, () => {
        const indices = a.map(() => Math.floor(13 * draws.nextUniform()));
        const tail = (of: readonly number[]) =>
          sortedTailMean(
            indices.map((k) => of[k]),
            30,
            direction,
          );
        return tail(a) - tail(b);
      }).sort((x, y) => x - y);
      expect(found.mean).toBe(sortedTailMean(a, 30, direction) - sortedTailMean(b, 30, direction));
      expect(found.low).toBe(differences[outside]);
      expect(found.high).toBe(differences[999 - outside]);
      const better = differences.filter((difference) => (direction === "minimise" ? difference < 0 : difference > 0));
      expect(found.betterShare).toBe(better.length / 1000);
      expect(found.betterShare).toBeGreaterThan(0);
      expect(found.betterShare).toBeLessThan(1);
    },
  );

  test("depends on the stream alone, and on seeds in common", () => {
    const values = streamOf("common");
    const a = Array.from({ length: 20 }, () => 100 * values.nextNormal());
    const b = a.map((value) => value + 8);
    const one = tailDifference(a, b, { ...settings, stream: streamOf("one") });
    expect(tailDifference(a, b, { ...settings, stream: streamOf("one") })).toEqual(one);
    // Whatever the seeds, the difference is 8.
    expect(one.mean).toBeCloseTo(-8, 10);
    expect(one.low).toBeCloseTo(-8, 10);
    expect(one.high).toBeCloseTo(-8, 10);
    expect(one.betterShare).toBe(1);
    expect(tailDifference(b, a, { ...settings, stream: streamOf("one") }).betterShare).toBe(0);
    expect(tailDifference(a, b, { ...settings, direction: "maximise", stream: streamOf("one") }).betterShare).toBe(0);
    const c = a.map((value) => value + 8 * values.nextNormal());
    const between = tailDifference(a, c, { ...settings, stream: streamOf("one") });
    expect(tailDifference(a, c, { ...settings, stream: streamOf("one", 42) }).low).not.toBe(between.low);
  });

  test("of equal values is 0, and of one seed has no interval", () => {
    const equal = { mean: 0, low: 0, high: 0, betterShare: 0 };
    expect(tailDifference([4, 4, 9], [4, 4, 9], { ...settings, stream: streamOf("equal") })).toEqual(equal);
    const single = { mean: -3, low: null, high: null, betterShare: 1 };
    expect(tailDifference([4], [7], { ...settings, stream: streamOf("single") })).toEqual(single);
  });

  test("refuses values that are not paired", () =>
    expect(() => tailDifference([1, 2], [1], { ...settings, stream: streamOf("lengths") })).toThrow("found 2 and 1"));

  test("covers the true difference of two tails as stated, where the noise of the pair decides", () => {
    const stream = streamOf("coverage");
    const trials = runs(1000, 100);
    // The tail of 20 % of an exponential distribution has the mean ln 5 + 1; b is a plus noise, whose tail 200,000 draws give.
    const drawPair = () => {
      const value = stream.nextExponential(1);
      return { a: value, b: value + 0.5 + 0.3 * stream.nextNormal() };
    };
    const many = Array.from({ length: 200_000 }, drawPair);
    const bTail = tailMean(
      many.map(({ b }) => b),
      20,
      "minimise",
    );
    let covered = 0;
    for (let trial = 0; trial < trials; trial++) {
      const pairs = Array.from({ length: 60 }, drawPair);
      const { low, high } = tailDifference(
        pairs.map(({ a }) => a),
        pairs.map(({ b }) => b),
        { ...settings, stream },
      );
      const truth = Math.log(5) + 1 - bTail;
      if ((low ?? 0) <= truth && truth <= (high ?? 0)) covered++;
    }
    // Four standard errors of a share.
    expect(Math.abs(covered / trials - 0.95)).toBeLessThan(4 * Math.sqrt((0.95 * 0.05) / trials));
  });
});
