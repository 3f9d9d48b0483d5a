import { type EpochMs, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from "../../../base/time.ts";
import type { CsvRecord } from "../../../engine/series/csv/parseCsvRecords.ts";
import { intervalLengths, lengthsOfEnds } from "../../../engine/series/model/intervalLengths.ts";
import type { FileContent, FormatOptions } from "../fileFormat.ts";
import { normaliseName } from "../text/normaliseText.ts";
import type { TextTable } from "../text/textTable.ts";
import {
  DEFAULT_TIMEZONE,
  fixedClock,
  intervalLabel,
  type LocalTimeConverter,
  resolveIntervals,
  resolveLocalTimes,
  zoneClock,
} from "../time/localTime.ts";
import { type LocalMs, notationMs, parseClock, parseClockRange, parseStamp } from "../time/parseDate.ts";
import { slotLengths, slotStart, slotsOfDay } from "./slotCodes.ts";
import type { TableLayout } from "./tableLayout.ts";

/** A row with its interval. */
export interface TimedRow {
  readonly row: CsvRecord;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Instant of the printed time, at which a reading stands. */
  readonly atMs: EpochMs;
}

interface TimedRows {
  /** In order of time. */
  readonly rows: readonly TimedRow[];
  readonly notes: readonly string[];
}

/** Printed time of a row, and its end where one is printed. */
interface PrintedTime {
  readonly row: CsvRecord;
  /** As printed; of a slot code its day. */
  readonly localMs: LocalMs;
  /** `null`: local time. */
  readonly instantMs: EpochMs | null;
  readonly end: PrintedEnd | null;
  readonly clockMs: number;
  readonly slot: number | null;
  readonly isLostMidnight?: boolean;
}

interface PrintedEnd {
  readonly localMs: LocalMs;
  readonly instantMs: EpochMs | null;
  /** Smallest step of the printed end. */
  readonly stepMs: number;
}

interface TimeContext {
  readonly file: FileContent;
  readonly table: TextTable;
  readonly layout: TableLayout;
  readonly clock: LocalTimeConverter;
  /** Whether the values are means of intervals, so that it matters which part of them a time marks. */
  readonly hasIntervals: boolean;
}

/**
 * Intervals of a table's rows (docs/model/formats.md#intervals).
 *
 * @returns `null` after reporting problems
 */
export function readTimes(
  file: FileContent,
  table: TextTable,
  layout: TableLayout,
  rows: readonly CsvRecord[],
  content: "intervals" | "readings",
): TimedRows | null {
  const { problems, options } = file;
  const printed = rows.flatMap((row) => printedTime(file, table, layout, row) ?? []);
  if (problems.count > 0) return null;
  const zone = zoneOf(options, layout);
  if (zone.clock === null) return null;
  const { clock } = zone;
  const sorted = inOrder(printed, options);
  const context = { file, table, layout, clock, hasIntervals: content === "intervals" };
  const timed = sorted.some(({ slot }) => slot !== null)
    ? slotIntervals(sorted, context)
    : sorted.every(({ end }) => end !== null)
      ? printedIntervals(sorted, context)
      : derivedIntervals(sorted, context);
  if (timed === null || problems.count > 0) return null;
  return {
    rows: timed.rows,
    notes: [...timed.notes, ...(sorted.every(({ instantMs }) => instantMs !== null) ? [] : [zone.note])],
  };
}

const UTC_NAME = /(?<![a-z])(?:utc|gmt)(?![a-z])(?:([+-])(\d{1,2}):?(\d{2})?)?/i;

/** The zone of local times: of the option, else UTC with an offset by the header, else of the scenario or the default. */
function zoneOf({ timezone, fallback_timezone: fallback }: FormatOptions, { header, times }: TableLayout): TimeZone {
  const zoneName = UTC_NAME.exec(header.row.cells[times.date]);
  if (timezone === undefined && zoneName !== null) {
    const [text, sign = "+", hours = "0", minutes = "0"] = zoneName;
    const offsetMs = Number(hours) * MS_PER_HOUR + Number(minutes) * MS_PER_MINUTE;
    return {
      clock: fixedClock(sign === "-" ? -offsetMs : offsetMs),
      note: `times of ${text.toUpperCase()}, as the header says`,
    };
  }
  const zone = timezone ?? fallback ?? DEFAULT_TIMEZONE;
  const isStated = timezone !== undefined || fallback !== undefined;
  const note = isStated ? "" : ", which is the default; the option timezone (--tz) states another zone";
  return { clock: zoneClock(zone), note: `local times of ${zone}${note}` };
}

interface TimeZone {
  readonly clock: LocalTimeConverter | null;
  readonly note: string;
}

/** Rows by their printed times; where these are equal, in the order of time of the file, which may be newest first. */
function inOrder(printed: readonly PrintedTime[], { label }: FormatOptions): PrintedTime[] {
  let rises = 0;
  for (let k = 1; k < printed.length; k++) rises += Math.sign(printed[k].localMs - printed[k - 1].localMs);
  const rows = rises < 0 ? [...printed].reverse() : [...printed];
  const ordered = label === "start" ? rows : withLostMidnights(rows);
  return ordered.sort((a, b) => keyOf(a) - keyOf(b));
}

const keyOf = ({ instantMs, localMs }: PrintedTime): number => instantMs ?? localMs;

/** Makes a 0:00 behind the times of its date, which a spreadsheet made of 24:00, the end of that day, if all rows then rise. */
function withLostMidnights(rows: PrintedTime[]): PrintedTime[] {
  const moved = rows.map((row, k) => {
    const before = rows[k - 1];
    const isDerived = row.slot === null && row.end === null && row.instantMs === null;
    const isBehind = before !== undefined && before.clockMs > 0 && before.localMs - before.clockMs === row.localMs;
    return isDerived && row.clockMs === 0 && isBehind
      ? { ...row, localMs: row.localMs + MS_PER_DAY, clockMs: MS_PER_DAY, isLostMidnight: true }
      : row;
  });
  // A repeated hour goes back by its length.
  const areRising = moved.every(({ localMs }, k) => k === 0 || moved[k - 1].localMs - 2 * MS_PER_HOUR <= localMs);
  return areRising ? moved : rows;
}

function slotIntervals(printed: readonly PrintedTime[], { file, table, layout, clock }: TimeContext): TimedRows | null {
  const codes = printed.map(({ localMs, slot }) => ({ dayMs: localMs, code: slot ?? Number.NaN }));
  const lengths = slotLengths(codes, clock, file, layout.header.names[layout.times.slot]);
  if (lengths === null) return null;
  const rows = printed.flatMap(({ row, localMs, slot }): TimedRow[] => {
    const lengthMs = lengths.get(localMs) ?? 0;
    const startMs = slotStart(localMs, slot ?? Number.NaN, lengthMs, clock);
    if (startMs !== null) return [{ row, startMs, endMs: startMs + lengthMs, atMs: startMs }];
    const allowed = `a slot code from 1 to ${slotsOfDay(localMs, lengthMs, clock)}`;
    table.reportCell(row, layout.times.slot, "slot", allowed);
    return [];
  });
  const minutes = uniqueSorted([...lengths.values()]).map((lengthMs) => lengthMs / MS_PER_MINUTE);
  return { rows, notes: [`times are slot codes of ${[...minutes].join(" and ")} min`] };
}

function printedIntervals(printed: readonly PrintedTime[], { table, layout, clock }: TimeContext): TimedRows {
  const isInclusive = haveInclusiveEnds(printed);
  const intervals = resolveIntervals(
    printed.map(({ localMs, instantMs, end }) => {
      const addedMs = isInclusive ? (end?.stepMs ?? 0) : 0;
      const endMs = end?.instantMs ?? null;
      return {
        fromMs: localMs,
        toMs: (end?.localMs ?? localMs) + addedMs,
        startMs: instantMs ?? undefined,
        endMs: endMs === null ? undefined : endMs + addedMs,
      };
    }),
    clock,
  );
  const rows = intervals.flatMap((interval, k): TimedRow[] => {
    const { row } = printed[k];
    const { startMs, endMs } = interval;
    if (!Number.isNaN(endMs)) return [{ row, startMs, endMs, atMs: startMs }];
    const { date, clock: range, end } = layout.times;
    if (Number.isNaN(startMs)) table.reportCell(row, date, "time", SKIPPED);
    else table.reportCell(row, end < 0 ? range : end, "time", "an end after its start");
    return [];
  });
  return { rows, notes: [isInclusive ? "times are ranges whose ends are their last times" : "times are ranges"] };
}

/** Whether ends are the last time within their interval: one step of their notation before the next start, never at it. */
function haveInclusiveEnds(printed: readonly PrintedTime[]): boolean {
  let inclusive = 0;
  let exclusive = 0;
  for (const [k, { end }] of printed.entries()) {
    if (end === null) continue;
    const next = printed[k + 1]?.localMs;
    if (end.localMs === next) exclusive++;
    if (end.localMs + end.stepMs === next) inclusive++;
  }
  if (inclusive + exclusive > 0) return inclusive > exclusive;
  // Without neighbours, ranges of 29 min are ranges of 30.
  const areParts = (added: 0 | 1) =>
    printed.every(({ end, localMs }) => end !== null && isPartOfDay(end.localMs + added * end.stepMs - localMs));
  return areParts(1) && !areParts(0);
}

const isPartOfDay = (lengthMs: number): boolean => lengthMs >= 5 * MS_PER_MINUTE && MS_PER_DAY % lengthMs === 0;

/** Intervals by the distances of the rows: of calendar days or months, else of instants. */
function derivedIntervals(printed: readonly PrintedTime[], context: TimeContext): TimedRows | null {
  const { file, hasIntervals } = context;
  const calendar = calendarOf(printed);
  const positionOf = (row: PrintedTime) => calendar?.positionOf(row.localMs) ?? keyOf(row);
  const positions = uniqueSorted(printed.map(positionOf));
  if (positions.length < 2) return refuseOneTime(context);
  const stepMs = (calendar?.unitMs ?? 1) * intervalLengths(positions)[0];
  const clocksMs = printed.map(({ clockMs }) => clockMs);
  const label = hasIntervals ? intervalLabel({ clocksMs, stepMs }, file.options, file.problems) : "start";
  if (label === null) return null;
  const lengthAt = lengthsAt(positions, label);
  const lengthOf = (row: PrintedTime) => lengthAt.get(positionOf(row)) ?? 0;
  const isEnd = label === "end";
  const instants = instantsOf(printed, context, (k) => ({ isEnd, lengthMs: lengthOf(printed[k]) }));
  if (file.problems.count > 0) return null;
  const others =
    calendar === null
      ? otherEdges(instants, label)
      : calendarEdges(printed, instants, context.clock, (row) =>
          calendar.timeAt(positionOf(row) + (isEnd ? -1 : 1) * lengthOf(row), row.localMs % MS_PER_DAY),
        );
  const rows = printed.map(({ row }, k): TimedRow => {
    const [atMs, otherMs] = [instants[k], others[k]];
    return { row, startMs: Math.min(atMs, otherMs), endMs: Math.max(atMs, otherMs), atMs };
  });
  const lengthsMs = uniqueSorted(rows.map(({ startMs, endMs }) => endMs - startMs));
  const how = lengthsMs.length === 1 ? `intervals of ${lengthsMs[0] / MS_PER_MINUTE} min` : "their intervals";
  const remarks = printed.some(({ isLostMidnight }) => isLostMidnight === true) ? [LOST_MIDNIGHT] : [];
  return { rows, notes: hasIntervals ? [`times are ${label}s of ${how}`, ...remarks] : [] };
}

function lengthsAt(positions: Float64Array, label: "start" | "end"): ReadonlyMap<number, number> {
  const lengths = (label === "end" ? lengthsOfEnds : intervalLengths)(positions);
  return new Map([...positions].map((position, k) => [position, lengths[k]]));
}

/** Ends of the intervals that begin at these instants, or starts of those that end there. */
function otherEdges(instants: Float64Array, label: "start" | "end"): Float64Array {
  const lengthAt = lengthsAt(uniqueSorted(instants), label);
  return instants.map((atMs) => atMs + (label === "end" ? -1 : 1) * (lengthAt.get(atMs) ?? 0));
}

/** The same by local times: the instant of the row that has this time, else that of the zone. */
function calendarEdges(
  printed: readonly PrintedTime[],
  instants: Float64Array,
  clock: LocalTimeConverter,
  otherLocalOf: (row: PrintedTime) => LocalMs,
): Float64Array {
  const instantAt = new Map(printed.map(({ localMs }, k) => [localMs, instants[k]]));
  return instants.map((atMs, k) => {
    const row = printed[k];
    const otherMs = otherLocalOf(row);
    const shown = row.instantMs === null ? clock.instantsOf(otherMs)[0] : undefined;
    return instantAt.get(otherMs) ?? shown ?? atMs + otherMs - row.localMs;
  });
}

const LOST_MIDNIGHT = "0:00 behind the times of its day is the end of that day";

function refuseOneTime({ file, layout: { header, times } }: TimeContext): null {
  const names = [times.date, times.clock].filter((index) => index >= 0).map((index) => header.names[index]);
  const found = `rows of one time alone, by the column ${names.join(" and ")}`;
  file.problems.refuse(
    found,
    "several times; the option time_columns: date or time stamp, time of day or slot code, end",
    "time_columns",
  );
  return null;
}

/** Positions of times that are whole days or months apart; local days have 23 to 25 hours, months 28 to 31 days. */
interface Calendar {
  /** Of a day, for the length of its first interval. */
  readonly unitMs: number;
  positionOf(localMs: LocalMs): number;
  timeAt(position: number, clockMs: number): LocalMs;
}

const DAYS: Calendar = {
  unitMs: MS_PER_DAY,
  positionOf: (localMs) => Math.floor(localMs / MS_PER_DAY),
  timeAt: (position, clockMs) => position * MS_PER_DAY + clockMs,
};
const MONTHS: Calendar = {
  unitMs: 28 * MS_PER_DAY,
  positionOf: (localMs) => 12 * new Date(localMs).getUTCFullYear() + new Date(localMs).getUTCMonth(),
  timeAt: (position, clockMs) => Date.UTC(Math.floor(position / 12), position % 12) + clockMs,
};

/** `null` for times that are less than a day apart, or at several times of day. */
function calendarOf(printed: readonly PrintedTime[]): Calendar | null {
  const times = uniqueSorted(printed.map(({ localMs }) => localMs));
  const clockMs = times[0] % MS_PER_DAY;
  if (times.some((localMs) => localMs % MS_PER_DAY !== clockMs)) return null;
  const areMonths = times.every(
    (localMs, k) => new Date(localMs).getUTCDate() === 1 && (k === 0 || localMs - times[k - 1] >= MONTHS.unitMs),
  );
  return areMonths ? MONTHS : DAYS;
}

const SKIPPED = "a time that the zone has: a clock change leaves this one out (option timezone)";

const uniqueSorted = (values: ArrayLike<number>): Float64Array => Float64Array.from(new Set(Array.from(values))).sort();

/** Instants of the printed times; a local time that a clock change skips is reported. */
function instantsOf(
  printed: readonly PrintedTime[],
  { table, layout, clock }: TimeContext,
  label: Parameters<typeof resolveLocalTimes>[2],
): Float64Array {
  const areKnown = printed.every(({ instantMs }) => instantMs !== null);
  const locals = areKnown ? [] : printed.map(({ localMs }) => localMs);
  const resolved = resolveLocalTimes(locals, clock, label);
  return Float64Array.from(printed, ({ row, instantMs }, k) => {
    const atMs = instantMs ?? resolved[k];
    if (Number.isNaN(atMs)) {
      table.reportCell(row, layout.times.date, "time", SKIPPED);
    }
    return atMs;
  });
}

/** `null` after reporting a time that cannot be read. */
function printedTime(
  { options }: FileContent,
  table: TextTable,
  { header, times: { date, clock, slot, end, lengthColumn } }: TableLayout,
  row: CsvRecord,
): PrintedTime | null {
  const cell = row.cells[date] ?? "";
  const order = options.date_order ?? "ymd";
  const stamp = parseStamp(cell, order);
  const isOfDays = clock >= 0 || slot >= 0;
  if (stamp === null || (isOfDays && stamp.localMs % MS_PER_DAY !== 0)) {
    const hint = order === "ymd" ? "; other orders of day and month need the option date_order" : "";
    table.reportCell(
      row,
      date,
      "time",
      `a ${isOfDays ? "date such as 2026/4/1" : "time such as 2026/4/1 9:00"}${hint}`,
    );
    return null;
  }
  const base = { row, localMs: stamp.localMs, instantMs: stamp.isUtc ? stamp.atMs : null, end: null, slot: null };
  if (slot >= 0) {
    const code = Number(normaliseName(row.cells[slot] ?? "") || Number.NaN);
    if (Number.isInteger(code) && 0 <= code) return { ...base, clockMs: 0, slot: code };
    table.reportCell(row, slot, "slot", "a slot code, as in 1");
    return null;
  }
  if (clock < 0) {
    const printed = { ...base, clockMs: printedClock(cell, stamp.localMs) };
    return withEnd(printed, table, { end, lengthColumn, unit: header.names[lengthColumn] ?? "" }, options);
  }
  const text = row.cells[clock] ?? "";
  const range = parseClockRange(text);
  const clockMs = range?.startMs ?? parseClock(/^\d{1,2}$/.test(text.trim()) ? `${text.trim()}:00` : text);
  if (clockMs === null) {
    table.reportCell(row, clock, "time", "a time such as 9:00, or a range such as 9:00～9:30");
    return null;
  }
  const printed = { ...base, localMs: base.localMs + clockMs, clockMs };
  if (range === null)
    return withEnd(printed, table, { end, lengthColumn, unit: header.names[lengthColumn] ?? "" }, options);
  return { ...printed, end: { localMs: base.localMs + range.endMs, instantMs: null, stepMs: notationMs(text) } };
}

/** Adds the end in a column of its own: a time stamp, a time of day of the same or the next day, or by a duration. */
function withEnd(
  printed: PrintedTime,
  table: TextTable,
  { end, lengthColumn, unit }: { readonly end: number; readonly lengthColumn: number; readonly unit: string },
  { date_order: order = "ymd", label }: FormatOptions,
): PrintedTime | null {
  const { row, localMs, instantMs, clockMs } = printed;
  if (end < 0 && lengthColumn < 0) return printed;
  if (end < 0) {
    const lengthMs = parseLength(row.cells[lengthColumn] ?? "", unit);
    if (lengthMs === null) {
      table.reportCell(
        row,
        lengthColumn,
        "time",
        "a duration such as 0:15, PT15M, or 15 below a header with min, s or h",
      );
      return null;
    }
    const movedMs = label === "end" ? lengthMs : 0;
    const startMs = instantMs === null ? null : instantMs - movedMs;
    const stop = { localMs: localMs - movedMs + lengthMs, instantMs: startMs === null ? null : startMs + lengthMs };
    return { ...printed, localMs: localMs - movedMs, instantMs: startMs, end: { ...stop, stepMs: 0 } };
  }
  const text = row.cells[end] ?? "";
  const ofDayMs = parseClock(text);
  const stamp = ofDayMs === null ? parseStamp(text, order) : null;
  const stepMs = notationMs(text);
  if (stamp !== null)
    return { ...printed, end: { localMs: stamp.localMs, instantMs: stamp.isUtc ? stamp.atMs : null, stepMs } };
  if (ofDayMs !== null) {
    // In a repeated hour the clock goes back by up to two hours within an interval.
    const isNextDay = ofDayMs === 0 || ofDayMs < clockMs - 2 * MS_PER_HOUR;
    const endMs = localMs - clockMs + ofDayMs + (isNextDay ? MS_PER_DAY : 0);
    return { ...printed, end: { localMs: endMs, instantMs: null, stepMs } };
  }
  table.reportCell(row, end, "time", "a time of day or a time stamp, at which the interval ends");
  return null;
}

const UNITS_OF_LENGTH: readonly (readonly [RegExp, number])[] = [
  [/min|分/i, MS_PER_MINUTE],
  [/sec|(?<![a-z])s(?![a-z])|秒/i, 1_000],
  [/hour|stunde|(?<![a-z])h(?![a-z])|時間/i, MS_PER_HOUR],
];

/** A duration as a clock shows it, in ISO 8601, or as a number in the unit of its header; `null` for anything else. */
function parseLength(cell: string, header: string): number | null {
  const text = normaliseName(cell);
  const [, hours = "0", minutes = "0", seconds = "0"] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/i.exec(text) ?? [];
  const isoMs = Number(hours) * MS_PER_HOUR + Number(minutes) * MS_PER_MINUTE + Number(seconds) * 1_000;
  const unitMs = UNITS_OF_LENGTH.find(([unit]) => unit.test(header))?.[1] ?? Number.NaN;
  const lengthMs = parseClock(cell) ?? (isoMs > 0 ? isoMs : Number(text || Number.NaN) * unitMs);
  return lengthMs > 0 ? lengthMs : null;
}

/** The time of day of a stamp; 24:00 is the end of its day. */
const printedClock = (cell: string, localMs: LocalMs): number =>
  /24:00(:00)?$/.test(normaliseName(cell)) ? MS_PER_DAY : ((localMs % MS_PER_DAY) + MS_PER_DAY) % MS_PER_DAY;
