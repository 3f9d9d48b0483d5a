import type { RemarkCollector } from "../checks/remark.ts";
import type { DocumentChecker } from "./documentChecker.ts";
import type { ScenarioFiles } from "./scenarioFiles.ts";

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
