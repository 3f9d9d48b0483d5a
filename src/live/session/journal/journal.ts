import { closeSync, fdatasync, fstatSync, fsyncSync, ftruncateSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { sumOf } from "../../../base/lists.ts";
import { encodeLine, PLAIN_FRAME } from "../../../platform/node/checkedLine.ts";
import { realPath } from "../../../platform/node/realPath.ts";
import { writeAll } from "../../../platform/node/writeAll.ts";
import { encodeJson, type JournalHeader } from "./journalEntry.ts";
import { closeJournalFile, type JournalFile } from "./journalFile.ts";
import {
  alteredError,
  JournalError,
  type JournalRecord,
  KEPT_RECORDS,
  type RecordPlace,
  type RecordReader,
  readRecords,
  unwritableError,
} from "./journalRecord.ts";

/** Write-ahead log of a session. */
export interface Journal extends RecordReader {
  /**
   * Appends a record immediately; `synced` reports when it is on disk.
   *
   * @param json  from `encodeJson`
   * @returns by what it is read back
   */
  append(json: Buffer): JournalRecord;
  /** Resolves when all records appended before the call are on disk; rejects after a disk failure. */
  synced(): Promise<void>;
  close(): Promise<void>;
}

/** Journal of a session that is not persisted. */
export const NO_JOURNAL: Journal = {
  ...KEPT_RECORDS,
  append: (json) => ({ json }),
  synced: async () => {},
  close: async () => {},
};

/**
 * An append-only file. Records appended while the disk is busy share the next write and sync, so that simultaneous
 * commands wait once.
 */
export class FileJournal implements Journal {
  private readonly file: JournalFile;
  private count: number;
  /** Bytes of all records. */
  private length: number;
  /** What is not written yet. */
  private lines: Buffer[] = [];
  /** Whether something was appended since the last sync began. */
  private isUnsynced = false;
  private writeFailure: JournalError | null = null;
  /** The sync in progress, and the next one. */
  private syncing: Promise<void> | null = null;
  private next: Promise<void> | null = null;

  /** @param count  records in the file. @param length  their bytes */
  constructor(file: JournalFile, count: number, length: number) {
    this.file = file;
    this.count = count;
    this.length = length;
  }

  append(json: Buffer): RecordPlace {
    if (this.writeFailure !== null) throw this.writeFailure;
    const [number, startByte] = [this.count++, this.length];
    const line = encodeLine(PLAIN_FRAME, number, json);
    this.lines.push(line);
    this.length += line.length;
    this.isUnsynced = true;
    return { number, startByte, byteLength: line.length - 1 };
  }

  *read(records: Iterable<JournalRecord>): Generator<Buffer> {
    this.write();
    yield* readRecords(this.file, records);
  }

  synced(): Promise<void> {
    if (this.writeFailure !== null) return Promise.reject(this.writeFailure);
    if (!this.isUnsynced && this.syncing === null) return Promise.resolve();
    if (this.syncing === null) return (this.syncing = this.flush());
    this.next ??= this.syncing.then(() => (this.syncing = this.flush()));
    return this.next;
  }

  async close(): Promise<void> {
    try {
      await this.synced();
    } finally {
      closeJournalFile(this.file);
    }
  }

  private async flush(): Promise<void> {
    this.next = null;
    // Includes commands of the same turn of the event loop.
    await new Promise<void>((resolve) => setImmediate(resolve));
    try {
      this.write();
      this.isUnsynced = false;
      await dataSync(this.file.fd);
      this.refuseAltered();
    } catch (error) {
      throw this.failure(error);
    } finally {
      this.syncing = null;
    }
  }

  private write(): void {
    if (this.writeFailure !== null) throw this.writeFailure;
    try {
      writeAll(this.file.fd, Buffer.concat(this.lines));
      this.lines = [];
    } catch (error) {
      throw this.failure(error);
    }
  }

  /** A start could not read what is answered after something else has written to the file, cut it or deleted it. */
  private refuseAltered(): void {
    const { file, fd } = this.file;
    const { size, nlink } = fstatSync(fd);
    if (nlink === 0) throw alteredError(file, "deleted it");
    const written = this.length - sumOf(this.lines, ({ length }) => length);
    if (size !== written)
      throw alteredError(file, `changed its length to ${size} bytes, where this server has written ${written}`);
  }

  private failure(error: unknown): JournalError {
    return (this.writeFailure ??= error instanceof JournalError ? error : unwritableError(this.file.file, error));
  }
}

/**
 * Begins a journal, whose first record is on disk when this returns. The previous content of the file is lost.
 *
 * @throws JournalError if the disk is full
 */
export function createJournal(file: JournalFile, header: JournalHeader): FileJournal {
  const line = encodeLine(PLAIN_FRAME, 0, encodeJson(header));
  try {
    ftruncateSync(file.fd, 0);
    writeAll(file.fd, line);
    fsyncSync(file.fd);
    syncFolder(dirname(realPath(file.file)));
  } catch (error) {
    throw unwritableError(file.file, error);
  }
  return new FileJournal(file, 1, line.length);
}

/** Continues a journal after its complete records; bytes after them are truncated. */
export function continueJournal(file: JournalFile, length: number, count: number): FileJournal {
  ftruncateSync(file.fd, length);
  fsyncSync(file.fd);
  return new FileJournal(file, count, length);
}

const dataSync = (fd: number): Promise<void> =>
  new Promise((resolve, reject) => fdatasync(fd, (error) => (error === null ? resolve() : reject(error))));

/** The name of a new file survives a crash only after its folder has been synced. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, "r");
  fsyncSync(fd);
  closeSync(fd);
}
