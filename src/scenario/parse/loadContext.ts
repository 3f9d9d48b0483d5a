import type { DocumentChecker } from "./documentChecker.ts";
import type { ScenarioFiles } from "./scenarioFiles.ts";

/** What every part of the reading of one scenario shares. */
export interface LoadContext {
  /** Absolute path of the scenario file. */
  readonly file: string;
  /** The same as the user named it; other files are shown beside it. */
  readonly displayPath: string;
  readonly files: ScenarioFiles;
  readonly checker: DocumentChecker;
  readonly warnings: string[];
}
