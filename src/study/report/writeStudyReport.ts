import { NUMERIC_KPI_NAMES } from "../../accounting/kpis/kpiRegistry.ts";
import { moneyName } from "../../base/currency.ts";
import { roundTo } from "../../base/rounding.ts";
import { isoUtc } from "../../base/time.ts";
import { RUN_FILE, STUDY_FILE, type StagingFiles } from "../../platform/files.ts";
import { formatCount } from "../../report/html/page/format.ts";
import type { PageTexts } from "../../report/html/page/pageLocale.ts";
import { writeRunJson, writeText } from "../../report/runJson.ts";
import { writeParts } from "../../report/tables/tableFile.ts";
import { type ParameterPatch, scenarioPatch } from "../search/candidateDesign.ts";
import type { Estimate } from "../statistics/estimate.ts";
import type { ScoredCandidate } from "../statistics/scoreCandidate.ts";
import { isRace, type Study, writtenForm } from "../study.ts";
import type { StudyResult } from "../studyResult.ts";
import { parameterValue, roundObjective } from "./studyText.ts";
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

/** Writes all files of a finished study that its run.json lists, and that. @returns their names */
export async function writeStudyReport(
  staging: StagingFiles,
  result: StudyResult,
  texts: PageTexts,
  statistics: StudyRunStatistics,
): Promise<readonly string[]> {
  const { renderStudyHtml } = await import("./studyPage.ts");
  const digests = [
    writeParts(staging, STUDY_FILE, studyCsv(result)),
    writeText(staging, "summary.json", summaryJson(result)),
    ...bestPatches(result).map(([file, text]) => writeText(staging, file, text)),
    writeText(staging, "report.html", renderStudyHtml(result, texts)),
  ];
  writeRunJson(staging, figuresOf(statistics), digests);
  return [...digests.map(([file]) => file), RUN_FILE];
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

/** The best candidate as files for `vppsim run --patch`, by name; none if no candidate is feasible. */
function bestPatches({ study, best, rounded }: StudyResult): [string, string][] {
  if (best === null) return [];
  const title =
    best.candidateIndex < 0
      ? "the scenario as written: nothing is better"
      : `candidate ${best.candidateIndex + 1} of the study`;
  if (rounded === null) return [["best.patch.yaml", patchText(study, title, best.scored.patch)]];
  const digits = formatCount(rounded.digits, "digit").replace("\u00a0", " ");
  return [
    ["best.patch.yaml", patchText(study, `weights in ${digits} of ${title}`, rounded.scored.patch)],
    ["best.exact.patch.yaml", patchText(study, title, best.scored.patch)],
  ];
}

function patchText(study: Study, title: string, patch: ParameterPatch): string {
  const lines = Object.entries(scenarioPatch(study, patch)).map(
    ([path, value]) => `${JSON.stringify(path)}: ${JSON.stringify(value)}`,
  );
  const fork =
    study.forkAtMs === null
      ? ""
      : `# The study changed these at ${isoUtc(study.forkAtMs)}; a run with this patch has them from its start.\n`;
  return `# ${title} ${study.name}, ${study.objective.direction} ${study.objective.text}\n${fork}${lines.length === 0 ? "{}" : lines.join("\n")}\n`;
}

type Cell = string | number | null;

/**
 * Lines of study.csv, one row per candidate: parameters, feasibility, objective, and every figure as mean and interval.
 *
 * Row 0 is the scenario as written. A parameter that a candidate does not change has the value of the scenario.
 */
function* studyCsv({ study, written, candidates, differences }: StudyResult): Generator<string> {
  const interval = (name: string) => [name, `${name}_low`, `${name}_high`];
  const head = [
    "candidate",
    "kind",
    ...study.parameters.map(({ name }) => name),
    "feasible",
    ...study.constraints.map(({ name, bound, limit }) => `held_pct_${name}_${bound}_${limit}`),
    ...interval("objective"),
    ...interval("objective_less_written"),
    ...NUMERIC_KPI_NAMES.flatMap((name) => interval(moneyName(name, study.currency))),
    "refusal",
    ...(isRace(study) ? ["seeds"] : []),
  ];
  const roundValue = (value: number) => roundObjective(study, value);
  const row = (scored: ScoredCandidate, k: number): Cell[] => [
    k,
    k === 0 ? "as_written" : study.method,
    ...study.parameters.map((parameter) => writtenForm(parameter, parameterValue(parameter, scored))),
    scored.isFeasible ? 1 : 0,
    ...scored.satisfiedShares.map((share) => (scored.refusal === null ? roundTo(100 * share, 3) : null)),
    ...cells(scored.objective, roundValue),
    ...cells(k === 0 ? null : differences[k - 1], roundValue),
    ...NUMERIC_KPI_NAMES.flatMap((name) => cells(scored.kpis.get(name) ?? null)),
    scored.refusal,
    ...(isRace(study) ? [scored.seedCount] : []),
  ];
  yield line(head);
  yield line(row(written, 0));
  for (let k = 0; k < candidates.length; k++) yield line(row(candidates[k], k + 1));
}

const line = (row: readonly Cell[]): string => `${row.map(csvCell).join(",")}\n`;

const cells = (estimate: Estimate | null, round = (value: number) => roundTo(value, 3)): Cell[] =>
  estimate === null
    ? [null, null, null]
    : [estimate.mean, estimate.low, estimate.high].map((value) => (value === null ? null : round(value)));

/** RFC 4180. */
function csvCell(cell: Cell): string {
  if (cell === null) return "";
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
