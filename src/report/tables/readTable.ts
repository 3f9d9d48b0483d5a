// Reads the tables of a report again, from CSV or JSON Lines, without loading a large file as a whole.

import { CsvError, parse } from "csv-parse/sync";
import { DateTime } from "luxon";
import { platform } from "#platform";
import { utf8Text } from "../../base/bytes.ts";
import { baseName } from "../../base/currency.ts";
import { formatValue, type InputErrors, inputRefusal } from "../../base/inputError.ts";
import { dirname, join } from "../../base/paths.ts";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import { checkedPieces } from "../reportFiles.ts";
import type { CellValues, Field } from "./rowsToBlock.ts";

/** A row of a table by column name; an empty cell: not applicable. */
export type CsvRow = Readonly<Record<string, string>>;

/**
 * The values of some fields of a row, by name of the field.
 *
 * @param file  named in errors
 * @throws InputErrors if a required cell is missing, or an instant is none
 */
export function readFields<Fields extends Readonly<Record<string, Field>>>(
  row: CsvRow,
  fields: Fields,
  file: string,
): { readonly [Key in keyof Fields]: CellValues[Fields[Key]["kind"]] } {
  const cells = Object.entries(fields).map(([key, field]) => [key, readCell(row, field, file)]);
  return Object.fromEntries(cells);
}

function readCell(row: CsvRow, { name, kind }: Field, file: string): CellValues[keyof CellValues] {
  const text = row[name] ?? "";
  if (kind === "thousandths") return readNumberCell(row, name);
  if (kind === "text" || kind === "name" || (kind === "optional instant" && text === "")) return text || null;
  return readInstantCell(row, name, file);
}

/** @throws InputErrors if the cell is not an instant */
export function readInstantCell(row: CsvRow, column: string, file: string): EpochMs {
  const atMs = Date.parse(row[column] ?? "");
  if (Number.isNaN(atMs)) throw wrongCell(file, row, column, "an instant in UTC");
  return atMs;
}

/** The instant of a row of events or dispatch, which reports of older versions have as `at`. */
export const readTimestampCell = (row: CsvRow, file: string): EpochMs =>
  readInstantCell(row, row.timestamp === undefined ? "at" : "timestamp", file);

