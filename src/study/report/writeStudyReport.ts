import { roundTo } from "../../base/rounding.ts";
import { STUDY_FILE } from "../../report/reportFiles.ts";
import type { StudyFolder } from "../studyFolder.ts";
import type { StudyResult } from "../studyResult.ts";
import { bestPatch } from "./bestPatch.ts";
import { studyCsv } from "./studyCsv.ts";
import { summaryJson } from "./summaryJson.ts";

/** Figures that may differ between equal studies. */
interface StudyRunStatistics {
  /** Candidates times seeds. */
  readonly runCount: number;
  /** Runs taken from results.jsonl of an unfinished study. */
  readonly resumedRunCount: number;
  readonly workerCount: number;
  readonly wallSeconds: number;
}

/** Writes all files of a finished study and publishes the folder. @returns the file names, sorted */
export async function writeStudyReport(
  folder: StudyFolder,
  result: StudyResult,
  statistics: StudyRunStatistics,
): Promise<string[]> {
  folder.write(STUDY_FILE, studyCsv(result));
  folder.write("summary.json", [summaryJson(result)]);
  const patch = bestPatch(result);
  if (patch !== null) folder.write("best.patch.yaml", [patch]);
  const { renderStudyHtml } = await import("./studyPage.ts");
  folder.write("report.html", [renderStudyHtml(result)]);
  return folder.publish(figuresOf(statistics));
}

function figuresOf({
  runCount,
  resumedRunCount,
  workerCount,
  wallSeconds,
}: StudyRunStatistics): Readonly<Record<string, number>> {
  return {
    wall_seconds: roundTo(wallSeconds, 3),
    runs: runCount,
    resumed: resumedRunCount,
    workers: workerCount,
    runs_per_second: roundTo((runCount - resumedRunCount) / Math.max(wallSeconds, 1e-3), 3),
  };
}
