// Data of the interactive charts, as compact text inside the page.
import type { Polyline } from "../../../accounting/recorders/polyline.ts";
import { LONG_RUN_MS } from "../../../accounting/recorders/timeline.ts";
import { base64Text } from "../../../base/bytes.ts";
import type { EpochMs } from "../../../base/time.ts";
import { html, type Markup, trustedMarkup } from "../page/markup.ts";
import type { ColourName } from "../page/palette.ts";
import type { ChartJson, ChartsJson, PolylineJson, RowJson } from "./chartJson.ts";
import type { TimeBand } from "./envelopeData.ts";
import { type BlockRow, rowHeightPx } from "./timeBlocks.ts";

/** The period of a chart. */
export interface TimeSpan {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

export interface TimeCurve {
  readonly label: string;
  readonly colour: ColourName;
  /** kW, kWh, a price or %, which has an axis of its own. */
  readonly unit: string;
  readonly curve: Polyline;
  readonly isDashed?: boolean;
  /** Filled down to 0. */
  readonly isFilled?: boolean;
}

/** An area between two straight lines over a period; values at its start and at its end. */
export interface Shade {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly fromValues: readonly [number, number];
  readonly toValues: readonly [number, number];
  readonly colour: ColourName;
  readonly label: string;
}

/** What `src/dashboard/report/timeCharts.ts` draws. */
export interface InteractiveChart {
  readonly title: string;
  readonly altText: string;
  /** Title of the left axis, with its unit. */
  readonly axisTitle: string;
  readonly curves: readonly TimeCurve[];
  /** In place of the curves in the drawing, and where no zoom shows ten days or less; none: always curves. */
  readonly bands?: readonly TimeBand[];
  readonly rows: readonly BlockRow[];
  readonly shades: readonly Shade[];
}

/** Interactive charts in one place of the page; a reader chooses one of several by its title. */
export interface InteractiveCharts {
  readonly charts: readonly InteractiveChart[];
  readonly timezone: string;
  readonly span: TimeSpan;
  /** `null`: one chart. */
  readonly choice: {
    readonly label: string;
    /** Of the chart that is shown first. */
    readonly first: number;
    /** Figures above that contain some of the rows. */
    readonly rowsOf: readonly { readonly figure: string; readonly rows: readonly BlockRow[] }[];
  } | null;
}

/** Occurs in pages with interactive charts only. */
export const INTERACTIVE_MARK = 'class="chart-live"';

/** Values are embedded in tenths: the decimals that the tables show. */
const PER_UNIT = 10;

/** The data element for the script; `<` is escaped, so that no text can end it. */
export function interactiveMarkup({ charts, timezone, span, choice }: InteractiveCharts): Markup {
  const shared = new Map(
    (choice?.rowsOf ?? []).flatMap(({ figure, rows }) => rows.map((row, k) => [row, [figure, k] as const] as const)),
  );
  const rows = [...new Set(charts.flatMap((chart) => chart.rows))].filter((row) => !shared.has(row));
  const placeOf = (row: BlockRow) => shared.get(row) ?? rows.indexOf(row);
  const colours = new ColourList();
  const data: ChartsJson = {
    start: span.startMs,
    end: span.endMs,
    zone: timezone,
    ...(choice === null ? {} : { choose: choice.label, first: choice.first }),
    rows: rows.map((row) => rowToJson(row, span, colours)),
    charts: charts.map((chart) => toJson(chart, placeOf, colours)),
    curvesMaxMs: LONG_RUN_MS,
    colours: colours.names,
  };
  const text = JSON.stringify(data).replaceAll("<", "\\u003c");
  const script = trustedMarkup(`<script type="application/json">${text}</script>`);
  return html`<div ${trustedMarkup(INTERACTIVE_MARK)}>${script}</div>`;
}

/** Colours by their number, in order of first use. */
class ColourList {
  readonly names: ColourName[] = [];

  indexOf(colour: ColourName): number {
    const known = this.names.indexOf(colour);
    return known < 0 ? this.names.push(colour) - 1 : known;
  }
}

function rowToJson({ title, blocks, ...row }: BlockRow, { startMs }: TimeSpan, colours: ColourList): RowJson {
  const instants = blocks.map(
    (block) => [Math.round(block.startMs - startMs), Math.round(block.endMs - startMs)] as const,
  );
  const unitMs = unitOf(instants.flat());
  let last = 0;
  return {
    title,
    heightPx: rowHeightPx({ title, blocks, ...row }),
    unitMs,
    blocks: blocks.map(({ colour, label, note }, k) => {
      const [from, to] = instants[k];
      const gap = (from - last) / unitMs;
      last = to;
      const block = [gap, (to - from) / unitMs, colours.indexOf(colour), label] as const;
      return note === "" ? block : [...block, note];
    }),
  };
}

/** The largest of 1 min, 1 s and 1 ms that divides all. */
const unitOf = (instants: readonly number[]): number =>
  [60_000, 1000].find((unit) => instants.every((at) => at % unit === 0)) ?? 1;

const toJson = (
  { title, altText, axisTitle, curves, bands = [], rows, shades }: InteractiveChart,
  placeOf: (row: BlockRow) => number | readonly [figure: string, row: number],
  colours: ColourList,
): ChartJson => ({
  title,
  altText,
  axisTitle,
  curves: curves.map(({ label, colour, unit, curve, isDashed, isFilled }) => ({
    label,
    colour,
    unit,
    ...(isDashed && { dashed: 1 as const }),
    ...(isFilled && { filled: 1 as const }),
    points: encodePolyline(curve),
  })),
  bands: bands.map(({ label, unit, kind, names }) => ({ label, unit, kind, names })),
  rows: rows.map(placeOf),
  shades: shades.map(({ startMs, endMs, fromValues, toValues, colour, label }) => [
    Math.round(startMs),
    Math.round(endMs),
    [inTenths(fromValues[0]), inTenths(fromValues[1])],
    [inTenths(toValues[0]), inTenths(toValues[1])],
    colours.indexOf(colour),
    label,
  ]),
});

const inTenths = (value: number): number => Math.round(value * PER_UNIT) / PER_UNIT;

function encodePolyline({ atMs, values }: Polyline): PolylineJson {
  const instants = Array.from(atMs, Math.round);
  const unitMs = unitOf(instants);
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
  return { unitMs, data: base64Text(Uint8Array.from(bytes)) };
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
