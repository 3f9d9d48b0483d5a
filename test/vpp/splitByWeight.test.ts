import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fillByWeight, splitByWeight } from "../../src/engine/vpp/allocation/splitByWeight.ts";
import { runs, seedOr } from "../depth.ts";

const scratchOf = ({ length }: readonly number[]) => ({
  remainders: new Float64Array(length),
  sortedRemainders: new Float64Array(length),
});

function split(totalTenths: number, weights: readonly number[]): number[] {
  const shares = new Int32Array(weights.length);
  splitByWeight(totalTenths, Float64Array.from(weights), weights.length, shares, scratchOf(weights));
  return [...shares];
}

function fill(totalTenths: number, weights: readonly number[], caps: readonly number[]) {
  const shares = new Int32Array(weights.length);
  const left = fillByWeight(
    totalTenths,
    Float64Array.from(weights),
    Int32Array.from(caps),
    weights.length,
    shares,
    scratchOf(weights),
  );
  return { shares: [...shares], left };
}

describe("tenths of kW by weight", () => {
  const CASES: readonly { why: string; total: number; weights: number[]; shares: number[] }[] = [
    { why: "one participant gets all", total: 7, weights: [3], shares: [7] },
    { why: "nothing is shared as nothing", total: 0, weights: [1, 2], shares: [0, 0] },
    { why: "what divides, divides", total: 600, weights: [1, 2, 3], shares: [100, 200, 300] },
    { why: "ties go in order of registration", total: 1000, weights: [1, 1, 1], shares: [334, 333, 333] },
    { why: "two tenths left, three ties", total: 1001, weights: [1, 1, 1], shares: [334, 334, 333] },
    // 10 · (1, 2, 4)/7 = 1.43, 2.86, 5.71: floors 1, 2, 5; two left, for 0.86 and 0.71.
    { why: "the largest remainders first", total: 10, weights: [1, 2, 4], shares: [1, 3, 6] },
    // 0.5, 0.5, 1.0: one left, two ties.
    { why: "a tie of halves", total: 2, weights: [1, 1, 2], shares: [1, 0, 1] },
    { why: "fewer tenths than participants", total: 2, weights: [1, 1, 1, 1], shares: [1, 1, 0, 0] },
    { why: "weights far apart", total: 10, weights: [999_999.9, 0.1], shares: [10, 0] },
    // 0.1 + 0.2 ≠ 0.3 in binary; by weight it is 3:6:9 of 18 all the same.
    { why: "weights that are not binary", total: 18, weights: [0.1, 0.2, 0.3], shares: [3, 6, 9] },
    { why: "the largest request of the API", total: 9_999_999, weights: [1, 1], shares: [5_000_000, 4_999_999] },
  ];
  test.each(CASES)("$why", ({ total, weights, shares }) => expect(split(total, weights)).toEqual(shares));

  test("an allocation without participants is a bug", () => {
    expect(() => split(5, [])).toThrow("at least one participant has a weight above 0");
  });

  test("a short request after a long one does not see entries of the long one", () => {
    split(1000, [1, 1, 1, 1, 1, 1, 1]);
    expect(split(4, [1, 2])).toEqual([1, 3]);
  });
});

describe("tenths of kW within capabilities", () => {
  const CASES: readonly {
    why: string;
    total: number;
    weights: number[];
    caps: number[];
    shares: number[];
    left: number;
  }[] = [
    {
      why: "the case of docs/model/allocation.md#delta-excess",
      total: 30_000,
      weights: [1, 1, 1],
      caps: [8_000, 15_000, 11_000],
      shares: [8_000, 11_000, 11_000],
      left: 0,
    },
    { why: "headroom for all", total: 90, weights: [1, 2], caps: [100, 100], shares: [30, 60], left: 0 },
    { why: "headroom of no member", total: 90, weights: [1, 2], caps: [0, 0], shares: [0, 0], left: 90 },
    { why: "all full", total: 90, weights: [1, 2], caps: [10, 20], shares: [10, 20], left: 60 },
    { why: "exactly full", total: 30, weights: [1, 2], caps: [10, 20], shares: [10, 20], left: 0 },
    // 25 each: a takes 10; 30 each: b takes 29; 61 for two: 31 and 30, c before d.
    { why: "two rounds", total: 100, weights: [1, 1, 1, 1], caps: [10, 29, 50, 50], shares: [10, 29, 31, 30], left: 0 },
    // 10 · 1/3 = 3.33 each; a has capability for 3 only, 7 remain for two: 3.5 each.
    {
      why: "a remainder never breaks a cap",
      total: 10,
      weights: [1, 1, 1],
      caps: [3, 9, 9],
      shares: [3, 4, 3],
      left: 0,
    },
  ];
  test.each(CASES)("$why", ({ total, weights, caps, shares, left }) =>
    expect(fill(total, weights, caps)).toEqual({ shares, left }),
  );
});

