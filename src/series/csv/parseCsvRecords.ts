import { CsvError, parse } from "csv-parse/sync";

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
  const options = { bom: true, delimiter, relax_column_count: true, skip_empty_lines: false, info: true } as const;
  try {
    const records = parse(text, options) as unknown as { record: string[]; info: { lines: number } }[];
    let next = 1;
    return records.map(({ record, info }) => {
      const line = next;
      next = info.lines + 1;
      return { cells: record, line };
    });
  } catch (error) {
    // Not all codes of the library begin with CSV_: INVALID_OPENING_QUOTE does not.
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as CsvError & { lines?: number };
    refuse(lines ?? 1, error.message);
    return null;
  }
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
