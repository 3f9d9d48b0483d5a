// Horizontal bars as HTML: the text has its usual size on every screen and on paper, and names wrap.
import { PRINTED_MIN } from "../page/format.ts";
import { html, type Markup, trustedMarkup } from "../page/markup.ts";
import type { Translate } from "../page/pageLocale.ts";
import type { ColourName } from "../page/palette.ts";
import { type Tick, type ValueTicks, valueTicks } from "./axisTicks.ts";
import type { ChartSpec, DrawnChart, LegendEntry } from "./chart.ts";

/** A coloured piece of a track, between two values of the axis. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly colour: ColourName;
  /** Its name and its value in the list that the pointer opens. */
  readonly label: string;
  readonly valueText: string;
  /** Default: a bar. */
  readonly shape?: "pale" | "line" | "dot";
}

export interface BarTrack {
  readonly bars: readonly Bar[];
  /** Printed at the end of the track. */
  readonly text?: string;
}

export interface BarRow {
  readonly name: string;
  /** Second line of the name. */
  readonly detail?: string;
  readonly tracks: readonly BarTrack[];
}

interface BarAxis extends ValueTicks {
  readonly title: string;
}

interface BarChart {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly altText: string;
  readonly legend: readonly LegendEntry[];
  readonly axis: BarAxis;
  readonly rows: readonly BarRow[];
}

/** Occurs in pages with bar charts only. */
const BARS_MARK = '<div class="bars"';

const STEPS_MAX = 6;

/** An axis with 0 and the ends of all bars. */
export const barAxis = (title: string, rows: readonly BarRow[]): BarAxis => ({
  title,
  ...valueTicks(
    rows.flatMap(({ tracks }) => tracks.flatMap(({ bars }) => bars.flatMap(({ from, to }) => [from, to]))),
    STEPS_MAX,
  ),
});

/** One track with its pieces side by side, from 0. */
export function stackedTrack(parts: readonly (Omit<Bar, "from" | "to"> & { readonly value: number })[]): BarTrack {
  let from = 0;
  return {
    bars: parts
      .filter(({ value }) => PRINTED_MIN <= value)
      .map(({ value, ...part }) => ({ ...part, from, to: (from += value) })),
  };
}

export const barChartSpec = ({ axis, rows, ...chart }: BarChart): ChartSpec => ({
  ...chart,
  draw: (drawn) => drawBars(drawn, axis, rows),
});

function drawBars({ altText }: DrawnChart, axis: BarAxis, rows: readonly BarRow[]): Markup {
  const texts = rows.flatMap(({ tracks }) =>
    tracks.flatMap(({ text, bars }) => (text === undefined ? [] : [{ text, bars }])),
  );
  const left = roomOf(texts.filter(({ bars }) => endsBelowZero(bars)));
  const right = Math.max(TICK_ROOM, roomOf(texts.filter(({ bars }) => !endsBelowZero(bars))));
  const style = `--step:${stepOf(axis)};--left:${left}ch;--right:${right}ch`;
  return html`${trustedMarkup(BARS_MARK)} role="img" aria-label="${altText}" style="${style}">
${rows.map((row) => rowMarkup(row, axis))}<div class="axis"><span>${axis.ticks.map((tick) => tickMarkup(tick, axis))}</span><b>${axis.title}</b></div>
</div>`;
}

/** Room for half a label of the last tick, in digits. */
const TICK_ROOM = 3;

const roomOf = (texts: readonly { readonly text: string }[]): number =>
  texts.reduce((most, { text }) => Math.max(most, text.length + 1), 0);

/** Distance and offset of the grid lines, for a background of the tracks. */
function stepOf({ ticks, ...axis }: BarAxis): string {
  if (ticks.length < 2) return "100%;--offset:0%";
  const step = shareOf(ticks[1].at, axis) - shareOf(ticks[0].at, axis);
  // A percentage of a background's position is one of the space that the image leaves.
  const offset = step === 1 ? 0 : shareOf(ticks[0].at, axis) / (1 - step);
  return `${percent(step)};--offset:${percent(offset)}`;
}

function rowMarkup({ name, detail, tracks }: BarRow, axis: BarAxis): Markup {
  const bars = tracks.flatMap((track) => track.bars);
  const title = [
    detail === undefined ? name : `${name}, ${detail}`,
    ...bars.map(({ label, valueText }) => `${label}\t${valueText}`),
  ].join("\n");
  return html`<div class="row" title="${title}"><span class="name">${name}${detail !== undefined && html`<small>${detail}</small>`}</span><span class="tracks">${tracks.map((track) => trackMarkup(track, axis))}</span></div>
`;
}

const trackMarkup = ({ bars, text }: BarTrack, axis: BarAxis): Markup =>
  html`<span class="track">${bars.map((bar) => barMarkup(bar, axis))}${text !== undefined && textMarkup(text, bars, axis)}</span>`;

function barMarkup({ from, to, colour, shape }: Bar, axis: BarAxis): Markup {
  const left = shareOf(Math.min(from, to), axis);
  const width = Math.abs(shareOf(to, axis) - shareOf(from, axis));
  return trustedMarkup(
    `<i${shape === undefined ? "" : ` class="${shape}"`} style="left:${percent(left)};width:${percent(width)};--swatch:var(--${colour})"></i>`,
  );
}

const endsBelowZero = (bars: readonly Bar[]): boolean => bars.some(({ to }) => to < 0);

function textMarkup(text: string, bars: readonly Bar[], axis: BarAxis): Markup {
  const end = bars.reduce((last, { to }) => (Math.abs(last) < Math.abs(to) ? to : last), 0);
  const place = end < 0 ? `right:${percent(1 - shareOf(end, axis))}` : `left:${percent(shareOf(end, axis))}`;
  return html`<b style="${place}">${text}</b>`;
}

const tickMarkup = ({ at, label }: Tick, axis: BarAxis): Markup =>
  html`<i style="left:${percent(shareOf(at, axis))}">${label}</i>`;

const shareOf = (at: number, { min, max }: Pick<BarAxis, "min" | "max">): number => (at - min) / (max - min);
const percent = (share: number): string => `${Math.round(share * 1e5) / 1e3}%`;

/** Bars from 0 with their values; those that print as 0.0 are omitted, `null` without any. */
export function valueBars(
  bars: readonly {
    readonly name: string;
    readonly detail?: string;
    readonly value: number;
    readonly text: string;
    readonly colour: ColourName;
  }[],
  chart: Omit<BarChart, "axis" | "rows" | "altText" | "legend"> & { readonly axisTitle: string },
  t: Translate,
): ChartSpec | null {
  const shown = bars.filter(({ value }) => PRINTED_MIN <= value);
  if (shown.length === 0) return null;
  const rows = shown.map(({ name, detail, value, text, colour }): BarRow => {
    const bar = { from: 0, to: value, colour, label: chart.axisTitle, valueText: text };
    return { name, ...(detail === undefined ? {} : { detail }), tracks: [{ bars: [bar], text }] };
  });
  const { axisTitle, ...rest } = chart;
  return barChartSpec({
    ...rest,
    altText: t("chart.bars_alt", {
      title: chart.title,
      bars: shown.map(({ name, text }) => `${name} ${text}`).join(t("list.separator")),
    }),
    legend: [],
    axis: barAxis(axisTitle, rows),
    rows,
  });
}
