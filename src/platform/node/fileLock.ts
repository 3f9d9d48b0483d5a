import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { errorCode } from "../../base/errorCode.ts";
import { isSameFile, takeKernelLock } from "./kernelLock.ts";
import { isStillRunning, machineTag, processStart } from "./runningProcess.ts";
import { writeAll } from "./writeAll.ts";

/** A file or folder that another process writes to. */
export class FileInUseError extends Error {
  override name = "FileInUseError";
  /** The process that holds the lock, for messages. */
  readonly holderText: string;

  constructor(message: string, holderText: string) {
    super(message);
    this.holderText = holderText;
  }
}

/** A file of another program has the name of a lock file. */
export class ForeignLockError extends Error {
  override name = "ForeignLockError";
}

/** Interval at which a holder writes its lock file again, in ms. */
const BEAT_MS = 5_000;
/** A holder without a kernel lock that has not written for this time, in ms, counts as ended: twelve missed beats. */
const STALE_MS = 60_000;

/**
 * Locks a path for one writer, by a file `<path>.lock` beside it that names the holder.
 *
 * The lock file itself has a kernel lock where the system offers one. Elsewhere its holder is judged by its process and
 * its heartbeat (docs/model/sandbox.md#journal-lock). The lock of an ended process is taken over.
 *
 * @param path  a real path: a link would have a lock file of its own
 * @returns a function that releases the lock
 * @throws FileInUseError while another process, or another part of this one, holds the lock
 * @throws ForeignLockError if the lock file belongs to another program; it is not changed
 */
export function lockFile(path: string): () => void {
  const lock = `${path}.lock`;
  const ownFile = `${lock}.${machineTag()}-${process.pid}`;
  rmSync(ownFile, { force: true });
  const fd = openSync(ownFile, "wx+", 0o600);
  try {
    // The lock file appears whole and locked: it is a second name of a finished file.
    const text = JSON.stringify({
      ...describeThisProcess(),
      kernel: takeKernelLock(fd) === "taken",
    } satisfies LockHolder);
    writeAll(fd, Buffer.from(text));
    if (!linkIfAbsent(ownFile, lock)) {
      removeAbandonedLock(path, lock, fstatSync(fd).mtimeMs);
      if (!linkIfAbsent(ownFile, lock)) throw inUseError(path, "another process, which started at the same time");
    }
    return holdLock(lock, fd, text);
  } catch (error) {
    closeSync(fd);
    throw error;
  } finally {
    rmSync(ownFile, { force: true });
  }
}

/** @returns a function that releases the lock */
function holdLock(lock: string, fd: number, text: string): () => void {
  // not simulated: shows other processes that this one runs.
  const beats = setInterval(() => {
    try {
      // The time of the write is that of the file system, as seen by all processes.
      writeSync(fd, text, 0);
    } catch {
      // A full disk takes nothing from the lock of a running process.
    }
  }, BEAT_MS);
  beats.unref();
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    clearInterval(beats);
    if (isNameOf(lock, fd)) rmSync(lock, { force: true });
    closeSync(fd);
  };
}

/** @param nowMs  the present time of the file system */
function removeAbandonedLock(path: string, lock: string, nowMs: number): void {
  const fd = openLock(lock);
  if (fd === null) return;
  try {
    const holder = parseHolder(readFileSync(fd, "utf8"));
    if (holder === null) throw foreignError(lock);
    const outcome = takeKernelLock(fd);
    const isFree = outcome === "taken" && holder.kernel;
    const ageMs = nowMs - fstatSync(fd).mtimeMs;
    if (outcome === "in use" || (!isFree && isAlive(holder, ageMs))) throw inUseError(path, holderText(holder));
    if (isNameOf(lock, fd)) rmSync(lock, { force: true });
  } finally {
    closeSync(fd);
  }
}

/** @returns `null` if the lock was released in the meantime */
function openLock(lock: string): number | null {
  try {
    const fd = openSync(lock, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return null;
    if (code !== "EISDIR" && code !== "ELOOP") throw error;
  }
  throw foreignError(lock);
}

/** A link appears with its content or not at all, unlike a file that is created and then written. */
function linkIfAbsent(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

function isNameOf(lock: string, fd: number): boolean {
  const found = lstatSync(lock, { throwIfNoEntry: false });
  return found !== undefined && isSameFile(found, fstatSync(fd));
}

/** Content of a lock file. */
interface LockHolder {
  readonly pid: number;
  /** From `processStart`. */
  readonly started: string;
  /** From `machineTag`. */
  readonly machine: string;
  readonly host: string;
  /** UTC time of the lock. */
  readonly since: string;
  /** Whether the holder has the kernel lock of the lock file. */
  readonly kernel: boolean;
}

const describeThisProcess = (): Omit<LockHolder, "kernel"> => ({
  pid: process.pid,
  started: processStart(process.pid),
  machine: machineTag(),
  host: hostname(),
  // not simulated: people read when the lock was taken.
  since: new Date().toISOString(),
});

/** `null`: no lock of vppsim. */
function parseHolder(json: string): LockHolder | null {
  try {
    const holder = JSON.parse(json) as Partial<LockHolder> | null;
    const { pid, started, machine, host, since, kernel } = holder ?? {};
    const texts = [started, machine, host, since];
    const isHolder =
      typeof pid === "number" && typeof kernel === "boolean" && texts.every((t) => typeof t === "string");
    return isHolder ? (holder as LockHolder) : null;
  } catch {
    return null;
  }
}

/** @param ageMs  since the last heartbeat */
function isAlive({ machine, pid, started }: LockHolder, ageMs: number): boolean {
  if (machine === machineTag()) {
    if (!isStillRunning(pid, started)) return false;
    // Without its start the process may be another one, which got the number later.
    if (started !== "") return true;
  }
  return ageMs < STALE_MS;
}

function holderText({ pid, machine, host, since }: LockHolder): string {
  const place = machine === machineTag() ? "" : ` of another machine or container (${host})`;
  return `the process ${pid}${place}, since ${since}`;
}

const inUseError = (path: string, holder: string): FileInUseError =>
  new FileInUseError(`${path} is in use by ${holder}`, holder);

const foreignError = (lock: string): ForeignLockError =>
  new ForeignLockError(`${lock} is no lock file of vppsim and is not changed; move it away`);
