import { latin1Text } from "../../base/bytes.ts";
import { sha256Hex } from "../../base/ids.ts";
import type { FileFormat, FormatOptions, FormatTable, OptionName } from "./fileFormat.ts";
import { FormatProblems } from "./formatProblem.ts";
import { detectFormats } from "./registry.ts";
import { type DecodedText, decodeBytes, detectEncoding } from "./text/decodeBytes.ts";
import { zoneClock } from "./time/localTime.ts";

export interface RawFile {
  /** As the user names it. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** One file as read; `table` is `null` where there are problems. */
export interface FormatReading {
  readonly name: string;
  readonly sha256: string;
  readonly decoded: DecodedText | null;
  readonly table: FormatTable | null;
  readonly problems: FormatProblems;
}

/** Reads one published file. Damaged content is reported in `problems`, never thrown. */
export function readFormatFile(format: FileFormat, file: RawFile, options: FormatOptions): FormatReading {
  const problems = new FormatProblems();
  checkOptions(format, options, problems);
  const decoded = decodeBytes(file.content, problems, options.encoding ?? null);
  const reading = { name: file.name, sha256: sha256Hex(file.content), decoded, problems };
  if (decoded === null || problems.count > 0) return { ...reading, table: null };
  const name = baseName(file.name);
  if (decoded.text.trim() === "") problems.refuse("an empty file", `a file of the format ${format.id}`);
  else refuseOtherFormat(format, { name, text: decoded.text }, problems);
  if (problems.count > 0) return { ...reading, table: null };
  const table = format.read({ name, text: decoded.text, options, problems });
  if (problems.count > 0) reportLikelierEncoding(decoded.bytes, options, problems);
  return { ...reading, table: problems.count > 0 || table === null ? null : withCutNote(decoded.text, table) };
}

/** Adds a note if the last value ends with the file, because a truncated number is still a number. */
function withCutNote(text: string, table: FormatTable): FormatTable {
  if (table.kind !== "series" || text.slice(text.trimEnd().length).includes("\n")) return table;
  const lastLine = text.split("\n").length;
  if (lastLine === 1 || !table.columns.some(({ lines }) => lines.includes(lastLine))) return table;
  const note = `line ${lastLine}, the last one, has no line end: the file may be cut off there`;
  return { ...table, notes: [...table.notes, note] };
}

export const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);

function checkOptions(format: FileFormat, options: FormatOptions, problems: FormatProblems): void {
  for (const [name, value] of Object.entries(options)) {
    const isTaken = name === "fallback_timezone" || format.options.includes(name as OptionName);
    if (value === undefined || isTaken) continue;
    problems.refuse(`an option that ${format.id} does not take`, `one of ${format.options.join(", ")}`, name);
  }
  if (options.timezone !== undefined && zoneClock(options.timezone) === null)
    problems.refuse(JSON.stringify(options.timezone), "an IANA time zone, as in Asia/Tokyo", "timezone");
}

/** Reports a file whose bytes show another encoding than the option. */
function reportLikelierEncoding(bytes: Uint8Array, { encoding }: FormatOptions, problems: FormatProblems): void {
  if (encoding === undefined) return;
  const shown = detectEncoding(bytes);
  // CP932 is what remains, and no evidence.
  if (encoding === shown || shown === "cp932" || /^[\t-~]*$/.test(latin1Text(bytes))) return;
  problems.refuse(`${encoding}, for a file that seems to be ${shown}`, `${shown}, or no such option`, "encoding");
}

/** Refuses a file that is certainly of another format. */
function refuseOtherFormat(
  format: FileFormat,
  { name, text }: { readonly name: string; readonly text: string },
  problems: FormatProblems,
): void {
  const candidates = detectFormats(name, text);
  if (candidates.some((candidate) => candidate.format === format)) return;
  const [best] = candidates;
  if (best === undefined || best.score < CERTAIN_SCORE) return;
  problems.refuse(
    `a file that seems to be ${best.format.id} (${best.format.title})`,
    `a file of the format ${format.id}`,
  );
}

const CERTAIN_SCORE = 0.8;
