import type { EChartsOption } from "echarts";
// The single-file build loads in 50-70 ms. `echarts/core` with charts, components and renderer takes 360-520 ms, because
// Node opens hundreds of small files.
import { init } from "echarts/dist/echarts.esm.min";
import { formatFixed } from "../page/format.ts";
import { escapeHtml, html, type Markup, trustedMarkup } from "../page/markup.ts";
import { type ColourName, colourPlaceholder, replaceColourPlaceholders } from "../page/palette.ts";
import { type InteractiveCharts, interactiveMarkup } from "./interactiveChart.ts";

/** A chart with its title, caption and legend. */
export interface ChartSpec {
  /** Unique in the page; letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  /** What is shown, in which unit, and how to read it. */
  readonly caption: string;
  /** Text alternative for screen readers. */
  readonly altText: string;
  readonly legend: readonly LegendEntry[];
  readonly buildOption: (size: ChartSize) => EChartsOption;
  readonly heightPx: number;
  /** Replaces the drawing on screen where scripts run. */
  readonly interactive?: InteractiveCharts;
}

export interface LegendEntry {
  readonly label: string;
  readonly colour: ColourName;
  readonly isDashed?: boolean;
}

/** Each chart is drawn in two sizes, so that its text is legible on a phone. */
export interface ChartSize {
  readonly widthPx: number;
  readonly isNarrow: boolean;
}

const SIZES: readonly ChartSize[] = [
  { widthPx: 860, isNarrow: false },
  { widthPx: 360, isNarrow: true },
];

/** A figure with title, legend, the two drawings, interactive data and caption. */
export function renderFigure(chart: ChartSpec): Markup {
  return html`<figure id="${chart.id}">
<h3>${chart.title}</h3>
${legend(chart.legend)}
${SIZES.map((size) => renderSvg(chart, size))}${chart.interactive !== undefined && interactiveMarkup(chart.interactive)}
<figcaption>${chart.caption}</figcaption>
</figure>`;
}

function legend(entries: readonly LegendEntry[]): Markup | null {
  if (entries.length < 2) return null;
  const items = entries.map(({ label, colour, isDashed }) => {
    const swatch = `<i class="swatch${isDashed ? " dashed" : ""}" style="--swatch:var(--${colour})"></i>`;
    return html`<li>${trustedMarkup(swatch)}${label}</li>`;
  });
  return html`<ul class="legend">${items}</ul>`;
}

function renderSvg(spec: ChartSpec, size: ChartSize): Markup {
  const { heightPx: height } = spec;
  const chart = init(null, null, { renderer: "svg", ssr: true, width: size.widthPx, height });
  chart.setOption({
    animation: false,
    backgroundColor: "transparent",
    textStyle: { fontFamily: "inherit" },
    ...spec.buildOption(size),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  const kind = size.isNarrow ? "narrow" : "wide";
  const opening = `<svg class="chart ${kind}" role="img" aria-label="${escapeHtml(spec.altText)}" viewBox="0 0 ${size.widthPx} ${height}">`;
  return trustedMarkup(opening + normaliseSvg(svg, `${spec.id}-${kind}`));
}

/**
 * The SVG after its opening tag, without the parts of an interactive chart (hover classes, pointer events, style sheet).
 * ECharts numbers ids with a process-wide counter; they are renamed after the chart, so that equal input gives equal bytes.
 */
function normaliseSvg(svg: string, id: string): string {
  const body = svg
    .slice(svg.indexOf(">") + 1)
    .replace(/<style\s*>[\s\S]*?<\/style>/g, "")
    .replace(/ (?:class|pointer-events|ecmeta_\w+)="[^"]*"/g, "")
    .replace(/<rect [^>]*fill="none"[^>]*><\/rect>/, "")
    .replace(/\n+/g, "\n")
    .trimStart();
  const names = new Map<string, string>();
  const renamed = body.replace(/\bzr\d+-[a-z]+-?\d+/g, (name) => {
    if (!names.has(name)) names.set(name, `${id}-${names.size}`);
    return names.get(name) ?? name;
  });
  return replaceColourPlaceholders(renamed);
}

/** Style of every axis. */
export const axisStyle = {
  axisLine: { lineStyle: { color: colourPlaceholder("neutral") } },
  axisTick: { lineStyle: { color: colourPlaceholder("line") } },
  splitLine: { lineStyle: { color: colourPlaceholder("line") } },
  axisLabel: { color: colourPlaceholder("muted"), fontSize: 12 },
  nameTextStyle: { color: colourPlaceholder("muted"), fontSize: 12 },
};

/** A value axis with locale-independent labels; `unit` is printed at its end. */
export const valueAxis = (unit: string) => ({
  ...axisStyle,
  type: "value" as const,
  name: unit,
  axisLabel: { ...axisStyle.axisLabel, formatter: (value: number) => formatAxis(value) },
});

/** A value axis below horizontal bars, with its title in the middle. */
export const horizontalValueAxis = (title: string) => ({
  ...valueAxis(title),
  nameLocation: "middle" as const,
  nameGap: 30,
});

/** Margins of the plot for its axis labels. */
export const plotArea = { left: 10, right: 22, top: 30, bottom: 10, containLabel: true };

/** For horizontal bars: the names on the left may be wider than ECharts computes, because it does not know the font. */
export const horizontalPlotArea = { ...plotArea, left: 36, right: 50, top: 10, bottom: 32 };

/** Category axis of horizontal bars: every name is printed, the first on top. */
export const horizontalBarAxis = (names: readonly string[]) => ({
  ...axisStyle,
  type: "category" as const,
  inverse: true,
  axisTick: { show: false },
  axisLabel: { ...axisStyle.axisLabel, interval: 0 },
  data: [...names],
});

/** As few decimals as the value needs, up to three. */
function formatAxis(value: number): string {
  for (const decimals of [0, 1, 2]) {
    const scaled = value * 10 ** decimals;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6) return formatFixed(value, decimals);
  }
  return formatFixed(value, 3);
}

/** Shortens a long name; the tables have the full one. */
export function shortenName(name: string, size: ChartSize): string {
  const lengthMax = size.isNarrow ? 14 : 28;
  const singleLine = name.replace(/\s+/g, " ");
  return singleLine.length <= lengthMax ? singleLine : `${singleLine.slice(0, lengthMax - 1)}…`;
}
