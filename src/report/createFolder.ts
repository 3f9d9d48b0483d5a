import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder and its missing parents.
 *
 * One level at a time: Node's `recursive` option never returns on a file system that reports a new folder as missing,
 * such as /proc.
 *
 * @param path absolute
 * @throws the system error of the first folder that cannot be created
 */
export function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!existsSync(path)) throw error;
  }
}
