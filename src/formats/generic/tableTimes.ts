import { smallestOf } from "../../base/extremes.ts";
import { type EpochMs, MS_PER_DAY, MS_PER_HALF_HOUR } from "../../base/time.ts";
import type { CsvRecord } from "../../series/csv/parseCsvRecords.ts";
import { medianSpacingMs } from "../../series/model/alignStamps.ts";
import type { FileContent } from "../fileFormat.ts";
import { normaliseName } from "../text/normaliseText.ts";
import type { TextTable } from "../text/textTable.ts";
import { intervalLabel } from "../time/intervalLabel.ts";
import { LocalTimeOrder, zoneClock } from "../time/localTime.ts";
import { DATE_ORDERS, parseClock, parseClockRange, parseDate, parseStamp } from "../time/parseDate.ts";

/** Headers of time columns, normalised and in lower case. */
const STAMP_NAMES = [
  "日時",
  "年月日時",
  "年月日時刻",
  "日付時刻",
  "計測日時",
  "timestamp",
  "datetime",
  "time",
  "utc",
  "開始日時",
];
const DATE_NAMES = ["日付", "年月日", "受渡日", "対象日", "令和", "平成", "date", "day"];
const CLOCK_NAMES = ["時刻", "時間", "時間帯", "時分", "time", "hour", "clock", "開始時刻"];
const SLOT_NAMES = ["コマ", "時刻コード", "時間帯コマ", "コマ番号", "slot", "period", "code"];

/** The columns with the times of a table: stamps, or dates with a time of day or a slot code of 30 minutes. */
export interface TimeColumns {
  readonly headerRow: number;
  readonly date: number;
  /** −1: none. */
  readonly clock: number;
  readonly slot: number;
  /** Stamps without offset may carry one in each cell. */
  readonly isStamp: boolean;
}

/** The first row with a known header of times, else that above the first times; `null` where there is none. */
export const findTimeColumns = (table: TextTable): TimeColumns | null => namedTimes(table) ?? timesBelowHeader(table);

function namedTimes(table: TextTable): TimeColumns | null {
  for (const [headerRow, { cells }] of table.rows.slice(0, HEADER_ROWS).entries()) {
    const names = cells.map((cell) => normaliseName(cell).toLowerCase());
    if (names.length < 2) continue;
    const indexOf = (known: readonly string[], except = -1) =>
      names.findIndex((name, k) => k !== except && known.includes(name));
    const date = indexOf(DATE_NAMES);
    const stamp = indexOf(STAMP_NAMES);
    if (date >= 0)
      return { headerRow, date, clock: indexOf(CLOCK_NAMES, date), slot: indexOf(SLOT_NAMES), isStamp: false };
    if (stamp >= 0) return { headerRow, date: stamp, clock: -1, slot: -1, isStamp: true };
  }
  return null;
}

/** Number of first rows that are searched for a header. */
export const HEADER_ROWS = 60;

/** Columns whose header is not known, by the first row that has times below a row of texts. */
function timesBelowHeader({ rows }: TextTable): TimeColumns | null {
  const isStamp = (cell: string) => DATE_ORDERS.some((order) => parseStamp(cell, order) !== null);
  const isDate = (cell: string) => DATE_ORDERS.some((order) => parseDate(cell, order) !== null);
  const isClock = (cell: string) => parseClock(cell) !== null || parseClockRange(cell) !== null;
  for (const [k, { cells }] of rows.slice(1, HEADER_ROWS).entries()) {
    const isHeaded = (index: number) => index >= 0 && (rows[k].cells[index] ?? "").trim() !== "";
    // A number such as 46113 counts as a spreadsheet's day only below a header of dates.
    const date = cells.findIndex((cell) => !/^\d*$/.test(cell.trim()) && isStamp(cell));
    if (cells.length < 2 || !isHeaded(date) || isStamp(rows[k].cells[date])) continue;
    const clock = isDate(cells[date]) ? cells.findIndex((cell, index) => index !== date && isClock(cell)) : -1;
    return { headerRow: k, date, clock: isHeaded(clock) ? clock : -1, slot: -1, isStamp: clock < 0 };
  }
  return null;
}

/** A row with the start of its interval. */
interface TimedRow {
  readonly row: CsvRecord;
  readonly startMs: EpochMs;
}

interface TimedRows {
  readonly rows: readonly TimedRow[];
  readonly resolutionMs: number;
  readonly notes: readonly string[];
}

/** Printed time of a row: local unless the cell has an offset, and its end where a range is printed. */
interface PrintedTime {
  readonly row: CsvRecord;
  readonly localMs: number;
  readonly endLocalMs: number | null;
  readonly isUtc: boolean;
  readonly clockMs: number;
}

/**
 * Starts of intervals of a table's rows (docs/model/formats.md#start-or-end).
 *
 * @returns `null` after reporting problems
 */
