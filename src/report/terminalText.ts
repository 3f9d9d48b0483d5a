// Text in lines and columns of a terminal, where letters of Japanese take two columns.

/** Maximum number of columns of a line; only a longer single word exceeds it. */
const LINE_COLUMNS = 100;

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/g;

/** Places where a line may end: after a space, and after a wide letter unless a closing sign follows. */
const BREAKS = /(?<= )|(?<=[\u3041-\u9fff、。）：])(?![、。）：ー])/;

const columnsOf = (text: string): number => text.length + (text.match(WIDE)?.length ?? 0);

/** Filled with spaces at its end. */
export const padEndColumns = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - columnsOf(text)));

/** Filled with spaces at its start. */
const padStartColumns = (text: string, columns: number): string =>
  " ".repeat(Math.max(0, columns - columnsOf(text))) + text;

/** The columns of the widest text. */
export const widestColumns = (texts: readonly string[]): number => Math.max(...texts.map(columnsOf));

/** Replaces the minus sign U+2212 and the no-break space, as in the CSV files and for searching in a terminal. */
export const toAscii = (text: string): string => text.replaceAll("\u2212", "-").replaceAll("\u00a0", " ");

/** Lines of at most LINE_COLUMNS: the first begins with `head`, the others are indented by its width. */
export function wrapText(head: string, text: string): readonly string[] {
  const indent = " ".repeat(columnsOf(head));
  const lines: string[] = [];
  let line = head;
  let isEmpty = true;
  for (const word of text.split(BREAKS)) {
    if (!isEmpty && columnsOf(`${line}${word}`.trimEnd()) > LINE_COLUMNS) {
      lines.push(toAscii(line).trimEnd());
      line = indent;
    }
    line += word;
    isEmpty = false;
  }
  lines.push(toAscii(line).trimEnd());
  return lines;
}

/** Lines of a table: the first column is left-aligned, the others are right-aligned. */
export function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0].map((_, k) => widestColumns(rows.map((row) => row[k])));
  return rows.map((row) =>
    `  ${row.map((cell, k) => (k === 0 ? padEndColumns(cell, widths[k]) : padStartColumns(cell, widths[k]))).join("  ")}`.trimEnd(),
  );
}
