import { kpiOf, type NumericKpiName } from "../../accounting/kpis/kpiRegistry.ts";
import { rangeTicks } from "../../report/html/charts/axisTicks.ts";
import { type BarRow, barAxis, barChartSpec } from "../../report/html/charts/barChart.ts";
import { type ChartSpec, svgInSizes } from "../../report/html/charts/chart.ts";
import { drawXyPlot, type XyAxis, type XyPlot, type XyPoint } from "../../report/html/charts/xyDrawing.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import type { ColourName } from "../../report/html/page/palette.ts";
import { textOf } from "../../texts/catalogue.ts";
import type { Estimate } from "../statistics/estimate.ts";
import type { StudyResult } from "../studyResult.ts";
import { candidateName, formatShare, objectiveDecimals, objectiveLabel, parameterText } from "./studyText.ts";

const BARS_MAX = 20;
const STEPS_MAX = 7;

interface IntervalRow {
  readonly label: string;
  readonly estimate: Estimate;
}

/** A dot for the mean, a line for the interval. The axis includes 0, to show whether an interval does. */
function intervalRow({ label, estimate: { mean, low, high } }: IntervalRow, decimals: number): BarRow {
  const dot = {
    from: mean,
    to: mean,
    colour: "s2",
    label: "Mean",
    valueText: formatFixed(mean, decimals),
    shape: "dot",
  } as const;
  if (low === null || high === null) return { name: label, tracks: [{ bars: [dot] }] };
  const text = `${formatFixed(low, decimals)} to ${formatFixed(high, decimals)}`;
  const line = { from: low, to: high, colour: "s1", label: "Interval", valueText: text, shape: "line" } as const;
  return { name: label, tracks: [{ bars: [line, dot] }] };
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
  const bars = shown.map((row) => intervalRow(row, decimals));
  return barChartSpec({
    id: "differences",
    title: "Difference to the scenario as written",
    caption: `${objectiveLabel(study)} of each candidate minus that of the scenario as written, paired by seed: mean and ${formatShare(study.confidence)} interval. ${shown.length < rows.length ? `The best ${shown.length} of ${rows.length}.` : ""}`,
    altText: `Differences: ${shown.map(({ label, estimate }) => `${label} ${formatFixed(estimate.mean, decimals)}`).join(", ")}.`,
    legend: [],
    axis: barAxis(`Difference of ${objectiveLabel(study)}`, bars),
    rows: bars,
  });
}

