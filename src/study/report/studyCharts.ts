import { isMoney } from "../../accounting/kpis/kpi.ts";
import { kpiOf, type NumericKpiName } from "../../accounting/kpis/kpiRegistry.ts";
import { rangeTicks } from "../../report/html/charts/axisTicks.ts";
import { type BarRow, barAxis, barChartSpec } from "../../report/html/charts/barChart.ts";
import { type ChartSpec, svgInSizes } from "../../report/html/charts/chart.ts";
import { captionOf } from "../../report/html/charts/timeChart.ts";
import { drawXyPlot, type XyAxis, type XyPlot, type XyPoint } from "../../report/html/charts/xyDrawing.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import { moneyScale } from "../../report/html/page/money.ts";
import type { PageTexts } from "../../report/html/page/pageLocale.ts";
import type { ColourName } from "../../report/html/page/palette.ts";
import { SEARCH_SEEDS } from "../allocation/searchFinalists.ts";
import { COMPARED_SEEDS_MIN } from "../allocation/selectBest.ts";
import type { Estimate } from "../statistics/estimate.ts";
import type { ScoredCandidate } from "../statistics/scoreCandidate.ts";
import { objectiveKpi } from "../study.ts";
import type { StudyResult } from "../studyResult.ts";
import { comparableCandidates, isRaced, seedsText } from "./raceText.ts";
import {
  candidateName,
  figureName,
  formatShare,
  meanDecimals,
  objectiveDecimals,
  objectiveLabel,
} from "./studyText.ts";

const BARS_MAX = 20;
const STEPS_MAX = 7;

interface IntervalRow {
  readonly label: string;
  readonly estimate: Estimate;
}

/** A dot for the mean, a line for the interval. The axis includes 0, to show whether an interval does. */
function intervalRow(
  { label, estimate: { mean, low, high } }: IntervalRow,
  decimals: number,
  { t }: PageTexts,
): BarRow {
  const dot = {
    from: mean,
    to: mean,
    colour: "s2",
    label: t("study.mean"),
    valueText: formatFixed(mean, decimals),
    shape: "dot",
  } as const;
  if (low === null || high === null) return { name: label, tracks: [{ bars: [dot] }] };
  const valueText = t("study.interval", { low: formatFixed(low, decimals), high: formatFixed(high, decimals) });
  const line = {
    from: low,
    to: high,
    colour: "s1",
    label: t("study.interval_label"),
    valueText,
    shape: "line",
  } as const;
  return { name: label, tracks: [{ bars: [line, dot] }] };
}

/** The best candidates, each compared with the scenario as written. */
export function differenceChart(result: StudyResult, order: readonly number[], texts: PageTexts): ChartSpec | null {
  const { study, differences } = result;
  const { t } = texts;
  const rows = comparableCandidates(result, order).flatMap((index): IntervalRow[] => {
    const estimate = differences[index];
    return estimate === null ? [] : [{ label: candidateName(result, index, texts), estimate }];
  });
  const shown = rows.slice(0, BARS_MAX);
  if (shown.length === 0) return null;
  const decimals = objectiveDecimals(study);
  const bars = shown.map((row) => intervalRow(row, decimals, texts));
  const figure = objectiveLabel(study, texts);
  const cut = shown.length < rows.length ? t("study.shown_best", { shown: shown.length, count: rows.length }) : "";
  return barChartSpec({
    id: "differences",
    title: t("study.differences"),
    caption: captionOf(
      [
        t("study.differences_caption", { figure, share: formatShare(study.confidence) }),
        cut,
        leftOutText(result, order, texts),
      ],
      t,
    ),
    altText: t("chart.bars_alt", {
      title: t("study.differences"),
      bars: shown
        .map(({ label, estimate }) => `${label} ${formatFixed(estimate.mean, decimals)}`)
        .join(t("list.separator")),
    }),
    legend: [],
    axis: barAxis(t("study.difference_of", { figure }), bars),
    rows: bars,
  });
}

/** More dots enlarge the file without improving the chart. */
const DOTS_MAX = 800;
const FRONT_DOTS_MAX = 60;

/** At most `countMax` evenly spaced elements, including the first and the last. */
const thin = (indices: readonly number[], countMax: number): readonly number[] =>
  indices.length <= countMax
    ? indices
    : Array.from({ length: countMax }, (_, k) => indices[Math.round((k * (indices.length - 1)) / (countMax - 1))]);

