import type { EpochMs } from "../../../base/time.ts";
import type { Series } from "./series.ts";

// Between two stamps a series is constant or linear: its extremes are at the ends.

export const largestBetweenStamps = (series: Series, fromMs: EpochMs, toMs: EpochMs): number =>
  series.interpolation === "step" ? series.valueAt(fromMs) : Math.max(series.valueAt(fromMs), series.valueAt(toMs));

export const smallestBetweenStamps = (series: Series, fromMs: EpochMs, toMs: EpochMs): number =>
  series.interpolation === "step" ? series.valueAt(fromMs) : Math.min(series.valueAt(fromMs), series.valueAt(toMs));
