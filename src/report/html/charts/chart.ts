import type { EChartsOption } from "echarts";
// The one-file build: it loads in 50-70 ms, `echarts/core` with its charts, components and renderer in 360-520 ms,
// because Node then opens some hundreds of small files.
import { init } from "echarts/dist/echarts.esm.min";
import { formatFixed } from "../page/format.ts";
import { escapeHtml, html, type Markup, trustedMarkup } from "../page/markup.ts";
import { type ColourName, colourPlaceholder, replaceColourPlaceholders } from "../page/palette.ts";

/** One picture with all the words that it needs. */
export interface ChartSpec {
  /** Unique in the page; letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  /** What is shown, in which unit, and how to read it. */
  readonly caption: string;
  /** The message of the picture for those who do not see it. */
  readonly altText: string;
  readonly legend: readonly LegendEntry[];
  readonly buildOption: (size: ChartSize) => EChartsOption;
  readonly heightPx: number;
}

export interface LegendEntry {
  readonly label: string;
  readonly colour: ColourName;
  readonly isDashed?: boolean;
}

/** Each picture is drawn twice, so that its text keeps its size on a telephone. */
export interface ChartSize {
  readonly widthPx: number;
  readonly isNarrow: boolean;
}

const SIZES: readonly ChartSize[] = [
  { widthPx: 1040, isNarrow: false },
  { widthPx: 360, isNarrow: true },
];

/** A figure with title, legend, the two drawings and caption. */
export function renderFigure(picture: ChartSpec): Markup {
  return html`<figure id="${picture.id}">
<h3>${picture.title}</h3>
${legend(picture.legend)}
${SIZES.map((size) => renderSvg(picture, size))}
<figcaption>${picture.caption}</figcaption>
</figure>`;
}

function legend(entries: readonly LegendEntry[]): Markup | null {
  if (entries.length < 2) return null;
  const items = entries.map(({ label, colour, isDashed: dashed }) => {
    const swatch = `<i class="swatch${dashed ? " dashed" : ""}" style="--swatch:var(--${colour})"></i>`;
    return html`<li>${trustedMarkup(swatch)}${label}</li>`;
  });
  return html`<ul class="legend">${items}</ul>`;
}

function renderSvg(picture: ChartSpec, size: ChartSize): Markup {
  const { heightPx: height } = picture;
  const chart = init(null, null, { renderer: "svg", ssr: true, width: size.widthPx, height });
  chart.setOption({
    animation: false,
    backgroundColor: "transparent",
    textStyle: { fontFamily: "inherit" },
    ...picture.buildOption(size),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  const kind = size.isNarrow ? "narrow" : "wide";
  const opening = `<svg class="chart ${kind}" role="img" aria-label="${escapeHtml(picture.altText)}" viewBox="0 0 ${size.widthPx} ${height}">`;
  return trustedMarkup(opening + normaliseSvg(svg, `${picture.id}-${kind}`));
}

/**
 * What follows the opening tag, without what only a live chart needs (hover classes, pointer marks, style sheet).
 * Ids hold a counter of the whole process: they are named after the picture instead, so that equal input gives equal bytes.
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

/** Looks that every axis shares. */
export const axisStyle = {
  axisLine: { lineStyle: { color: colourPlaceholder("asked") } },
  axisTick: { lineStyle: { color: colourPlaceholder("line") } },
  splitLine: { lineStyle: { color: colourPlaceholder("line") } },
  axisLabel: { color: colourPlaceholder("muted"), fontSize: 12 },
  nameTextStyle: { color: colourPlaceholder("muted"), fontSize: 12 },
};

/** A value axis whose labels need no locale; `unit` stands at its end. */
export const valueAxis = (unit: string) => ({
  ...axisStyle,
  type: "value" as const,
  name: unit,
  axisLabel: { ...axisStyle.axisLabel, formatter: (value: number) => formatAxis(value) },
});

/** Room for the labels of the axes around the plot. */
export const plotArea = { left: 10, right: 22, top: 30, bottom: 10, containLabel: true };

/** The same for bars that lie: names stand on the left, and may be set in a wider font than ECharts reckons with. */
export const horizontalPlotArea = { ...plotArea, left: 36, right: 50, top: 10 };

/** The axis of bars that lie: a name for every one of them, the first on top. */
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

/** Shortens a name that would push the plot aside; the whole name stands in the tables. */
export function shortenName(name: string, size: ChartSize): string {
  const most = size.isNarrow ? 14 : 28;
  const plain = name.replace(/\s+/g, " ");
  return plain.length <= most ? plain : `${plain.slice(0, most - 1)}…`;
}
