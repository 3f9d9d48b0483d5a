import {
  type CsvRecord,
  columnOfCell,
  lineStartsOf,
  parseCsvRecords,
} from "../../../engine/series/csv/parseCsvRecords.ts";
import { type FormatProblems, quoteCell } from "../formatProblem.ts";
import { normaliseName } from "./normaliseText.ts";

export const DELIMITERS = [",", ";", "\t"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** Rows of a text file, with the places of their cells for messages. */
export class TextTable {
  readonly rows: readonly CsvRecord[];
  readonly delimiter: Delimiter;
  readonly problems: FormatProblems;
  private readonly text: string;
  private lineStarts: readonly number[] | null = null;

  private constructor(text: string, rows: readonly CsvRecord[], delimiter: Delimiter, problems: FormatProblems) {
    this.text = text;
    this.rows = rows;
    this.delimiter = delimiter;
    this.problems = problems;
  }

  /** `null` after reporting invalid CSV. */
  static parse(text: string, problems: FormatProblems, delimiter: Delimiter = ","): TextTable | null {
    const refuse = (line: number, found: string) =>
      problems.add("", () => ({ line, column: 1, found, allowed: "CSV with quotes in pairs (RFC 4180)" }));
    const rows = parseCsvRecords(text, refuse, delimiter);
    return rows === null ? null : new TextTable(text, rows, delimiter, problems);
  }

  /** Index of the first row that has all of these cells, compared without width and blanks; -1 where there is none. */
  findHeader(names: readonly string[], from = 0): number {
    const wanted = names.map(normaliseName);
    return this.rows.findIndex(({ cells }, k) => {
      if (k < from || cells.length < wanted.length) return false;
      const found = new Set(cells.map(normaliseName));
      return wanted.every((name) => found.has(name));
    });
  }

  /** Reports a cell: what was found there and what is allowed. */
  reportCell(row: CsvRecord, cell: number, key: string, allowed: string): void {
    this.problems.add(key, () => ({
      line: row.line,
      column: this.columnOf(row, cell),
      found: quoteCell(row.cells[cell] ?? ""),
      allowed,
    }));
  }

  /** Reports a whole row. */
  reportRow(row: CsvRecord, found: string, allowed: string): void {
    this.problems.add("", () => ({ line: row.line, column: 1, found, allowed }));
  }

  columnOf(row: CsvRecord, cell: number): number {
    this.lineStarts ??= lineStartsOf(this.text);
    return columnOfCell(this.text, this.lineStarts[row.line - 1] ?? 0, cell, this.delimiter);
  }
}

/** Whether a row has empty cells alone, as spreadsheets append. */
export const isBlankRow = ({ cells }: CsvRecord): boolean => cells.every((cell) => cell.trim() === "");

/** The delimiter that occurs in most of the first lines. */
export function detectDelimiter(text: string): Delimiter {
  const lines = text.slice(0, 20_000).split(/\r?\n/, 40);
  let best: Delimiter = ",";
  let mostLines = -1;
  for (const delimiter of DELIMITERS) {
    const count = lines.filter((line) => line.includes(delimiter)).length;
    if (count <= mostLines) continue;
    best = delimiter;
    mostLines = count;
  }
  return best;
}
