import { kpiOf, NUMERIC_KPI_NAMES } from "../../accounting/kpis/kpiRegistry.ts";
import { type ChartSpec, renderFigures } from "../../report/html/charts/chart.ts";
import { dataTable, type TableColumn } from "../../report/html/page/dataTable.ts";
import type { Section } from "../../report/html/page/document.ts";
import { formatCount, formatList, numberCell } from "../../report/html/page/format.ts";
import { html, type Markup } from "../../report/html/page/markup.ts";
import { textOf } from "../../texts/catalogue.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { settingsKey } from "../statistics/multipleComparisons.ts";
import { compareCandidates, type ScoredCandidate } from "../statistics/scoreCandidate.ts";
import type { Study } from "../study.ts";
import type { NamedCandidate, StudyResult } from "../studyResult.ts";
import { differenceChart } from "./studyCharts.ts";
import {
  candidateName,
  estimateText,
  formatShare,
  meanDecimals,
  objectiveDecimals,
  objectiveLabel,
  parameterText,
  parameterValue,
} from "./studyText.ts";

/** Visible rows, rows with the unfolded part, and rows with every figure; study.csv has all candidates. */
const ROWS_VISIBLE = 20;
const ROWS_MAX = 200;
const FULL_ROWS_MAX = 200;

/** Indices of the candidates, best first; equal ones in order of index. */
export const rankCandidates = ({ study, candidates }: StudyResult): number[] =>
  [...candidates.keys()].sort((a, b) => compareCandidates(study, candidates[a], candidates[b]) || a - b);

export function candidatesSection(result: StudyResult, order: readonly number[]): Section {
  const { study, candidates, differences } = result;
  const decimals = objectiveDecimals(study);
  const columns: TableColumn<number>[] = [
    ...identityColumns(result),
    {
      title: objectiveLabel(study),
      unit: `mean and ${formatShare(study.confidence)} interval`,
      align: "right",
      cell: (index) => estimateCell(candidates[index].objective, decimals),
    },
    {
      title: "Difference",
      unit: "to as written, paired by seed",
      align: "right",
      cell: (index) => estimateCell(differences[index], decimals),
    },
    ...(study.constraints.length === 0 && candidates.every(({ isFeasible }) => isFeasible)
      ? []
      : [{ title: "Feasible", cell: (index: number) => feasibilityText(candidates[index], study.constraints) }]),
  ];
  const further = order.slice(ROWS_VISIBLE, ROWS_MAX);
  return {
    id: "candidates",
    contentsTitle: "Candidates",
    title: formatCount(candidates.length, "candidate"),
    intro: `Best first.${omittedRowsText(result)} All candidates use the same seeds (common random numbers), so that differences have less variance.`,
    body: html`${dataTable("Candidates by the objective", order.slice(0, ROWS_VISIBLE), columns)}${
      further.length > 0 &&
      html`<details><summary>The next ${further.length}</summary>${dataTable("Further candidates by the objective", further, columns)}</details>`
    }<details><summary>Every figure of the best ${Math.min(FULL_ROWS_MAX, candidates.length)}</summary>${allKpisTable(result, order)}</details>${renderCharts([differenceChart(result, order)])}`,
  };
}

const identityColumns = (result: StudyResult): TableColumn<number>[] => [
  { title: "Candidate", cell: (index) => html`<span class="id">${candidateName(result, index)}</span>` },
  ...result.study.parameters.map(
    (parameter): TableColumn<number> => ({
      title: parameter.name,
      align: "right",
      cell: (index) =>
        parameterText(parameter, parameterValue(parameter, index < 0 ? result.written : result.candidates[index])),
    }),
  ),
];

/** Without figures that apply to no candidate. */
function allKpisTable(result: StudyResult, order: readonly number[]) {
  const indices = [-1, ...order.slice(0, FULL_ROWS_MAX)];
  const scored = (index: number): ScoredCandidate => (index < 0 ? result.written : result.candidates[index]);
  const shown = NUMERIC_KPI_NAMES.filter((kpi) => indices.some((index) => scored(index).kpis.get(kpi) != null));
  return dataTable<number>("Every figure, mean and interval", indices, [
    ...identityColumns(result),
    ...shown.map(
      (kpi): TableColumn<number> => ({
        title: textOf("en", `kpi.${kpi}.label`),
        unit: kpiOf(kpi).unit,
        align: "right",
        cell: (index) => estimateCell(scored(index).kpis.get(kpi) ?? null, meanDecimals(kpi)),
      }),
    ),
  ]);
}

function omittedRowsText({ candidates }: StudyResult): string {
  const refusedCount = candidates.filter(({ refusal }) => refusal !== null).length;
  const infeasibleCount = candidates.filter(({ isFeasible }) => !isFeasible).length - refusedCount;
  const omittedCount = candidates.length - ROWS_MAX;
  const parts = [
    ...(omittedCount > 0 ? [`study.csv has ${formatCount(omittedCount, "more candidate")}`] : []),
    ...(infeasibleCount > 0
      ? [`${formatCount(infeasibleCount, "candidate")} ${infeasibleCount === 1 ? "violates" : "violate"} a constraint`]
      : []),
    ...(refusedCount > 0
      ? [`${formatCount(refusedCount, "candidate")} ${refusedCount === 1 ? "is" : "are"} refused by the scenario`]
      : []),
  ];
  return parts.length === 0 ? "" : ` ${formatList(parts)}.`;
}

export function feasibilityText(
  { refusal, isFeasible, satisfiedShares }: ScoredCandidate,
  constraints: StudyResult["study"]["constraints"],
): string {
  if (refusal !== null) return `refused: ${refusal}`;
  if (isFeasible) return "yes";
  const violated = constraints.flatMap(({ kpi, bound, limit }, k) =>
    satisfiedShares[k] < 1
      ? [`${kpi} ${bound === "at_least" ? "≥" : "≤"} ${limit} on ${formatShare(satisfiedShares[k])} of the seeds`]
      : [],
  );
  return violated.length === 0 ? "no: the objective does not apply" : `no: ${violated.join(", ")}`;
}

/** A mean with its interval; sorts by the mean. */
export const estimateCell = (estimate: Estimate | null, decimals: number): Markup =>
  estimate === null
    ? numberCell(null, 0)
    : html`<data value="${estimate.mean}">${estimateText(estimate, decimals)}</data>`;

/** Merges rows with equal settings into one with all their names. */
export function mergeSameSettings<Row extends NamedCandidate>({ parameters }: Study, rows: readonly Row[]): Row[] {
  const bySettings = new Map<string, Row>();
  for (const row of rows) {
    const key = settingsKey(parameters, row.scored);
    const first = bySettings.get(key);
    bySettings.set(key, first === undefined ? row : { ...first, name: `${first.name}, ${row.name}` });
  }
  return [...bySettings.values()];
}

export function renderCharts(list: readonly (ChartSpec | null)[]): Markup | null {
  const charts = list.filter((chart) => chart !== null);
  return charts.length === 0 ? null : renderFigures(charts);
}
