import { assert } from "../../base/assert.ts";
import { meanOf } from "../../base/lists.ts";
import type { RandomStream } from "../../engine/kernel/randomStreams.ts";
import type { Objective } from "../study.ts";
import type { Estimate } from "./estimate.ts";
import { drawSeeds } from "./resample.ts";

/** The ends of an interval at 95 % are then the 26th values from either end, which vary little between streams. */
const RESAMPLES = 1000;

/**
 * Conditional value at risk: the mean of the worst values, at least of one. The worst are the largest where the
 * objective is minimised.
 *
 * @param worstPct share of the values, above 0 to 100; a part of a value counts as a whole one
 * @see Rockafellar and Uryasev, Optimization of conditional value-at-risk, Journal of Risk 2 (2000)
 */
export function tailMean(values: readonly number[], worstPct: number, direction: Objective["direction"]): number {
  const sorted = new Float64Array(values).sort();
  // Without the margin 7 % of 100 values would be 8.
  const count = Math.max(1, Math.ceil((worstPct / 100) * values.length - 1e-9));
  return meanOf(direction === "minimise" ? sorted.subarray(-count) : sorted.subarray(0, count));
}

interface TailSettings {
  readonly worstPct: number;
  readonly direction: Objective["direction"];
  /** 0..1 */
  readonly confidence: number;
  readonly stream: RandomStream;
  /** Smallest difference that counts as better, at least 0. */
  readonly margin?: number;
}

interface TailDifference extends Estimate {
  /** Share of the resamples in which the first one is better by more than the margin, 0..1. */
  readonly betterShare: number;
}

/**
 * Tail mean of `a` less that of `b`. The interval is a percentile bootstrap over seeds, the same ones for both in each
 * resample.
 *
 * @param a one value a seed
 * @param b likewise, of the same seeds
 */
export function tailDifference(a: readonly number[], b: readonly number[], settings: TailSettings): TailDifference {
  assert(a.length === b.length, () => `paired values have the same seeds; found ${a.length} and ${b.length}`);
  const { worstPct, direction, confidence, stream, margin = 0 } = settings;
  const differenceOn = (seeds: readonly number[]): number => {
    const tailOf = (values: readonly number[]) =>
      tailMean(
        seeds.map((k) => values[k]),
        worstPct,
        direction,
      );
    return tailOf(a) - tailOf(b);
  };
  const sorted = Float64Array.from({ length: RESAMPLES }, () => differenceOn(drawSeeds(a.length, stream))).sort();
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
