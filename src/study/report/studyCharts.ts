import { type KpiName, kpiOf } from "../../accounting/kpis/kpiRegistry.ts";
import {
  type ChartSize,
  type ChartSpec,
  horizontalBarAxis,
  horizontalPlotArea,
  plotArea,
  shortenName,
  valueAxis,
} from "../../report/html/charts/chart.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import { colourPlaceholder } from "../../report/html/page/palette.ts";
import type { Estimate } from "../statistics/estimate.ts";
import type { StudyResult } from "../studyResult.ts";
import { candidateName, formatShare, objectiveDecimals, objectiveLabel } from "./studyText.ts";

const BARS_MAX = 20;

interface IntervalRow {
  readonly label: string;
  readonly estimate: Estimate;
}

/** Means as dots and their intervals as lines, one row each, with a line at 0. */
function intervalOption(rows: readonly IntervalRow[], unit: string) {
  return (size: ChartSize) => ({
    grid: horizontalPlotArea,
    // The axis includes 0, so that the distance of an interval from it is visible.
    xAxis: { ...valueAxis(unit), splitNumber: size.isNarrow ? 3 : 7 },
    yAxis: horizontalBarAxis(rows.map(({ label }) => shortenName(label, size))),
    series: [
      ...rows.map(({ estimate: { low, high } }, k) => ({
        type: "line" as const,
        silent: true,
        symbol: "none",
        lineStyle: { color: colourPlaceholder("s1"), width: 2 },
        data:
          low === null || high === null
            ? []
            : [
                [low, k],
                [high, k],
              ],
      })),
      {
        type: "scatter" as const,
        silent: true,
        symbolSize: 9,
        itemStyle: { color: colourPlaceholder("s2") },
        data: rows.map(({ estimate }, k) => [estimate.mean, k]),
        markLine: {
          silent: true,
          symbol: "none",
          label: { show: false },
          lineStyle: { color: colourPlaceholder("asked"), type: "dashed" as const },
          data: [{ xAxis: 0 }],
        },
      },
    ],
  });
}

/** Differences of the best candidates from the scenario as written. */
export function differenceChart(result: StudyResult, order: readonly number[]): ChartSpec | null {
  const { study, differences } = result;
  const rows = order.flatMap((place): IntervalRow[] => {
    const estimate = differences[place];
    return estimate === null ? [] : [{ label: candidateName(result, place), estimate }];
  });
  const shown = rows.slice(0, BARS_MAX);
  if (shown.length === 0) return null;
  const decimals = objectiveDecimals(study);
  return {
    id: "differences",
    title: "Against the scenario as written",
    caption: `${objectiveLabel(study)} of each candidate less that of the scenario as written, seed by seed: the mean and its ${formatShare(study.confidence)} interval. Below 0 is less than as written. ${shown.length < rows.length ? `The best ${shown.length} of ${rows.length}.` : ""}`,
    altText: `Differences: ${shown.map(({ label, estimate }) => `${label} ${formatFixed(estimate.mean, decimals)}`).join(", ")}.`,
    legend: [],
    heightPx: 50 + 24 * shown.length,
    buildOption: intervalOption(shown, ""),
  };
}

/** Effect of each parameter alone, largest first. */
export function tornadoChart({ study, tornado }: StudyResult): ChartSpec | null {
  const shown = tornado.slice(0, BARS_MAX);
  if (shown.length === 0) return null;
  const decimals = objectiveDecimals(study);
  const text = (mean: number | undefined) => (mean === undefined ? "refused" : formatFixed(mean, decimals));
  return {
    id: "tornado",
    title: "One at a time",
    caption: `Change of ${objectiveLabel(study)} when one parameter alone goes to its lowest or highest value, the rest as written: mean over the seeds. The table has the intervals.`,
    altText: shown
      .map(
        ({ parameter, low, high }) =>
          `${parameter}: ${text(low.difference?.mean)} at ${low.value}, ${text(high.difference?.mean)} at ${high.value}`,
      )
      .join("; "),
    legend: [
      { label: "At its lowest value", colour: "s5" },
      { label: "At its highest value", colour: "s1" },
    ],
    heightPx: 50 + 34 * shown.length,
    buildOption: (size) => ({
      grid: horizontalPlotArea,
      xAxis: { ...valueAxis(""), splitNumber: size.isNarrow ? 3 : 7 },
      yAxis: horizontalBarAxis(shown.map(({ parameter }) => shortenName(parameter, size))),
      series: [
        {
          type: "bar",
          silent: true,
          itemStyle: { color: colourPlaceholder("s5") },
          data: shown.map(({ low }) => low.difference?.mean ?? 0),
        },
        {
          type: "bar",
          silent: true,
          itemStyle: { color: colourPlaceholder("s1") },
          data: shown.map(({ high }) => high.difference?.mean ?? 0),
        },
      ],
    }),
  };
}

