// The drawing of a time chart as SVG, for paper and for readers without scripts.
import { thinned } from "../../../accounting/recorders/polyline.ts";
import { escapeHtml } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import type { ColourName } from "../page/palette.ts";
import { type ValueTicks, valueTicks } from "./axisTicks.ts";
import type { ChartSize } from "./chart.ts";
import type { TimeBand } from "./envelopeData.ts";
import type { InteractiveChart, Shade, TimeCurve, TimeSpan } from "./interactiveChart.ts";
import { mergeNear, rowHeightPx, type TimeBlock } from "./timeBlocks.ts";

export interface TimeChart extends InteractiveChart {
  readonly id: string;
  readonly caption: string;
  readonly locale: PageLocale;
  readonly span: TimeSpan;
}

const PLOT_HEIGHT_PX = 250;
const TOP_PX = 12;
const BELOW_PX = 34;
const POINTS_MAX = { wide: 1000, narrow: 350 };
const STEPS_MAX = 7;
const PERCENT_TICKS = valueTicks([0, 100], 5);

/** Rows of blocks are above the plot. */
const plotTopPx = ({ rows }: Pick<TimeChart, "rows">): number =>
  rows.reduce((top, row) => top + rowHeightPx(row), TOP_PX) + (rows.length > 0 ? 8 : 0);

export const drawingHeightPx = (chart: TimeChart): number => plotTopPx(chart) + PLOT_HEIGHT_PX + BELOW_PX;

/** The plot in pixels, and the axes that map onto it. */
interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly xOf: (atMs: number) => number;
  readonly yOf: (unit: TimeCurve["unit"], value: number) => number;
  readonly axes: readonly { readonly unit: TimeCurve["unit"]; readonly title: string; readonly values: ValueTicks }[];
}

/** @returns the elements of the SVG */
export function drawTimeChart(chart: TimeChart, size: ChartSize): string {
  const plot = plotOf(chart, size);
  const { bands = [] } = chart;
  const content =
    bands.length > 0
      ? bands.map((band) => bandPaths(band, plot))
      : [...chart.curves.map((curve) => curvePath(curve, plot, size)), ...shadePaths(chart.shades, plot)];
  return [
    ...(bands.length > 0 ? [...content, gridLines(plot)] : [gridLines(plot), ...content]),
    axisTexts(plot),
    timeTexts(chart, plot, size),
    blockRows(chart, plot),
  ].join("\n");
}

function plotOf(chart: TimeChart, { widthPx, isNarrow }: ChartSize): Plot {
  const { curves, bands = [], shades, span } = chart;
  const units = [...new Set((bands.length > 0 ? bands : curves).map(({ unit }) => unit))];
  const [left, right] = [isNarrow ? 80 : 96, widthPx - (units.length > 1 ? 58 : 24)];
  const top = plotTopPx(chart);
  const bottom = top + PLOT_HEIGHT_PX;
  const axes = units.map((unit, k) => {
    const ends =
      bands.length > 0
        ? bands.filter((band) => band.unit === unit).flatMap(({ min, max }) => [...endsOf(min), ...endsOf(max)])
        : curves.filter((curve) => curve.unit === unit).flatMap(({ curve }) => endsOf(curve.values));
    const shaded = shades.flatMap(({ fromValues, toValues }) => [...fromValues, ...toValues]);
    const values = unit === "%" ? PERCENT_TICKS : valueTicks([...ends, ...shaded], STEPS_MAX);
    return { unit, title: k === 0 ? chart.axisTitle : chart.locale.t("chart.soc_axis"), values };
  });
  const rangeOf = new Map(axes.map(({ unit, values }) => [unit, values]));
  return {
    left,
    right,
    top,
    bottom,
    axes,
    startMs: span.startMs,
    endMs: span.endMs,
    xOf: (atMs) => left + ((right - left) * (atMs - span.startMs)) / (span.endMs - span.startMs),
    yOf: (unit, value) => {
      const { min, max } = rangeOf.get(unit) ?? PERCENT_TICKS;
      return bottom - (PLOT_HEIGHT_PX * (value - min)) / (max - min);
    },
  };
}

/** The lowest and the highest value, and 0. */
const endsOf = (values: Float64Array): number[] => [
  values.reduce((low, value) => (value < low ? value : low), 0),
  values.reduce((high, value) => (high < value ? value : high), 0),
];

