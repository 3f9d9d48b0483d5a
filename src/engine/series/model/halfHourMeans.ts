import { assert } from "../../../base/assert.ts";
import { type EpochMs, floorToHalfHour, MS_PER_HALF_HOUR } from "../../../base/time.ts";
import { Series } from "./series.ts";

/**
 * Time-weighted means over the UTC half hours that intersect [fromMs, toMs), as a step series
 * (docs/model/series.md#half-hour-means). A half hour that the series covers partly gets the mean of that part; the
 * caller must not pass one without any coverage. A constant value is returned without rounding.
 */
export function halfHourMeans(series: Series, fromMs: EpochMs, toMs: EpochMs): Series {
  const known = meansCache.get(series);
  if (known?.fromMs === fromMs && known.toMs === toMs) return known.means;
  const means = computeMeans(series, fromMs, toMs);
  meansCache.set(series, { fromMs, toMs, means });
  return means;
}

/** Last result per series: sites with one baseline share its means. */
const meansCache = new WeakMap<Series, { readonly fromMs: EpochMs; readonly toMs: EpochMs; readonly means: Series }>();

function computeMeans(series: Series, fromMs: EpochMs, toMs: EpochMs): Series {
  assert(fromMs < toMs, "the period of half-hour means is not empty");
  const startMs = floorToHalfHour(fromMs);
  const count = Math.ceil((toMs - startMs) / MS_PER_HALF_HOUR);
  const timesMs = new Float64Array(count);
  const means = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    timesMs[k] = startMs + k * MS_PER_HALF_HOUR;
    const coveredFromMs = Math.max(timesMs[k], series.startMs);
    const coveredToMs = Math.min(timesMs[k] + MS_PER_HALF_HOUR, series.untilMs);
    assert(coveredFromMs < coveredToMs, () => `series ${series.name} has no value in the half hour of ${timesMs[k]}`);
    means[k] = meanOver(series, coveredFromMs, coveredToMs);
  }
  return new Series(series.name, timesMs, means, "step", startMs + count * MS_PER_HALF_HOUR);
}

/** Sums deviations from the first value, so that equal values average to exactly themselves. */
function meanOver(series: Series, fromMs: EpochMs, toMs: EpochMs): number {
  const { timesMs, values } = series;
  const base = series.valueAt(fromMs);
  let deviation = 0;
  let atMs = fromMs;
  for (let k = series.indexAt(fromMs); atMs < toMs; k++) {
    const endMs = k + 1 < timesMs.length ? Math.min(timesMs[k + 1], toMs) : toMs;
    const middleMs = 0.5 * (atMs + endMs);
    const height = values[k] + series.slopeAt(k) * (middleMs - timesMs[k]);
    deviation += (height - base) * (endMs - atMs);
    atMs = endMs;
  }
  return base + deviation / (toMs - fromMs);
}
