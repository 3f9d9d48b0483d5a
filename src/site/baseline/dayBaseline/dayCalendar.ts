import type { EpochMs } from "../../../base/time.ts";

/** A calendar day of the market's time zone. */
export interface MarketDay {
  /** `2026-05-07`. */
  readonly date: string;
  readonly startMs: EpochMs;
  /** Start of the next day. */
  readonly endMs: EpochMs;
  /** Saturday, Sunday or a holiday of the calendar. */
  readonly isHoliday: boolean;
  /** What makes it one: `Saturday`, `Sunday` or the holiday's name; empty for a workday. */
  readonly holidayName: string;
}

/** Market days one after the other, without holes; days are meant by their place in `days`. */
export interface DayCalendar {
  readonly days: readonly MarketDay[];
  /** The day that contains an instant; -1 outside the calendar. */
  dayIndexAt(atMs: EpochMs): number;
  /** The instant with the same clock time, as many days away as `toDay` is from `fromDay`. */
  sameClockTimeMs(atMs: EpochMs, fromDay: number, toDay: number): EpochMs;
}
