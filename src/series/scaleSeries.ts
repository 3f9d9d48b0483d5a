import { Series } from "./series.ts";

/** The series times a factor; the very same series for factor 1. Never gives -0. */
export function scaleSeries(series: Series, factor: number): Series {
  if (factor === 1) return series;
  const values = series.values.map((value) => value * factor + 0);
  return new Series(series.name, series.timesMs, values, series.interpolation, series.untilMs);
}
