import { MS_PER_DAY } from "../../../base/time.ts";
import type { CsvRecord } from "../../../engine/series/csv/parseCsvRecords.ts";
import type { FileContent } from "../fileFormat.ts";
import { HeaderColumns } from "../text/headerColumns.ts";
import { normaliseName } from "../text/normaliseText.ts";
import { PLAIN_AMOUNTS, parseAmount } from "../text/parseAmount.ts";
import { isBlankRow, type TextTable } from "../text/textTable.ts";
import { DATE_ORDERS, parseClock, parseClockRange, parseDate, parseStamp, type Stamp } from "../time/parseDate.ts";
import { isUnitName, printedUnitOf } from "./units.ts";

/** Headers of time columns, normalised and in lower case. Columns with other headers are found by their cells. */
const DATE_NAMES = ["日付", "年月日", "受渡日", "対象日", "令和", "平成", "date", "day"];
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
const CLOCK_NAMES = ["時刻", "時間", "時間帯", "時分", "time", "hour", "clock", "開始時刻"];
/** The first four are half hours of the Japanese market. */
const SLOT_NAMES = ["コマ", "時刻コード", "時間帯コマ", "コマ番号", "slot", "period", "code"];
const TITLE_UNIT = /(?:単位|units?|einheit|unidad|in)[:=]?((?:[千万億]|百万)?[kMG]?Wh?)$/i;
const DURATION_NAME = /duration|dauer|durée|duración|継続|長さ/i;
export const HALF_HOUR_SLOT_NAMES: readonly string[] = SLOT_NAMES.slice(0, 4);

/** Number of first rows that are searched for a header. */
export const HEADER_ROWS = 60;
/** Rows below a header by which its columns are known. */
const SAMPLE_ROWS = 20;
/** Rows of units or other names that may stand between a header and the first time. */
const ROWS_BETWEEN = 5;
/** Rows in a row that begin with a time where the data begin. */
const FIRST_TIMES = 3;

/** Indexes of the columns with the times of a table; −1: none. */
interface TimeColumns {
  /** Time stamps, or dates where `clock` or `slot` is there. */
  readonly date: number;
  readonly clock: number;
  readonly slot: number;
  readonly end: number;
  /** Length of the interval. */
  readonly lengthColumn: number;
}

/** Where a table has its names, its times and its rows. */
export interface TableLayout {
  readonly headerRow: number;
  readonly header: HeaderColumns;
  readonly times: TimeColumns;
  /** Rows with values: below the header and the rows of units, not blank. */
  readonly rows: readonly CsvRecord[];
  /** Cells between the header and the first row, and that above the header, by column. */
  readonly cellsBesideHeader: (index: number) => readonly string[];
  /** Unit of power or energy that a title names, as in `Unit: kWh`; `null`: none. */
  readonly titleUnit: string | null;
  /** Number of headers that are times of day. */
  readonly clockColumns: number;
}

type LayoutOptions = Pick<FileContent["options"], "header_row" | "time_columns" | "columns">;

/**
 * Finds header, columns of times and first row (docs/model/formats.md#table-format).
 *
 * @returns `null` without times below a header, or after reporting an option that does not fit
 */
export function findLayout(table: TextTable, options: LayoutOptions): TableLayout | null {
  const start = findStart(table, options);
  if (start === null) return null;
  const header = new HeaderColumns(table, start.headerRow);
  const rows = table.rows.slice(start.firstRow).filter((row) => !isBlankRow(row));
  const sample = rows.slice(0, SAMPLE_ROWS);
  const times =
    options.time_columns === undefined
      ? detectTimes(header, start.date, sample)
      : statedTimes(header, options.time_columns, sample);
  if (times === null) return null;
  const above = table.rows.slice(Math.max(0, start.headerRow - 1), start.headerRow);
  const beside = [...table.rows.slice(start.headerRow + 1, start.firstRow), ...above];
  const cellsBesideHeader = (index: number) => beside.map(({ cells }) => cells[index] ?? "");
  const clockColumns = header.row.cells.filter(isClock).length;
  const titles = table.rows.slice(0, start.headerRow + 1).flatMap(({ cells }) => cells);
  const titleUnit = titles
    .map((cell) => TITLE_UNIT.exec(normaliseName(cell))?.[1] ?? null)
    .find((unit) => unit !== null);
  return {
    headerRow: start.headerRow,
    header,
    times,
    rows,
    cellsBesideHeader,
    titleUnit: titleUnit ?? null,
    clockColumns,
  };
}

