import { clipSeries } from "./clipSeries.ts";
import { Series } from "./series.ts";
import { commonInterpolation, commonStamps, sampleAt } from "./sumSeries.ts";

/**
 * min(series, cap) at every instant that both cover; the same object where the cap is a number that no value exceeds.
 *
 * Two step series give a step series. With a linear one the result is linear, with a stamp at each crossing, and a step takes
 * the last millisecond before its stamp (docs/model/series.md#capped-series).
 */
export function capSeries(series: Series, cap: Series | number): Series {
  if (typeof cap === "number") return clipSeries(series, cap);
  let capped = capCache.get(series);
  if (capped === undefined) capCache.set(series, (capped = new WeakMap()));
  let answer = capped.get(cap);
  if (answer === undefined) capped.set(cap, (answer = minimumOf(series, cap)));
  return answer;
}

/** Sites of one entry share their series and their limits. */
const capCache = new WeakMap<Series, WeakMap<Series, Series>>();

function minimumOf(series: Series, cap: Series): Series {
  const stampsMs = commonStamps([series, cap]);
  const interpolation = commonInterpolation([series, cap]);
  const values = sampleAt(series, interpolation, stampsMs);
  const caps = sampleAt(cap, interpolation, stampsMs);
  const timesMs: number[] = [];
  const cut: number[] = [];
  for (let k = 0; k < stampsMs.length; k++) {
    timesMs.push(stampsMs[k]);
    cut.push(Math.min(values[k], caps[k]));
    if (interpolation === "step" || k + 1 === stampsMs.length) continue;
    const marginNow = caps[k] - values[k];
    const marginNext = caps[k + 1] - values[k + 1];
    if (marginNow * marginNext >= 0) continue;
    const share = marginNow / (marginNow - marginNext);
    const crossingMs = stampsMs[k] + share * (stampsMs[k + 1] - stampsMs[k]);
    if (crossingMs <= stampsMs[k] || stampsMs[k + 1] <= crossingMs) continue;
    timesMs.push(crossingMs);
    cut.push(values[k] + share * (values[k + 1] - values[k]));
  }
  const untilMs = Math.min(series.untilMs, cap.untilMs);
  return new Series(series.name, Float64Array.from(timesMs), Float64Array.from(cut), interpolation, untilMs);
}