/** What an axis shows of a candidate. */
interface Coordinate {
  readonly title: string;
  readonly decimals: number;
  /** @param index  -1: the scenario as written */
  readonly of: (scored: ScoredCandidate, index: number) => number | undefined;
}

/** A figure, or the objective where this is a formula; amounts in one unit (docs/model/report-files.md#units). */
function coordinateOf(
  kpi: NumericKpiName | null,
  { study, candidates, written }: StudyResult,
  texts: PageTexts,
): Coordinate {
  const of = ({ kpis, objective }: ScoredCandidate) => (kpi === null ? objective : kpis.get(kpi))?.mean;
  if (kpi === null) return { title: study.objective.text, decimals: objectiveDecimals(study), of };
  if (!isMoney(kpiOf(kpi))) return { title: figureName(kpi, texts), decimals: meanDecimals(kpi), of };
  const means = [written, ...candidates].flatMap((scored) => of(scored) ?? []);
  const { unit, factor, decimals } = moneyScale(means, texts);
  const scaled = (scored: ScoredCandidate) => {
    const mean = of(scored);
    return mean === undefined ? undefined : factor * mean;
  };
  return { title: `${texts.t(`kpi.${kpi}.label`)} (${unit})`, decimals, of: scaled };
}

/** Its value, where it is no mean of a figure. */
const objectiveCoordinate = (result: StudyResult, texts: PageTexts): Coordinate =>
  result.study.objective.worstPct === null
    ? coordinateOf(objectiveKpi(result.study), result, texts)
    : { ...coordinateOf(null, result, texts), title: objectiveLabel(result.study, texts) };

/**
 * All candidates, with the best and the scenario as written marked: the margin over the objective; where nothing is priced, or the
 * margin is the objective, the objective over the rank.
 */
export function candidatesChart(result: StudyResult, ranked: readonly number[], texts: PageTexts): ChartSpec | null {
  const { study, written, best } = result;
  const order = comparableCandidates(result, ranked);
  const { t } = texts;
  const objective = objectiveCoordinate(result, texts);
  const isPriced = written.kpis.get("aggregator_margin_jpy") != null && objectiveKpi(study) !== "aggregator_margin_jpy";
  const margin = coordinateOf("aggregator_margin_jpy", result, texts);
  const drawn = thin(order, DOTS_MAX);
  const plot = isPriced
    ? candidatesPlot(result, [objective, margin], { drawn, texts })
    : candidatesPlot(result, [rankCoordinate(result, order, texts), objective], { drawn, texts });
  if (plot.points.length < 2) return null;
  const value = (scored: ScoredCandidate | undefined): string => {
    const mean = scored?.objective?.mean;
    return mean === undefined ? "–" : formatFixed(mean, objectiveDecimals(study));
  };
  return {
    id: "candidates-chart",
    title: t("study.chart"),
    caption: captionOf(
      [
        meansText(isPriced ? "study.chart_caption" : "study.chart_ranked", result, order, texts),
        drawn.length < order.length ? t("study.chart_thinned", { shown: drawn.length, count: order.length }) : "",
        leftOutText(result, ranked, texts),
      ],
      t,
    ),
    altText: t("study.chart_alt", { count: order.length, best: value(best?.scored), written: value(written) }),
    legend: [],
    draw: (chart) =>
      svgInSizes(chart, plot.heightPx, (size) => ({ className: "drawn", elements: drawXyPlot(plot, size) })),
  };
}

/** What each point is: in a race, candidates have seeds of their own number. */
function meansText(
  key: "study.chart_caption" | "study.chart_ranked",
  result: StudyResult,
  drawn: readonly number[],
  texts: PageTexts,
): string {
  if (!isRaced(result)) return texts.t(key, { count: result.study.seeds.length });
  const counts = drawn.map((index) => result.candidates[index].seedCount);
  return texts.t(`${key}_raced`, { seeds: seedsText(counts, texts) });
}

/** That a chart leaves out candidates of few seeds. */
function leftOutText(result: StudyResult, indices: readonly number[], { t }: PageTexts): string {
  const { length: shown } = comparableCandidates(result, indices);
  const { length: count } = indices;
  return shown === count ? "" : t("study.chart_left_out", { shown, count, seeds: COMPARED_SEEDS_MIN });
}