const seed = seedOr(71);
const weightsOf = (maxLength: number) =>
  fc.array(
    fc.oneof(
      fc.integer({ min: 1, max: 9_999_999 }).map((w) => w / 10),
      fc.constantFrom(1, 100, 333.3),
    ),
    {
      minLength: 1,
      maxLength,
    },
  );

describe("invariants", () => {
  test("shares sum to the total and lie within one tenth of their weight's part", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999 }), weightsOf(100), (total, weights) => {
        const shares = split(total, weights);
        const sum = weights.reduce((a, b) => a + b, 0);
        expect(shares.reduce((a, b) => a + b, 0)).toBe(total);
        shares.forEach((share, k) => expect(Math.abs(share - (total * weights[k]) / sum)).toBeLessThan(1 + 1e-6));
      }),
      { seed, numRuns: runs(300, 300) },
    );
  });

  /** Whole numbers, so that remainders compare without rounding. */
  function byHand(total: number, weights: readonly number[]): number[] {
    const sum = weights.reduce((a, b) => a + b, 0);
    const shares = weights.map((weight) => Math.floor((total * weight) / sum));
    const order = weights.map((weight, k) => ({ k, remainder: (total * weight) % sum }));
    order.sort((a, b) => b.remainder - a.remainder || a.k - b.k);
    const left = total - shares.reduce((a, b) => a + b, 0);
    for (const { k } of order.slice(0, left)) shares[k]++;
    return shares;
  }

  test("the same as by the textbook with whole weights", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 12 }),
        (total, weights) => {
          expect(split(total, weights)).toEqual(byHand(total, weights));
        },
      ),
      { seed, numRuns: runs(500, 500) },
    );
  });

  test("order of registration decides only ties: an earlier member never gets less for the same weight", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), weightsOf(10), (total, weights) => {
        const shares = split(total, weights);
        weights.forEach((weight, k) => {
          const twin = weights.indexOf(weight);
          expect(shares[twin]).toBeGreaterThanOrEqual(shares[k]);
          expect(shares[twin] - shares[k]).toBeLessThanOrEqual(1);
        });
      }),
      { seed, numRuns: runs(300, 300) },
    );
  });

  test("filled shares keep within capabilities, sum with the rest to the total, and leave a rest only when all are full", () => {
    const members = fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 3_000 })), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12_000 }), members, (total, pairs) => {
        const caps = pairs.map(([, cap]) => cap);
        const weights = pairs.map(([weight]) => weight);
        const { shares, left } = fill(total, weights, caps);
        expect(shares.reduce((a, b) => a + b, left)).toBe(total);
        shares.forEach((share, k) => expect(share).toBeLessThanOrEqual(caps[k]));
        if (left > 0) expect(shares).toEqual(caps);
        // Water filling: no participant below its capability gets less per weight than another, except for the last tenth.
        const level = Math.max(...shares.map((share, k) => (share - 1) / weights[k]));
        shares.forEach((share, k) => {
          if (share < caps[k]) expect(share + 1).toBeGreaterThanOrEqual(level * weights[k] - 1e-6);
        });
      }),
      { seed, numRuns: runs(500, 500) },
    );
  });

  /**
   * The fair split without iterating: at a level λ everybody has the lesser of its capability and λ times its weight; λ
   * is found by going through the levels at which somebody becomes full, lowest first.
   */
  function fairShares(total: number, weights: readonly number[], caps: readonly number[]): number[] {
    const order = weights.map((_, k) => k).sort((a, b) => caps[a] / weights[a] - caps[b] / weights[b]);
    let left = total;
    let open = weights.reduce((sum, weight) => sum + weight, 0);
    for (const k of order) {
      if (left / open <= caps[k] / weights[k]) break;
      left -= caps[k];
      open -= weights[k];
    }
    const level = open > 1e-9 ? left / open : Number.POSITIVE_INFINITY;
    return weights.map((weight, k) => Math.min(caps[k], level * weight));
  }

  test("filled shares are those of the fair level, to the tenth, and no smaller one can grow but at the cost of a smaller", () => {
    const members = fc.array(fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 0, max: 3_000 })), {
      minLength: 1,
      maxLength: 100,
    });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60_000 }), members, (total, pairs) => {
        const caps = pairs.map(([, cap]) => cap);
        const weights = pairs.map(([weight]) => weight / 10);
        const { shares, left } = fill(total, weights, caps);
        const capabilitySum = caps.reduce((sum, cap) => sum + cap, 0);
        expect(left).toBe(Math.max(0, total - capabilitySum));
        const exact = fairShares(Math.min(total, capabilitySum), weights, caps);
        shares.forEach((share, k) => expect(Math.abs(share - exact[k])).toBeLessThan(1 + 1e-6));
      }),
      { seed, numRuns: runs(500, 500) },
    );
  });
});
