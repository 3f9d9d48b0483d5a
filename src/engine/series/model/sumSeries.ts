import { assert } from "../../../base/assert.ts";
import { type Interpolation, Series } from "./series.ts";

/** A jump of a step series within a sum that is otherwise linear takes this long. */
const JUMP_MS = 1;

/**
 * The sum of series at every instant that all of them cover.
 *
 * Step series sum to a step series and linear ones to a linear one. Of a mixture the sum is linear, in which a step takes
 * the last millisecond before its stamp.
 */
export function sumSeries(series: readonly Series[]): Series {
  assert(series.length > 0, "a sum has something to add");
  if (series.length === 1) return series[0];
  const untilMs = Math.min(...series.map((one) => one.untilMs));
  const interpolation = commonInterpolation(series);
  const timesMs = commonStamps(series);
  const values = new Float64Array(timesMs.length);
  for (const one of series) addValues(one, interpolation, timesMs, values);
  const name = series.map((one) => one.name).join(" + ");
  return new Series(name, timesMs, values, interpolation, untilMs);
}

/**
 * All stamps of some series in the period that all of them cover. Where one of them is linear, the end of the period is one
 * too, and a step series has another one millisecond before each of its own.
 */
export function commonStamps(series: readonly Series[]): Float64Array {
  const startMs = Math.max(...series.map((one) => one.startMs));
  const untilMs = Math.min(...series.map((one) => one.untilMs));
  assert(startMs < untilMs, () => `series ${series.map(({ name }) => name).join(", ")} have no time in common`);
  const isLinear = commonInterpolation(series) === "linear";
  const [first] = series;
  const isShared = series.every(
    ({ timesMs, interpolation }) => timesMs === first.timesMs && interpolation === first.interpolation,
  );
  if (isShared) return first.timesMs;
  const stamps = [startMs];
  for (const { timesMs, interpolation } of series)
    for (const stampMs of timesMs) {
      if (stampMs <= startMs || untilMs < stampMs) continue;
      stamps.push(stampMs);
      if (isLinear && interpolation === "step" && startMs < stampMs - JUMP_MS) stamps.push(stampMs - JUMP_MS);
    }
  if (isLinear) stamps.push(untilMs);
  return Float64Array.from(new Set(stamps)).sort();
}

/** Linear where one of the series is. */
export const commonInterpolation = (series: readonly Series[]): Interpolation =>
  series.some(({ interpolation }) => interpolation === "linear") ? "linear" : "step";

/** Values of a series at common stamps. @param common  from `commonInterpolation` */
export function sampleAt(series: Series, common: Interpolation, timesMs: Float64Array): Float64Array {
  const values = new Float64Array(timesMs.length);
  addValues(series, common, timesMs, values);
  return values;
}

function addValues(series: Series, common: Interpolation, timesMs: Float64Array, values: Float64Array): void {
  let k = series.indexAt(timesMs[0]);
  const last = series.timesMs.length - 1;
  const isStep = series.interpolation === "step";
  for (let n = 0; n < timesMs.length; n++) {
    while (k < last && series.timesMs[k + 1] <= timesMs[n]) k++;
    values[n] += series.values[k];
    if (!isStep) values[n] += series.slopeAt(k) * (timesMs[n] - series.timesMs[k]);
    // On its way: another series has a stamp within the millisecond of the jump.
    else if (common === "linear" && k < last && series.timesMs[k + 1] - JUMP_MS < timesMs[n]) {
      const share = (timesMs[n] - series.timesMs[k + 1]) / JUMP_MS + 1;
      values[n] += share * (series.values[k + 1] - series.values[k]);
    }
  }
}