/** More dots enlarge the file without a clearer chart. */
const DOTS_MAX = 800;
const FRONT_DOTS_MAX = 60;

/** At most that many elements, evenly spaced, including the first and the last. */
const evenlySpaced = (places: readonly number[], maxCount: number): readonly number[] =>
  places.length <= maxCount
    ? places
    : Array.from({ length: maxCount }, (_, k) => places[Math.round((k * (places.length - 1)) / (maxCount - 1))]);

/** Two KPIs against each other; the line joins the Pareto front. */
export function paretoChart({ study, candidates, front, written }: StudyResult): ChartSpec | null {
  const { pareto } = study;
  if (pareto === null || front.length === 0) return null;
  const [x, y] = pareto;
  const point = (place: number): [number, number] => {
    const { kpis } = place < 0 ? written : candidates[place];
    return [kpis.get(x)?.mean ?? Number.NaN, kpis.get(y)?.mean ?? Number.NaN];
  };
  const accepted = candidates.flatMap(({ refusal }, k) => (refusal === null ? [k] : []));
  const drawn = evenlySpaced(accepted, DOTS_MAX);
  const places = (wanted: boolean) => drawn.filter((k) => candidates[k].isFeasible === wanted);
  const name = (kpi: KpiName) => `${kpiOf(kpi).label}${kpiOf(kpi).unit === "" ? "" : ` (${kpiOf(kpi).unit})`}`;
  return {
    id: "pareto",
    title: `${name(x)} against ${name(y)}`,
    caption: `Each dot is a candidate, mean over the seeds. Those on the line are beaten by no other: ${kpiOf(x).direction} ${kpiOf(x).label.toLowerCase()} costs something of the other.${drawn.length < accepted.length ? ` ${drawn.length} of ${accepted.length} candidates are drawn as dots, evenly picked.` : ""}`,
    altText: `${front.length} candidates that nothing beats in both: ${front
      .slice(0, 20)
      .map((place) => `candidate ${place + 1}`)
      .join(", ")}.`,
    legend: [
      { label: "Candidate", colour: "s1" },
      ...(drawn.some((k) => !candidates[k].isFeasible)
        ? [{ label: "Beyond a constraint", colour: "asked" as const }]
        : []),
      { label: "Beaten by none", colour: "s2" },
      { label: "As written", colour: "s3" },
    ],
    heightPx: 360,
    buildOption: () => ({
      grid: plotArea,
      xAxis: { ...valueAxis(""), scale: true },
      yAxis: { ...valueAxis(kpiOf(y).unit), scale: true },
      series: [
        {
          type: "scatter",
          silent: true,
          symbolSize: 6,
          itemStyle: { color: colourPlaceholder("asked") },
          data: places(false).map(point),
        },
        {
          type: "scatter",
          silent: true,
          symbolSize: 6,
          itemStyle: { color: colourPlaceholder("s1") },
          data: places(true).map(point),
        },
        {
          type: "line",
          silent: true,
          symbol: front.length <= FRONT_DOTS_MAX ? "emptyCircle" : "none",
          symbolSize: 8,
          lineStyle: { color: colourPlaceholder("s2") },
          itemStyle: { color: colourPlaceholder("s2") },
          data: evenlySpaced(front, DOTS_MAX).map(point),
        },
        {
          type: "scatter",
          silent: true,
          symbol: "diamond",
          symbolSize: 14,
          z: 5,
          itemStyle: { color: colourPlaceholder("s3") },
          data: [point(-1)],
        },
      ],
    }),
  };
}

/** Progress of the best value during the search. */
export function searchChart({ study, search }: StudyResult): ChartSpec | null {
  if (search === null) return null;
  const sign = study.objective.direction === "minimise" ? 1 : -1;
  const steps = search.path.filter(({ best }) => best.violation === 0);
  if (steps.length === 0) return null;
  const decimals = objectiveDecimals(study);
  const last = steps[steps.length - 1];
  const restarts = search.path[search.path.length - 1].restart;
  return {
    id: "search",
    title: "The search",
    caption: `Best ${objectiveLabel(study)} found so far, by the number of candidates looked at. The search ended because ${search.stopped === "budget" ? "its budget was used up" : "nothing better turned up any more"}, after ${restarts} ${restarts === 1 ? "restart" : "restarts"}.`,
    altText: `From ${formatFixed(sign * steps[0].best.value, decimals)} to ${formatFixed(sign * last.best.value, decimals)} in ${last.evaluations} evaluations.`,
    legend: [],
    heightPx: 280,
    buildOption: () => ({
      grid: plotArea,
      xAxis: { ...valueAxis(""), max: last.evaluations },
      yAxis: { ...valueAxis(""), scale: true },
      series: [
        {
          type: "line",
          step: "end",
          silent: true,
          symbol: "none",
          lineStyle: { color: colourPlaceholder("s1"), width: 2 },
          data: steps.map(({ evaluations, best }) => [evaluations, sign * best.value]),
        },
      ],
    }),
  };
}
