import { readFileSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { isSameFile } from "../base/kernelLock.ts";

/**
 * Whether a file is in a folder or below it, under any of its paths. A second mount, or another spelling on a file
 * system that ignores case, shows one folder under two paths.
 *
 * @param folder  absolute; may be missing
 * @param file    absolute and without links; may be missing
 */
export function containsFile(folder: string, file: string): boolean {
  const found = statsOf(folder);
  for (let path = dirname(file); ; path = dirname(path)) {
    if (path === folder) return true;
    const parent = found === null ? null : statsOf(path);
    if (found !== null && parent !== null && isSameFile(found, parent)) return true;
    if (path === dirname(path)) return false;
  }
}

/** Whether something is mounted on a folder, which can then not be renamed. @param folder  absolute and without links */
export function isMountPoint(folder: string): boolean {
  if (folder === dirname(folder)) return true;
  const mounted = mountedPaths();
  if (mounted !== null) return mounted.has(folder);
  const found = statsOf(folder);
  const parent = statsOf(dirname(folder));
  return found !== null && parent !== null && found.dev !== parent.dev;
}

function statsOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Folders on which something is mounted, also those of the device of their parent; `null` except on Linux. */
function mountedPaths(): ReadonlySet<string> | null {
  try {
    const lines = readFileSync("/proc/self/mountinfo", "latin1").split("\n");
    return new Set(lines.flatMap((line) => line.split(" ").slice(4, 5).map(decodePath)));
  } catch {
    return null;
  }
}

/** Blanks and control characters are written as `\040` and the like. @param latin1  a character for each byte */
function decodePath(latin1: string): string {
  const bytes = latin1.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return Buffer.from(bytes, "latin1").toString();
}
