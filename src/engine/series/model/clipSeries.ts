import { largestOf } from "../../../base/lists.ts";
import { Series } from "./series.ts";

/**
 * min(series, max) at every instant; the same object where no value exceeds `max`. A linear series gets a stamp where
 * it crosses `max`. This stamp is a solved instant, so it may not be a whole millisecond.
 */
export function clipSeries(series: Series, max: number): Series {
  let known = clipCache.get(series);
  if (known === undefined) clipCache.set(series, (known = { most: largestOf(series.values), answers: new Map() }));
  if (known.most <= max) return series;
  let answer = known.answers.get(max);
  if (answer === undefined)
    known.answers.set(
      max,
      (answer = series.interpolation === "linear" ? clipLinear(series, max) : clipSteps(series, max)),
    );
  return answer;
}

/**
 * Many sites of many runs clip one trace at one rating. They share the result with its running sums. `most` is the
 * largest value.
 */
const clipCache = new WeakMap<Series, { readonly most: number; readonly answers: Map<number, Series> }>();

function clipSteps({ name, timesMs, values, untilMs }: Series, max: number): Series {
  const cut = new Float64Array(values.length);
  for (let k = 0; k < values.length; k++) cut[k] = Math.min(values[k], max);
  return new Series(name, timesMs, cut, "step", untilMs);
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