/** Effect of each parameter alone, largest first. */
export function tornadoChart({ study, tornado }: StudyResult): ChartSpec | null {
  const shown = tornado.slice(0, BARS_MAX);
  if (shown.length === 0) return null;
  const decimals = objectiveDecimals(study);
  const text = (mean: number | undefined) => (mean === undefined ? "refused" : formatFixed(mean, decimals));
  const rows = shown.map(({ parameter, low, high }): BarRow => {
    const track = (end: typeof low, colour: ColourName) => {
      const mean = end.difference?.mean;
      const bar = {
        from: 0,
        to: mean ?? 0,
        colour,
        label: `At ${parameterText(parameter, end.value)}`,
        valueText: text(mean),
      };
      return { bars: [bar], text: text(mean) };
    };
    return { name: parameter.name, tracks: [track(low, "s5"), track(high, "s1")] };
  });
  return barChartSpec({
    id: "tornado",
    title: "One at a time",
    caption: `Change of ${objectiveLabel(study)} with one parameter at its lowest or highest value and the others as written: mean over the seeds. The table has the intervals.`,
    altText: shown
      .map(
        ({ parameter, low, high }) =>
          `${parameter.name}: ${text(low.difference?.mean)} at ${parameterText(parameter, low.value)}, ${text(high.difference?.mean)} at ${parameterText(parameter, high.value)}`,
      )
      .join("; "),
    legend: [
      { label: "At its lowest value", colour: "s5" },
      { label: "At its highest value", colour: "s1" },
    ],
    axis: barAxis(`Change of ${objectiveLabel(study)}`, rows),
    rows,
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

/** Candidates over two figures; a line joins the Pareto front. */
export function paretoChart(result: StudyResult): ChartSpec | null {
  const { study, candidates, front } = result;
  if (study.pareto === null || front.length === 0) return null;
  const [x, y] = study.pareto;
  const evaluated = candidates.flatMap(({ refusal }, k) => (refusal === null ? [k] : []));
  const drawn = thin(evaluated, DOTS_MAX);
  const plot = paretoPlot(result, [x, y], drawn);
  return {
    id: "pareto",
    title: `${figureName(x)} and ${figureName(y)}`,
    caption: `Each dot is a candidate, mean over the seeds. The line is the Pareto front: ${kpiOf(x).direction} ${textOf("en", `kpi.${x}.label`).toLowerCase()} worsens the other figure.${drawn.length < evaluated.length ? ` ${drawn.length} of ${evaluated.length} candidates are drawn, evenly spaced.` : ""}`,
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
    draw: (chart) =>
      svgInSizes(chart, plot.heightPx, (size) => ({ className: "drawn", elements: drawXyPlot(plot, size) })),
  };
}

const figureName = (kpi: NumericKpiName): string =>
  `${textOf("en", `kpi.${kpi}.label`)}${kpiOf(kpi).unit === "" ? "" : ` (${kpiOf(kpi).unit})`}`;

/** @param drawn  candidates with a dot; the scenario as written, -1, has one too */
function paretoPlot(
  result: StudyResult,
  [x, y]: readonly [NumericKpiName, NumericKpiName],
  drawn: readonly number[],
): XyPlot {
  const { candidates, front, written } = result;
  const point = (index: number): [number, number] => {
    const { kpis } = index < 0 ? written : candidates[index];
    return [kpis.get(x)?.mean ?? Number.NaN, kpis.get(y)?.mean ?? Number.NaN];
  };
  const dot = (index: number, colour: ColourName, shape: XyPoint["shape"]): XyPoint => {
    const [atX, atY] = point(index);
    const values = [x, y].map((kpi, k) => `${figureName(kpi)}\t${formatFixed([atX, atY][k], kpiOf(kpi).decimals)}`);
    const name = index < 0 ? "As written" : candidateName(result, index);
    return { x: atX, y: atY, colour, shape, title: [name, ...values].join("\n") };
  };
  const infeasible = drawn.filter((k) => !candidates[k].isFeasible);
  const points = [
    ...infeasible.map((k) => dot(k, "neutral", "dot")),
    ...drawn.filter((k) => candidates[k].isFeasible).map((k) => dot(k, "s1", "dot")),
    ...(front.length <= FRONT_DOTS_MAX ? front.map((k) => dot(k, "s2", "ring")) : []),
    dot(-1, "s3", "diamond"),
  ].filter((each) => Number.isFinite(each.x) && Number.isFinite(each.y));
  const axisOf = (kpi: NumericKpiName, values: readonly number[]): XyAxis => {
    return { title: figureName(kpi), ...rangeTicks(values, STEPS_MAX) };
  };
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
    lines: [{ colour: "s2", points: thin(front, DOTS_MAX).map(point) }],
    heightPx: 360,
  };
}

/** The best value by number of evaluated candidates. */
export function searchChart({ study, search }: StudyResult): ChartSpec | null {
  if (search === null) return null;
  const sign = study.objective.direction === "minimise" ? 1 : -1;
  const steps = search.path.filter(({ best }) => best.violation === 0);
  if (steps.length === 0) return null;
  const decimals = objectiveDecimals(study);
  const last = steps[steps.length - 1];
  const restarts = search.path[search.path.length - 1].restart;
  // Constant until the next better candidate.
  const path = steps.flatMap(({ evaluations, best }, k): [number, number][] => {
    const at = sign * best.value;
    return k === 0
      ? [[evaluations, at]]
      : [
          [evaluations, sign * steps[k - 1].best.value],
          [evaluations, at],
        ];
  });
  const plot: XyPlot = {
    x: { title: "Evaluated candidates", ...rangeTicks([0, last.evaluations], STEPS_MAX) },
    y: {
      title: objectiveLabel(study),
      ...rangeTicks(
        path.map(([, at]) => at),
        STEPS_MAX,
      ),
    },
    points: [],
    lines: [{ colour: "s1", points: path }],
    heightPx: 280,
  };
  return {
    id: "search",
    title: "The search",
    caption: `Best ${objectiveLabel(study)} so far, by number of evaluated candidates. The search ended because ${search.stopped === "budget" ? "its budget was used up" : "it found no further improvement"}, after ${restarts} ${restarts === 1 ? "restart" : "restarts"}.`,
    altText: `From ${formatFixed(sign * steps[0].best.value, decimals)} to ${formatFixed(sign * last.best.value, decimals)} in ${last.evaluations} evaluations.`,
    legend: [],
    draw: (chart) =>
      svgInSizes(chart, plot.heightPx, (size) => ({ className: "drawn", elements: drawXyPlot(plot, size) })),
  };
}
