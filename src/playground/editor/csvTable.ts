import type { InputError } from "../../base/inputError.ts";

/** A row of a CSV file. */
export interface CsvRow {
  /** In the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Column of each cell in its line, from 1. */
  readonly starts: readonly number[];
}

/**
 * The character, from 1, at which an error of a CSV file stands. Of a series its column counts fields, and its key is the field's
 * name; of other tables it counts characters.
 */
export function characterOf(text: string, { line, column, keyPath }: InputError): number {
  const lines = text.split(/\r\n|\n|\r/);
  const [header, row] = parseCsv(`${lines[0]}\n${lines[line - 1] ?? ""}`);
  return header?.cells[column - 1] === keyPath ? (row?.starts[column - 1] ?? column) : column;
}

export const isCsv = (path: string): boolean => /\.csv$/i.test(path);

const DELIMITERS = [",", ";", "\t"];

/** The rows of a text with the delimiter that its first line has most often; quoted cells may have line ends. */
export function parseCsv(text: string): readonly CsvRow[] {
  const first = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const countOf = (delimiter: string): number => first.split(delimiter).length;
  const delimiter = DELIMITERS.reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
  const rows: CsvRow[] = [];
  let line = 1;
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const start = at;
    const cells: string[] = [];
    const starts: number[] = [];
    for (;;) {
      starts.push(at - start + 1);
      const end = cellEnd(text, at, delimiter);
      cells.push(unquoted(text.slice(at, end)));
      at = end + 1;
      if (text[end] !== delimiter) break;
    }
    if (text[at - 1] === "\r" && text[at] === "\n") at++;
    if (cells.length > 1 || cells[0] !== "") rows.push({ line, cells, starts });
    line += text.slice(start, at).split("\n").length - 1;
  }
  return rows;
}

function cellEnd(text: string, start: number, delimiter: string): number {
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === delimiter || char === "\n" || char === "\r")) return at;
  }
  return text.length;
}

const unquoted = (cell: string): string =>
  cell.length > 1 && cell.startsWith('"') && cell.endsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