interface TableStart {
  readonly headerRow: number;
  readonly firstRow: number;
  /** Column of the first times. */
  readonly date: number;
}

function findStart(table: TextTable, options: LayoutOptions): TableStart | null {
  const { header_row: line, time_columns: stated } = options;
  if (line !== undefined) {
    const headerRow = table.rows.findIndex((row) => row.line === line && !isBlankRow(row));
    if (headerRow < 0) table.problems.refuse(`line ${line}`, "the line of the file with the names", "header_row");
    return headerRow < 0 ? null : startBelow(table, headerRow, "stated");
  }
  if (stated !== undefined) {
    const headerRow = table.findHeader(stated);
    const allowed = "headers of one row: date or time stamp, then time of day or slot code, then end";
    if (headerRow < 0) table.problems.refuse(stated.join(", "), allowed, "time_columns");
    return headerRow < 0 ? null : startBelow(table, headerRow, "found");
  }
  return namedStart(table) ?? startByCells(table, Object.values(options.columns ?? {}));
}

/** The first row with a known header of times above times. */
function namedStart(table: TextTable): TableStart | null {
  for (const [headerRow, { cells }] of table.rows.slice(0, HEADER_ROWS).entries()) {
    if (cells.length < 2) continue;
    const below = table.rows
      .slice(headerRow + 1)
      .filter((row) => !isBlankRow(row))
      .slice(0, ROWS_BETWEEN);
    const names = cells.map((cell) => normaliseName(cell).toLowerCase());
    const isOf = (known: readonly string[]) => (name: string, index: number) =>
      known.includes(name) && (below.length === 0 || below.some((row) => parseTimeOrNumber(row.cells[index]) !== null));
    const date = [DATE_NAMES, STAMP_NAMES].map((known) => names.findIndex(isOf(known))).find((index) => index >= 0);
    if (date !== undefined) return { headerRow, date, firstRow: firstRowBelow(table, headerRow, date, "found") };
  }
  return null;
}

/** The first column with a time in each of several rows, and the row of names above them. */
function startByCells(table: TextTable, wanted: readonly string[]): TableStart | null {
  const { rows } = table;
  for (let k = 1; k < Math.min(rows.length, HEADER_ROWS); k++) {
    if (rows[k].cells.length < 2) continue;
    const first = rows.slice(k, k + FIRST_TIMES).filter((row) => !isBlankRow(row));
    const date = rows[k].cells.findIndex((_, index) => first.every(({ cells }) => parseTime(cells[index]) !== null));
    if (date < 0) continue;
    const headerRow = rowOfNames(table, k, date, wanted);
    return headerRow < 0 ? null : { headerRow, date, firstRow: firstRowBelow(table, headerRow, date, "found") };
  }
  return null;
}

/**
 * The nearest row above the first times with the wanted names; else with texts that differ and are no units, that differ or are
 * units alone. −1: none.
 */
