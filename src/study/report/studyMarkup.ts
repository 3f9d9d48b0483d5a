import { type ChartSpec, renderFigure } from "../../report/html/charts/chart.ts";
import { numberCell } from "../../report/html/page/format.ts";
import { html, type Markup } from "../../report/html/page/markup.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { settingsKey } from "../statistics/multipleComparisons.ts";
import type { Study } from "../study.ts";
import type { NamedCandidate } from "../studyResult.ts";
import { estimateText } from "./studyText.ts";

/** A table cell with mean and interval, sorted by the mean. */
export const estimateCell = (estimate: Estimate | null, decimals: number): Markup =>
  estimate === null
    ? numberCell(null, 0)
    : html`<data value="${estimate.mean}">${estimateText(estimate, decimals)}</data>`;

/** Merges rows of equal settings and joins their names. */
export function mergeSameSettings<Row extends NamedCandidate>({ parameters }: Study, rows: readonly Row[]): Row[] {
  const rowsBySettings = new Map<string, Row>();
  for (const row of rows) {
    const key = settingsKey(parameters, row.scored);
    const first = rowsBySettings.get(key);
    rowsBySettings.set(key, first === undefined ? row : { ...first, name: `${first.name}, ${row.name}` });
  }
  return [...rowsBySettings.values()];
}

export function renderFigures(list: readonly (ChartSpec | null)[]): Markup | null {
  const drawn = list.filter((picture) => picture !== null).map(renderFigure);
  return drawn.length === 0 ? null : html`${drawn}`;
}