/** The number of a cell; `null` if it is empty, absent or not a number. */
export function readNumberCell(row: CsvRow, column: string): number | null {
  const text = row[column];
  if (text === undefined || text === "") return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

export const wrongCell = (file: string, row: CsvRow, column: string, allowed: string): InputErrors =>
  inputRefusal({ file, keyPath: column }, formatValue(row[column]), allowed);

/**
 * Rows of `<name>.csv` by their key column, in file order; `null` if the report does not have the table.
 *
 * @throws InputErrors if the key column is missing or a key is not unique
 */
export function readKeyedTable(dir: string, name: string, keyColumn: string): ReadonlyMap<string, CsvRow> | null {
  const file = join(dir, name);
  if (!platform.exists(file)) return null;
  const byKey = new Map<string, CsvRow>();
  csvRows(file, "").forEach((row, k) => {
    const key = row[keyColumn];
    const place = { file, line: k + 2, keyPath: keyColumn };
    if (key === undefined) throw inputRefusal(place, "no such column", `a column ${keyColumn}`);
    if (byKey.has(key)) throw inputRefusal(place, `${formatValue(key)} twice`, "each once");
    byKey.set(key, row);
  });
  return byKey;
}

/**
 * Rows of `<stem>.csv`, otherwise of `<stem>.jsonl`; `null` if the report has neither.
 *
 * @param filterText  skips lines without this text; the remaining rows may contain it in any column
 * @throws InputErrors if the file is not valid CSV or JSON Lines
 */
export function readRecords(dir: string, stem: string, filterText = ""): readonly CsvRow[] | null {
  const csv = join(dir, `${stem}.csv`);
  if (platform.exists(csv)) return csvRows(csv, filterText.replaceAll('"', '""'));
  const jsonLines = join(dir, `${stem}.jsonl`);
  return platform.exists(jsonLines) ? jsonRows(jsonLines, JSON.stringify(filterText).slice(1, -1)) : null;
}

/** The files that a report has instead of a missing table, and how to get the table. */
export function describeMissingTable(dir: string, stem: string): { readonly found: string; readonly allowed: string } {
  const parquet = platform.exists(join(dir, `${stem}.parquet`));
  return {
    found: parquet ? `${stem}.parquet alone` : `no ${stem} table`,
    allowed: `${stem}.csv or ${stem}.jsonl: run again with --format csv${parquet ? "" : ` and without ${stem} in report.omit`}`,
  };
}

function csvRows(file: string, filterText: string): readonly CsvRow[] {
  const kept: string[] = [];
  for (const record of csvRecords(file)) if (kept.length === 0 || record.includes(filterText)) kept.push(record);
  try {
    return parseRows(file, kept.join("\n"));
  } catch (error) {
    if (error instanceof CsvError) throw inputRefusal(file, error.message, "a CSV table with a header");
    throw error;
  }
}

/**
 * Rows of CSV text with its header, as `plainRow` gives them.
 *
 * @param file  that has the text
 * @param options  of the parser
 */
export const parseRows = (file: string, text: string, options: object = {}): readonly CsvRow[] =>
  // Records of a file with CRLF, joined by LF, end with a lone CR.
  parse<CsvRow>(text.replace(/\r$/, ""), { bom: true, columns: true, skip_empty_lines: true, ...options }).map((row) =>
    plainRow(row, file),
  );

/** Records of a CSV file; a quoted cell may span lines. */
export function* csvRecords(file: string): Generator<string, void> {
  let lines: string[] = [];
  let isInsideQuotes = false;
  for (const line of linesOf(file)) {
    lines.push(line);
    if (hasOddQuotes(line)) isInsideQuotes = !isInsideQuotes;
    if (isInsideQuotes) continue;
    yield lines.length === 1 ? line : lines.join("\n");
    lines = [];
  }
  if (lines.length > 0) yield lines.join("\n");
}

function hasOddQuotes(line: string): boolean {
  let isOdd = false;
  for (let at = line.indexOf('"'); at !== -1; at = line.indexOf('"', at + 1)) isOdd = !isOdd;
  return isOdd;
}

function jsonRows(file: string, filterText: string): readonly CsvRow[] {
  const kept: { readonly line: string; readonly number: number }[] = [];
  let number = 0;
  for (const line of linesOf(file)) {
    number++;
    if (line !== "" && line.includes(filterText)) kept.push({ line, number });
  }
  // After the last line: a file that was changed is refused as such.
  return kept.map((row) => jsonRow(row.line, file, row.number));
}

function jsonRow(line: string, file: string, number: number): CsvRow {
  let cells: unknown;
  try {
    cells = JSON.parse(line);
  } catch {
    cells = null;
  }
  if (cells === null || typeof cells !== "object")
    throw inputRefusal({ file, line: number }, formatValue(line), "one JSON object per line");
  const row = Object.entries(cells).map(([name, cell]) => [name, cell === null ? "" : String(cell)]);
  return plainRow(Object.fromEntries(row), file);
}

/**
 * A row with its instants in UTC, its ids as they are and its amounts by their names in code, however the table was written
 * (docs/model/report-files.md#local-times, #excel).
 */
function plainRow(row: CsvRow, file: string): CsvRow {
  const plain: Record<string, string> = {};
  for (const [column, cell] of Object.entries(row)) {
    const name = baseName(column);
    const base = name.replace(INSTANT_PART, "");
    if (name.endsWith("_local")) plain[base] = cell === "" ? "" : isoUtc(Date.parse(cell));
    else if (name.endsWith("_date") && `${base}_time` in row)
      plain[base] = cell === "" ? "" : isoUtc(instantOfPair(cell, row[`${base}_time`], row[`${base}_offset`], file));
    else if (!INSTANT_PART.test(name) || !(`${base}_date` in row)) plain[name] = unquoteFormula(cell);
  }
  return plain;
}

const INSTANT_PART = /_(?:local|date|time|offset)$/;

const unquoteFormula = (cell: string): string =>
  cell.startsWith('="') && cell.endsWith('"') ? cell.slice(2, -1).replaceAll('""', '"') : cell;

/** @param offset  absent where the zone of the report has one offset in the run */
function instantOfPair(date: string, time: string, offset: string | undefined, file: string): EpochMs {
  if (offset !== undefined) return Date.parse(`${date}T${time}${offset}`);
  return DateTime.fromISO(`${date}T${time}`, { zone: zoneOfReport(dirname(file)) }).toMillis();
}

const zones = new Map<string, string>();

function zoneOfReport(dir: string): string {
  let zone = zones.get(dir);
  if (zone === undefined)
    zones.set(
      dir,
      (zone = String(
        JSON.parse(utf8Text(platform.files.read(join(dir, "summary.json")) ?? new Uint8Array())).scenario.timezone,
      )),
    );
  return zone;
}

/** The lines of a file, read piece by piece. */
function* linesOf(file: string): Generator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  for (const piece of checkedPieces(file)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
