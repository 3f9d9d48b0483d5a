import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { JournalError } from "./journalError.ts";

/** Locks that this very process holds: a process of its number that crashed in another container is not it. */
const heldFiles = new Set<string>();

/**
 * Takes a file for one server alone, by a file beside it that names the holder's process.
 *
 * A holder that is gone has left a stale lock, which is taken over.
 *
 * @returns how to give it back
 * @throws JournalError while another server has it
 */
export function lockFile(file: string): () => void {
  const lock = `${file}.lock`;
  const own = JSON.stringify({ pid: process.pid, started: processStart(process.pid) });
  const mine = `${lock}.${process.pid}`;
  writeFileSync(mine, own, { mode: 0o600 });
  try {
    // Two attempts: the second after a stale lock has been put away.
    if (!linkIfAbsent(mine, lock)) {
      removeStaleLock(file, lock, `${mine}.stale`);
      if (!linkIfAbsent(mine, lock)) throw inUseError(file, readLockHolder(lock)?.pid);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  heldFiles.add(lock);
  return () => {
    if (heldFiles.delete(lock)) rmSync(lock, { force: true });
  };
}

/** Unlike opening a new file and writing to it, a link shows the lock with its content at once, or not at all. */
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
  // Another server may have taken it over between the two looks.
  const taken = readLockHolder(aside);
  if (taken !== null && isAlive(lock, taken)) {
    linkIfAbsent(aside, lock);
    rmSync(aside, { force: true });
    throw inUseError(file, taken.pid);
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
    // Somebody else's process is there all the same.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return started === processStart(pid);
}

/** When a process began, in ticks since boot: numbers of processes come again. Empty where the system does not tell. */
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
