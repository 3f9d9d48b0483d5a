import { isoUtc } from "../../base/time.ts";
import type { StudyResult } from "../studyResult.ts";

/** The best candidate as a file for `vppsim run --patch`; `null` if no candidate is feasible. */
export function bestPatch({ study, best }: StudyResult): string | null {
  if (best === null) return null;
  const lines = Object.entries(best.scored.patch).map(([path, value]) => `${JSON.stringify(path)}: ${value}`);
  const fork =
    study.forkAtMs === null
      ? ""
      : `# The study changed these at ${isoUtc(study.forkAtMs)}; a run with this patch has them from its start.\n`;
  const title =
    best.candidateIndex < 0
      ? "the scenario as written: nothing is better"
      : `candidate ${best.candidateIndex + 1} of the study`;
  return `# ${title} ${study.name}, ${study.objective.direction} ${study.objective.text}\n${fork}${lines.length === 0 ? "{}" : lines.join("\n")}\n`;
}
