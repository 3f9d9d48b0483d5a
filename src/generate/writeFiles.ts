import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Files of one folder: name to content. */
export type GeneratedFiles = ReadonlyMap<string, string | Buffer>;

/** Writes files into a folder, which is made when it is not there. @returns their paths, in order */
export function writeFiles(folder: string, files: GeneratedFiles): string[] {
  mkdirSync(folder, { recursive: true });
  return [...files].map(([name, content]) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  });
}
