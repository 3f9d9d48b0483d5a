import type { EpochMs } from "../../../base/time.ts";
import { Series } from "./series.ts";

/** Samples retained beyond a period on either side: they preserve spacing and slopes at its ends. */
const MARGIN_SAMPLES = 2;

/** The samples that affect values between two covered instants; the series itself where that is nearly all of it. */
export function sliceSeries(series: Series, fromMs: EpochMs, toMs: EpochMs): Series {
  const { timesMs, values } = series;
  const first = Math.max(0, series.indexAt(Math.max(fromMs, series.startMs)) - MARGIN_SAMPLES);
  const end = Math.min(timesMs.length, series.indexAt(Math.min(toMs, series.untilMs)) + 1 + MARGIN_SAMPLES);
  if (timesMs.length <= end - first + 2 * MARGIN_SAMPLES) return series;
  const untilMs = end < timesMs.length ? timesMs[end] : series.untilMs;
  const isFirstRepeated = series.isFirstRepeated && first === 0;
  return new Series(series.name, timesMs.subarray(first, end), values.subarray(first, end), series.interpolation, {
    untilMs,
    isFirstRepeated,
  });
}
