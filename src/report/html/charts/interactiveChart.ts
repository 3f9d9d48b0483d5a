// Data of the interactive charts, as compact text inside the page.
import type { Polyline } from "../../../accounting/recorders/polyline.ts";
import type { EpochMs } from "../../../base/time.ts";
import { html, type Markup, trustedMarkup } from "../page/markup.ts";
import type { ColourName } from "../page/palette.ts";
import { type BlockRow, rowHeightPx } from "./timeBlocks.ts";
import type { TimeSpan } from "./timeSpan.ts";

export interface TimeCurve {
  readonly label: string;
  readonly colour: ColourName;
  readonly unit: "kW" | "%";
  readonly curve: Polyline;
  readonly isDashed?: boolean;
  /** Filled down to 0. */
  readonly isFilled?: boolean;
}

/** An area between two values over a period. */
export interface Shade {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly fromValue: number;
  readonly toValue: number;
  readonly colour: ColourName;
  readonly label: string;
}

/** What `browser/timeCharts.js` draws. */
export interface InteractiveChart {
  readonly title: string;
  readonly altText: string;
  /** Title of the left axis, with its unit. */
  readonly axisTitle: string;
  readonly curves: readonly TimeCurve[];
  readonly rows: readonly BlockRow[];
  readonly shades: readonly Shade[];
}

/** Interactive charts in one place of the page; a reader chooses one of several by its title. */
export interface InteractiveCharts {
  readonly charts: readonly InteractiveChart[];
  readonly timezone: string;
  readonly span: TimeSpan;
  /** Label of the choice. */
  readonly chooseLabel: string;
}

/** Occurs in pages with interactive charts only. */
export const INTERACTIVE_MARK = 'class="chart-live"';

/** Values are embedded in tenths: the decimals that the tables show. */
const PER_UNIT = 10;

/** The data element for the script; `<` is escaped, so that no text can end it. */
export function interactiveMarkup({ charts, timezone, span, chooseLabel }: InteractiveCharts): Markup {
  const rows = [...new Set(charts.flatMap((chart) => chart.rows))];
  const data = { rows: rows.map(rowToJson), charts: charts.map((chart) => toJson(chart, rows)) };
  const text = JSON.stringify(data).replaceAll("<", "\\u003c");
  return html`<div ${trustedMarkup(INTERACTIVE_MARK)} data-zone="${timezone}" data-start="${span.startMs}" data-end="${span.endMs}" data-choose="${chooseLabel}"><script type="application/json">${trustedMarkup(text)}</script></div>`;
}

const rowToJson = (row: BlockRow) => ({
  title: row.title,
  heightPx: rowHeightPx(row),
  blocks: row.blocks.map(({ startMs, endMs, colour, label, text }) => [
    Math.round(startMs),
    Math.round(endMs),
    colour,
    label,
    ...(text === label ? [] : [text]),
  ]),
});

/** Rows are numbered, since the charts of all sites of a VPP share those of its awards. */
const toJson = (
  { title, altText, axisTitle, curves, rows, shades }: InteractiveChart,
  allRows: readonly BlockRow[],
) => ({
  title,
  altText,
  axisTitle,
  curves: curves.map(({ label, colour, unit, curve, isDashed, isFilled }) => ({
    label,
    colour,
    unit,
    ...(isDashed && { dashed: 1 }),
    ...(isFilled && { filled: 1 }),
    points: encodePolyline(curve),
  })),
  rows: rows.map((row) => allRows.indexOf(row)),
  shades: shades.map(({ startMs, endMs, fromValue, toValue, colour, label }) => [
    Math.round(startMs),
    Math.round(endMs),
    Math.round(fromValue * PER_UNIT) / PER_UNIT,
    Math.round(toValue * PER_UNIT) / PER_UNIT,
    colour,
    label,
  ]),
});

/**
 * Differences of consecutive instants and values as variable-length integers in base64.
 *
 * Instants are in units of `unitMs`, the largest of 1 min, 1 s and 1 ms that divides all; values in tenths.
 */
export function encodePolyline({ atMs, values }: Polyline): { readonly unitMs: number; readonly data: string } {
  const instants = Array.from(atMs, Math.round);
  const unitMs = [60_000, 1000].find((unit) => instants.every((at) => at % unit === 0)) ?? 1;
  const bytes: number[] = [];
  let [lastAt, lastValue] = [0, 0];
  instants.forEach((at, k) => {
    const value = Math.round(values[k] * PER_UNIT);
    // The middle one of three equal values in a row is not needed, as in `PolylineRecorder`.
    const isMiddle =
      0 < k &&
      k + 1 < instants.length &&
      value === Math.round(values[k - 1] * PER_UNIT) &&
      value === Math.round(values[k + 1] * PER_UNIT);
    if (isMiddle) return;
    pushInteger(bytes, at / unitMs - lastAt);
    pushInteger(bytes, value - lastValue);
    lastAt = at / unitMs;
    lastValue = value;
  });
  return { unitMs, data: Buffer.from(bytes).toString("base64") };
}

/** Zigzag, then groups of seven bits, the lowest first. */
function pushInteger(bytes: number[], value: number): void {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  while (127 < rest) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}
