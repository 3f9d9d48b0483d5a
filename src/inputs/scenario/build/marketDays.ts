import holidayJp from "@holiday-jp/holiday_jp";
import { DateTime, IANAZone } from "luxon";
import type { EpochMs } from "../../../base/time.ts";
import type { DayCalendar, MarketDay } from "../../../engine/site/baseline/dayBaseline/dayCalendar.ts";

/** National holidays in addition to Saturdays and Sundays. */
export type HolidayCalendar = "JP" | "none";

/** Calendar days of a time zone over a period, classified as workdays and holidays. */
export class MarketDays implements DayCalendar {
  readonly days: readonly MarketDay[];
  private readonly zone: IANAZone;
  /** Offset of local time from UTC at the start of each day, in ms. */
  private readonly offsetMs: readonly number[];

  /** All days from the one that contains `fromMs` to the one that contains `toMs`. */
  constructor(timezone: string, holidays: HolidayCalendar, fromMs: EpochMs, toMs: EpochMs) {
    this.zone = IANAZone.create(timezone);
    const days: MarketDay[] = [];
    let day = DateTime.fromMillis(fromMs, { zone: this.zone }).startOf("day");
    for (; day.toMillis() <= toMs; day = day.plus({ days: 1 }).startOf("day")) {
      const date = day.toISODate() ?? "";
      const holidayName = holidayNameOf(date, day.weekday, holidays);
      const endMs = day.plus({ days: 1 }).startOf("day").toMillis();
      days.push({ date, startMs: day.toMillis(), endMs, isHoliday: holidayName !== "", holidayName });
    }
    this.days = days;
    this.offsetMs = days.map(({ startMs }) => this.offsetAt(startMs));
  }

  dayIndexAt(atMs: EpochMs): number {
    const { days } = this;
    if (days.length === 0 || atMs < days[0].startMs || days[days.length - 1].endMs <= atMs) return -1;
    // A day is 24 h except at a clock change, so the first estimate is off by at most one.
    let day = Math.min(Math.floor((atMs - days[0].startMs) / MEAN_DAY_MS), days.length - 1);
    while (atMs < days[day].startMs) day--;
    while (days[day].endMs <= atMs) day++;
    return day;
  }

  sameClockTimeMs(atMs: EpochMs, fromDay: number, toDay: number): EpochMs {
    const from = this.days[fromDay];
    const to = this.days[toDay];
    let clockMs = atMs - from.startMs;
    if (hasClockChange(from)) clockMs += this.offsetAt(atMs) - this.offsetMs[fromDay];
    const instantMs = to.startMs + clockMs;
    if (!hasClockChange(to)) return instantMs;
    // Corrects for a clock change between the start of the day and the instant.
    return instantMs - (this.offsetAt(instantMs) - this.offsetMs[toDay]);
  }

  private offsetAt(atMs: EpochMs): number {
    return this.zone.offset(atMs) * 60_000;
  }
}

/** Calendar days from the day before a scenario's start to an instant, as workdays and holidays. */
export function localDays(timezone: string, holidays: HolidayCalendar, scenarioStartMs: EpochMs, endMs: EpochMs) {
  const { days } = new MarketDays(timezone, holidays, scenarioStartMs - MEAN_DAY_MS, endMs);
  return days.map(({ startMs, isHoliday }) => ({ midnightMs: startMs, isWorkday: !isHoliday }));
}

const MEAN_DAY_MS = 86_400_000;

/** Whether the clocks change during the day. */
const hasClockChange = ({ startMs, endMs }: MarketDay): boolean => endMs - startMs !== MEAN_DAY_MS;

/**
 * From 1970 to 2050; future ones by current legislation. In the bundle they are parsed at the first look-up. The type hides that of the
 * package, which lists every date.
 */
const japaneseHolidayOf = (date: string): { readonly name_en: string } | undefined =>
  (holidayJp.holidays as Readonly<Record<string, { readonly name_en: string }>>)[date];

function holidayNameOf(date: string, weekday: number, holidays: HolidayCalendar): string {
  const name = holidays === "JP" ? japaneseHolidayOf(date)?.name_en : undefined;
  if (name !== undefined) return name;
  if (weekday === 6) return "Saturday";
  return weekday === 7 ? "Sunday" : "";
}
