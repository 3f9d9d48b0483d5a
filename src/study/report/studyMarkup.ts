import { type ChartSpec, renderFigures } from "../../report/html/charts/chart.ts";
import { numberCell } from "../../report/html/page/format.ts";
import { html, type Markup } from "../../report/html/page/markup.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { settingsKey } from "../statistics/multipleComparisons.ts";
import type { Study } from "../study.ts";
import type { NamedCandidate } from "../studyResult.ts";
import { estimateText } from "./studyText.ts";

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
