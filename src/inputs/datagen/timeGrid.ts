import { assert } from "../../base/assert.ts";
import { cos } from "../../base/elementary.ts";
import { type EpochMs, MS_PER_DAY, MS_PER_HOUR } from "../../base/time.ts";

/** Evenly spaced instants of a generated series, with its local time. */
export interface TimeGrid {
  readonly startMs: EpochMs;
  /** Not part of the grid: the last value holds until here. */
  readonly endMs: EpochMs;
  readonly stepMs: number;
  /** Local time minus UTC; the same all year. */
  readonly utcOffsetMs: number;
}

/** Local time and season at an instant. */
export interface CalendarTime {
  readonly atMs: EpochMs;
  /** Local days since 1970-01-01, whole. */
  readonly dayNumber: number;
  /** Local hour of the day, 0 <= hour < 24. */
  readonly localHour: number;
  readonly isWeekend: boolean;
  /** 1 at the height of summer, -1 in the depth of winter (northern hemisphere; weather lags the sun by a month). */
  readonly seasonFactor: number;
}

export const JST_OFFSET_MS = 9 * MS_PER_HOUR;

export function sampleCount({ startMs, endMs, stepMs }: TimeGrid): number {
  const count = (endMs - startMs) / stepMs;
  assert(Number.isSafeInteger(count) && count > 0, () => `a grid holds a whole number of steps, not ${count}`);
  return count;
}

export function calendarTimeAt(atMs: EpochMs, utcOffsetMs: number): CalendarTime {
  const localMs = atMs + utcOffsetMs;
  const dayNumber = Math.floor(localMs / MS_PER_DAY);
  const weekday = (((dayNumber + 4) % 7) + 7) % 7; // Day 0 was a Thursday; 0 is Sunday.
  return {
    atMs,
    dayNumber,
    localHour: (localMs - dayNumber * MS_PER_DAY) / MS_PER_HOUR,
    isWeekend: weekday === 0 || weekday === 6,
    seasonFactor: cos((2 * Math.PI * (dayOfYear(dayNumber) - HOTTEST_DAY)) / 365.25),
  };
}

/** Early August in Japan. */
const HOTTEST_DAY = 215;

/** 1 on 1 January. @param day local days since 1970-01-01 */
export function dayOfYear(day: number): number {
  const newYearMs = Date.UTC(new Date(day * MS_PER_DAY).getUTCFullYear(), 0, 1);
  return day - newYearMs / MS_PER_DAY + 1;
}
