import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import type { Series } from "./series.ts";

/**
 * Exact integral of min(series, cap) over a covered period, in value·hours; the corner of a linear piece is solved.
 * Takes one step per sample in the period; without a cap `Series.integrate` is faster.
 */
export function cappedIntegral(series: Series, cap: number, fromMs: EpochMs, toMs: EpochMs): number {
  const { timesMs, values } = series;
  let sum = 0;
  let atMs = fromMs;
  for (let k = series.indexAt(fromMs); atMs < toMs; k++) {
    const endMs = k + 1 < timesMs.length ? Math.min(timesMs[k + 1], toMs) : toMs;
    const slope = series.slopeAt(k);
    const first = values[k] + slope * (atMs - timesMs[k]);
    const last = values[k] + slope * (endMs - timesMs[k]);
    sum += cappedMean(first, last, cap) * (endMs - atMs);
    atMs = endMs;
  }
  return sum / MS_PER_HOUR;
}

/** Mean of min(line, cap) along a straight line between two values. */
function cappedMean(first: number, last: number, cap: number): number {
  const low = Math.min(first, last);
  const high = Math.max(first, last);
  if (high <= cap) return 0.5 * (low + high);
  if (cap <= low) return cap;
  const shareBelow = (cap - low) / (high - low);
  return cap - 0.5 * shareBelow * (cap - low);
}
