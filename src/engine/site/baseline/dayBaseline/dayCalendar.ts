import type { EpochMs } from "../../../../base/time.ts";

/** A calendar day of the market's time zone. */
export interface MarketDay {
  /** `2026-05-07`. */
  readonly date: string;
  readonly startMs: EpochMs;
  /** Start of the next day. */
  readonly endMs: EpochMs;
  /** Saturday, Sunday or a holiday of the calendar. */
  readonly isHoliday: boolean;
  /** `Saturday`, `Sunday` or the holiday's name; empty for a workday. */
  readonly holidayName: string;
}

/** Consecutive market days, identified by their index in `days`. */
export interface DayCalendar {
  readonly days: readonly MarketDay[];
  /** The day that contains an instant; -1 outside the calendar. */
  dayIndexAt(atMs: EpochMs): number;
  /** The instant with the same clock time, `toDay - fromDay` days later. */
  sameClockTimeMs(atMs: EpochMs, fromDay: number, toDay: number): EpochMs;
}
