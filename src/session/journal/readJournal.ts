import { readFileSync } from "node:fs";
import { JOURNAL_FORMAT, type JournalHeader } from "./journalEntry.ts";
import { JournalError } from "./journalError.ts";
import { decodeLine } from "./journalLine.ts";

/** What a journal holds. */
export interface JournalContent {
  readonly header: JournalHeader;
  /** The JSON of each record behind the header: see `decodeEntry`. */
  readonly records: readonly Buffer[];
  /** Bytes that are whole records; what a crash left behind them is cut off. */
  readonly byteLength: number;
  /** Bytes of a record that a crash did not let finish. */
  readonly tornBytes: number;
}

const NEWLINE = 10;
const REMEDY = "move it away, name another with --journal, or serve with --no-journal";

/**
 * Reads a journal to its last whole record.
 *
 * A crash can only leave an unfinished last line: it was never acknowledged. A finished line that is wrong means that
 * the file was changed, and what came after cannot be trusted.
 *
 * @returns `null` where there is no journal yet, or not even one whole line of it
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

/** How every journal goes on after its first checksum. */
const HEADER_START = ' 0 {"kind":"journal",';

/** A first line that a crash cut short, or a file of something else. */
function checkEmptyJournal(file: string, bytes: Buffer): null {
  if (isBeginning(bytes) || bytes.every((byte) => byte === 0)) return null;
  throw notAJournalError(file);
}

/** Whether bytes are what a journal begins with, or less of it. */
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
  const place = `record ${number} at byte ${at}`;
  const cure =
    number === 0
      ? REMEDY
      : `to go on from the instant before it, keep the first ${at} bytes (head -c ${at}); to start anew, ${REMEDY}`;
  return new JournalError("input", `journal ${file} is damaged at ${place}: ${why}; ${cure}`);
}
