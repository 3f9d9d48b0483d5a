import { kpiOf, NUMERIC_KPI_NAMES } from "../../accounting/kpis/kpiRegistry.ts";
import { type ChartSpec, renderFigures } from "../../report/html/charts/chart.ts";
import { captionOf } from "../../report/html/charts/timeChart.ts";
import { dataTable, type TableColumn } from "../../report/html/page/dataTable.ts";
import type { Section } from "../../report/html/page/document.ts";
import { numberCell } from "../../report/html/page/format.ts";
import { html, type Markup } from "../../report/html/page/markup.ts";
import { figureUnit } from "../../report/html/page/money.ts";
import type { PageTexts } from "../../report/html/page/pageLocale.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { settingsKey } from "../statistics/multipleComparisons.ts";
import { compareCandidates, type ScoredCandidate } from "../statistics/scoreCandidate.ts";
import type { Study } from "../study.ts";
import type { NamedCandidate, StudyResult } from "../studyResult.ts";
import { isRaced, raceKind, sizeOf } from "./raceText.ts";
import { differenceChart } from "./studyCharts.ts";
import {
  candidateName,
  constraintFormula,
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

/** Indices of the candidates, best first, of a race those with more seeds before others; equal ones in order of index. */
export function rankCandidates(result: StudyResult): number[] {
  const { study, candidates } = result;
  const seedsOf = (index: number): number => (isRaced(result) ? candidates[index].seedCount : 0);
  return [...candidates.keys()].sort(
    (a, b) => seedsOf(b) - seedsOf(a) || compareCandidates(study, candidates[a], candidates[b]) || a - b,
  );
}

export function candidatesSection(result: StudyResult, order: readonly number[], texts: PageTexts): Section {
  const { study, candidates, differences } = result;
  const { t } = texts;
  const decimals = objectiveDecimals(study);
  const columns: TableColumn<number>[] = [
    ...identityColumns(result, texts),
    {
      title: objectiveLabel(study, texts),
      unit: t("study.mean_interval", { share: formatShare(study.confidence) }),
      align: "right",
      cell: (index) => estimateCell(candidates[index].objective, decimals, texts),
    },
    {
      title: t("compare.difference"),
      unit: t("study.to_written"),
      align: "right",
      cell: (index) => estimateCell(differences[index], decimals, texts),
    },
    ...(study.constraints.length === 0 && candidates.every(({ isFeasible }) => isFeasible)
      ? []
      : [
          {
            title: t("study.feasible"),
            cell: (index: number) => feasibilityText(candidates[index], study.constraints, texts),
          },
        ]),
  ];
  const further = order.slice(ROWS_VISIBLE, ROWS_MAX);
  const folded = (summary: string, body: Markup) => html`<details><summary>${summary}</summary>${body}</details>`;
  const fullCount = Math.min(FULL_ROWS_MAX, candidates.length);
  return {
    id: "candidates",
    contentsTitle: t("study.candidates_contents"),
    title: t("study.candidates", { count: candidates.length }),
    intro: captionOf(
      [t(`study.candidates_intro${raceKind(result)}`, sizeOf(result, texts)), ...countSentences(result, texts)],
      t,
    ),
    body: html`${dataTable(t("study.by_objective"), order.slice(0, ROWS_VISIBLE), columns)}${
      further.length > 0 &&
      folded(t("study.next", { count: further.length }), dataTable(t("study.further"), further, columns))
    }${folded(t("study.every_figure_of", { count: fullCount }), allKpisTable(result, order, texts))}${renderCharts([differenceChart(result, order, texts)])}`,
  };
}

const identityColumns = (result: StudyResult, texts: PageTexts): TableColumn<number>[] => [
  {
    title: texts.t("study.candidate_label"),
    cell: (index) => html`<span class="id">${candidateName(result, index, texts)}</span>`,
  },
  ...result.study.parameters.map(
    (parameter): TableColumn<number> => ({
      title: parameter.name,
      align: "right",
      cell: (index) => {
        const scored = index < 0 ? result.written : result.candidates[index];
        return parameterText(parameter, parameterValue(parameter, scored), texts);
      },
    }),
  ),
  ...(isRaced(result)
    ? [
        {
          title: texts.t("study.seeds_head"),
          align: "right" as const,
          cell: (index: number) => numberCell((index < 0 ? result.written : result.candidates[index]).seedCount, 0),
        },
      ]
    : []),
];

/** Without figures that apply to no candidate. */
function allKpisTable(result: StudyResult, order: readonly number[], texts: PageTexts) {
  const indices = [-1, ...order.slice(0, FULL_ROWS_MAX)];
  const scored = (index: number): ScoredCandidate => (index < 0 ? result.written : result.candidates[index]);
  const shown = NUMERIC_KPI_NAMES.filter((kpi) => indices.some((index) => scored(index).kpis.get(kpi) != null));
  return dataTable<number>(texts.t("study.every_figure"), indices, [
    ...identityColumns(result, texts),
    ...shown.map(
      (kpi): TableColumn<number> => ({
        title: texts.t(`kpi.${kpi}.label`),
        unit: figureUnit(kpiOf(kpi), texts),
        align: "right",
        cell: (index) => estimateCell(scored(index).kpis.get(kpi) ?? null, meanDecimals(kpi), texts),
      }),
    ),
  ]);
}

/** How many candidates are not in the table, violate a constraint or are refused. */
function countSentences({ candidates }: StudyResult, { t }: PageTexts): string[] {
  const refused = candidates.filter(({ refusal }) => refusal !== null).length;
  const violating = candidates.filter(({ isFeasible }) => !isFeasible).length - refused;
  const omitted = candidates.length - ROWS_MAX;
  return [
    ...(omitted > 0 ? [t("study.count_omitted", { count: omitted })] : []),
    ...(violating > 0 ? [t("study.count_violating", { count: violating })] : []),
    ...(refused > 0 ? [t("study.count_refused", { count: refused })] : []),
  ];
}

export function feasibilityText(
  { refusal, isFeasible, satisfiedShares }: ScoredCandidate,
  constraints: StudyResult["study"]["constraints"],
  { t }: PageTexts,
): string {
  if (refusal !== null) return t("study.refused_because", { reason: refusal });
  if (isFeasible) return t("study.yes");
  const violated = constraints.flatMap((constraint, k) =>
    satisfiedShares[k] < 1
      ? [t("study.satisfied_on", { constraint: constraintFormula(constraint), share: formatShare(satisfiedShares[k]) })]
      : [],
  );
  return violated.length === 0
    ? t("study.infeasible_objective")
    : t("study.infeasible", { constraints: violated.join(t("list.separator")) });
}

/** A mean with its interval; sorts by the mean. */
export const estimateCell = (estimate: Estimate | null, decimals: number, texts: PageTexts): Markup =>
  estimate === null
    ? numberCell(null, 0)
    : html`<data value="${estimate.mean}">${estimateText(estimate, decimals, texts)}</data>`;

/** Merges rows with equal settings into one with all their names. */
export function mergeSameSettings<Row extends NamedCandidate>(
  { parameters }: Study,
  rows: readonly Row[],
  { t }: PageTexts,
): Row[] {
  const bySettings = new Map<string, Row>();
  for (const row of rows) {
    const key = settingsKey(parameters, row.scored);
    const first = bySettings.get(key);
    bySettings.set(
      key,
      first === undefined ? row : { ...first, name: `${first.name}${t("list.separator")}${row.name}` },
    );
  }
  return [...bySettings.values()];
}

export function renderCharts(list: readonly (ChartSpec | null)[]): Markup | null {
  const charts = list.filter((chart) => chart !== null);
  return charts.length === 0 ? null : renderFigures(charts);
}
