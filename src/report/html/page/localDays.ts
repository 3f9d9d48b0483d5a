import { DateTime } from "luxon";
import { type EpochMs, MS_PER_DAY, MS_PER_HOUR } from "../../../base/time.ts";
import type { PageLocale } from "./pageLocale.ts";

/** A day of the calendar of a zone, as far as the run reaches. */
export interface LocalDay {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** 1: Monday. */
  readonly weekday: number;
}

/** The days of a period; the first and the last one are cut to it. */
export function localDays(
  { startMs, endMs }: { readonly startMs: EpochMs; readonly endMs: EpochMs },
  { timezone }: PageLocale,
): readonly LocalDay[] {
  const days: LocalDay[] = [];
  let date = DateTime.fromMillis(startMs, { zone: timezone }).startOf("day");
  while (date.toMillis() < endMs) {
    const next = date.plus({ days: 1 }).startOf("day");
    const { year, month, day, weekday } = date;
    const [from, to] = [Math.max(startMs, date.toMillis()), Math.min(endMs, next.toMillis())];
    days.push({ startMs: from, endMs: to, year, month, day, weekday });
    date = next;
  }
  return days;
}

/** The hour of the clock, from 0 to 23; a repeated hour occurs twice. */
export function hourOf(day: LocalDay, atMs: EpochMs, { timezone }: PageLocale): number {
  const isPlain = day.endMs - day.startMs === MS_PER_DAY;
  if (isPlain) return Math.floor((atMs - day.startMs) / MS_PER_HOUR);
  return DateTime.fromMillis(atMs, { zone: timezone }).hour;
}

/** Consecutive days, weeks or months. */
interface DayGroup {
  readonly label: string;
  /** The label with all that distinguishes it from others. */
  readonly fullLabel: string;
  readonly days: readonly LocalDay[];
}

type Words = Pick<PageLocale, "t">;

export const monthName = ({ month }: Pick<LocalDay, "month">, { t }: Words): string =>
  t(`time.month_${month}` as Parameters<PageLocale["t"]>[0]);

/** `20 May` */
const dayName = (date: Pick<LocalDay, "day" | "month">, locale: PageLocale): string =>
  locale.t("time.day_month", { day: date.day, month: monthName(date, locale) });

/** `20 May 07:41` */
export function shortTime(atMs: EpochMs, locale: PageLocale): string {
  const { month, day, hour, minute } = DateTime.fromMillis(atMs, { zone: locale.timezone });
  return `${dayName({ month, day }, locale)} ${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

/** `20 May 2026` */
export const dateText = (day: Pick<LocalDay, "year" | "month" | "day">, words: Words): string =>
  words.t("time.date", { day: String(day.day), month: monthName(day, words), year: String(day.year) });

/** `May 2026` */
export const monthText = (day: Pick<LocalDay, "year" | "month">, words: Words): string =>
  words.t("time.month_year", { month: monthName(day, words), year: String(day.year) });

const MONTHS_FROM_DAYS = 62;

/** Whether a period is divided by months: over 62 days. */
export const isByMonth = (days: readonly LocalDay[]): boolean => MONTHS_FROM_DAYS < days.length;

/** Months of a period of over 62 days, days of a shorter one. */
export function groupDays(days: readonly LocalDay[], locale: PageLocale): readonly DayGroup[] {
  if (!isByMonth(days))
    return days.map((day) => ({ label: dayName(day, locale), fullLabel: dateText(day, locale), days: [day] }));
  const groups: { label: string; fullLabel: string; days: LocalDay[] }[] = [];
  for (const day of days) {
    const last = groups[groups.length - 1]?.days[0];
    if (last?.year === day.year && last.month === day.month) groups[groups.length - 1].days.push(day);
    else {
      groups.push({ label: monthName(day, locale), fullLabel: monthText(day, locale), days: [day] });
    }
  }
  return groups;
}
