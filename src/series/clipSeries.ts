import { Series } from "./series.ts";

/**
 * min(series, max) at every instant; the very same series where nothing lies above.
 *
 * A linear series gets a stamp where it crosses `max`; such a stamp is a solved instant, so it need not be a whole
 * millisecond.
 */
export function clipSeries(series: Series, max: number): Series {
  if (series.values.every((value) => value <= max)) return series;
  if (series.interpolation === "linear") return clipLinear(series, max);
  const values = series.values.map((value) => Math.min(value, max));
  return new Series(series.name, series.timesMs, values, "step", series.untilMs);
}

function clipLinear(series: Series, max: number): Series {
  const { timesMs, values } = series;
  const cutTimesMs: number[] = [];
  const cutValues: number[] = [];
  for (let k = 0; k < timesMs.length; k++) {
    cutTimesMs.push(timesMs[k]);
    cutValues.push(Math.min(values[k], max));
    if (k + 1 === timesMs.length || !crosses(values[k], values[k + 1], max)) continue;
    const share = (max - values[k]) / (values[k + 1] - values[k]);
    const cornerMs = timesMs[k] + share * (timesMs[k + 1] - timesMs[k]);
    // A corner that rounds onto a stamp is that stamp: its value is `max` to the last digit anyway.
    if (cornerMs <= timesMs[k] || timesMs[k + 1] <= cornerMs) continue;
    cutTimesMs.push(cornerMs);
    cutValues.push(max);
  }
  return new Series(series.name, Float64Array.from(cutTimesMs), Float64Array.from(cutValues), "linear", series.untilMs);
}

const crosses = (first: number, last: number, max: number): boolean =>
  (first < max && max < last) || (last < max && max < first);
