import { MS_PER_DAY, MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../../src/base/time.ts";
import { Series } from "../../../src/engine/series/model/series.ts";
import type { DayRule } from "../../../src/engine/site/baseline/dayBaseline/chooseDays.ts";
import type { DayCalendar } from "../../../src/engine/site/baseline/dayBaseline/dayCalendar.ts";
import { LoadHistory } from "../../../src/engine/site/baseline/dayBaseline/planDayBaseline.ts";
import type { Period } from "../../../src/engine/site/siteSpec.ts";

const FIRST_MS = Date.UTC(2026, 5, 1);

export const HIGH_4_OF_5: DayRule = {
  workday: { size: 5, keep: 4 },
  holiday: { size: 3, keep: 2 },
  sameTypeOnly: true,
  lookBackDays: 10,
  excludeBelowPct: 25,
  sameDayAdjustment: true,
};

/** Milliseconds of a clock time on a day of the test's calendar, `"14:30"`. */
export function clockMs(day: number, clock: string): number {
  const [hours, minutes] = clock.split(":").map(Number);
  return FIRST_MS + day * MS_PER_DAY + hours * MS_PER_HOUR + minutes * 60_000;
}

export const period = (day: number, from: string, to: string, toDay = day): Period => ({
  startMs: clockMs(day, from),
  endMs: clockMs(toDay, to),
});

/** Days in UTC; `holidays` by place. */
export function utcCalendar(count: number, holidays: readonly number[] = []): DayCalendar {
  return {
    days: Array.from({ length: count }, (_, day) => ({
      date: new Date(clockMs(day, "00:00")).toISOString().slice(0, 10),
      startMs: clockMs(day, "00:00"),
      endMs: clockMs(day + 1, "00:00"),
      isHoliday: holidays.includes(day),
      holidayName: holidays.includes(day) ? "holiday" : "",
    })),
    dayIndexAt: (atMs) => {
      const day = Math.floor((atMs - FIRST_MS) / MS_PER_DAY);
      return 0 <= day && day < count ? day : -1;
    },
    sameClockTimeMs: (atMs, fromDay, toDay) => atMs + (toDay - fromDay) * MS_PER_DAY,
  };
}

/** A load by day and half hour of the day. */
export function loadHistoryOf(days: number, kw: (day: number, slot: number) => number, gaps: readonly Period[] = []) {
  const slots = days * 48;
  const timesMs = Float64Array.from({ length: slots }, (_, k) => FIRST_MS + k * MS_PER_HALF_HOUR);
  const values = Float64Array.from({ length: slots }, (_, k) => kw(Math.floor(k / 48), k % 48));
  const series = new Series("load", timesMs, values, "step", clockMs(days, "00:00"));
  return new LoadHistory([{ series, gaps }], FIRST_MS, clockMs(days, "00:00"));
}
