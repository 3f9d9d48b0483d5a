import type { EpochMs } from "../../../base/time.ts";
import { Series } from "./series.ts";

/** From an instant on, the value of that instant. */
export const holdSeries = (series: Series, atMs: EpochMs): Series =>
  new Series(series.name, Float64Array.of(atMs), Float64Array.of(series.valueAt(atMs)), "step", series.untilMs);
