import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { sha256Hex } from "../base/ids.ts";
import { isStillRunning, processStart } from "../base/runningProcess.ts";

/**
 * Identifies this process in names of temporary folders: `<machine>-<process number>-<its start>`.
 *
 * A process number alone is ambiguous: numbers are reused, and containers that share a folder count for themselves.
 */
export const processTag = (): string => `${machineTag()}-${process.pid}-${processStart(process.pid)}`;

/** Whether a text begins with the tag of a process of this machine that no longer runs. */
export function isOfEndedProcess(text: string): boolean {
  const [, machine, pid, start] = /^([0-9a-f]{8})-(\d+)-(\d*)-/.exec(text) ?? [];
  if (machine !== machineTag()) return false;
  return !isStillRunning(Number(pid), start);
}

/** 8 hexadecimal digits that differ between machines, and between containers of one machine. */
function machineTag(): string {
  let processNamespace = "";
  try {
    processNamespace = readlinkSync("/proc/self/ns/pid");
  } catch {
    // Only Linux has namespaces.
  }
  return sha256Hex(`${hostname()} ${processNamespace}`).slice(0, 8);
}
