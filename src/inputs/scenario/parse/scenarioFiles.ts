import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { inputRefusal } from "./inputError.ts";

/** Source of a scenario's files: the disk, or a map in tests. */
export interface ScenarioFiles {
  /** `null`: the file does not exist or is unreadable. */
  read(path: string): Buffer | null;
  /** Absent: there are only files. */
  isFolder?(path: string): boolean;
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
      refuseIrregularFile(path);
      return readFileSync(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== undefined && UNREADABLE_CODES.has(code)) return null;
      throw error;
    }
  },
  isFolder: (path) => existsSync(`${path}/`),
};

/** Standard input and what a shell passes as `<(…)`, which end when their writer does. */
const STREAM_PATH = /^\/(dev\/stdin$|dev\/fd\/|proc\/self\/fd\/)/;

/**
 * Refuses a named pipe, a socket or a device: reading it may never end (docs/model/scenario-format.md#regular-files).
 *
 * @throws InputErrors, or the system error of a missing file
 */
export function refuseIrregularFile(path: string): void {
  const stat = statSync(path);
  if (stat.isFile() || stat.isDirectory() || STREAM_PATH.test(path)) return;
  const found = stat.isFIFO() ? "a named pipe" : stat.isSocket() ? "a socket" : "a device";
  throw inputRefusal(path, found, "a regular file");
}

/** Files by absolute path; bytes are not copied. */
export function memoryFiles(contents: ReadonlyMap<string, string | Uint8Array>): ScenarioFiles {
  return {
    read: (path) => {
      const content = contents.get(path);
      if (content === undefined) return null;
      return typeof content === "string"
        ? Buffer.from(content)
        : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    },
  };
}

/** Path of a file that a scenario names: absolute, or relative to the scenario's own folder. */
export const resolveBeside = (scenarioFile: string, named: string): string => resolve(dirname(scenarioFile), named);

/** Path of a named file for error messages, relative to the user's working directory. */
export const displayPathBeside = (shownFile: string, named: string): string =>
  isAbsolute(named) ? named : join(dirname(shownFile), named);