function rowOfNames(table: TextTable, firstTimes: number, date: number, wanted: readonly string[]): number {
  const above = table.rows.slice(0, firstTimes).map(({ cells }) => cells.map(normaliseName));
  const names = wanted.map((name) => normaliseName(name).replace(/#\d+$/, ""));
  const wantedRow = above.findLastIndex((cells) => names.length > 0 && names.every((name) => cells.includes(name)));
  if (wantedRow >= 0) return wantedRow;
  const isNumber = (cell: string) => Number.isFinite(parseAmount(cell, PLAIN_AMOUNTS) ?? Number.NaN);
  const texts = above.map((cells) => cells.filter((cell, index) => cell !== "" && index !== date));
  const isOfTexts = (cells: readonly string[]) => cells.length > 0 && !cells.some(isNumber);
  const isDistinct = (cells: readonly string[]) => isOfTexts(cells) && new Set(cells).size === cells.length;
  const isOfNames = (cells: readonly string[]) => isDistinct(cells) && !cells.every(isUnitName);
  return [isOfNames, isDistinct, isOfTexts].map((isOf) => texts.findLastIndex(isOf)).find((k) => k >= 0) ?? -1;
}

/** Whether a header is stated, or found by its cells. */
type HeaderOrigin = "stated" | "found";

function startBelow(table: TextTable, headerRow: number, origin: HeaderOrigin): TableStart {
  const sample = table.rows.slice(headerRow + 1, headerRow + 1 + HEADER_ROWS);
  const width = Math.max(...sample.map(({ cells }) => cells.length), 0);
  const counts = Array.from(
    { length: width },
    (_, index) => sample.filter(({ cells }) => parseTime(cells[index]) !== null).length,
  );
  const date = Math.max(0, counts.indexOf(Math.max(...counts)));
  return { headerRow, date, firstRow: firstRowBelow(table, headerRow, date, origin) };
}

/** The first row with a time; a row of numbers before it has a wrong time and belongs to the data, unless the header is stated. */
function firstRowBelow({ rows }: TextTable, headerRow: number, date: number, origin: HeaderOrigin): number {
  const isNumber = (cell: string, index: number) => {
    const amount = index === date ? null : parseAmount(cell, PLAIN_AMOUNTS);
    return amount !== null && !Number.isNaN(amount);
  };
  const isData = ({ cells }: CsvRecord) =>
    parseTimeOrNumber(cells[date]) !== null || (origin === "found" && cells.some(isNumber));
  const found = rows.findIndex((row, k) => k > headerRow && isData(row));
  return found < 0 ? headerRow + 1 : found;
}

/** A time stamp or date in any order of its day. */
const parseTime = (cell: string | undefined): Stamp | null =>
  cell === undefined || /^\d*$/.test(cell.trim()) ? null : parseTimeOrNumber(cell);

/** The same, or the number of a spreadsheet's day, which counts only below a header of dates. */
function parseTimeOrNumber(cell = ""): Stamp | null {
  for (const order of DATE_ORDERS) {
    const stamp = parseStamp(cell, order);
    if (stamp !== null) return stamp;
  }
  return null;
}

const isClock = (cell: string): boolean => parseClock(cell) !== null || parseClockRange(cell) !== null;
const isWhole = (cell: string): boolean => /^\d{1,3}$/.test(normaliseName(cell));
const isDate = (cell: string): boolean => DATE_ORDERS.some((order) => parseDate(cell, order) !== null);

/** Whether the cells of a column in the sample are of a kind, where they are not empty. */
function areAll(sample: readonly CsvRecord[], index: number, isOfKind: (cell: string) => boolean): boolean {
  const cells = sample.map((row) => (row.cells[index] ?? "").trim()).filter((cell) => cell !== "");
  return cells.length > 0 && cells.every(isOfKind);
}

function detectTimes(header: HeaderColumns, date: number, sample: readonly CsvRecord[]): TimeColumns {
  const lengthColumn = header.names.findIndex((name) => DURATION_NAME.test(name));
  const none = { ...NO_TIMES, date, lengthColumn };
  const columns = header.names.map((_, index) => index).filter((index) => index !== date && index !== lengthColumn);
  const isNamed = (index: number, known: readonly string[]) => known.includes(header.names[index].toLowerCase());
  const wholes = columns.filter((index) => areAll(sample, index, isWhole));
  const clocks = columns.filter((index) => areAll(sample, index, isClock));
  const isUnnamed = (index: number) => printedUnitOf(header.row.cells[index]) === null;
  const counting =
    clocks.length > 0 ? undefined : wholes.find((index) => isUnnamed(index) && isCountOfDay(sample, date, index));
  const slot = wholes.find((index) => isNamed(index, [...SLOT_NAMES, ...CLOCK_NAMES])) ?? counting;
  const isOfDays = areAll(sample, date, (cell) => (parseTimeOrNumber(cell)?.localMs ?? 0) % MS_PER_DAY === 0);
  if (isOfDays && slot !== undefined) return { ...none, ...slotOrHour(sample, slot) };
  const clock = clocks.find((index) => isNamed(index, CLOCK_NAMES)) ?? clocks[0];
  if (isOfDays && clock !== undefined) return { ...none, clock, end: clocks.find((index) => index > clock) ?? -1 };
  const clockColumn = columns.find((index) => isNamed(index, CLOCK_NAMES));
  // A column that is named so has times with errors.
  if (isOfDays && clockColumn !== undefined && sample.some(({ cells }) => isClock(cells[clockColumn] ?? "")))
    return { ...none, clock: clockColumn };
  return { ...none, end: columns.find((index) => isEndOf(sample, date, index)) ?? -1 };
}

const NO_TIMES = { date: -1, clock: -1, slot: -1, end: -1, lengthColumn: -1 };

/** Codes from 1 are slots; with a 0 they are hours of the clock. */
const slotOrHour = (sample: readonly CsvRecord[], index: number): Partial<TimeColumns> =>
  sample.some(({ cells }) => Number(cells[index]) === 0 && isWhole(cells[index] ?? ""))
    ? { clock: index }
    : { slot: index };

/** Whether a column counts the rows of each day from 1 or 0, up or down. */
function isCountOfDay(sample: readonly CsvRecord[], date: number, index: number): boolean {
  const steps = sample.slice(1).flatMap(({ cells }, k) => {
    const before = sample[k].cells;
    return before[date] === cells[date] ? [Math.abs(Number(cells[index]) - Number(before[index]))] : [];
  });
  return steps.length > 1 && steps.every((step) => step === 1) && sample.some(({ cells }) => Number(cells[index]) <= 1);
}

/** Share of rows of the sample that tell an end; in a repeated hour the clock shows an end before its start. */
const ENDS_SHARE = 0.8;

/** Whether a second column of time stamps has the end of each interval: the next start, or the last time before it. */
function isEndOf(sample: readonly CsvRecord[], date: number, end: number): boolean {
  if (end < date || !areAll(sample, end, (cell) => !isDate(cell) && parseTime(cell) !== null)) return false;
  const starts = sample.map(({ cells }) => parseTimeOrNumber(cells[date])?.atMs ?? Number.NaN);
  const ends = sample.map(({ cells }) => parseTime(cells[end])?.atMs ?? Number.NaN);
  const isEnd = (endMs: number, k: number) =>
    starts[k] < endMs && !(starts[k] < starts[k + 1] && starts[k + 1] < endMs);
  return ends.filter(isEnd).length >= ENDS_SHARE * sample.length;
}

/** @returns `null` after reporting a column that is not there */
function statedTimes(
  header: HeaderColumns,
  names: readonly string[],
  sample: readonly CsvRecord[],
): TimeColumns | null {
  const [date, ...others] = names.map((name) => header.require(name));
  if ([date, ...others].includes(-1)) return null;
  let times: TimeColumns = { ...NO_TIMES, date };
  for (const index of others) {
    const isFirst = times.clock < 0 && times.slot < 0;
    if (isFirst && areAll(sample, index, isWhole)) times = { ...times, ...slotOrHour(sample, index) };
    else if (isFirst && areAll(sample, index, isClock)) times = { ...times, clock: index };
    else times = { ...times, end: index };
  }
  return times;
}
