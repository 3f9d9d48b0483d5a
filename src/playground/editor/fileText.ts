/** A file as the editor shows it. */
interface FileText {
  readonly text: string;
  readonly encoding: "UTF-8" | "CP932" | "binary";
  /** Between lines; a file with both keeps its carriage returns as characters. */
  readonly lineBreak: "\n" | "\r\n";
  readonly isEditable: boolean;
}

/** With its byte order mark, so that a change keeps it. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const cp932 = new TextDecoder("shift_jis", { fatal: true });

const known = new WeakMap<Uint8Array, FileText>();

export function fileText(bytes: Uint8Array): FileText {
  const found = known.get(bytes) ?? decodedFile(bytes);
  known.set(bytes, found);
  return found;
}

function decodedFile(bytes: Uint8Array): FileText {
  const text = decoded(utf8, bytes);
  if (text !== null) return { text, encoding: "UTF-8", lineBreak: lineBreakOf(text), isEditable: true };
  const japanese = decoded(cp932, bytes);
  if (japanese === null) return { text: "", encoding: "binary", lineBreak: "\n", isEditable: false };
  return { text: japanese, encoding: "CP932", lineBreak: lineBreakOf(japanese), isEditable: false };
}

const lineBreakOf = (text: string): "\n" | "\r\n" => (text.includes("\r\n") && !/(?<!\r)\n/.test(text) ? "\r\n" : "\n");

function decoded(decoder: TextDecoder, bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
