import { utf8Bytes } from "../../../base/bytes.ts";
import { dirname, isAbsolute, join, resolve } from "../../../base/paths.ts";
import type { InputFiles } from "../../../platform/files.ts";
import type { RemarkCollector } from "../checks/remark.ts";
import type { DocumentChecker } from "./documentChecker.ts";

/** Source of a scenario's files: the host's, or a map. */
export type ScenarioFiles = InputFiles;

/** Files by absolute path; bytes are not copied. */
export function memoryFiles(contents: ReadonlyMap<string, string | Uint8Array>): ScenarioFiles {
  return {
    read: (path) => {
      const content = contents.get(path);
      if (content === undefined) return null;
      return typeof content === "string" ? utf8Bytes(content) : content;
    },
  };
}

/** Path of a file that a scenario names: absolute, or relative to the scenario's own folder. */
export const resolveBeside = (scenarioFile: string, path: string): string => resolve(dirname(scenarioFile), path);

/** Path of a named file for error messages, relative to the user's working directory. */
export const displayPathBeside = (shownFile: string, path: string): string =>
  isAbsolute(path) ? path : join(dirname(shownFile), path);

/** Shared context of reading one scenario. */
export interface LoadContext {
  /** Absolute path of the scenario file. */
  readonly file: string;
  /** The path as the user gave it; other files are displayed relative to it. */
  readonly displayPath: string;
  readonly files: ScenarioFiles;
  readonly checker: DocumentChecker;
  readonly remarks: RemarkCollector;
}
