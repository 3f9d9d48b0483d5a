import type { EpochMs } from "../../../base/time.ts";
import type { Interpolation } from "./series.ts";

/** Which part of its interval a stamp of the file marks (docs/model/series.md#labels). */
export type StampLabel = "instant" | "start" | "middle" | "end";

export type RepeatPeriod = "none" | "day" | "week" | "year";

type GapPolicy = "error" | "hold" | "zero";

/**
 * How raw stamps and values become a series; the words are those of a scenario's `series` section.
 *
 * An interval is as long as the way to the neighbouring stamp, or one step where a stamp is missing.
 * With `step`, a stamp moves to the start of its interval, so that the value covers exactly that interval. With
 * `linear`, it moves to the middle, where a mean is the best point of a line; the first value then holds from the start of
 * its interval. `instant` leaves both as they are.
 */
export interface SeriesOptions {
  /** For messages, such as `factory.load_kw`. */
  readonly name: string;
  readonly interpolation: Interpolation;
  readonly label: StampLabel;
  /** Moves the data in time, after the label has been accounted for; whole milliseconds. */
  readonly shiftMs: number;
  /**
   * Reuses the record outside the period that it covers; inside it, the record stands as it is.
   *
   * `day` and `week` go by the whole multiples of 24 h or 168 h that the record holds, counted from its first stamp.
   * `year` goes by calendar position in UTC: month, day and time of day; February 29 takes February 28 where the record
   * has no leap day.
   */
  readonly repeat: RepeatPeriod;
  /** Stamps further apart than this leave a gap; `null`: three times the median spacing (docs/model/time.md#closed-form). */
  readonly maxGapMs: number | null;
  /** What fills missing data, also before and after the record: nothing, the last value, or 0. */
  readonly onGap: GapPolicy;
}

/** Power in kW, or money per kWh. */
export type SeriesUnit = "kW" | "per kWh";

/** How a reader uses a series: its interpolation where none is declared, its unit and the values it accepts. */
export interface SeriesRequirement {
  readonly interpolation: Interpolation;
  /** Columns with a known other unit are converted or refused. */
  readonly unit?: SeriesUnit;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Samples as read; an empty cell is NaN and counts as absent. */
export interface RawSamples {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  /** Line of the file of each sample. */
  readonly lines: Int32Array;
}

/** Half-open. */
export interface TimeWindow {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
}

/** A period without data. `line` is the last line before it, or the first one of the record when it comes before all. */
export interface SeriesGap extends TimeWindow {
  readonly line: number;
}
