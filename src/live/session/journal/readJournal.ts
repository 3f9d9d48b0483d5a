import { fstatSync, readSync } from "node:fs";
import { decodeLine, PLAIN_FRAME } from "../../../platform/node/checkedLine.ts";
import { JOURNAL_FORMAT, type JournalHeader, RECORD_BYTES_MAX } from "./journalEntry.ts";
import { JournalError, type RecordPlace, readRecords } from "./journalRecord.ts";

interface OpenFile {
  /** For messages. */
  readonly file: string;
  readonly fd: number;
}

/** Content of a journal. */
export interface JournalContent {
  readonly header: JournalHeader;
  /** The records after the header. */
  readonly records: readonly RecordPlace[];
  /** Length of the complete records; bytes after it remain of a crash and are truncated. */
  readonly byteLength: number;
  /** Bytes of a record that a crash left incomplete. */
  readonly tornBytes: number;
}

const NEWLINE = 10;
/** Bytes of a read: a file may be larger than the largest buffer. */
const READ_BYTES = 1 << 22;
const REMEDY = "move it away, name another with --journal, or serve with --no-journal";

/**
 * Reads an open journal from its beginning up to its last complete record.
 *
 * A crash can only leave an incomplete last line, which was never acknowledged. An invalid complete line means that the
 * file was modified; the records after it are not reliable.
 *
 * @returns `null` for an empty file, or one without a complete first line
 * @throws JournalError
 */
export function readJournal({ file, fd }: OpenFile): JournalContent | null {
  const records: RecordPlace[] = [];
  /** Start of the first line that is not complete, and its bytes so far. */
  let startByte = 0;
  let rest: Buffer = Buffer.alloc(0);
  let isZero = true;
  for (;;) {
    const read = readPiece(fd);
    if (read.length === 0) break;
    const bytes = rest.length === 0 ? read : Buffer.concat([rest, read]);
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      const found = decodeLine(PLAIN_FRAME, bytes.subarray(from, end), records.length);
      if ("wrong" in found && records.length === 0 && !isBeginning(bytes)) throw notAJournalError(file);
      if ("wrong" in found) throw corruptJournalError(file, records.length, startByte, found.wrong);
      records.push({ number: records.length, startByte, byteLength: end - from });
      startByte += end + 1 - from;
      from = end + 1;
    }
    rest = bytes.subarray(from);
    isZero &&= records.length > 0 || rest.every((byte) => byte === 0);
    if (records.length === 0 && !isZero && !isBeginning(rest)) throw notAJournalError(file);
    if (rest.length > RECORD_BYTES_MAX && rest.some((byte) => byte !== 0))
      throw corruptJournalError(file, records.length, startByte, "it does not end");
  }
  if (records.length === 0) return checkEmptyJournal(file, rest);
  const [json] = readRecords({ file, fd }, records.slice(0, 1));
  const header = parsedHeader(file, json);
  return { header, records: records.slice(1), byteLength: startByte, tornBytes: rest.length };
}

function readPiece(fd: number): Buffer {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  return buffer.subarray(0, readSync(fd, buffer));
}

function parsedHeader(file: string, json: Buffer): JournalHeader {
  let header: unknown = null;
  try {
    header = JSON.parse(json.toString());
  } catch {
    throw notAJournalError(file);
  }
  checkHeader(file, header);
  return header;
}

/** Every journal has this text after its first checksum. */
const HEADER_START = ' 0 {"kind":"journal",';
/** Up to the end of that text. */
const HEADER_BYTES = 8 + HEADER_START.length;

/** `null` for a first line that a crash truncated; refuses a file of other content. */
function checkEmptyJournal(file: string, bytes: Buffer): null {
  if (isBeginning(bytes) || bytes.every((byte) => byte === 0)) return null;
  throw notAJournalError(file);
}

/** Whether bytes are the beginning of a journal, or a prefix of it. */
function isBeginning(bytes: Buffer): boolean {
  const text = bytes.toString("latin1", 0, HEADER_BYTES);
  return /^[0-9a-f]*$/.test(text.slice(0, 8)) && HEADER_START.startsWith(text.slice(8));
}

/**
 * Bytes at the end of a journal that are searched for its last record. The record of an orderly end is much shorter.
 */
const TAIL_BYTES = 4_096;

/** Whether an open file is the journal of a session that ended in order. Reads its first and last bytes alone. */
export function isEndedJournal(fd: number): boolean {
  const head = Buffer.alloc(HEADER_BYTES);
  if (readSync(fd, head, 0, HEADER_BYTES, 0) < HEADER_BYTES || !isBeginning(head)) return false;
  const { size } = fstatSync(fd);
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  readSync(fd, tail, 0, tail.length, size - tail.length);
  const lines = tail.toString("latin1").split("\n");
  // Bytes after the last line feed are an incomplete record.
  return /^[0-9a-f]{8} \d+ \{"kind":"end",/.test(lines.at(-2) ?? "");
}

const notAJournalError = (file: string): JournalError =>
  new JournalError("input", `${file} is no journal of vppsim; ${REMEDY}`);

function checkHeader(file: string, header: unknown): asserts header is JournalHeader {
  const { kind, format, ...rest } = (header ?? {}) as Partial<JournalHeader>;
  if (kind !== "journal") throw notAJournalError(file);
  if (format === JOURNAL_FORMAT) {
    const texts = [rest.version, rest.scenario, rest.hash, rest.signing_key];
    if (texts.every((text) => typeof text === "string") && Number.isFinite(rest.open_ms) && Number.isFinite(rest.seed))
      return;
    throw damagedRecordError(file, 0);
  }
  const found = `journal ${file} has format ${JSON.stringify(format)}, this version of vppsim reads and writes format ${JOURNAL_FORMAT}`;
  throw new JournalError("input", `${found}; export the session with the version that wrote it, or ${REMEDY}`);
}

/** The error of a record that has a correct checksum and that vppsim has not written. */
export const damagedRecordError = (file: string, number: number): JournalError =>
  new JournalError("input", `journal ${file} is damaged at record ${number}; ${REMEDY}`);

function corruptJournalError(file: string, number: number, at: number, why: string): JournalError {
  const position = `record ${number} at byte ${at}`;
  const remedy =
    number === 0
      ? REMEDY
      : `to go on from the instant before it, keep the first ${at} bytes (head -c ${at}); to start anew, ${REMEDY}`;
  return new JournalError("input", `journal ${file} is damaged at ${position}: ${why}; ${remedy}`);
}
