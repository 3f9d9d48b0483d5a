import { smallestOf, sumOf } from "../../base/lists.ts";
import type { RandomStream } from "../../engine/kernel/randomStreams.ts";
import { frontOf } from "./front.ts";
import { drawSeeds } from "./resample.ts";

/** A share of a half then has a standard error of 3.5 points. */
const RESAMPLES = 200;

/**
 * For each point of a front the share of bootstrap resamples over seeds in which no candidate's means dominate its own.
 * A resample has the same seeds for all candidates. Those that all candidates have in common take part.
 *
 * @param perSeed costs by candidate, KPI (two or three) and seed; less is better
 * @param front   indices of candidates
 * @returns       0..1, one a point of the front
 */
export function frontShares(
  perSeed: readonly (readonly ArrayLike<number>[])[],
  front: readonly number[],
  stream: RandomStream,
): number[] {
  if (front.length === 0) return [];
  const seedCount = smallestOf(perSeed.flatMap((costs) => costs.map(({ length }) => length)));
  const counts = front.map(() => 0);
  for (let resample = 0; resample < RESAMPLES; resample++) {
    const seeds = drawSeeds(seedCount, stream);
    const totals = perSeed.map((costs) => costs.map((values) => sumOf(seeds, (seed) => values[seed])));
    // Points that equal one of the front are on it too.
    const onFront = new Set(frontOf(totals).map((k) => totals[k].join()));
    front.forEach((k, place) => {
      if (onFront.has(totals[k].join())) counts[place]++;
    });
  }
  return counts.map((count) => count / RESAMPLES);
}
