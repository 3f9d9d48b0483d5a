import { readFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** Source of a scenario's files: the disk, or a map in tests. */
export interface ScenarioFiles {
  /** `null`: the file does not exist or is unreadable. */
  read(path: string): Buffer | null;
}

/** Error codes of unreadable paths; the last is Node's code for a path with a zero byte. */
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

/** Path of a named file for error messages, relative to the user's working directory. */
export const displayPathBeside = (shownFile: string, named: string): string =>
  isAbsolute(named) ? named : join(dirname(shownFile), named);
