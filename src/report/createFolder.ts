import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it that are not there.
 *
 * Step by step, since Node's own `recursive` never returns where a file system says of a new folder that it is not
 * there, as /proc does.
 *
 * @param path absolute
 * @throws what the system says of the first folder that cannot be made
 */
export function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another run may have made it in between.
    if (!existsSync(path)) throw error;
  }
}
