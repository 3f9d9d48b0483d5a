import { hash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { errorCode } from "../../base/errorCode.ts";

/** Whether the process with a number and a start still runs; another one may have got its number. */
export const isStillRunning = (pid: number, start: string): boolean => isRunning(pid) && processStart(pid) === start;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return errorCode(error) === "EPERM";
  }
}

/**
 * Start of a process in ticks since boot, because process numbers are reused; empty where the system does not report
 * it.
 */
export function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

/** 8 hexadecimal digits that differ between machines, and between containers of one machine. */
export function machineTag(): string {
  let processNamespace = "";
  try {
    processNamespace = readlinkSync("/proc/self/ns/pid");
  } catch {
    // Only Linux has namespaces.
  }
  return hash("sha256", `${hostname()} ${processNamespace}`).slice(0, 8);
}
