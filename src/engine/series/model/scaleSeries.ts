import { Series } from "./series.ts";

/** The series times a factor; the same object for factor 1, and for a repeated call. Never gives -0. */
export function scaleSeries(series: Series, factor: number): Series {
  if (factor === 1) return series;
  const known = scaleCache.get(series);
  if (known?.factor === factor) return known.scaled;
  const { name, timesMs, interpolation, untilMs, isFirstRepeated } = series;
  const values = new Float64Array(series.values.length);
  for (let k = 0; k < values.length; k++) values[k] = series.values[k] * factor + 0;
  const scaled = new Series(name, timesMs, values, interpolation, { untilMs, isFirstRepeated });
  scaleCache.set(series, { factor, scaled });
  return scaled;
}

/** Last result per series: sites with one trace share it. */
const scaleCache = new WeakMap<Series, { readonly factor: number; readonly scaled: Series }>();
