import { assert } from "../../base/assert.ts";
import type { RandomStream } from "../../engine/kernel/randomStreams.ts";
import type { Objective } from "../study.ts";
import type { Estimate } from "./estimate.ts";
import { drawSeedCounts } from "./resample.ts";

/** The ends of an interval at 95 % are then the 26th values from either end, which vary little between streams. */
const RESAMPLES = 1000;

type Direction = Objective["direction"];

/**
 * Conditional value at risk: the mean of the worst values, at least of one. The worst are the largest where the
 * objective is minimised.
 *
 * @param worstPct share of the values, above 0 to 100; a part of a value counts as a whole one
 * @see Rockafellar and Uryasev, Optimization of conditional value-at-risk, Journal of Risk 2 (2000)
 */
export function tailMean(values: readonly number[], worstPct: number, direction: Direction): number {
  const once = new Uint32Array(values.length).fill(1);
  return meanOfFirst(values, worstFirst(values, direction), once, tailCount(values.length, worstPct));
}

/** A difference of two tail means. */
interface TailDifference extends Estimate {
  /** Share of the resamples in which the first one is better by more than the margin, 0..1. */
  readonly betterShare: number;
}

/**
 * Tail mean of `a` less that of `b`. The interval is a percentile bootstrap over seeds, which both have in common in
 * every resample.
 *
 * @param a one value a seed
 * @param b likewise, of the same seeds
 */
export function tailDifference(
  a: readonly number[],
  b: readonly number[],
  {
    worstPct,
    direction,
    confidence,
    stream,
    margin = 0,
  }: {
    readonly worstPct: number;
    readonly direction: Direction;
    /** 0..1 */
    readonly confidence: number;
    readonly stream: RandomStream;
    /** Smallest difference that counts as better, at least 0. */
    readonly margin?: number;
  },
): TailDifference {
  assert(a.length === b.length, () => `paired values have the same seeds; found ${a.length} and ${b.length}`);
  const count = tailCount(a.length, worstPct);
  const worstOfA = worstFirst(a, direction);
  const worstOfB = worstFirst(b, direction);
  const sorted = Float64Array.from({ length: RESAMPLES }, () => {
    const seedCounts = drawSeedCounts(a.length, stream);
    return meanOfFirst(a, worstOfA, seedCounts, count) - meanOfFirst(b, worstOfB, seedCounts, count);
  }).sort();
  const better = sorted.filter((difference) => (direction === "minimise" ? difference < -margin : difference > margin));
  // Without the margin 5 % of 1,000 would be 49.
  const outside = Math.floor(((1 - confidence) / 2) * RESAMPLES + 1e-9);
  return {
    mean: tailMean(a, worstPct, direction) - tailMean(b, worstPct, direction),
    low: a.length < 2 ? null : sorted[outside],
    high: a.length < 2 ? null : sorted[RESAMPLES - 1 - outside],
    betterShare: better.length / RESAMPLES,
  };
}

/** Without the margin 7 % of 100 values would be 8. */
const tailCount = (valueCount: number, worstPct: number): number =>
  Math.max(1, Math.ceil((worstPct / 100) * valueCount - 1e-9));

/** Indices of the values. */
const worstFirst = (values: readonly number[], direction: Direction): number[] =>
  values.map((_, k) => k).sort((i, j) => (direction === "minimise" ? values[j] - values[i] : values[i] - values[j]));

/** Mean of the first values of an order in which each occurs as often as given. */
function meanOfFirst(values: readonly number[], order: readonly number[], copies: Uint32Array, count: number): number {
  let sum = 0;
  let missing = count;
  for (const k of order) {
    if (missing === 0) break;
    const taken = Math.min(missing, copies[k]);
    sum += taken * values[k];
    missing -= taken;
  }
  return sum / count;
}