export function readTimes(
  file: FileContent,
  table: TextTable,
  columns: TimeColumns,
  rows: readonly CsvRecord[],
): TimedRows | null {
  const { problems, options } = file;
  const printed = rows.flatMap((row) => printedTime(file, table, columns, row) ?? []);
  if (problems.count > 0) return null;
  if (printed.length === 0) {
    problems.refuse("no rows with times", "at least one row with a time and a value");
    return null;
  }
  const clock = zoneClock(options.timezone ?? "Asia/Tokyo");
  if (clock === null) return null;
  const ranges = printed.flatMap(({ localMs, endLocalMs }) => (endLocalMs === null ? [] : [endLocalMs - localMs]));
  const hasSlots = columns.slot >= 0;
  const isRange = ranges.length === printed.length;
  const spacingMs = medianSpacingMs(Float64Array.from(printed, ({ localMs }) => localMs));
  const stepMs = hasSlots ? MS_PER_HALF_HOUR : isRange ? smallestOf(ranges) : spacingMs;
  if (!(stepMs > 0)) {
    problems.refuse("rows whose times do not rise", "at least two rows in order of time");
    return null;
  }
  const clocksMs = printed.map(({ clockMs }) => clockMs);
  const label = hasSlots || isRange ? "start" : intervalLabel({ clocksMs, stepMs }, options, problems);
  if (label === null) return null;
  const order = new LocalTimeOrder(clock);
  const lateMs = label === "end" && columns.clock >= 0 ? lostMidnights(printed) : [];
  const timed = printed.flatMap(({ row, localMs, isUtc }, k): TimedRow[] => {
    const shiftMs = label === "end" ? stepMs : 0;
    const printedMs = localMs + (lateMs[k] ?? 0);
    const atMs = isUtc ? printedMs : order.next(printedMs);
    if (atMs !== null) return [{ row, startMs: atMs - shiftMs }];
    table.reportCell(row, columns.date, "time", `a time that ${options.timezone} has: the clock change leaves it out`);
    return [];
  });
  const how = hasSlots
    ? "slot codes of 30 min"
    : isRange
      ? "ranges"
      : `${label}s of intervals of ${stepMs / 60_000} min`;
  const notes = lateMs.some((ms) => ms > 0) ? [`times are ${how}`, LOST_MIDNIGHT] : [`times are ${how}`];
  return { rows: timed, resolutionMs: stepMs, notes };
}

const LOST_MIDNIGHT = "0:00 behind the times of its day is the end of that day";

/** The days with a 0:00 after other times of the same date, which a spreadsheet made of 24:00. */
function lostMidnights(printed: readonly PrintedTime[]): number[] {
  return printed.map(({ clockMs, localMs }, k) => {
    const before = printed[k - 1];
    const isBehind = before !== undefined && before.clockMs > 0 && before.localMs - before.clockMs === localMs;
    return clockMs === 0 && isBehind ? MS_PER_DAY : 0;
  });
}

/** `null` after reporting a time that cannot be read. */
function printedTime(
  { options }: FileContent,
  table: TextTable,
  columns: TimeColumns,
  row: CsvRecord,
): PrintedTime | null {
  const { date, clock, slot, isStamp } = columns;
  const cell = row.cells[date] ?? "";
  const order = options.date_order ?? "ymd";
  const stamp = parseStamp(cell, order);
  if (stamp === null || (!isStamp && parseDate(cell, order) === null && (clock >= 0 || slot >= 0))) {
    const hint = order === "ymd" ? "; other orders of day and month need the option date_order" : "";
    table.reportCell(row, date, "time", `a ${isStamp ? "time such as 2026/4/1 9:00" : "date such as 2026/4/1"}${hint}`);
    return null;
  }
  const { atMs, isUtc } = stamp;
  if (slot >= 0) {
    const code = Number(normaliseName(row.cells[slot] ?? "") || Number.NaN);
    if (!Number.isInteger(code) || code < 1 || 48 < code) {
      table.reportCell(row, slot, "slot", "a slot code from 1 to 48");
      return null;
    }
    const clockMs = (code - 1) * MS_PER_HALF_HOUR;
    return { row, localMs: atMs + clockMs, endLocalMs: atMs + clockMs + MS_PER_HALF_HOUR, isUtc, clockMs };
  }
  if (clock < 0) return { row, localMs: atMs, endLocalMs: null, isUtc, clockMs: printedClock(cell, atMs) };
  const range = parseClockRange(row.cells[clock] ?? "");
  const clockMs = range?.startMs ?? parseClock(row.cells[clock] ?? "");
  if (clockMs === null) {
    table.reportCell(row, clock, "time", "a time such as 9:00, or a range such as 9:00～9:30");
    return null;
  }
  return { row, localMs: atMs + clockMs, endLocalMs: range === null ? null : atMs + range.endMs, isUtc, clockMs };
}

/** The time of day of a stamp; 24:00 is the end of its day. */
const printedClock = (cell: string, atMs: number): number =>
  /24:00(:00)?$/.test(normaliseName(cell)) ? MS_PER_DAY : ((atMs % MS_PER_DAY) + MS_PER_DAY) % MS_PER_DAY;