/** The scenario as written has the place that its objective would have among the candidates. */
function rankCoordinate(
  { study, candidates, written }: StudyResult,
  order: readonly number[],
  texts: PageTexts,
): Coordinate {
  const places = new Map(order.map((index, k) => [index, k + 1]));
  const sign = study.objective.direction === "minimise" ? 1 : -1;
  const own = written.objective?.mean;
  const better = order.filter((index) => {
    const mean = candidates[index].objective?.mean;
    const isAsLong = written.seedCount <= candidates[index].seedCount;
    return isAsLong && own !== undefined && mean !== undefined && sign * mean < sign * own;
  });
  return {
    title: texts.t("study.rank"),
    decimals: 0,
    of: (_, index) => (index < 0 ? better.length + 0.5 : places.get(index)),
  };
}

/** Candidates over two figures; a line joins the Pareto front of these. */
export function paretoChart(result: StudyResult, texts: PageTexts): ChartSpec | null {
  const { study, candidates, front } = result;
  const { t } = texts;
  if (study.pareto === null || front.length === 0) return null;
  const [x, y, third] = study.pareto;
  const all = candidates.flatMap(({ refusal }, k) => (refusal === null ? [k] : []));
  const evaluated = comparableCandidates(result, all);
  const drawn = thin(evaluated, DOTS_MAX);
  const plot = candidatesPlot(result, [coordinateOf(x, result, texts), coordinateOf(y, result, texts)], {
    drawn,
    front,
    texts,
  });
  const names = thin(front, BARS_MAX).map((index) => candidateName(result, index, texts));
  return {
    id: "pareto",
    title: t("study.two", { first: figureName(x, texts), second: figureName(y, texts) }),
    caption: captionOf(
      [
        meansText("study.chart_caption", result, evaluated, texts),
        third === undefined ? t("study.front_caption") : t("study.front_three", { figure: figureName(third, texts) }),
        drawn.length < evaluated.length
          ? t("study.chart_thinned", { shown: drawn.length, count: evaluated.length })
          : "",
        leftOutText(result, all, texts),
        front.some((k) => isUnsure(result, k)) ? t("study.front_hollow") : "",
        isRaced(result) ? t("study.front_raced") : "",
      ],
      t,
    ),
    altText: t("chart.bars_alt", { title: t("study.front"), bars: names.join(t("list.separator")) }),
    legend: [
      { label: t("study.candidate_label"), colour: "s1" },
      ...(drawn.some((k) => !candidates[k].isFeasible)
        ? [{ label: t("study.infeasible_label"), colour: "neutral" as const }]
        : []),
      { label: t("study.front"), colour: "s2" },
    ],
    draw: (chart) =>
      svgInSizes(chart, plot.heightPx, (size) => ({ className: "drawn", elements: drawXyPlot(plot, size) })),
  };
}

/** Whether a point of the front is on it for fewer than half of the resampled seeds; `equal` does not say so. */
const isUnsure = (result: StudyResult, index: number): boolean =>
  isRaced(result) && result.frontShares[result.front.indexOf(index)] < 0.5;

interface DrawnCandidates {
  readonly drawn: readonly number[];
  readonly front?: readonly number[];
  readonly texts: PageTexts;
}

/** The drawn candidates, the best and the scenario as written; those without a value are left out. */
function candidatesPlot(
  result: StudyResult,
  [x, y]: readonly [Coordinate, Coordinate],
  { drawn, front = [], texts }: DrawnCandidates,
): XyPlot {
  const { candidates, best, written } = result;
  const point = (index: number): [number, number] => {
    const scored = index < 0 ? written : candidates[index];
    return [x.of(scored, index) ?? Number.NaN, y.of(scored, index) ?? Number.NaN];
  };
  const dot = (index: number, colour: ColourName, shape: XyPoint["shape"]): XyPoint => {
    const [atX, atY] = point(index);
    const values = [x, y].map(({ title, decimals }, k) => `${title}\t${formatFixed([atX, atY][k], decimals)}`);
    return { x: atX, y: atY, colour, shape, title: [candidateName(result, index, texts), ...values].join("\n") };
  };
  const isHollow = (index: number): boolean => front.includes(index) && isUnsure(result, index);
  const points = [
    ...drawn.filter((k) => !candidates[k].isFeasible).map((k) => dot(k, "neutral", "dot")),
    ...drawn.filter((k) => candidates[k].isFeasible && !isHollow(k)).map((k) => dot(k, "s1", "dot")),
    ...(front.length <= FRONT_DOTS_MAX ? front.map((k) => dot(k, "s2", "ring")) : []),
    { ...dot(-1, "ink", "diamond"), label: texts.t("compare.as_written") },
    ...(best === null || best.candidateIndex < 0
      ? []
      : [{ ...dot(best.candidateIndex, "ink", "diamond"), label: texts.t("study.best") }]),
  ].filter((each) => Number.isFinite(each.x) && Number.isFinite(each.y));
  const axisOf = ({ title, decimals }: Coordinate, values: readonly number[]): XyAxis => ({
    title,
    ...rangeTicks(values.length === 0 ? [0] : values, STEPS_MAX, decimals === 0 ? 1 : 0),
  });
  return {
    x: axisOf(
      x,
      points.map((each) => each.x),
    ),
    y: axisOf(
      y,
      points.map((each) => each.y),
    ),
    points,
    // A front of three figures is a surface.
    lines:
      front.length === 0 || result.study.pareto?.length === 3
        ? []
        : [{ colour: "s2", points: thin(front, DOTS_MAX).map(point) }],
    heightPx: 360,
  };
}

