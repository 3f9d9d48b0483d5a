import { existsSync, lstatSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { inputRefusal } from "../scenario/parse/inputError.ts";

/**
 * Creates a folder and its missing parents.
 *
 * One level at a time: Node's `recursive` option never returns on a file system that reports a new folder as missing,
 * such as /proc.
 *
 * @param path absolute
 * @throws InputErrors for a link that leads nowhere, otherwise the system error of the first folder that cannot be created
 */
export function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it in the meantime.
    if (existsSync(path)) return;
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw inputRefusal(path, "a link that leads nowhere", "a folder, or a name that is free");
    throw error;
  }
}
