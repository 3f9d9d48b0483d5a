// Frames of charts whose shapes scale with the page and whose text does not: axes are HTML around the shapes.
import { html, type Markup, trustedMarkup } from "../page/markup.ts";

/** A label at a share of an axis, from left or from top. */
export interface AxisLabel {
  readonly share: number;
  readonly label: string;
}

interface Frame {
  readonly altText: string;
  readonly heightPx: number;
  /** Above the left axis. */
  readonly unit: string;
  readonly rows: readonly AxisLabel[];
  readonly columns: readonly AxisLabel[];
  /** Whether labels of columns stand right of their mark, as the names of months do. */
  readonly startLabels?: true;
  readonly content: Markup;
}

export const percent = (share: number): string => `${Math.round(share * 1e5) / 1e3}%`;

/** The shapes in a frame with labels left of them and below. */
export function plotFrame({ altText, heightPx, unit, rows, columns, startLabels, content }: Frame): Markup {
  const row = ({ share, label }: AxisLabel) => html`<span style="top:${percent(share)}">${label}</span>`;
  const rowLetters = rows.reduce((most, { label }) => Math.max(most, label.length), 0);
  const column = ({ share, label }: AxisLabel) => html`<span style="left:${percent(share)}">${label}</span>`;
  return html`<div class="plot" role="img" aria-label="${altText}" style="--height:${heightPx}px;--row-letters:${rowLetters}ch"><div class="unit">${unit}</div><div class="rows" aria-hidden="true">${rows.map(row)}</div><div class="area">${content}</div><div class="columns${startLabels && " starts"}" aria-hidden="true">${columns.map(column)}</div></div>`;
}

/** Lines across the shapes at shares of the height. */
export const gridLines = (rows: readonly AxisLabel[], zeroShare: number): Markup =>
  trustedMarkup(
    rows
      .map(
        ({ share }) => `<hr${Math.abs(share - zeroShare) < 1e-9 ? ' class="zero"' : ""} style="top:${percent(share)}">`,
      )
      .join(""),
  );

/** SVG whose unit is a cell, stretched to the frame. */
export const stretched = (width: number, height: number, content: string): Markup =>
  trustedMarkup(
    `<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" class="drawn" aria-hidden="true">${content}</svg>`,
  );
