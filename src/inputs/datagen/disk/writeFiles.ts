import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createFolder } from "../../../platform/node/reportFolder.ts";

/** Files of one folder: name to content. */
export type GeneratedFiles = ReadonlyMap<string, string | Uint8Array>;

/** Writes files into a folder, which is made when it is not there. @returns their paths, in order */
export function writeFiles(folder: string, files: GeneratedFiles): string[] {
  createFolder(resolve(folder));
  return [...files].map(([name, content]) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  });
}
