import { isStillRunning, machineTag, processStart } from "../base/runningProcess.ts";

/**
 * Identifies this process in names of temporary folders: `<machine>-<process number>-<its start>`.
 *
 * A process number alone is ambiguous: numbers are reused, and containers that share a folder have their own numbers.
 */
export const processTag = (): string => `${machineTag()}-${process.pid}-${processStart(process.pid)}`;

/** Whether a text begins with the tag of a process of this machine that no longer runs. */
export function isOfEndedProcess(text: string): boolean {
  const [, machine, pid, start] = /^([0-9a-f]{8})-(\d+)-(\d*)-/.exec(text) ?? [];
  if (machine !== machineTag()) return false;
  return !isStillRunning(Number(pid), start);
}
