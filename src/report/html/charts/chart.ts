import { escapeHtml, html, type Markup, trustedMarkup } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import type { ColourName } from "../page/palette.ts";
import { type EnvelopeData, envelopeMarkup } from "./envelopeData.ts";
import { type InteractiveCharts, interactiveMarkup } from "./interactiveChart.ts";

/** A chart with its title, caption and legend. */
export interface ChartSpec {
  /** Unique in the page; letters, digits and hyphens. */
  readonly id: string;
  readonly title: string | Markup;
  /** What is shown, in which unit, and how to read it. */
  readonly caption: string;
  /** Text alternative for screen readers. */
  readonly altText: string;
  readonly legend: readonly LegendEntry[];
  /** The drawing: on paper, without scripts, and on screen where the chart has no interactive form. */
  readonly draw: (chart: DrawnChart) => Markup;
  /** Replaces the drawing on screen where scripts run. */
  readonly interactive?: InteractiveCharts;
  /** Data that a band shows, and that programs can read. */
  readonly envelopes?: EnvelopeData;
}

/** What a drawing needs of its chart. */
export interface DrawnChart {
  readonly id: string;
  readonly altText: string;
  readonly interactive?: InteractiveCharts;
}

export interface LegendEntry {
  readonly label: string;
  readonly colour: ColourName;
  readonly isDashed?: boolean;
  /** A line or an area of hatches in place of a filled area. */
  readonly shape?: "line" | "hatch";
}

/** An SVG chart is drawn in several sizes, so that its text is legible on a phone and not enlarged on a broad page. */
export interface ChartSize {
  readonly widthPx: number;
  readonly isNarrow: boolean;
}

const SIZES: ReadonlyMap<"wide" | "narrow" | "broad", ChartSize> = new Map([
  ["wide", { widthPx: 860, isNarrow: false }],
  ["narrow", { widthPx: 360, isNarrow: true }],
  ["broad", { widthPx: 1600, isNarrow: false }],
]);

/** A figure with title, legend, drawing, interactive data and caption. */
export function renderFigure(chart: ChartSpec): Markup {
  return html`<figure id="${chart.id}">
<h3>${chart.title}</h3>
${legend(chart)}
${chart.draw(chart)}${chart.envelopes !== undefined && envelopeMarkup(chart.envelopes)}${chart.interactive !== undefined && interactiveMarkup(chart.interactive)}
<figcaption>${chart.caption}</figcaption>
</figure>`;
}

/** A map in place of a chart that would be a solid block; the chart is folded below it, for a zoom. */
export const withHeat = (heat: ChartSpec | null, chart: ChartSpec, { t }: Pick<PageLocale, "t">): Markup =>
  heat === null
    ? renderFigure(chart)
    : html`${renderFigure(heat)}<details><summary>${t("months.curves")}</summary>${renderFigure(chart)}</details>`;

/** Several figures, and tables that belong to them: in two columns of about equal height where the page is wide. */
export const renderFigures = (charts: readonly ChartSpec[], tables: readonly Markup[] = []): Markup =>
  html`<div class="figures">${charts.map(renderFigure)}${tables}</div>`;

/** Of a figure with a choice, the script writes the legend of the chosen chart. */
function legend({ legend: entries, interactive }: ChartSpec): Markup | null {
  if (entries.length < 2) return null;
  const items = entries.map(({ label, colour, isDashed, shape = "" }) => {
    const swatch = `<i class="swatch ${isDashed ? "dashed" : shape}" style="--swatch:var(--${colour})"></i>`;
    return html`<li>${trustedMarkup(swatch)}${label}</li>`;
  });
  const isDrawnOnly =
    (interactive?.charts.length ?? 0) > 1 && !interactive?.charts.some(({ bands = [] }) => bands.length > 0);
  return html`<ul class="legend${isDrawnOnly && " drawn-only"}">${items}</ul>`;
}

/** The SVG element of each size around the elements that `draw` returns. On a broad page an interactive chart replaces its drawing. */
export function svgInSizes(
  { altText, interactive }: DrawnChart,
  heightPx: number,
  draw: (size: ChartSize) => { readonly className: string; readonly elements: string },
): Markup {
  const drawings = [...SIZES].flatMap(([name, size]) => {
    if (name === "broad" && interactive !== undefined) return [];
    const { className, elements } = draw(size);
    const classes = `chart ${name} ${className}`.trim();
    return [
      `<svg class="${classes}" role="img" aria-label="${escapeHtml(altText)}" viewBox="0 0 ${size.widthPx} ${heightPx}">${elements}</svg>`,
    ];
  });
  const svgs = drawings.join("\n");
  return trustedMarkup(interactive === undefined ? `<div class="sizes">${svgs}</div>` : svgs);
}

/** Shortens a long name; the tables have the full one. */
export function shortenName(name: string, size: ChartSize): string {
  const lengthMax = size.isNarrow ? 14 : 28;
  const singleLine = name.replace(/\s+/g, " ");
  return singleLine.length <= lengthMax ? singleLine : `${singleLine.slice(0, lengthMax - 1)}…`;
}
