// Upright bars of months, days or hours, stacked up and down from 0, as HTML: the text has its usual size on every page.
import { html, type Markup, trustedMarkup } from "../page/markup.ts";
import type { ColourName } from "../page/palette.ts";
import { valueTicks } from "./axisTicks.ts";
import type { ChartSpec, LegendEntry } from "./chart.ts";
import { type AxisLabel, gridLines, percent, plotFrame } from "./plotFrame.ts";

interface ColumnSeries {
  readonly label: string;
  readonly colour: ColourName;
  /** Default: a bar; a line marks a value of its own. */
  readonly shape?: "hatch" | "line";
  readonly values: readonly number[];
}

export interface ColumnChart {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly altText: string;
  readonly unit: string;
  /** Labels below the columns, and their full names for the pointer. */
  readonly columns: readonly { readonly label: string; readonly fullLabel: string }[];
  readonly series: readonly ColumnSeries[];
  readonly format: (value: number) => string;
}

const HEIGHT_PX = 190;
const STEPS_MAX = 4;
/** Labels below the columns: of short names, as of months, and of longer ones. */
const LABELS_MAX = { short: 12, long: 7 };
const SHORT_LETTERS = 4;

export function columnChartSpec({ series, columns, unit, format, ...chart }: ColumnChart): ChartSpec {
  const stacks = columns.map((_, k) => stackOf(series, k));
  const { min, max, ticks } = valueTicks(
    stacks.flatMap((bars) => bars.flatMap(({ from, to }) => [from, to])),
    STEPS_MAX,
  );
  const shareOf = (value: number): number => (max - value) / (max - min);
  const rows: AxisLabel[] = ticks.map(({ at, label }) => ({ share: shareOf(at), label }));
  const isShort = columns.every(({ label }) => label.length <= SHORT_LETTERS);
  const every = Math.ceil(columns.length / LABELS_MAX[isShort ? "short" : "long"]);
  const labels = columns.flatMap(({ label }, k) =>
    k % every === 0 ? [{ share: (k + 0.5) / columns.length, label }] : [],
  );
  const column = (k: number): Markup => {
    const lines = series.map(({ label, values }) => `${label}\t${format(values[k])}${"\u00a0"}${unit}`);
    return html`<span class="column" title="${[columns[k].fullLabel, ...lines].join("\n")}" style="left:${percent(k / columns.length)};width:${percent(1 / columns.length)}">${stacks[k].map((bar) => barMarkup(bar, shareOf))}</span>`;
  };
  return {
    ...chart,
    legend: series.map(({ label, colour, shape }): LegendEntry => ({ label, colour, ...(shape && { shape }) })),
    draw: ({ altText }) =>
      plotFrame({
        altText,
        heightPx: HEIGHT_PX,
        unit,
        rows,
        columns: labels,
        content: html`${gridLines(rows, shareOf(0))}<div class="bars-up">${columns.map((_, k) => column(k))}</div>`,
      }),
  };
}

interface StackedBar {
  readonly from: number;
  readonly to: number;
  readonly colour: ColourName;
  readonly shape: "hatch" | "line" | undefined;
}

/** Positive values upwards, negative ones downwards, lines at their own value. */
function stackOf(series: readonly ColumnSeries[], k: number): StackedBar[] {
  let [up, down] = [0, 0];
  return series.map(({ colour, shape, values }) => {
    const value = values[k];
    if (shape === "line") return { from: value, to: value, colour, shape };
    const from = value < 0 ? down : up;
    if (value < 0) down += value;
    else up += value;
    return { from, to: from + value, colour, shape };
  });
}

function barMarkup({ from, to, colour, shape }: StackedBar, shareOf: (value: number) => number): Markup {
  const top = shareOf(Math.max(from, to));
  const height = shareOf(Math.min(from, to)) - top;
  if (height === 0 && shape !== "line") return html``;
  return trustedMarkup(
    `<i${shape === undefined ? "" : ` class="${shape}"`} style="top:${percent(top)};height:${percent(height)};--swatch:var(--${colour})"></i>`,
  );
}