/** The best value by number of evaluated candidates, of all so far; of a race, that of each generation. */
export function searchChart(result: StudyResult, texts: PageTexts): ChartSpec | null {
  const { study, search } = result;
  if (search === null) return null;
  const { t } = texts;
  const sign = study.objective.direction === "minimise" ? 1 : -1;
  const steps = search.path.filter(({ best }) => best.violation === 0);
  if (steps.length === 0) return null;
  const decimals = objectiveDecimals(study);
  const figure = objectiveLabel(study, texts);
  const last = steps[steps.length - 1];
  const restarts = search.path[search.path.length - 1].restart;
  // Constant until the next better candidate.
  const path = steps.flatMap(({ evaluations, best }, k): [number, number][] => {
    const at = sign * best.value;
    return k === 0 || isRaced(result)
      ? [[evaluations, at]]
      : [
          [evaluations, sign * steps[k - 1].best.value],
          [evaluations, at],
        ];
  });
  const plot: XyPlot = {
    x: { title: t("study.evaluated"), ...rangeTicks([0, last.evaluations], STEPS_MAX, 1) },
    y: {
      title: figure,
      ...rangeTicks(
        path.map(([, at]) => at),
        STEPS_MAX,
      ),
    },
    points: [],
    lines: [{ colour: "s1", points: path }],
    heightPx: 280,
  };
  const key = search.stopped === "budget" ? "study.search_caption_budget" : "study.search_caption_progress";
  return {
    id: "search",
    title: t("study.search"),
    caption: isRaced(result)
      ? t("study.search_caption_raced", { figure, count: restarts, seeds: SEARCH_SEEDS })
      : t(key, { figure, count: restarts }),
    altText: t("study.search_alt", {
      first: formatFixed(sign * steps[0].best.value, decimals),
      last: formatFixed(sign * last.best.value, decimals),
      evaluations: last.evaluations,
    }),
    legend: [],
    draw: (chart) =>
      svgInSizes(chart, plot.heightPx, (size) => ({ className: "drawn", elements: drawXyPlot(plot, size) })),
  };
}

/** Candidates left by number of seeds: one step a round. `null` without a race. */
export function roundsChart(result: StudyResult, texts: PageTexts): ChartSpec | null {
  const { rounds } = result.allocation;
  const { t } = texts;
  if (rounds.length === 0) return null;
  const steps = rounds.flatMap(({ seeds, candidates }, k): [number, number][] => [
    [k === 0 ? 0 : rounds[k - 1].seeds, candidates],
    [seeds, candidates],
  ]);
  const plot: XyPlot = {
    x: { title: t("study.seeds_head"), ...rangeTicks([0, rounds[rounds.length - 1].seeds], STEPS_MAX, 1) },
    y: { title: t("study.rounds_left"), ...rangeTicks([0, rounds[0].candidates], STEPS_MAX, 1) },
    points: [],
    lines: [{ colour: "s1", points: steps }],
    heightPx: 220,
  };
  const list = rounds.map(({ seeds, candidates }) => t("study.round", { seeds, count: candidates }));
  return {
    id: "rounds",
    title: t("study.rounds"),
    caption: t("study.rounds_caption"),
    altText: list.join(t("list.separator")),
    legend: [],
    draw: (chart) =>
      svgInSizes(chart, plot.heightPx, (size) => ({ className: "drawn", elements: drawXyPlot(plot, size) })),
  };
}
