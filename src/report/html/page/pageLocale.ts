// Language and time zone of every text and page that people read; files are English and in UTC (docs/model/report-files.md#language, #times). All words are in the catalogue, so that no locale of a machine can change the bytes.
import { DateTime } from "luxon";
import { assert } from "../../../base/assert.ts";
import { type Counted, type Currency, currencyOf } from "../../../base/currency.ts";
import { type EpochMs, isoUtc, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from "../../../base/time.ts";
import { type Language, type TextKey, type TextValues, textOf, textPieces } from "../../../texts/catalogue.ts";
import { formatFixed } from "./format.ts";
import { type Content, html, Markup, trustedMarkup } from "./markup.ts";

interface AxisTick {
  readonly atMs: EpochMs;
  readonly label: string;
}

/** How words are written. */
export interface PageTexts {
  readonly language: Language;
  /** Of all amounts. */
  readonly currency: Currency;
  /** A text of the catalogue; a number among its values is a count. */
  readonly t: (key: TextKey, values?: TextValues) => string;
  /** The same as markup, with markup among its values. */
  readonly rich: (key: TextKey, values?: Readonly<Record<string, Content>>) => Markup;
  /** A duration in its two largest units: `3 h`, `1 h 30 min`, `45 s`, `2 d 4 h`; days from two days on. */
  readonly formatDuration: (durationMs: number) => string;
  /** `a, b and c` */
  readonly formatList: (words: readonly string[]) => string;
}

/** How a page or a text is written: its language and its time zone. */
export interface PageLocale extends PageTexts {
  readonly timezone: string;
  /** `Wed 1 Apr 2026, 00:00` */
  readonly formatLong: (atMs: EpochMs) => string;
  /** `1 Apr 2026 00:00`, with the UTC offset if the run has more than one. */
  readonly formatShort: (atMs: EpochMs) => string;
  /** `00:00` */
  readonly formatClock: (atMs: EpochMs) => string;
  /** `2026-04-01`, the day of an instant. */
  readonly dayOf: (atMs: EpochMs) => string;
  /** `formatShort` with milliseconds, if there are any. */
  readonly formatExact: (atMs: EpochMs) => string;
  /** A text with its instants, which are ISO 8601 in UTC, in `formatExact`. */
  readonly localise: (text: string) => string;
  /** `1 Apr 2026 00:00 to 06:00`; with the date of the end if it is another day. */
  readonly formatPeriod: (startMs: EpochMs, endMs: EpochMs) => string;
  /** `formatShort` as a `time` element with the UTC instant. */
  readonly renderTime: (atMs: EpochMs) => Markup;
  /** `UTC+09:00`, or both offsets if the run crosses a clock change. */
  readonly utcOffsets: string;
  /** `Asia/Tokyo (UTC+09:00)` */
  readonly zoneText: string;
  /** Round local times inside a period, at most about a dozen. */
  readonly ticksBetween: (startMs: EpochMs, endMs: EpochMs) => readonly AxisTick[];
}

/** How a reader wants a text, instead of the scenario's way. */
export interface Reading {
  readonly language?: Language;
  /** IANA name. */
  readonly timezone?: string;
}

interface Written extends Counted {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** @param run  whose period decides whether times show their UTC offset, and whose currency amounts have */
export function createPageLocale(language: Language, timezone: string, run: Written): PageLocale {
  const texts = textsIn(language, currencyOf(run));
  const { t } = texts;
  const at = (atMs: EpochMs): DateTime<true> => {
    const time = DateTime.fromMillis(atMs, { zone: timezone });
    assert(time.isValid, () => `the loader accepts IANA timezones only, found ${timezone}`);
    return time;
  };
  const offsets = [...new Set(instantsToSample(run).map((atMs) => `UTC${offsetOf(at(atMs))}`))];
  const utcOffsets = texts.formatList(offsets);
  const clockOf = (time: DateTime<true>, digits: string): string => {
    const offset = offsets.length > 1 ? ` ${offsetOf(time)}` : "";
    return `${language === "ja" ? digits.replace(/^0/, "") : digits}${offset}`;
  };
  const instantOf = (time: DateTime<true>, digits: string): string => {
    const date = t("time.date", { day: time.day, month: t(monthKey(time)), year: String(time.year) });
    return `${date} ${clockOf(time, digits)}`;
  };
  const formatShort = (atMs: EpochMs): string => instantOf(at(atMs), hourMinute(at(atMs)));
  const formatExact = (atMs: EpochMs): string => {
    const ms = Math.round(atMs) % MS_PER_MINUTE;
    if (ms % 1000 === 0) return formatShort(atMs);
    const digits = `${hourMinute(at(atMs)).slice(0, 5)}:${(ms / 1000).toFixed(3).padStart(6, "0")}`;
    return instantOf(at(atMs), digits);
  };
  return {
    ...texts,
    timezone,
    formatShort,
    formatExact,
    localise: (text) => text.replace(UTC_INSTANT, (instant) => formatExact(Date.parse(instant))),
    formatClock: (atMs) => hourMinute(at(atMs)).slice(0, 5),
    dayOf: (atMs) => at(atMs).toISODate(),
    formatPeriod: (startMs, endMs) => {
      const isOneDay = at(startMs).hasSame(at(endMs), "day");
      const end = isOneDay ? clockOf(at(endMs), hourMinute(at(endMs))) : formatShort(endMs);
      return t("time.period", { start: formatShort(startMs), end });
    },
    formatLong: (atMs) => {
      const time = at(atMs);
      const hours = hourMinute(time);
      const values = {
        year: String(time.year),
        day: time.day,
        time: language === "ja" ? hours.replace(/^0/, "") : hours,
      };
      return t("time.long", { ...values, weekday: t(weekdayKey(time)), month: t(monthKey(time)) });
    },
    renderTime: (atMs) => html`<time datetime="${isoUtc(Math.round(atMs))}">${formatShort(atMs)}</time>`,
    utcOffsets,
    zoneText: timezone === "UTC" ? timezone : `${timezone} (${utcOffsets})`,
    ticksBetween: (startMs, endMs) => roundTimes(at(startMs), endMs, t),
  };
}

/** The last local midnight at or before an instant. */
export const midnightBefore = (atMs: EpochMs, timezone: string): EpochMs =>
  DateTime.fromMillis(atMs, { zone: timezone }).startOf("day").toMillis();

export type Translate = PageTexts["t"];

/** What a language and a currency decide alone. */
export function textsIn(language: Language, currency: Currency = "JPY"): PageTexts {
  const t: Translate = (key, values = {}) => textOf(language, key, printed(values));
  return {
    language,
    currency,
    t,
    rich: (key, values = {}) =>
      new Markup(
        textPieces<Content>(language, key, printed(values))
          .map((piece, k) => (k % 2 === 0 ? trustedMarkup(String(piece)) : html`${piece}`).text)
          .join(""),
      ),
    formatDuration: (durationMs) => durationText(durationMs, t),
    formatList: (words) =>
      words.length < 2
        ? words.join("")
        : t("list.last", { first: words.slice(0, -1).join(t("list.separator")), last: words[words.length - 1] }),
  };
}

/** Counts with commas between thousands. */
const printed = <Value>(values: Readonly<Record<string, Value>>): Readonly<Record<string, Value | string>> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "number" ? formatFixed(value, 0) : value]),
  );

