import { figure, type Picture } from "../../report/html/chart.ts";
import { numberCell } from "../../report/html/format.ts";
import { html, type Markup } from "../../report/html/markup.ts";
import type { Estimate } from "../estimate.ts";
import { estimateText } from "./words.ts";

/** A mean with its interval, to be sorted by the mean. */
export const estimateCell = (estimate: Estimate | null, decimals: number): Markup =>
  estimate === null
    ? numberCell(null, 0)
    : html`<data value="${estimate.mean}">${estimateText(estimate, decimals)}</data>`;

export function figures(list: readonly (Picture | null)[]): Markup | null {
  const drawn = list.filter((picture) => picture !== null).map(figure);
  return drawn.length === 0 ? null : html`${drawn}`;
}
