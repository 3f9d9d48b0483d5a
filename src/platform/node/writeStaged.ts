import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Writes a file whole, or not at all. @param staged  the unfinished file, beside it */
export function writeStaged(file: string, content: string | Uint8Array, staged = `${file}.partial`): void {
  try {
    writeFileSync(staged, content);
    renameSync(staged, file);
  } catch (error) {
    rmSync(staged, { force: true });
    throw error;
  }
}
