import { CsvError, parse } from "csv-parse/sync";
import { sumOf } from "../../../base/lists.ts";

/** A record of a CSV file and its first line. */
export interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/**
 * Records of a CSV text (RFC 4180), including blank lines; `null` after calling `refuse` for invalid CSV.
 *
 * @param delimiter one character
 */
export function parseCsvRecords(
  text: string,
  refuse: (line: number, found: string) => void,
  delimiter = ",",
): CsvRecord[] | null {
  return text.includes('"') ? parseQuotedRecords(text, refuse, delimiter) : parseUnquotedRecords(text, delimiter);
}

/** Without quotes each line is a record: splitting takes a tenth of the parser's time for a year of awards. */
function parseUnquotedRecords(text: string, delimiter: string): CsvRecord[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines[lines.length - 1] === "") lines.pop();
  return lines.map((line, k) => ({ cells: line.split(delimiter), line: k + 1 }));
}

function parseQuotedRecords(
  text: string,
  refuse: (line: number, found: string) => void,
  delimiter: string,
): CsvRecord[] | null {
  // Spreadsheets keep identifiers as texts by writing ="0123".
  const plain = text.includes('="') ? text.replaceAll(TEXT_GUARD, '$1"$2"') : text;
  const options = { bom: true, delimiter, relax_column_count: true, skip_empty_lines: false } as const;
  try {
    const records = parse(plain, options) as string[][];
    let next = 1;
    // The library counts a CRLF inside quotes as two lines.
    return records.map((cells) => {
      const line = next;
      next += 1 + sumOf(cells, lineEndsIn);
      return { cells, line };
    });
  } catch (error) {
    // Not all codes of the library begin with CSV_: INVALID_OPENING_QUOTE does not.
    if (!(error instanceof CsvError)) throw error;
    const { lines = 1 } = error as CsvError & { lines?: number };
    const open = openQuoteLine(text);
    if (open !== null) refuse(open, "a quoted field without an end");
    else refuse(Math.min(lines, 1 + lineEndsIn(text)), QUOTE_FAULTS[error.code] ?? error.message);
    return null;
  }
}

const TEXT_GUARD = /(^|[,;\t\n])="([^"]*)"/g;

/** Faults of quotes by the codes of the library. */
const QUOTE_FAULTS: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: "text behind the closing quote of a field",
  INVALID_OPENING_QUOTE: "a quote within a field that does not begin with one",
};

const lineEndsIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;

/** Line of the last quote that no other one closes; `null` where all are in pairs. */
function openQuoteLine(text: string): number | null {
  const quotes = text.match(/"/g)?.length ?? 0;
  return quotes % 2 === 0 ? null : 1 + lineEndsIn(text.slice(0, text.lastIndexOf('"')));
}

/** Position of the first character of each line, behind a byte order mark. */
export function lineStartsOf(text: string): number[] {
  const starts = [text.charCodeAt(0) === 0xfeff ? 1 : 0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Column (from 1) of the k-th cell of the record that begins at a position; computed for errors only. */
export function columnOfCell(text: string, recordStart: number, k: number, delimiter = ","): number {
  let at = recordStart;
  let lineStart = at;
  let quoted = false;
  for (let cell = 0; at < text.length && cell < k; at++) {
    const char = text[at];
    if (char === '"') quoted = !quoted;
    else if (char === delimiter && !quoted) cell++;
    else if (char === "\n") lineStart = at + 1;
  }
  return at - lineStart + 1;
}
