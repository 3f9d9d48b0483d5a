/** A row of a CSV file. */
export interface CsvRow {
  /** In the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Column of each cell in its line, from 1. */
  readonly starts: readonly number[];
}

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
