import { figure, type Picture } from "../../report/html/charts/chart.ts";
import { numberCell } from "../../report/html/page/format.ts";
import { html, type Markup } from "../../report/html/page/markup.ts";
import { settingsKey } from "../statistics/comparisons.ts";
import type { Estimate } from "../statistics/estimate.ts";
import type { Study } from "../study.ts";
import type { NamedScore } from "../studyResult.ts";
import { estimateText } from "./words.ts";

/** A mean with its interval, to be sorted by the mean. */
export const estimateCell = (estimate: Estimate | null, decimals: number): Markup =>
  estimate === null
    ? numberCell(null, 0)
    : html`<data value="${estimate.mean}">${estimateText(estimate, decimals)}</data>`;

/** Rows of the same settings as one, by all of their names. */
export function underOneName<Row extends NamedScore>({ parameters }: Study, rows: readonly Row[]): Row[] {
  const found = new Map<string, Row>();
  for (const row of rows) {
    const key = settingsKey(parameters, row.scored);
    const first = found.get(key);
    found.set(key, first === undefined ? row : { ...first, name: `${first.name}, ${row.name}` });
  }
  return [...found.values()];
}

export function figures(list: readonly (Picture | null)[]): Markup | null {
  const drawn = list.filter((picture) => picture !== null).map(figure);
  return drawn.length === 0 ? null : html`${drawn}`;
}
