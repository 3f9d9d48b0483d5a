/** Columns of the longest line; longer only where a single word is. */
const LINE_WIDTH = 100;

/** Lines of at most WIDTH characters: the first begins with `head`, the others are indented as far. */
export function wrapText(head: string, text: string): readonly string[] {
  const indent = " ".repeat(head.length);
  const lines: string[] = [];
  let line = head;
  let isBare = true;
  for (const word of text.split(" ")) {
    const next = isBare ? `${line}${word}` : `${line} ${word}`;
    if (isBare || next.length <= LINE_WIDTH) line = next;
    else {
      lines.push(toAscii(line));
      line = `${indent}${word}`;
    }
    isBare = false;
  }
  lines.push(toAscii(line).trimEnd());
  return lines;
}

/** Signs that a terminal, a search and the report's other files all spell alike; hard spaces become soft. */
export const toAscii = (text: string): string => text.replaceAll("\u2212", "-").replaceAll("\u00a0", " ");