/** `a, b and 3 more` */
export const nameList = (
  names: readonly string[],
  countMax: number,
  { t }: Pick<PageTexts, "t">,
  separator = t("list.separator"),
): string => {
  const shown = names.slice(0, countMax).join(separator);
  return names.length <= countMax ? shown : t("list.more", { names: shown, count: names.length - countMax });
};

const DURATION_UNITS: readonly (readonly [seconds: number, key: TextKey])[] = [
  [MS_PER_DAY / 1000, "duration.whole_days"],
  [MS_PER_HOUR / 1000, "duration.whole_hours"],
  [MS_PER_MINUTE / 1000, "duration.minutes"],
  [1, "duration.seconds"],
];

function durationText(durationMs: number, t: Translate): string {
  const seconds = Math.round(durationMs / 1000);
  const first = DURATION_UNITS.findIndex(
    ([size], k) => (k === 0 ? 2 * size : size) <= seconds || k === DURATION_UNITS.length - 1,
  );
  const textOfUnit = (k: number, count: number): string => {
    const [, key] = DURATION_UNITS[k];
    const number = String(count);
    return t(key, { days: number, hours: number, minutes: number, seconds: number });
  };
  const [size] = DURATION_UNITS[first];
  const large = textOfUnit(first, Math.floor(seconds / size));
  const next = DURATION_UNITS[first + 1];
  const small = next === undefined ? 0 : Math.floor((seconds % size) / next[0]);
  return small === 0 ? large : t("duration.two_units", { large, small: textOfUnit(first + 1, small) });
}

