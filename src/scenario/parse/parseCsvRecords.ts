import { type CsvError, parse } from "csv-parse/sync";

/** A record of a CSV file and its first line. */
export interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Records of a CSV text (RFC 4180), including blank lines; `null` after calling `refuse` for invalid CSV. */
export function parseCsvRecords(text: string, refuse: (line: number, found: string) => void): CsvRecord[] | null {
  return text.includes('"') ? parseQuotedRecords(text, refuse) : parseUnquotedRecords(text);
}

/** Without quotes each line is a record: splitting takes a tenth of the parser's time for a year of awards. */
function parseUnquotedRecords(text: string): CsvRecord[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines[lines.length - 1] === "") lines.pop();
  return lines.map((line, k) => ({ cells: line.split(","), line: k + 1 }));
}

function parseQuotedRecords(text: string, refuse: (line: number, found: string) => void): CsvRecord[] | null {
  const options = { bom: true, relax_column_count: true, skip_empty_lines: false, info: true } as const;
  try {
    const records = parse(text, options) as unknown as { record: string[]; info: { lines: number } }[];
    let next = 1;
    return records.map(({ record, info }) => {
      const line = next;
      next = info.lines + 1;
      return { cells: record, line };
    });
  } catch (error) {
    const { code, lines, message } = error as CsvError & { lines?: number };
    if (typeof code !== "string" || !code.startsWith("CSV_")) throw error;
    refuse(lines ?? 1, message);
    return null;
  }
}

/** Column (from 1) of the k-th cell of the record at a line; computed for errors only. */
export function columnOfCell(text: string, line: number, k: number): number {
  let at = 0;
  for (let n = 1; n < line; n++) at = text.indexOf("\n", at) + 1;
  if (line === 1 && text.charCodeAt(0) === 0xfeff) at = 1;
  let lineStart = at;
  let quoted = false;
  for (let cell = 0; at < text.length && cell < k; at++) {
    const char = text[at];
    if (char === '"') quoted = !quoted;
    else if (char === "," && !quoted) cell++;
    else if (char === "\n") lineStart = at + 1;
  }
  return at - lineStart + 1;
}
