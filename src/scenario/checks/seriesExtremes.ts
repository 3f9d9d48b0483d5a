import type { EpochMs } from "../../base/time.ts";
import type { Series } from "../../series/model/series.ts";

/** An extreme value of a series and its instant. */
export interface Extreme {
  readonly value: number;
  readonly atMs: EpochMs;
}

export interface SeriesExtremes {
  readonly least: Extreme;
  readonly most: Extreme;
}

/** The smallest and the largest sample that holds within a period; `null` where the series does not cover its start. */
export function seriesExtremes(
  { timesMs, values, untilMs }: Series,
  startMs: EpochMs,
  endMs: EpochMs,
): SeriesExtremes | null {
  if (untilMs <= startMs || endMs <= timesMs[0]) return null;
  let least = -1;
  let most = -1;
  for (let k = 0; k < timesMs.length && timesMs[k] < endMs; k++) {
    if (k + 1 < timesMs.length && timesMs[k + 1] <= startMs) continue;
    if (least < 0) least = most = k;
    if (values[k] < values[least]) least = k;
    if (values[most] < values[k]) most = k;
  }
  if (least < 0) return null;
  const extremeAt = (k: number): Extreme => ({ value: values[k], atMs: Math.max(startMs, timesMs[k]) });
  return { least: extremeAt(least), most: extremeAt(most) };
}
