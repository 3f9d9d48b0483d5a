import iconv from "iconv-lite";
import { expect } from "vitest";
import type { FormatOptions, RecordTable, SeriesColumn, SeriesTable } from "../../src/inputs/formats/fileFormat.ts";
import type { FormatProblem } from "../../src/inputs/formats/formatProblem.ts";
import { type FormatReading, readFormatFile } from "../../src/inputs/formats/readFormatFile.ts";
import { formatById } from "../../src/inputs/formats/registry.ts";

export interface TextFile {
  readonly format: string;
  readonly text: string;
  readonly name?: string;
  readonly options?: FormatOptions;
  /** Default: CP932. */
  readonly encoding?: string;
}

/** Reads a text as a file of a format, encoded as most Japanese publishers do. */
export function readText({
  format: id,
  text,
  name = "file.csv",
  options = {},
  encoding = "cp932",
}: TextFile): FormatReading {
  const format = formatById(id);
  if (format === null) throw new Error(`no format ${id}`);
  return readFormatFile(format, { name, content: iconv.encode(text, encoding) }, options);
}

export function seriesOf(file: TextFile): SeriesTable {
  const { table, problems } = readText(file);
  expect(problems.groups.flatMap(({ first }) => first)).toEqual([]);
  if (table?.kind !== "series") throw new Error(`${file.format} gives no series`);
  return table;
}

export function recordsOf(file: TextFile): RecordTable {
  const { table, problems } = readText(file);
  expect(problems.groups.flatMap(({ first }) => first)).toEqual([]);
  if (table?.kind !== "records") throw new Error(`${file.format} gives no records`);
  return table;
}

export const problemsOf = (file: TextFile): readonly FormatProblem[] =>
  readText(file).problems.groups.flatMap(({ first }) => first);

export function columnOf(table: SeriesTable, role: string): SeriesColumn {
  const column = table.columns.find((other) => other.role === role);
  if (column === undefined) throw new Error(`no role ${role}; ${table.columns.map((other) => other.role).join(", ")}`);
  return column;
}

/** Values of a column by UTC time; NaN as null. */
export function valuesOf(table: SeriesTable, role: string): Record<string, number | null> {
  const { timesMs, values } = columnOf(table, role);
  return Object.fromEntries(
    [...timesMs].map((atMs, k) => [new Date(atMs).toISOString(), Number.isNaN(values[k]) ? null : values[k]]),
  );
}
