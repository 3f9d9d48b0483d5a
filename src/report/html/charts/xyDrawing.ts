// Points and lines over two value axes as SVG.
import { widestColumns } from "../../terminalText.ts";
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
  /** Printed beside the mark, where it lies on fewest others. */
  readonly label?: string;
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
  const labels = labelTexts(
    points.map(({ x: atX, y: atY, label }) => ({ x: xOf(atX), y: yOf(atY), label })),
    widthPx,
  );
  return [
    `<path d="${grid.join("")}" stroke="var(--line)"/>`,
    `<g text-anchor="middle">${xTexts.join("")}${titles.join("")}</g><g text-anchor="end">${yTexts.join("")}</g>`,
    ...paths,
    ...marks,
    `<g class="ink" text-anchor="middle" paint-order="stroke" stroke="var(--surface)" stroke-width="4">${labels.join("")}</g>`,
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

/** A rectangle around its centre. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
}

const COLUMN_PX = 6.5;
const MARK_PX = 8;
/** Of a label from its mark: above, below, beside, and further away. */
const LABEL_RISES = [-14, 16, 0, -30, 32];

/** Each label right or left of its mark, between both sides, on as few marks and labels as possible. */
function labelTexts(
  marks: readonly { readonly x: number; readonly y: number; readonly label: string | undefined }[],
  widthPx: number,
): readonly string[] {
  const taken: Box[] = marks.map(({ x, y }) => ({ x, y, halfWidth: MARK_PX, halfHeight: MARK_PX }));
  return marks.flatMap(({ x, y, label }) => {
    if (label === undefined) return [];
    const halfWidth = (COLUMN_PX * widestColumns([label])) / 2;
    const places = LABEL_RISES.flatMap((rise) =>
      [1, -1].map((side) => ({ x: x + side * (MARK_PX + halfWidth), y: y + rise, halfWidth, halfHeight: 7 })),
    );
    const cost = (place: Box): number => {
      const isOutside = place.x < LEFT_PX + halfWidth || widthPx - halfWidth < place.x || place.y < TOP_PX;
      return taken.filter((other) => overlap(place, other)).length + (isOutside ? taken.length : 0);
    };
    const best = places.reduce((a, b) => (cost(b) < cost(a) ? b : a));
    taken.push(best);
    return [`<text x="${tenths(best.x)}" y="${tenths(best.y + 4)}">${escapeHtml(label)}</text>`];
  });
}

const overlap = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) < a.halfWidth + b.halfWidth && Math.abs(a.y - b.y) < a.halfHeight + b.halfHeight;

const tenths = (value: number): number => Math.round(10 * value) / 10;
