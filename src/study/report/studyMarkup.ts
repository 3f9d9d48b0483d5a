import { type ChartSpec, renderFigure } from "../../report/html/charts/chart.ts";
import { numberCell } from "../../report/html/page/format.ts";
import { html, type Markup } from "../../report/html/page/markup.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { settingsKey } from "../statistics/multipleComparisons.ts";
import type { Study } from "../study.ts";
import type { NamedCandidate } from "../studyResult.ts";
import { estimateText } from "./studyText.ts";

/** A mean with its interval, to be sorted by the mean. */
export const estimateCell = (estimate: Estimate | null, decimals: number): Markup =>
  estimate === null
    ? numberCell(null, 0)
    : html`<data value="${estimate.mean}">${estimateText(estimate, decimals)}</data>`;

/** Rows of the same settings as one, by all of their names. */
export function mergeSameSettings<Row extends NamedCandidate>({ parameters }: Study, rows: readonly Row[]): Row[] {
  const found = new Map<string, Row>();
  for (const row of rows) {
    const key = settingsKey(parameters, row.scored);
    const first = found.get(key);
    found.set(key, first === undefined ? row : { ...first, name: `${first.name}, ${row.name}` });
  }
  return [...found.values()];
}

export function renderFigures(list: readonly (ChartSpec | null)[]): Markup | null {
  const drawn = list.filter((picture) => picture !== null).map(renderFigure);
  return drawn.length === 0 ? null : html`${drawn}`;
}
