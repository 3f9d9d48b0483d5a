// Points and lines over two value axes as SVG.
import { escapeHtml } from "../page/markup.ts";
import type { ColourName } from "../page/palette.ts";
import type { ValueTicks } from "./axisTicks.ts";
import type { ChartSize } from "./chart.ts";

export interface XyAxis extends ValueTicks {
  readonly title: string;
}

export interface XyPoint {
  readonly x: number;
  readonly y: number;
  readonly colour: ColourName;
  readonly shape: "dot" | "ring" | "diamond";
  /** Lines for the pointer: a name, then names and values separated by tabs. */
  readonly title: string;
  /** Printed above the mark, or below it. */
  readonly label?: string;
  readonly labelBelow?: boolean;
}

interface XyLine {
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly colour: ColourName;
}

export interface XyPlot {
  readonly x: XyAxis;
  readonly y: XyAxis;
  readonly points: readonly XyPoint[];
  readonly lines: readonly XyLine[];
  readonly heightPx: number;
}

const LEFT_PX = 96;
const RIGHT_PX = 24;
const TOP_PX = 14;
const BOTTOM_PX = 48;

/** @returns the elements of the SVG */
export function drawXyPlot({ x, y, points, lines, heightPx }: XyPlot, { widthPx, isNarrow }: ChartSize): string {
  const [right, bottom] = [widthPx - RIGHT_PX, heightPx - BOTTOM_PX];
  const xOf = (at: number): number => tenths(LEFT_PX + ((right - LEFT_PX) * (at - x.min)) / (x.max - x.min));
  const yOf = (at: number): number => tenths(bottom - ((bottom - TOP_PX) * (at - y.min)) / (y.max - y.min));
  const xTicks = x.ticks.filter((_, k) => !isNarrow || k % 2 === 0);
  const grid = [
    ...y.ticks.map(({ at }) => `M${LEFT_PX} ${yOf(at)}H${right}`),
    ...xTicks.map(({ at }) => `M${xOf(at)} ${TOP_PX}V${bottom}`),
  ];
  const xTexts = xTicks.map(({ at, label }) => `<text x="${xOf(at)}" y="${bottom + 18}">${label}</text>`);
  const yTexts = y.ticks.map(({ at, label }) => `<text x="${LEFT_PX - 8}" y="${yOf(at) + 4}">${label}</text>`);
  const titles = [
    `<text x="${(LEFT_PX + right) / 2}" y="${heightPx - 8}">${escapeHtml(x.title)}</text>`,
    `<text transform="translate(16 ${(TOP_PX + bottom) / 2})rotate(-90)">${escapeHtml(y.title)}</text>`,
  ];
  const paths = lines.map(({ points: ends, colour }) => {
    const path = ends.map(([atX, atY], k) => `${k === 0 ? "M" : "L"}${xOf(atX)} ${yOf(atY)}`).join("");
    return `<path d="${path}" stroke="var(--${colour})" stroke-width="2"/>`;
  });
  const marks = points.map((point) => markOf(point, xOf(point.x), yOf(point.y)));
  const labels = points.map((point) => labelOf(point, xOf(point.x), yOf(point.y), right));
  return [
    `<path d="${grid.join("")}" stroke="var(--line)"/>`,
    `<g text-anchor="middle">${xTexts.join("")}${titles.join("")}</g><g text-anchor="end">${yTexts.join("")}</g>`,
    ...paths,
    ...marks,
    `<g class="ink" paint-order="stroke" stroke="var(--surface)" stroke-width="4">${labels.join("")}</g>`,
  ].join("\n");
}

function markOf({ colour, shape, title }: XyPoint, x: number, y: number): string {
  const text = `<title>${escapeHtml(title)}</title>`;
  const fill = `fill="var(--${colour})"`;
  switch (shape) {
    case "dot":
      return `<circle cx="${x}" cy="${y}" r="3.5" ${fill}>${text}</circle>`;
    case "ring":
      return `<circle cx="${x}" cy="${y}" r="4.5" fill="var(--surface)" stroke="var(--${colour})" stroke-width="2">${text}</circle>`;
    case "diamond":
      return `<path d="M${x} ${y - 8}l8 8-8 8-8-8z" ${fill}>${text}</path>`;
  }
}

/** On the side of the mark with more room. */
function labelOf({ label, labelBelow }: XyPoint, x: number, y: number, right: number): string {
  if (label === undefined) return "";
  const isLeft = (LEFT_PX + right) / 2 < x;
  const anchor = isLeft ? ' text-anchor="end"' : "";
  return `<text x="${tenths(isLeft ? x - 8 : x + 8)}" y="${tenths(labelBelow === true ? y + 20 : y - 10)}"${anchor}>${escapeHtml(label)}</text>`;
}

const tenths = (value: number): number => Math.round(10 * value) / 10;
