/** Maximum length of a line; only a longer single word exceeds it. */
const LINE_WIDTH = 100;

/** Lines of at most LINE_WIDTH characters: the first begins with `head`, the others are indented by its length. */
export function wrapText(head: string, text: string): readonly string[] {
  const indent = " ".repeat(head.length);
  const lines: string[] = [];
  let line = head;
  let isEmpty = true;
  for (const word of text.split(" ")) {
    const next = isEmpty ? `${line}${word}` : `${line} ${word}`;
    if (isEmpty || next.length <= LINE_WIDTH) line = next;
    else {
      lines.push(toAscii(line));
      line = `${indent}${word}`;
    }
    isEmpty = false;
  }
  lines.push(toAscii(line).trimEnd());
  return lines;
}

/** Replaces the minus sign U+2212 and the no-break space, as in the CSV files and for searching in a terminal. */
export const toAscii = (text: string): string => text.replaceAll("\u2212", "-").replaceAll("\u00a0", " ");

/** Lines of a table for the terminal: the first column is left-aligned, the others are right-aligned. */
export function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0].map((_, k) => Math.max(...rows.map((row) => row[k].length)));
  return rows.map((row) =>
    `  ${row.map((cell, k) => (k === 0 ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join("  ")}`.trimEnd(),
  );
}
