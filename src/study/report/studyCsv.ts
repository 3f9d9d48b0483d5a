import { NUMERIC_KPI_NAMES } from "../../accounting/kpis/kpiRegistry.ts";
import { roundTo } from "../../base/rounding.ts";
import type { Estimate } from "../statistics/estimate.ts";
import type { ScoredCandidate } from "../statistics/scoreCandidate.ts";
import type { StudyResult } from "../studyResult.ts";
import { parameterValue, roundObjective } from "./studyText.ts";

type Cell = string | number | null;

/**
 * Lines of study.csv, one row per candidate: parameters, feasibility, objective, and every figure as mean and interval.
 *
 * Row 0 is the scenario as written. A parameter that a candidate does not change has the value of the scenario.
 */
export function* studyCsv({ study, written, candidates, differences }: StudyResult): Generator<string> {
  const interval = (name: string) => [name, `${name}_low`, `${name}_high`];
  const head = [
    "candidate",
    "kind",
    ...study.parameters.map(({ name }) => name),
    "feasible",
    ...study.constraints.map(({ kpi, bound, limit }) => `held_pct_${kpi}_${bound}_${limit}`),
    ...interval("objective"),
    ...interval("objective_less_written"),
    ...NUMERIC_KPI_NAMES.flatMap(interval),
    "refusal",
  ];
  const roundValue = (value: number) => roundObjective(study, value);
  const row = (scored: ScoredCandidate, k: number): Cell[] => [
    k,
    k === 0 ? "as_written" : study.method,
    ...study.parameters.map((parameter) => parameterValue(parameter, scored)),
    scored.isFeasible ? 1 : 0,
    ...scored.satisfiedShares.map((share) => (scored.refusal === null ? roundTo(100 * share, 3) : null)),
    ...cells(scored.objective, roundValue),
    ...cells(k === 0 ? null : differences[k - 1], roundValue),
    ...NUMERIC_KPI_NAMES.flatMap((name) => cells(scored.kpis.get(name) ?? null)),
    scored.refusal,
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
