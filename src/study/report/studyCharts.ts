import type { ScatterSeriesOption } from "echarts";
import { kpiOf, type NumericKpiName } from "../../accounting/kpis/kpiRegistry.ts";
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
import { type ColourName, colourPlaceholder } from "../../report/html/page/palette.ts";
import type { Estimate } from "../statistics/estimate.ts";
import type { StudyResult } from "../studyResult.ts";
import { candidateName, formatShare, objectiveDecimals, objectiveLabel } from "./studyText.ts";

const BARS_MAX = 20;

interface IntervalRow {
  readonly label: string;
  readonly estimate: Estimate;
}

/** One row per estimate: a dot for the mean, a line for the interval. A dashed line marks 0. */
function intervalOption(rows: readonly IntervalRow[], unit: string) {
  return (size: ChartSize) => ({
    grid: horizontalPlotArea,
    // The axis includes 0, to show whether an interval does.
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
          lineStyle: { color: colourPlaceholder("neutral"), type: "dashed" as const },
          data: [{ xAxis: 0 }],
        },
      },
    ],
  });
}

/** The best candidates, each compared with the scenario as written. */
export function differenceChart(result: StudyResult, order: readonly number[]): ChartSpec | null {
  const { study, differences } = result;
  const rows = order.flatMap((index): IntervalRow[] => {
    const estimate = differences[index];
    return estimate === null ? [] : [{ label: candidateName(result, index), estimate }];
  });
  const shown = rows.slice(0, BARS_MAX);
  if (shown.length === 0) return null;
  const decimals = objectiveDecimals(study);
  return {
    id: "differences",
    title: "Difference to the scenario as written",
    caption: `${objectiveLabel(study)} of each candidate minus that of the scenario as written, paired by seed: mean and ${formatShare(study.confidence)} interval. ${shown.length < rows.length ? `The best ${shown.length} of ${rows.length}.` : ""}`,
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
    caption: `Change of ${objectiveLabel(study)} with one parameter at its lowest or highest value and the others as written: mean over the seeds. The table has the intervals.`,
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

/** More dots enlarge the file without improving the chart. */
const DOTS_MAX = 800;
const FRONT_DOTS_MAX = 60;

/** At most `countMax` evenly spaced elements, including the first and the last. */
const thin = (indices: readonly number[], countMax: number): readonly number[] =>
  indices.length <= countMax
    ? indices
    : Array.from({ length: countMax }, (_, k) => indices[Math.round((k * (indices.length - 1)) / (countMax - 1))]);

/** Candidates over two figures; a line joins the Pareto front. */
export function paretoChart({ study, candidates, front, written }: StudyResult): ChartSpec | null {
  const { pareto } = study;
  if (pareto === null || front.length === 0) return null;
  const [x, y] = pareto;
  const point = (index: number): [number, number] => {
    const { kpis } = index < 0 ? written : candidates[index];
    return [kpis.get(x)?.mean ?? Number.NaN, kpis.get(y)?.mean ?? Number.NaN];
  };
  const evaluated = candidates.flatMap(({ refusal }, k) => (refusal === null ? [k] : []));
  const drawn = thin(evaluated, DOTS_MAX);
  const drawnWith = (isFeasible: boolean) => drawn.filter((k) => candidates[k].isFeasible === isFeasible);
  const name = (kpi: NumericKpiName) => `${kpiOf(kpi).label}${kpiOf(kpi).unit === "" ? "" : ` (${kpiOf(kpi).unit})`}`;
  return {
    id: "pareto",
    title: `${name(x)} and ${name(y)}`,
    caption: `Each dot is a candidate, mean over the seeds. The line is the Pareto front: ${kpiOf(x).direction} ${kpiOf(x).label.toLowerCase()} worsens the other figure.${drawn.length < evaluated.length ? ` ${drawn.length} of ${evaluated.length} candidates are drawn, evenly spaced.` : ""}`,
    altText: `Pareto front of ${front.length} candidates: ${front
      .slice(0, 20)
      .map((index) => `candidate ${index + 1}`)
      .join(", ")}.`,
    legend: [
      { label: "Candidate", colour: "s1" },
      ...(drawn.some((k) => !candidates[k].isFeasible) ? [{ label: "Infeasible", colour: "neutral" as const }] : []),
      { label: "Pareto front", colour: "s2" },
      { label: "As written", colour: "s3" },
    ],
    heightPx: 360,
    buildOption: () => ({
      grid: plotArea,
      xAxis: { ...valueAxis(""), scale: true },
      yAxis: { ...valueAxis(kpiOf(y).unit), scale: true },
      series: [
        candidateDots("neutral", drawnWith(false).map(point)),
        candidateDots("s1", drawnWith(true).map(point)),
        {
          type: "line",
          silent: true,
          symbol: front.length <= FRONT_DOTS_MAX ? "emptyCircle" : "none",
          symbolSize: 8,
          lineStyle: { color: colourPlaceholder("s2") },
          itemStyle: { color: colourPlaceholder("s2") },
          data: thin(front, DOTS_MAX).map(point),
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

const candidateDots = (colour: ColourName, data: [number, number][]): ScatterSeriesOption => ({
  type: "scatter",
  silent: true,
  symbolSize: 6,
  itemStyle: { color: colourPlaceholder(colour) },
  data,
});

/** The best value by number of evaluated candidates. */
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
    caption: `Best ${objectiveLabel(study)} so far, by number of evaluated candidates. The search ended because ${search.stopped === "budget" ? "its budget was used up" : "it found no further improvement"}, after ${restarts} ${restarts === 1 ? "restart" : "restarts"}.`,
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
