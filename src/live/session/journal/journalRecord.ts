import { readSync } from "node:fs";
import { assert } from "../../../base/assert.ts";
import { errorCode } from "../../../base/errorCode.ts";
import { decodeLine, PLAIN_FRAME } from "../../../platform/node/checkedLine.ts";

/** A journal that cannot be used; the message gives the reason and the remedy. */
export class JournalError extends Error {
  override name = "JournalError";
  /** `input`: remedied by another file or flag; `failed`: caused by the disk or another server. */
  readonly reason: "input" | "failed";

  constructor(reason: "input" | "failed", message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The error of a journal whose disk refuses a write. */
export function unwritableError(file: string, error: unknown): JournalError {
  const found = `journal ${file} cannot be written: ${(error as Error).message}`;
  const remedy =
    errorCode(error) === "ERR_ACCESS_DENIED"
      ? "serve with --no-journal, or without Node's permission model"
      : "free space on the disk and start the server again: whatever was answered is kept";
  return new JournalError("failed", `${found}; ${remedy}`);
}

/** The error of a journal that something else has altered while its server runs. @param what  what was done to it */
export const alteredError = (file: string, what: string): JournalError =>
  new JournalError(
    "failed",
    `journal ${file} cannot be continued: another program has ${what}; what is answered from now on could not be restored`,
  );

/** Where the line of a record is in the file of a journal. */
export interface RecordPlace {
  readonly number: number;
  /** From the beginning of the file. */
  readonly startByte: number;
  /** Without the line end. */
  readonly byteLength: number;
}

/** A record by which it is read back; of a session without a journal, its JSON itself. */
export type JournalRecord = RecordPlace | { readonly json: Buffer };

/** Reads records back. */
export interface RecordReader {
  /**
   * The JSON of records, in order: see `decodeEntry`.
   *
   * @throws JournalError for a record that cannot be read any more, or is not what was written
   */
  read(records: Iterable<JournalRecord>): Generator<Buffer>;
}

/** Reads records that keep their JSON. */
export const KEPT_RECORDS: RecordReader = {
  *read(records) {
    for (const record of records) yield keptJson(record);
  },
};

function keptJson(record: JournalRecord): Buffer {
  assert("json" in record, "a session without a journal keeps its records");
  return record.json;
}

/** Bytes of a read: neighbouring records are read together. */
const READ_BYTES = 1 << 18;

/** Reads the records of an open file. @param file  its path, for messages */
export function* readRecords(
  { file, fd }: { readonly file: string; readonly fd: number },
  records: Iterable<JournalRecord>,
): Generator<Buffer> {
  let piece: Buffer = Buffer.alloc(0);
  let pieceStart = 0;
  for (const record of records) {
    assert("startByte" in record, "a journal keeps its records in its file");
    const { number, startByte, byteLength } = record;
    if (startByte < pieceStart || pieceStart + piece.length < startByte + byteLength) {
      piece = readPiece(file, fd, startByte, Math.max(byteLength, READ_BYTES));
      pieceStart = startByte;
    }
    const found = decodeLine(
      PLAIN_FRAME,
      piece.subarray(startByte - pieceStart, startByte - pieceStart + byteLength),
      number,
    );
    if ("wrong" in found) throw unreadableError(file, `record ${number} at byte ${startByte}: ${found.wrong}`);
    yield found.content;
  }
}

function readPiece(file: string, fd: number, start: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  try {
    return buffer.subarray(0, readSync(fd, buffer, 0, bytes, start));
  } catch (error) {
    throw unreadableError(file, (error as Error).message);
  }
}

const unreadableError = (file: string, why: string): JournalError =>
  new JournalError(
    "failed",
    `journal ${file} can no longer be read: ${why}; nothing but its server may write to it; start the server again to see what is left`,
  );
