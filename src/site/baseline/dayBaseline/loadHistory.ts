import { sumOf } from "../../../base/sums.ts";
import { type EpochMs, floorToHalfHour, MS_PER_HALF_HOUR } from "../../../base/time.ts";
import { halfHourMeans } from "../../../series/model/halfHourMeans.ts";
import type { Series } from "../../../series/model/series.ts";
import type { Period } from "../../siteSpec.ts";

/** A load before and during the run in kW, at least 0, with the periods without data. */
export interface KnownLoad {
  readonly series: Series;
  readonly gaps: readonly Period[];
}

/** Mean load of a site in each UTC half hour, summed over its consumers. */
export class LoadHistory {
  private readonly startMs: EpochMs;
  private readonly untilMs: EpochMs;
  private readonly slotsKw: Float64Array;
  private readonly gaps: readonly Period[];

  /** From `fromMs`, or from the latest start of the loads, to `untilMs`. All loads must reach `untilMs`. */
  constructor(loads: readonly KnownLoad[], fromMs: EpochMs, untilMs: EpochMs) {
    const startMs = Math.max(fromMs, ...loads.map(({ series }) => series.startMs));
    this.startMs = floorToHalfHour(startMs);
    const means = loads.map(({ series }) => halfHourMeans(series, startMs, untilMs).values);
    this.slotsKw = means[0].map((_, slot) => sumOf(means, (values) => values[slot]));
    this.untilMs = this.startMs + this.slotsKw.length * MS_PER_HALF_HOUR;
    this.gaps = loads.flatMap(({ gaps }) => gaps);
  }

  /** Whether a whole period has data. */
  covers(fromMs: EpochMs, toMs: EpochMs): boolean {
    if (fromMs < this.startMs || this.untilMs < toMs) return false;
    return this.gaps.every(({ startMs, endMs }) => toMs <= startMs || endMs <= fromMs);
  }

  /** Mean load of a covered half hour in kW. */
  slotMeanKw(slotMs: EpochMs): number {
    return this.slotsKw[(slotMs - this.startMs) / MS_PER_HALF_HOUR];
  }
}
