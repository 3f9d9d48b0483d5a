import type { ChartSpec } from "../../report/html/charts/chart.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import { html, type Markup } from "../../report/html/page/markup.ts";
import { parameterLevels } from "../search/candidateDesign.ts";
import type { StudyParameter } from "../study.ts";
import type { StudyResult } from "../studyResult.ts";
import { objectiveDecimals, objectiveLabel, parameterText } from "./studyText.ts";

/** A chart with more cells is illegible. */
const LEVELS_MAX = 30;

interface Cell {
  readonly x: number;
  readonly y: number;
  /** Mean over the values of the other parameters. */
  readonly value: number;
}

/** The objective over the first two parameters of a grid; `null` for other methods. */
export function heatMapChart(result: StudyResult): ChartSpec | null {
  const { study } = result;
  if (study.method !== "grid" || study.parameters.length < 2) return null;
  const [first, second] = study.parameters;
  const [xs, ys] = [parameterLevels(first.domain), parameterLevels(second.domain)];
  if (LEVELS_MAX < xs.length || LEVELS_MAX < ys.length) return null;
  const cells = cellsOf(result, first, second);
  if (cells.length === 0) return null;
  const low = Math.min(...cells.map(({ value }) => value));
  const high = Math.max(...cells.map(({ value }) => value));
  const shade = (value: number) => (high > low ? 0.06 + (0.8 * (value - low)) / (high - low) : 0.3);
  const decimals = objectiveDecimals(study);
  const others = study.parameters.length > 2 ? " Each cell is the mean over the other parameters." : "";
  return {
    id: "heat",
    title: `${first.name} and ${second.name}`,
    caption: `${objectiveLabel(study)}, mean over the seeds; ${first.name} on the horizontal axis, ${second.name} on the vertical axis; darker is higher. Empty cells: refused.${others}`,
    altText: `From ${formatFixed(low, decimals)} to ${formatFixed(high, decimals)} over ${xs.length} values of ${first.name} and ${ys.length} of ${second.name}.`,
    legend: [],
    draw: ({ altText }) => heatTable({ xs, ys, cells, first, second }, { altText, shade, decimals }),
  };
}

interface HeatMap {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly cells: readonly Cell[];
  readonly first: StudyParameter;
  readonly second: StudyParameter;
}

interface CellStyle {
  readonly altText: string;
  /** 0 to 1. */
  readonly shade: (value: number) => number;
  readonly decimals: number;
}

/** A table whose cells are shaded by their value, the largest value of the vertical axis on top. */
function heatTable({ xs, ys, cells, first, second }: HeatMap, { altText, shade, decimals }: CellStyle): Markup {
  const values = new Map(cells.map(({ x, y, value }) => [`${x} ${y}`, value]));
  const cellAt = (x: number, y: number): Markup => {
    const value = values.get(`${x} ${y}`);
    if (value === undefined) return html`<td></td>`;
    const text = formatFixed(value, decimals);
    const title = `${first.name} ${parameterText(xs[x])}, ${second.name} ${parameterText(ys[y])}\n${text}`;
    return html`<td title="${title}" style="${`--shade:${Math.round(100 * shade(value))}%`}">${text}</td>`;
  };
  const rows = ys
    .map((_, k) => ys.length - 1 - k)
    .map((y) => html`<tr><th scope="row">${parameterText(ys[y])}</th>${xs.map((_, x) => cellAt(x, y))}</tr>`);
  return html`<div class="heat" tabindex="0" role="region" aria-label="${altText}"><table><thead><tr><th scope="col">${second.name} ↓, ${first.name} →</th>${xs.map((x) => html`<th scope="col">${parameterText(x)}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function cellsOf({ candidates }: StudyResult, first: StudyParameter, second: StudyParameter): Cell[] {
  const [xs, ys] = [parameterLevels(first.domain), parameterLevels(second.domain)];
  const sums = new Map<number, { sum: number; count: number }>();
  for (const { patch, objective } of candidates) {
    if (objective === null) continue;
    const key = xs.indexOf(patch[first.path]) * ys.length + ys.indexOf(patch[second.path]);
    const cell = sums.get(key) ?? { sum: 0, count: 0 };
    sums.set(key, { sum: cell.sum + objective.mean, count: cell.count + 1 });
  }
  return [...sums].map(([key, { sum, count }]) => ({
    x: Math.floor(key / ys.length),
    y: key % ys.length,
    value: sum / count,
  }));
}
