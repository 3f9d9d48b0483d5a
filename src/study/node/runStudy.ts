import type { OpenStudy } from "../readStudy.ts";
import { type FinishedStudy, type RunStudyIntoOptions, runStudyInto } from "../runStudyInto.ts";
import { StudyFolder } from "./studyFolder.ts";

export interface RunStudyOptions extends RunStudyIntoOptions {
  /** Folder of the report, created or replaced when the study is finished. */
  readonly out: string;
  /** Reuses the results of an earlier start of the study in this folder, finished or not. */
  readonly resume?: boolean;
}

/**
 * Runs a study and writes its report.
 *
 * @throws RunStopped on the signal: results are stored, and `resume` reuses them
 * @throws FileInUseError while another process runs a study with this folder
 */
export const runStudy = (
  study: OpenStudy,
  { out, resume = false, ...options }: RunStudyOptions,
): Promise<FinishedStudy> => runStudyInto(study, (inputs) => new StudyFolder(out, { resume, inputs }), options);
