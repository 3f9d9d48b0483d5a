import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { FileInUseError, lockFile } from "../../../platform/node/fileLock.ts";
import { processesWithOpenFile, takeKernelLock } from "../../../platform/node/kernelLock.ts";
import { realPath } from "../../../platform/node/realPath.ts";
import { JournalError, unwritableError } from "./journalRecord.ts";
import { isEndedJournal } from "./readJournal.ts";

/**
 * An open journal that only this process writes to. Its path and the file itself are locked
 * (docs/model/sandbox.md#journal-lock).
 */
export interface JournalFile {
  /** As given, for messages. */
  readonly file: string;
  /**
   * Open for reading and appending. Writes go to the file that was checked, even if its path is renamed or replaced.
   */
  readonly fd: number;
  /** Releases the lock of the path; the lock of the file ends with `fd`. */
  readonly unlock: () => void;
}

const REMEDY = "move it away, name another with --journal, or serve with --no-journal";

/** @throws JournalError if the path is no regular file, cannot be written, or is in use */
export function openJournalFile(file: string): JournalFile {
  const real = realPath(file);
  const unlock = lockPath(file, real);
  try {
    return { file, fd: openLocked(file, real, constants.O_CREAT), unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Renames the file to `<file>.old` and opens a new one under its name. The lock of the path lasts throughout.
 *
 * @throws JournalError if another process uses `<file>.old`, or it is anything but the journal of a session that ended in order
 */
export function replaceJournalFile({ file, fd, unlock }: JournalFile): JournalFile {
  const real = realPath(file);
  const unlockOld = lockPath(`${file}.old`, `${real}.old`);
  try {
    refuseReplacing(`${file}.old`, `${real}.old`);
    renameSync(real, `${real}.old`);
  } finally {
    unlockOld();
  }
  const replacement = openLocked(file, real, constants.O_CREAT | constants.O_EXCL);
  closeSync(fd);
  return { file, fd: replacement, unlock };
}

/** A user may have moved a journal there that was not ended, as messages about journals advise. */
function refuseReplacing(file: string, real: string): void {
  const found = lstatSync(real, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isFile()) {
    const fd = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      if (isEndedJournal(fd)) return;
    } finally {
      closeSync(fd);
    }
  }
  const what = "is not the journal of a session that ended in order, and the new session would replace it";
  throw new JournalError("input", `${file} ${what}; move it away, or name another journal with --journal`);
}

/** Permissions of a journal: its owner alone may read the signing key. */
const PRIVATE_MODE = 0o600;

/**
 * Takes the permissions of other users away from a journal that was created by something else than this program, such as `touch` or a
 * copy (docs/model/sandbox.md#journal-mode).
 *
 * @returns whether it had any
 * @throws JournalError if they cannot be taken away
 */
export function closeToOthers({ file, fd }: JournalFile): boolean {
  const hasOthers = (): boolean => process.platform !== "win32" && (fstatSync(fd).mode & 0o077) !== 0;
  if (!hasOthers()) return false;
  try {
    fchmodSync(fd, PRIVATE_MODE);
  } catch {
    // Only the owner of a file may change its permissions; it is refused below.
  }
  if (!hasOthers()) return true;
  const what = "other users may read it, which cannot be changed; it has the key of the access tokens";
  throw new JournalError("input", `journal ${file}: ${what}; name another with --journal, or serve with --no-journal`);
}

export function closeJournalFile({ fd, unlock }: JournalFile): void {
  closeSync(fd);
  unlock();
}

function lockPath(file: string, real: string): () => void {
  try {
    mkdirSync(dirname(real), { recursive: true });
    return lockFile(real);
  } catch (error) {
    if (error instanceof FileInUseError) throw inUseError(file, error.holderText);
    throw unusableError(file, error);
  }
}

function openLocked(file: string, real: string, flags: number): number {
  try {
    // Opening a device or a pipe can have an effect, or wait for a reader.
    if (statSync(real, { throwIfNoEntry: false })?.isFile() === false) throw irregularError(file);
    const fd = openSync(real, constants.O_RDWR | constants.O_APPEND | constants.O_NONBLOCK | flags, PRIVATE_MODE);
    try {
      checkIsOnlyWriter(file, fd);
      return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  } catch (error) {
    throw error instanceof JournalError ? error : unusableError(file, error);
  }
}

/** A hard link is another path to the same file: the lock of the path does not show it. */
function checkIsOnlyWriter(file: string, fd: number): void {
  const stats = fstatSync(fd);
  if (!stats.isFile()) throw irregularError(file);
  const outcome = takeKernelLock(fd);
  if (outcome === "in use") throw inUseError(file, otherProcessText(stats));
  if (outcome === "unavailable" && stats.nlink > 1)
    throw new JournalError(
      "input",
      `journal ${file} has ${stats.nlink} names (hard links), which cannot all be locked without the program flock; ${REMEDY}`,
    );
}

function otherProcessText(file: Stats): string {
  const pids = processesWithOpenFile(file);
  return pids.length > 0 ? `the process ${pids.join(", ")}, under another name` : "a process that is not visible here";
}

const inUseError = (file: string, holder: string): JournalError =>
  new JournalError("failed", `journal ${file} is in use by ${holder}; end it, or name another journal with --journal`);

const irregularError = (file: string): JournalError =>
  new JournalError("input", `journal ${file}: no regular file; ${REMEDY}`);

const FULL_DISK_CODES: ReadonlySet<string | undefined> = new Set(["ENOSPC", "EDQUOT"]);

function unusableError(file: string, error: unknown): JournalError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (FULL_DISK_CODES.has(code)) return unwritableError(file, error);
  return new JournalError("input", `journal ${file}: ${message}; name a file that can be read and written`);
}
