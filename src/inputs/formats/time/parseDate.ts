import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from "../../../base/time.ts";
import { normaliseText } from "../text/normaliseText.ts";

/** Order of a date whose year is not first. Never guessed: the format or an option decides. */
export type DateOrder = "ymd" | "dmy" | "mdy";
export const DATE_ORDERS = ["ymd", "dmy", "mdy"] as const;

/** Local midnight as if the local time were UTC, in ms. */
export type LocalMs = number;

const YEAR_FIRST = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const ERA = /^(R|H|S|令和|平成|昭和)\.?(\d{1,2}|元)[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/i;
const YEAR_LAST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/;
const EXCEL_SERIAL = /^[2-7]\d{4}$/;
const EXCEL_EPOCH_MS = Date.UTC(1899, 11, 30);

/** First day of each era, and the year before its year 1. */
const ERAS: Readonly<Record<string, { readonly offset: number; readonly fromMs: number; readonly untilMs: number }>> = {
  r: { offset: 2018, fromMs: Date.UTC(2019, 4, 1), untilMs: Number.POSITIVE_INFINITY },
  h: { offset: 1988, fromMs: Date.UTC(1989, 0, 8), untilMs: Date.UTC(2019, 4, 1) },
  s: { offset: 1925, fromMs: Date.UTC(1926, 11, 25), untilMs: Date.UTC(1989, 0, 8) },
};
const ERA_LETTERS: Readonly<Record<string, string>> = { 令和: "r", 平成: "h", 昭和: "s" };

/**
 * A calendar date: `2026/4/1`, `2026-04-01`, `20260401`, `2026年4月1日（水）`, `R8.4.1`, an Excel serial such as `46113`,
 * and with order `dmy` or `mdy` also `01.04.2026` (docs/model/formats.md#dates).
 *
 * @returns `null` for anything else, also for a day that does not exist
 */
export function parseDate(cell: string, order: DateOrder = "ymd"): LocalMs | null {
  const text = normaliseText(cell).replace(/\([日月火水木金土]\)$/, "");
  const yearFirst = YEAR_FIRST.exec(text) ?? COMPACT.exec(text);
  if (yearFirst !== null) return dayOf(Number(yearFirst[1]), Number(yearFirst[2]), Number(yearFirst[3]));
  const inEra = ERA.exec(text);
  if (inEra !== null) {
    const [, name, year, month, day] = inEra;
    const era = ERAS[ERA_LETTERS[name] ?? name.toLowerCase()];
    const dayMs = dayOf(era.offset + (year === "元" ? 1 : Number(year)), Number(month), Number(day));
    return dayMs !== null && era.fromMs <= dayMs && dayMs < era.untilMs ? dayMs : null;
  }
  const yearLast = order === "ymd" ? null : YEAR_LAST.exec(text);
  if (yearLast !== null) {
    const [, first, second, year] = yearLast;
    const [day, month] = order === "dmy" ? [first, second] : [second, first];
    return dayOf(Number(year), Number(month), Number(day));
  }
  return EXCEL_SERIAL.test(text) ? EXCEL_EPOCH_MS + Number(text) * MS_PER_DAY : null;
}

/** `null` for a day that does not exist. */
export function dayOf(year: number, month: number, day: number): LocalMs | null {
  const dayMs = Date.UTC(year, month - 1, day);
  const date = new Date(dayMs);
  const isSame = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isSame ? dayMs : null;
}

const CLOCK = /^(\d{1,2})(?::|時)(\d{1,2})?(?:分|:(\d{2})(?:\.0+)?)?$/;
const HALF_OF_DAY = /^(午前|午後)|([ap])\.?m\.?$/i;

/** A time of day in ms, 0 to 24 h: `9:00`, `09:00:00`, `24:00`, `9時30分`, `9:30 PM`, `午後9:30`; `null` for anything else. */
export function parseClock(cell: string): number | null {
  const text = normaliseText(cell);
  // Excel writes a typed 24:00 as the day after its day 0.
  if (/^1900[-/]0?1[-/]0?1 0?0:00(:00)?$/.test(text)) return MS_PER_DAY;
  const half = HALF_OF_DAY.exec(text);
  if (half === null) return parseFullClock(text);
  const rest = text.replace(half[0], "").trim();
  const clockMs = parseFullClock(/^\d{1,2}$/.test(rest) ? `${rest}:00` : rest);
  const isMorning = half[1] === "午前" || half[2]?.toLowerCase() === "a";
  if (clockMs === null || 13 * MS_PER_HOUR <= clockMs) return null;
  return (clockMs % MS_PER_HALF_DAY) + (isMorning ? 0 : MS_PER_HALF_DAY);
}

const MS_PER_HALF_DAY = 12 * MS_PER_HOUR;

function parseFullClock(text: string): number | null {
  const match = CLOCK.exec(text);
  if (match === null || (match[2] === undefined && !text.endsWith("時"))) return null;
  const [, hour, minute = "0", second = "0"] = match;
  if (Number(minute) > 59 || Number(second) > 59) return null;
  const clockMs = Number(hour) * MS_PER_HOUR + Number(minute) * MS_PER_MINUTE + Number(second) * MS_PER_SECOND;
  return clockMs <= MS_PER_DAY ? clockMs : null;
}

interface ClockRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** The smallest step of a printed time: an end of 0:29 is the last minute of its interval, 0:29:59 the last second. */
export const notationMs = (cell: string): number =>
  /:\d{2}:\d{2}/.test(normaliseText(cell)) ? MS_PER_SECOND : MS_PER_MINUTE;

/** A range of clock times, as in `23:30～24:00`; an end of 0:00 is the end of the day. */
export function parseClockRange(cell: string): ClockRange | null {
  const parts = normaliseText(cell).split(/[~-]/);
  if (parts.length !== 2) return null;
  const startMs = parseClock(parts[0]);
  const endMs = parseClock(parts[1]);
  if (startMs === null || endMs === null) return null;
  const range = { startMs, endMs: endMs === 0 ? MS_PER_DAY : endMs };
  return range.startMs < range.endMs ? range : null;
}

/** A date and a time of day in one cell, with an optional offset from UTC. */
export interface Stamp {
  /** Local time as if it were UTC; UTC where the cell has an offset. */
  readonly atMs: LocalMs;
  readonly isUtc: boolean;
  /** As printed. */
  readonly localMs: LocalMs;
}

const OFFSET = /(Z|[+-]\d{2}:?\d{2})$/;

/** `2026/4/1 9:00`, `2026-04-01T09:00:00+09:00`, `2026年4月1日 9時`; a date alone is its midnight. */
export function parseStamp(cell: string, order: DateOrder = "ymd"): Stamp | null {
  const text = normaliseText(cell);
  const separator = text.search(/[T ](午前|午後)?\d{1,2}(:|時| ?[ap]\.?m)/i);
  if (separator < 0) {
    const atMs = parseDate(text, order);
    return atMs === null ? null : { atMs, isUtc: false, localMs: atMs };
  }
  const rest = text.slice(separator + 1);
  const offset = OFFSET.exec(rest)?.[1] ?? null;
  const dayMs = parseDate(text.slice(0, separator).trim(), order);
  const clockMs = parseClock(offset === null ? rest : rest.slice(0, -offset.length));
  if (dayMs === null || clockMs === null) return null;
  const localMs = dayMs + clockMs;
  return { atMs: localMs - offsetMs(offset), isUtc: offset !== null, localMs };
}

function offsetMs(offset: string | null): number {
  if (offset === null || offset === "Z") return 0;
  const digits = offset.replaceAll(/[^\d]/g, "");
  const size = Number(digits.slice(0, 2)) * MS_PER_HOUR + Number(digits.slice(2)) * MS_PER_MINUTE;
  return offset.startsWith("-") ? -size : size;
}
