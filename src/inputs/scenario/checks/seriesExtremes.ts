import type { EpochMs } from "../../../base/time.ts";
import type { Series } from "../../../engine/series/model/series.ts";

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
export function seriesExtremes(series: Series, startMs: EpochMs, endMs: EpochMs): SeriesExtremes | null {
  const { timesMs, values, untilMs } = series;
  if (untilMs <= startMs || endMs <= timesMs[0]) return null;
  const first = startMs <= timesMs[0] ? 0 : series.indexAt(startMs);
  let least = first;
  let most = first;
  let leastValue = values[first];
  let mostValue = leastValue;
  for (let k = first + 1; k < timesMs.length && timesMs[k] < endMs; k++) {
    const value = values[k];
    if (value < leastValue) {
      least = k;
      leastValue = value;
    } else if (mostValue < value) {
      most = k;
      mostValue = value;
    }
  }
  const extremeAt = (k: number): Extreme => ({ value: values[k], atMs: Math.max(startMs, timesMs[k]) });
  return { least: extremeAt(least), most: extremeAt(most) };
}
