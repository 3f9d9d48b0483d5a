import { readFileSync } from "node:fs";
import { JOURNAL_FORMAT, type JournalHeader } from "./journalEntry.ts";
import { JournalError } from "./journalError.ts";
import { decodeLine } from "./journalLine.ts";

/** Content of a journal. */
export interface JournalContent {
  readonly header: JournalHeader;
  /** The JSON of each record after the header: see `decodeEntry`. */
  readonly records: readonly Buffer[];
  /** Length of the complete records; bytes after it remain of a crash and are truncated. */
  readonly byteLength: number;
  /** Bytes of a record that a crash left incomplete. */
  readonly tornBytes: number;
}

const NEWLINE = 10;
const REMEDY = "move it away, name another with --journal, or serve with --no-journal";

/**
 * Reads a journal up to its last complete record.
 *
 * A crash can only leave an incomplete last line, which was never acknowledged. An invalid complete line means that the
 * file was modified; the records after it are not reliable.
 *
 * @returns `null` without a journal, or without a complete first line
 * @throws JournalError
 */
export function readJournal(file: string): JournalContent | null {
  const bytes = readBytes(file);
  if (bytes === null) return null;
  const records: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    const found = decodeLine(bytes.subarray(start, end), records.length);
    if ("wrong" in found && records.length === 0 && !isBeginning(bytes)) throw notAJournalError(file);
    if ("wrong" in found) throw corruptJournalError(file, records.length, start, found.wrong);
    records.push(found.json);
    start = end + 1;
  }
  if (records.length === 0) return checkEmptyJournal(file, bytes);
  const header: unknown = JSON.parse(records[0].toString());
  checkHeader(file, header);
  return { header, records: records.slice(1), byteLength: start, tornBytes: bytes.length - start };
}

function readBytes(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw new JournalError("input", `journal ${file}: ${message}; name a file that can be read and written`);
  }
}

/** Text of every journal after its first checksum. */
const HEADER_START = ' 0 {"kind":"journal",';

/** `null` for a first line that a crash truncated; refuses a file of other content. */
function checkEmptyJournal(file: string, bytes: Buffer): null {
  if (isBeginning(bytes) || bytes.every((byte) => byte === 0)) return null;
  throw notAJournalError(file);
}

/** Whether bytes are the beginning of a journal, or a prefix of it. */
function isBeginning(bytes: Buffer): boolean {
  const text = bytes.toString("latin1", 0, 8 + HEADER_START.length);
  return /^[0-9a-f]*$/.test(text.slice(0, 8)) && HEADER_START.startsWith(text.slice(8));
}

const notAJournalError = (file: string): JournalError =>
  new JournalError("input", `${file} is no journal of vppsim; ${REMEDY}`);

function checkHeader(file: string, header: unknown): asserts header is JournalHeader {
  const { kind, format } = header as Partial<JournalHeader>;
  if (kind !== "journal") throw notAJournalError(file);
  if (format === JOURNAL_FORMAT) return;
  const found = `journal ${file} has format ${format}, this version of vppsim reads and writes format ${JOURNAL_FORMAT}`;
  throw new JournalError("input", `${found}; export the session with the version that wrote it, or ${REMEDY}`);
}

function corruptJournalError(file: string, number: number, at: number, why: string): JournalError {
  const position = `record ${number} at byte ${at}`;
  const remedy =
    number === 0
      ? REMEDY
      : `to go on from the instant before it, keep the first ${at} bytes (head -c ${at}); to start anew, ${REMEDY}`;
  return new JournalError("input", `journal ${file} is damaged at ${position}: ${why}; ${remedy}`);
}