function gridLines({ left, right, axes, yOf }: Plot): string {
  const [{ unit, values }] = axes;
  const lines = values.ticks.map(({ at }) => `M${left} ${tenths(yOf(unit, at))}H${right}`).join("");
  const zero = `M${left} ${tenths(yOf(unit, 0))}H${right}`;
  return `<path d="${lines}" stroke="var(--line)"/><path d="${zero}" stroke="var(--neutral)"/>`;
}

function axisTexts({ left, right, top, bottom, axes, yOf }: Plot): string {
  return axes
    .map(({ unit, title, values }, k) => {
      const [x, anchor] = k === 0 ? [left - 8, ' text-anchor="end"'] : [right + 8, ""];
      const labels = values.ticks.map(
        ({ at, label }) => `<text x="${x}" y="${tenths(yOf(unit, at) + 4)}">${label}</text>`,
      );
      const titleX = k === 0 ? left - 62 : right + 48;
      const middle = (top + bottom) / 2;
      return `<g${anchor}>${labels.join("")}</g><text text-anchor="middle" transform="translate(${titleX} ${middle})rotate(-90)">${escapeHtml(title)}</text>`;
    })
    .join("");
}

function timeTexts({ locale, span }: TimeChart, { bottom, xOf }: Plot, { isNarrow }: ChartSize): string {
  const all = locale.ticksBetween(span.startMs, span.endMs);
  const every = isNarrow ? Math.max(1, Math.ceil(all.length / 5)) : 1;
  const ticks = all.filter((_, k) => k % every === 0);
  const marks = ticks.map(({ atMs }) => `M${tenths(xOf(atMs))} ${bottom}v5`).join("");
  const labels = ticks.map(
    ({ atMs, label }) => `<text x="${tenths(xOf(atMs))}" y="${bottom + 20}">${escapeHtml(label)}</text>`,
  );
  return `<path d="${marks}" stroke="var(--neutral)"/><g text-anchor="middle">${labels.join("")}</g>`;
}

function curvePath({ curve, colour, unit, isDashed, isFilled }: TimeCurve, plot: Plot, size: ChartSize): string {
  const { atMs, values } = thinned(curve, size.isNarrow ? POINTS_MAX.narrow : POINTS_MAX.wide);
  if (atMs.length === 0) return "";
  // With the dense steps of a year, thick lines would cover the shortfall.
  const width = atMs.length > 1000 ? 0.7 : 1.6;
  const points = Array.from(atMs, (at, k) => [plot.xOf(at), plot.yOf(unit, values[k])] as const);
  // The filled area ends at 0; its vertical sides lie on the edges of the plot.
  const zeroY = plot.yOf(unit, 0);
  const ends = isFilled ? [[points[0][0], zeroY] as const, [points[points.length - 1][0], zeroY] as const] : [];
  const path = pathOf(isFilled ? [ends[0], ...points, ends[1]] : points);
  const fill = isFilled ? ` fill="var(--${colour})" fill-opacity=".3"` : "";
  const dash = isDashed ? ' stroke-dasharray="5 4"' : "";
  return `<path d="${path}" stroke="var(--${colour})" stroke-width="${width}"${fill}${dash}/>`;
}

/** From the lowest to the highest value of each bin, darker in the middle, with the mean as a line. */
function bandPaths({ bins, min, max, mean, middle, unit }: TimeBand, plot: Plot): string {
  const borders = Array.from({ length: bins.count + 1 }, (_, k) => {
    const atMs = bins.startMs + k * bins.binMs;
    return plot.xOf(Math.min(Math.max(atMs, plot.startMs), plot.endMs));
  });
  const steps = (values: Float64Array) =>
    Array.from(values).flatMap((value, k) =>
      Number.isNaN(value) ? [] : [borders[k], borders[k + 1]].map((x) => [x, plot.yOf(unit, value)] as const),
    );
  const area = (low: Float64Array, high: Float64Array, colour: ColourName) =>
    `<path d="${pathOf([...steps(high), ...steps(low).reverse()])}z" fill="var(--${colour})"/>`;
  return [
    area(min, max, middle === undefined ? "h1" : "h0"),
    middle === undefined ? "" : area(middle.low, middle.high, "h1"),
    `<path d="${pathOf(steps(mean))}" stroke="var(--ink)" stroke-width="1.4"/>`,
  ].join("");
}

