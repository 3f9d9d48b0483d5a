import { readFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** Where a scenario's files come from: the disk, or a mapping in tests. */
export interface ScenarioFiles {
  /** `null`: there is no such file. */
  read(path: string): Buffer | null;
}

/** What the system says of names that lead to no readable file; the last is Node's word for one with a zero byte. */
const UNREADABLE_CODES: ReadonlySet<string> = new Set([
  "ENOENT",
  "EISDIR",
  "ENOTDIR",
  "EACCES",
  "ELOOP",
  "ENAMETOOLONG",
  "ERR_INVALID_ARG_VALUE",
]);

export const diskFiles: ScenarioFiles = {
  read(path) {
    try {
      return readFileSync(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== undefined && UNREADABLE_CODES.has(code)) return null;
      throw error;
    }
  },
};

/** Files by absolute path; for tests and generated scenarios. */
export function memoryFiles(contents: ReadonlyMap<string, string | Buffer>): ScenarioFiles {
  return {
    read: (path) => {
      const content = contents.get(path);
      return content === undefined ? null : Buffer.from(content);
    },
  };
}

/** Path of a file that a scenario names: absolute, or relative to the scenario's own folder. */
export const resolveBeside = (scenarioFile: string, named: string): string => resolve(dirname(scenarioFile), named);

/** The same as an error shows it: it can be opened from where the user stands. */
export const displayPathBeside = (shownFile: string, named: string): string =>
  isAbsolute(named) ? named : join(dirname(shownFile), named);
