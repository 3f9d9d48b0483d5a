import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { JournalError } from "./journalError.ts";

/** Locks held by this process, as opposed to those of a crashed process with the same number in another container. */
const heldFiles = new Set<string>();

/**
 * Locks a file for one server, by a file beside it that names the holder's process.
 *
 * A stale lock, whose process no longer runs, is taken over.
 *
 * @returns a function that releases the lock
 * @throws JournalError while another server holds the lock
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
  // Another server may have taken the lock between the two reads.
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
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return started === processStart(pid);
}

/**
 * Start of a process in ticks since boot, because process numbers are reused; empty where the system does not report
 * it.
 */
function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

const inUseError = (file: string, pid: number | undefined): JournalError =>
  new JournalError(
    "failed",
    `journal ${file} is in use by the process ${pid ?? "unknown"}; end it, or name another journal with --journal`,
  );
