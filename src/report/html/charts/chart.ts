import type { EChartsOption } from "echarts";
// The one-file build: it loads in 50-70 ms, `echarts/core` with its charts, components and renderer in 360-520 ms,
// because Node then opens some hundreds of small files.
import { init } from "echarts/dist/echarts.esm.min";
import { formatFixed } from "../page/format.ts";
import { escapeHtml, html, type Markup, trusted } from "../page/markup.ts";
import { type ColourName, ink, withCssColours } from "../page/palette.ts";

/** One picture with all the words that it needs. */
export interface Picture {
  /** Unique in the page; letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  /** What is shown, in which unit, and how to read it. */
  readonly caption: string;
  /** The message of the picture for those who do not see it. */
  readonly alt: string;
  readonly legend: readonly LegendEntry[];
  readonly option: (size: ChartSize) => EChartsOption;
  readonly height: number;
}

export interface LegendEntry {
  readonly label: string;
  readonly colour: ColourName;
  readonly dashed?: boolean;
}

/** Each picture is drawn twice, so that its text keeps its size on a telephone. */
export interface ChartSize {
  readonly width: number;
  readonly narrow: boolean;
}

const SIZES: readonly ChartSize[] = [
  { width: 1040, narrow: false },
  { width: 360, narrow: true },
];

/** A figure with title, legend, the two drawings and caption. */
export function figure(picture: Picture): Markup {
  return html`<figure id="${picture.id}">
<h3>${picture.title}</h3>
${legend(picture.legend)}
${SIZES.map((size) => draw(picture, size))}
<figcaption>${picture.caption}</figcaption>
</figure>`;
}

function legend(entries: readonly LegendEntry[]): Markup | null {
  if (entries.length < 2) return null;
  const items = entries.map(({ label, colour, dashed }) => {
    const swatch = `<i class="swatch${dashed ? " dashed" : ""}" style="--swatch:var(--${colour})"></i>`;
    return html`<li>${trusted(swatch)}${label}</li>`;
  });
  return html`<ul class="legend">${items}</ul>`;
}

function draw(picture: Picture, size: ChartSize): Markup {
  const { height } = picture;
  const chart = init(null, null, { renderer: "svg", ssr: true, width: size.width, height });
  chart.setOption({
    animation: false,
    backgroundColor: "transparent",
    textStyle: { fontFamily: "inherit" },
    ...picture.option(size),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  const kind = size.narrow ? "narrow" : "wide";
  const opening = `<svg class="chart ${kind}" role="img" aria-label="${escapeHtml(picture.alt)}" viewBox="0 0 ${size.width} ${height}">`;
  return trusted(opening + tidied(svg, `${picture.id}-${kind}`));
}

/**
 * What follows the opening tag, without what only a live chart needs (hover classes, pointer marks, style sheet).
 * Ids hold a counter of the whole process: they are named after the picture instead, so that equal input gives equal bytes.
 */
function tidied(svg: string, id: string): string {
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
  return withCssColours(renamed);
}

/** Looks that every axis shares. */
export const axisLook = {
  axisLine: { lineStyle: { color: ink("asked") } },
  axisTick: { lineStyle: { color: ink("line") } },
  splitLine: { lineStyle: { color: ink("line") } },
  axisLabel: { color: ink("muted"), fontSize: 12 },
  nameTextStyle: { color: ink("muted"), fontSize: 12 },
};

/** A value axis whose labels need no locale; `unit` stands at its end. */
export const valueAxis = (unit: string) => ({
  ...axisLook,
  type: "value" as const,
  name: unit,
  axisLabel: { ...axisLook.axisLabel, formatter: (value: number) => formatAxis(value) },
});

/** Room for the labels of the axes around the plot. */
export const plotArea = { left: 10, right: 22, top: 30, bottom: 10, containLabel: true };

/** The same for bars that lie: names stand on the left, and may be set in a wider font than ECharts reckons with. */
export const lyingPlotArea = { ...plotArea, left: 36, right: 50, top: 10 };

/** The axis of bars that lie: a name for every one of them, the first on top. */
export const lyingNames = (names: readonly string[]) => ({
  ...axisLook,
  type: "category" as const,
  inverse: true,
  axisTick: { show: false },
  axisLabel: { ...axisLook.axisLabel, interval: 0 },
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
export function shortened(name: string, size: ChartSize): string {
  const most = size.narrow ? 14 : 28;
  const plain = name.replace(/\s+/g, " ");
  return plain.length <= most ? plain : `${plain.slice(0, most - 1)}…`;
}
