import { KPI_NAMES, kpiOf } from "../../accounting/kpis/kpiRegistry.ts";
import { dataTable, type TableColumn } from "../../report/html/page/dataTable.ts";
import type { Section } from "../../report/html/page/document.ts";
import { formatCount, formatList } from "../../report/html/page/format.ts";
import { html } from "../../report/html/page/markup.ts";
import { compareCandidates, type ScoredCandidate } from "../statistics/scoreCandidate.ts";
import type { StudyResult } from "../studyResult.ts";
import { differenceChart } from "./studyCharts.ts";
import { estimateCell, renderFigures } from "./studyMarkup.ts";
import {
  candidateName,
  formatShare,
  meanDecimals,
  objectiveDecimals,
  objectiveLabel,
  parameterText,
  parameterValue,
} from "./studyText.ts";

/** Visible rows, rows including the folded ones, and rows with all KPIs; study.csv has all candidates. */
const ROWS_VISIBLE = 20;
const ROWS_MAX = 200;
const FULL_ROWS_MAX = 200;

/** Indices of the candidates, best first; ties in their order. */
export const rankCandidates = ({ study, candidates: all }: StudyResult): number[] =>
  [...all.keys()].sort((a, b) => compareCandidates(study, all[a], all[b]) || a - b);

export function candidatesSection(result: StudyResult, order: readonly number[]): Section {
  const { study, candidates: all, differences } = result;
  const decimals = objectiveDecimals(study);
  const columns: TableColumn<number>[] = [
    ...identityColumns(result),
    {
      title: objectiveLabel(study),
      unit: `mean and ${formatShare(study.confidence)} interval`,
      align: "right",
      cell: (place) => estimateCell(all[place].objective, decimals),
    },
    {
      title: "Against as written",
      unit: "less that, paired by seed",
      align: "right",
      cell: (place) => estimateCell(differences[place], decimals),
    },
    ...(study.constraints.length === 0 && all.every(({ isFeasible }) => isFeasible)
      ? []
      : [{ title: "Keeps to constraints", cell: (place: number) => candidateVerdict(all[place], study.constraints) }]),
  ];
  const foldedRows = order.slice(ROWS_VISIBLE, ROWS_MAX);
  return {
    id: "candidates",
    contentsTitle: "Candidates",
    title: formatCount(all.length, "candidate"),
    intro: `The best first.${omittedRowsText(result)} All run on the same seeds, so that what chance does to one it does to all.`,
    body: html`${dataTable("Candidates by the objective", order.slice(0, ROWS_VISIBLE), columns)}${
      foldedRows.length > 0 &&
      html`<details><summary>The next ${foldedRows.length}</summary>${dataTable("Further candidates by the objective", foldedRows, columns)}</details>`
    }<details><summary>Every figure of the best ${Math.min(FULL_ROWS_MAX, all.length)}</summary>${allKpisTable(result, order)}</details>${renderFigures([differenceChart(result, order)])}`,
  };
}

const identityColumns = (result: StudyResult): TableColumn<number>[] => [
  { title: "Candidate", cell: (place) => html`<span class="id">${candidateName(result, place)}</span>` },
  ...result.study.parameters.map(
    (parameter): TableColumn<number> => ({
      title: parameter.name,
      align: "right",
      cell: (place) => parameterText(parameterValue(parameter, place < 0 ? result.written : result.candidates[place])),
    }),
  ),
];

/** KPIs without a value for any row are left out. */
function allKpisTable(result: StudyResult, order: readonly number[]) {
  const places = [-1, ...order.slice(0, FULL_ROWS_MAX)];
  const scored = (place: number): ScoredCandidate => (place < 0 ? result.written : result.candidates[place]);
  const shown = KPI_NAMES.filter((kpi) => places.some((place) => scored(place).kpis.get(kpi) != null));
  return dataTable<number>("Every figure, mean and interval", places, [
    ...identityColumns(result),
    ...shown.map(
      (kpi): TableColumn<number> => ({
        title: kpiOf(kpi).label,
        unit: kpiOf(kpi).unit,
        align: "right",
        cell: (place) => estimateCell(scored(place).kpis.get(kpi) ?? null, meanDecimals(kpi)),
      }),
    ),
  ]);
}

/** Names the candidates that the table omits, violate a constraint or were refused. */
function omittedRowsText({ candidates: all }: StudyResult): string {
  const refused = all.filter(({ refusal }) => refusal !== null).length;
  const infeasibleCount = all.filter(({ isFeasible }) => !isFeasible).length - refused;
  const parts = [
    ...(all.length > ROWS_MAX ? [`${formatCount(all.length - ROWS_MAX, "candidate")} more stand in study.csv`] : []),
    ...(infeasibleCount > 0
      ? [`${formatCount(infeasibleCount, "candidate")} ${infeasibleCount === 1 ? "goes" : "go"} beyond a constraint`]
      : []),
    ...(refused > 0 ? [`${formatCount(refused, "candidate")} the scenario refuses`] : []),
  ];
  return parts.length === 0 ? "" : ` ${formatList(parts)}.`;
}

export function candidateVerdict(
  { refusal, isFeasible, satisfiedShares }: ScoredCandidate,
  constraints: StudyResult["study"]["constraints"],
): string {
  if (refusal !== null) return `refused: ${refusal}`;
  if (isFeasible) return "yes";
  const violated = constraints.flatMap(({ kpi, bound: kind, limit }, k) =>
    satisfiedShares[k] < 1
      ? [`${kpi} ${kind === "at_least" ? "≥" : "≤"} ${limit} on ${formatShare(satisfiedShares[k])} of the seeds`]
      : [],
  );
  return violated.length === 0 ? "no: the objective does not apply" : `no: ${violated.join(", ")}`;
}
