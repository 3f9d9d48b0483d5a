import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The real path of a file or folder, or the path that it will have once it is created. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
