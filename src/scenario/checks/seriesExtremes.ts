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
  let least: Extreme | null = null;
  let most: Extreme | null = null;
  for (let k = 0; k < timesMs.length && timesMs[k] < endMs; k++) {
    if (k + 1 < timesMs.length && timesMs[k + 1] <= startMs) continue;
    const sample = { value: values[k], atMs: Math.max(startMs, timesMs[k]) };
    if (least === null || sample.value < least.value) least = sample;
    if (most === null || most.value < sample.value) most = sample;
  }
  return least === null || most === null ? null : { least, most };
}