const weekdayKey = ({ weekday }: DateTime<true>) => `time.weekday_${weekday}` as const;
const monthKey = ({ month }: DateTime<true>) => `time.month_${month}` as const;

const UTC_INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g;

/** A few days apart: an offset that applies for a shorter time does not exist. */
function instantsToSample({ startMs, endMs }: { startMs: EpochMs; endMs: EpochMs }): EpochMs[] {
  const instants = [startMs];
  for (let atMs = startMs; atMs < endMs; atMs += 5 * MS_PER_DAY) instants.push(atMs);
  return [...instants, endMs];
}

/** Computed day by day on the local calendar, so that 06:00 stays 06:00 across a clock change. */
function roundTimes(start: DateTime<true>, endMs: EpochMs, t: Translate): AxisTick[] {
  const spanMs = endMs - start.toMillis();
  const ticks: AxisTick[] = [];
  const add = (time: DateTime<true>, label: string): void => {
    const atMs = time.toMillis();
    const last = ticks[ticks.length - 1];
    if (start.toMillis() <= atMs && atMs <= endMs && (last === undefined || last.atMs < atMs)) {
      ticks.push({ atMs, label });
    }
  };
  const minutes = minuteStep(spanMs);
  if (minutes !== null) {
    for (let day = start.startOf("day"); day.toMillis() <= endMs; day = day.plus({ days: 1 })) {
      for (let minute = 0; minute < 1440; minute += minutes) {
        const time = day.set({ hour: Math.floor(minute / 60), minute: minute % 60 });
        add(time, minute === 0 ? dayMonth(time, t) : hourMinute(time));
      }
    }
    return ticks;
  }
  const days = Math.max(1, Math.ceil(spanMs / MS_PER_DAY / 12));
  if (days <= 7) {
    for (let day = start.startOf("day"); day.toMillis() <= endMs; day = day.plus({ days })) add(day, dayMonth(day, t));
    return ticks;
  }
  const months = Math.max(1, Math.ceil(spanMs / MS_PER_DAY / 31 / 13));
  for (let month = start.startOf("month"); month.toMillis() <= endMs; month = month.plus({ months })) {
    const name = t(monthKey(month));
    const isNamedAlone = month.month > 1 && ticks.length > 0;
    add(month, isNamedAlone ? name : t("time.month_year", { month: name, year: String(month.year) }));
  }
  return ticks;
}

/** Minutes between two ticks; `null` for a period that needs ticks of whole days. */
function minuteStep(spanMs: number): number | null {
  for (const minutes of [1, 5, 10, 15, 30, 60, 120, 180, 360, 720]) {
    if (spanMs / (minutes * MS_PER_MINUTE) <= 12) return minutes;
  }
  return spanMs <= 6 * 24 * MS_PER_HOUR ? 720 : null;
}

const padTwoDigits = (value: number): string => String(value).padStart(2, "0");
const hourMinute = (time: DateTime): string => {
  const seconds = time.second === 0 ? "" : `:${padTwoDigits(time.second)}`;
  return `${padTwoDigits(time.hour)}:${padTwoDigits(time.minute)}${seconds}`;
};
const dayMonth = (time: DateTime<true>, t: Translate): string =>
  t("time.day_month", { day: time.day, month: t(monthKey(time)) });
const offsetOf = (time: DateTime): string => {
  const minutes = Math.abs(time.offset);
  return `${time.offset < 0 ? "\u2212" : "+"}${padTwoDigits(Math.floor(minutes / 60))}:${padTwoDigits(minutes % 60)}`;
};
