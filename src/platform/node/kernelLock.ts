import { spawnSync } from "node:child_process";
import { readdirSync, type Stats, statSync } from "node:fs";

/** Outcome of an attempt: the lock is ours, another open file has it, or the system has no such locks. */
type KernelLockOutcome = "taken" | "in use" | "unavailable";

/** A network file system whose lock service is gone does not answer; it counts as one without locks. */
const FLOCK_MS_MAX = 10_000;

/**
 * Takes the exclusive lock of an open file, flock(2), without waiting.
 *
 * The program `flock` takes the lock through a copy of the descriptor. The lock belongs to what both copies share, so it
 * outlives the program, and the system releases it when this process closes the descriptor or ends in any way. It belongs to
 * the file, not to a name: links and PID namespaces do not matter.
 *
 * @param fd  open for writing, as network file systems require
 */
export function takeKernelLock(fd: number): KernelLockOutcome {
  const stdio = ["ignore", "ignore", "ignore", fd] as const;
  try {
    const { status, error } = spawnSync("flock", ["-n", "3"], { stdio: [...stdio], timeout: FLOCK_MS_MAX });
    if (error === undefined && status === 0) return "taken";
    return error === undefined && status === 1 ? "in use" : "unavailable";
  } catch {
    // Node's permission model throws where no program may be started.
    return "unavailable";
  }
}

/** Whether two descriptions belong to one file. */
export const isSameFile = (one: Stats, other: Stats): boolean => one.dev === other.dev && one.ino === other.ino;

/** Numbers of the other processes that have a file open, as far as this process may see them; Linux only. */
export function processesWithOpenFile(file: Stats): number[] {
  const others = listFolder("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  return others.filter((pid) => {
    const folder = `/proc/${pid}/fd`;
    return listFolder(folder).some((fd) => isFileAt(`${folder}/${fd}`, file));
  });
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFileAt(path: string, file: Stats): boolean {
  try {
    return isSameFile(statSync(path), file);
  } catch {
    // Closed in the meantime, or of another user.
    return false;
  }
}
