import { readdirSync } from "node:fs";
import { formatNameList, InputErrors, inputError } from "../scenario/parse/inputError.ts";
import { starterFiles } from "./starterFiles.ts";
import { writeFiles } from "./writeFiles.ts";

/**
 * Writes a small commented scenario with its data into a new or empty folder.
 *
 * @returns the paths of the files, scenario.yaml first
 * @throws InputErrors when the folder exists and is not empty; nothing is written then
 */
export function initScenario(dir: string): string[] {
  const inTheWay = findConflict(dir);
  if (inTheWay !== null) {
    const allowed = "a folder that is empty or does not exist yet";
    throw new InputErrors([inputError({ file: dir, line: 0, column: 0, keyPath: "", found: inTheWay, allowed })]);
  }
  return writeFiles(dir, starterFiles());
}

/** `null`: nothing. */
function findConflict(dir: string): string | null {
  try {
    const names = readdirSync(dir).sort();
    return names.length === 0 ? null : `a folder that holds ${formatNameList(names, 5)}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    if (code === "ENOTDIR") return "a file";
    throw error;
  }
}
