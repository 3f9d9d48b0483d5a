import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isStillRunning, processStart } from "./runningProcess.ts";

/** A file or folder that another process writes to. */
export class FileInUseError extends Error {
  override name = "FileInUseError";
  /** The process that holds the lock; `null` where its lock file disappeared in the meantime. */
  readonly holderPid: number | null;

  constructor(message: string, holderPid: number | null) {
    super(message);
    this.holderPid = holderPid;
  }
}

/** Locks held by this process, as opposed to those of a crashed process with the same number in another container. */
const heldFiles = new Set<string>();

/**
 * Locks a file or folder for one process, by a file beside it that names the holder's process.
 *
 * A stale lock, whose process no longer runs, is taken over.
 *
 * @returns a function that releases the lock
 * @throws FileInUseError while another process holds the lock, or this process for another writer
 */
export function lockFile(file: string): () => void {
  const lock = `${file}.lock`;
  const holderJson = JSON.stringify({ pid: process.pid, started: processStart(process.pid) });
  const ownFile = `${lock}.${process.pid}`;
  writeFileSync(ownFile, holderJson, { mode: 0o600 });
  try {
    // Two attempts: the second one after removing a stale lock.
    if (!linkIfAbsent(ownFile, lock)) {
      removeStaleLock(file, lock, `${ownFile}.stale`);
      if (!linkIfAbsent(ownFile, lock)) throw inUseError(file, readLockHolder(lock)?.pid);
    }
  } finally {
    rmSync(ownFile, { force: true });
  }
  heldFiles.add(lock);
  return () => {
    if (heldFiles.delete(lock)) rmSync(lock, { force: true });
  };
}

/** A link appears with its content or not at all, unlike a file that is created and then written. */
function linkIfAbsent(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function removeStaleLock(file: string, lock: string, aside: string): void {
  const holder = readLockHolder(lock);
  if (holder !== null && isAlive(lock, holder)) throw inUseError(file, holder.pid);
  try {
    renameSync(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  // Another process may have taken the lock between the two reads.
  const movedHolder = readLockHolder(aside);
  if (movedHolder !== null && isAlive(lock, movedHolder)) {
    linkIfAbsent(aside, lock);
    rmSync(aside, { force: true });
    throw inUseError(file, movedHolder.pid);
  }
  rmSync(aside, { force: true });
}

interface LockHolder {
  readonly pid: number;
  readonly started: string;
}

function readLockHolder(lock: string): LockHolder | null {
  try {
    const holder: unknown = JSON.parse(readFileSync(lock, "utf8"));
    const { pid, started } = holder as Partial<LockHolder>;
    return typeof pid === "number" && typeof started === "string" ? { pid, started } : null;
  } catch {
    return null;
  }
}

function isAlive(lock: string, { pid, started }: LockHolder): boolean {
  if (pid === process.pid) return heldFiles.has(lock);
  return isStillRunning(pid, started);
}

const inUseError = (file: string, pid: number | undefined): FileInUseError =>
  new FileInUseError(`${file} is in use by the process ${pid ?? "unknown"}`, pid ?? null);