/** Relative lines in tenths of a pixel; points that change no tenth, or lie on a horizontal line, are left out. */
function pathOf(points: readonly (readonly [number, number])[]): string {
  let [lastX, lastY] = points[0].map((value) => Math.round(10 * value));
  let path = `M${lastX / 10} ${lastY / 10}`;
  let levelPx = 0;
  const addLevel = (): void => {
    if (levelPx !== 0) path += `h${short(levelPx)}`;
    levelPx = 0;
  };
  for (const [x, y] of points.slice(1)) {
    const [dx, dy] = [Math.round(10 * x) - lastX, Math.round(10 * y) - lastY];
    [lastX, lastY] = [lastX + dx, lastY + dy];
    if (dy === 0) levelPx += dx;
    else {
      addLevel();
      path += dx === 0 ? `v${short(dy)}` : `l${short(dx)}${dy < 0 ? "" : " "}${short(dy)}`;
    }
  }
  addLevel();
  return path;
}

/** Tenths as a number without a leading zero. */
const short = (tenth: number): string => String(tenth / 10).replace(/^(-?)0\./, "$1.");
const tenths = (value: number): number => Math.round(10 * value) / 10;

/** One path per colour. */
function shadePaths(shades: readonly Shade[], { xOf, yOf }: Plot): string[] {
  const byColour = new Map<ColourName, string>();
  for (const { startMs, endMs, fromValues, toValues, colour } of shades) {
    const x = xOf(startMs);
    const right = Math.max(x + 1, xOf(endMs));
    const [[from, fromEnd], [to, toEnd]] = [fromValues, toValues].map((values) =>
      values.map((value) => tenths(yOf("kW", value))),
    );
    const area = `M${tenths(x)} ${from}L${tenths(right)} ${fromEnd}V${toEnd}L${tenths(x)} ${to}z`;
    byColour.set(colour, (byColour.get(colour) ?? "") + area);
  }
  return [...byColour].map(([colour, path]) => `<path d="${path}" fill="var(--${colour})" fill-opacity=".75"/>`);
}

const rectangle = (x: number, y: number, width: number, height: number): string =>
  `M${tenths(x)} ${tenths(y)}h${tenths(width)}v${tenths(height)}h${-tenths(width)}z`;

/** Titles of the rows, and blocks with a coloured edge and as much of their label as fits. */
function blockRows(chart: TimeChart, plot: Plot): string {
  const { rows, span } = chart;
  const rowTops = rows.map((_, k) => rows.slice(0, k).reduce((top, row) => top + rowHeightPx(row), TOP_PX));
  const titles = rows.map(
    ({ title }, k) =>
      `<text x="${plot.left - 8}" y="${rowTops[k] + rowHeightPx(rows[k]) / 2 + 2}">${escapeHtml(title)}</text>`,
  );
  const msPerPx = (span.endMs - span.startMs) / (plot.right - plot.left);
  const surfaces = new Map<ColourName, string>();
  const edges = new Map<ColourName, string>();
  const labels: string[] = [];
  mergeNear(rows, 2 * msPerPx).forEach((row, k) => {
    const [y, height] = [rowTops[k], rowHeightPx(row) - 4];
    for (const block of row.blocks) {
      const x = plot.xOf(block.startMs);
      const width = Math.max(2, plot.xOf(block.endMs) - x - 1);
      const { colour } = block;
      surfaces.set(colour, (surfaces.get(colour) ?? "") + rectangle(x, y, width, height));
      edges.set(colour, (edges.get(colour) ?? "") + rectangle(x, y + height - 3, width, 3));
      labels.push(...labelLines(block, x, y, width));
    }
  });
  return [
    `<g text-anchor="end" class="small">${titles.join("")}</g>`,
    ...[...surfaces].map(([colour, path]) => `<path d="${path}" fill="var(--${colour})" fill-opacity=".28"/>`),
    ...[...edges].map(([colour, path]) => `<path d="${path}" fill="var(--${colour})"/>`),
    `<g class="small ink">${labels.join("")}</g>`,
  ].join("");
}

const labelLines = ({ label }: TimeBlock, x: number, y: number, width: number): string[] =>
  label.split("\n").flatMap((line, k) => {
    const text = k === 0 ? fittingLabel(line, width) : fitsIn(line, width) ? line : "";
    return text === "" ? [] : [`<text x="${tenths(x + 4)}" y="${y + 11 + 13 * k}">${escapeHtml(text)}</text>`];
  });

/** A letter is about 6 px wide. */
const lettersIn = (widthPx: number): number => Math.floor((widthPx - 7) / 6);
const fitsIn = (label: string, widthPx: number): boolean => label.length <= lettersIn(widthPx);

/** As much of a label as fits, at least three letters. */
function fittingLabel(label: string, widthPx: number): string {
  if (fitsIn(label, widthPx)) return label;
  const letters = lettersIn(widthPx);
  return letters < 4 ? "" : `${label.slice(0, letters - 1)}…`;
}
