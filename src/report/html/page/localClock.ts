// Instants in a time zone, for every text and page that people read; files are in UTC (docs/model/report-files.md#times). Names of days and months are constants, so that no locale can change the bytes.
import { DateTime } from "luxon";
import { assert } from "../../../base/assert.ts";
import { type EpochMs, isoUtc, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from "../../../base/time.ts";
import { html, type Markup } from "./markup.ts";

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

interface AxisTick {
  readonly atMs: EpochMs;
  readonly label: string;
}

export interface LocalClock {
  readonly timezone: string;
  /** `Wed 1 Apr 2026, 00:00` */
  readonly formatLong: (atMs: EpochMs) => string;
  /** `2026-04-01 00:00`, with the UTC offset if the run has more than one. */
  readonly formatShort: (atMs: EpochMs) => string;
  /** `formatShort` with milliseconds, if there are any. */
  readonly formatExact: (atMs: EpochMs) => string;
  /** A text with its instants, which are ISO 8601 in UTC, in `formatExact`. */
  readonly localise: (text: string) => string;
  /** `2026-04-01 00:00 to 06:00`; with the date of the end if it is another day. */
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

/** @param period decides whether times show their UTC offset */
export function createLocalClock(timezone: string, period: { startMs: EpochMs; endMs: EpochMs }): LocalClock {
  const at = (atMs: EpochMs): DateTime => DateTime.fromMillis(atMs, { zone: timezone });
  assert(at(period.startMs).isValid, () => `the loader accepts IANA timezones only, found ${timezone}`);
  const offsets = [...new Set(instantsToSample(period).map((atMs) => `UTC${offsetOf(at(atMs))}`))];
  const utcOffsets = offsets.join(" and ");
  const formatShort = (atMs: EpochMs): string => {
    const time = at(atMs);
    const offset = offsets.length > 1 ? ` ${offsetOf(time)}` : "";
    return `${time.year}-${padTwoDigits(time.month)}-${padTwoDigits(time.day)} ${hourMinute(time)}${offset}`;
  };
  const formatExact = (atMs: EpochMs): string => {
    const [date, time, ...offset] = formatShort(atMs).split(" ");
    const ms = Math.round(atMs) % MS_PER_MINUTE;
    const exact = ms % 1000 === 0 ? time : `${time.slice(0, 5)}:${(ms / 1000).toFixed(3).padStart(6, "0")}`;
    return [date, exact, ...offset].join(" ");
  };
  return {
    timezone,
    formatShort,
    formatExact,
    localise: (text) => text.replace(UTC_INSTANT, (instant) => formatExact(Date.parse(instant))),
    formatPeriod: (startMs, endMs) => {
      const [startDay] = formatShort(startMs).split(" ");
      const [endDay, ...endTime] = formatShort(endMs).split(" ");
      return `${formatShort(startMs)} to ${startDay === endDay ? endTime.join(" ") : formatShort(endMs)}`;
    },
    formatLong: (atMs) => {
      const time = at(atMs);
      return `${DAYS[time.weekday - 1]} ${time.day} ${MONTHS[time.month - 1]} ${time.year}, ${hourMinute(time)}`;
    },
    renderTime: (atMs) => html`<time datetime="${isoUtc(Math.round(atMs))}">${formatShort(atMs)}</time>`,
    utcOffsets,
    zoneText: timezone === "UTC" ? timezone : `${timezone} (${utcOffsets})`,
    ticksBetween: (startMs, endMs) => roundTimes(at(startMs), endMs),
  };
}

const UTC_INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g;

/** A few days apart: an offset that applies for a shorter time does not exist. */
function instantsToSample({ startMs, endMs }: { startMs: EpochMs; endMs: EpochMs }): EpochMs[] {
  const instants = [startMs];
  for (let atMs = startMs; atMs < endMs; atMs += 5 * MS_PER_DAY) instants.push(atMs);
  return [...instants, endMs];
}

/** Computed day by day on the local calendar, so that 06:00 stays 06:00 across a clock change. */
function roundTimes(start: DateTime, endMs: EpochMs): AxisTick[] {
  const spanMs = endMs - start.toMillis();
  const ticks: AxisTick[] = [];
  const add = (time: DateTime, label: string): void => {
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
        add(time, minute === 0 ? dayMonth(time) : hourMinute(time));
      }
    }
    return ticks;
  }
  const days = Math.max(1, Math.ceil(spanMs / MS_PER_DAY / 12));
  if (days <= 7) {
    for (let day = start.startOf("day"); day.toMillis() <= endMs; day = day.plus({ days })) add(day, dayMonth(day));
    return ticks;
  }
  const months = Math.max(1, Math.ceil(spanMs / MS_PER_DAY / 31 / 13));
  for (let month = start.startOf("month"); month.toMillis() <= endMs; month = month.plus({ months })) {
    add(
      month,
      month.month === 1 || ticks.length === 0 ? `${MONTHS[month.month - 1]} ${month.year}` : MONTHS[month.month - 1],
    );
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
const dayMonth = (time: DateTime): string => `${time.day} ${MONTHS[time.month - 1]}`;
const offsetOf = (time: DateTime): string => {
  const minutes = Math.abs(time.offset);
  return `${time.offset < 0 ? "\u2212" : "+"}${padTwoDigits(Math.floor(minutes / 60))}:${padTwoDigits(minutes % 60)}`;
};
