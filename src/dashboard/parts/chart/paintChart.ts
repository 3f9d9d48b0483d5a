import type uPlot from "uplot";
import { formatNumber } from "../../format/numbers.ts";
import { blockRows, type CauseArea, type ChartSpec, causeAreas, limitLabelRight } from "./chartSpec.ts";

/** Reads a colour token of the page. */
export const tokenColour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Colour of a cause; muted where the page has none for it. */
const causeToken = (cause: string): string => tokenColour(`cause-${cause}`) || tokenColour("muted");

export const CHART_FONT = '12px Inter, "Noto Sans", "Noto Sans JP", system-ui, sans-serif';
/** Height of one row of blocks, in CSS pixels. */
const BLOCK_ROW_PX = 24;
/** Height of the row of marks. */
const MARK_ROW_PX = 20;

/** Height of the part above the plot without blocks and marks, in CSS pixels. */
const EMPTY_HEAD_PX = 8;

/** Height of blocks and marks above the plot. */
export function headPx(spec: ChartSpec): number {
  if (!spec.hasHead) return EMPTY_HEAD_PX;
  const rows = spec.blocks.length === 0 ? 1 : Math.max(...blockRows(spec.blocks)) + 1;
  return headPxOf(Math.min(rows, BLOCK_ROWS_MAX));
}

const headPxOf = (rows: number): number => 6 + BLOCK_ROW_PX * rows + MARK_ROW_PX;

/** Height of a chart whose plot has a height where no blocks overlap. More rows of blocks take theirs from the plot. */
export const chartPx = ({ hasHead }: ChartSpec, plotPx: number): number =>
  plotPx + (hasHead ? headPxOf(1) : EMPTY_HEAD_PX);

const BLOCK_ROWS_MAX = 4;

/** What the painters need: the chart, what it shows, and pixels of the canvas per CSS pixel. */
export interface Painting {
  readonly u: uPlot;
  readonly spec: ChartSpec;
  readonly ratio: number;
}

/** Before axes and lines: the future is shaded. */
export function paintFuture({ u, spec }: Painting): void {
  const { ctx, bbox } = u;
  const left = Math.max(bbox.left, u.valToPos(spec.nowS, "x", true));
  const right = bbox.left + bbox.width;
  if (right <= left) return;
  ctx.save();
  ctx.fillStyle = tokenColour("tint");
  ctx.fillRect(left, bbox.top, right - left, bbox.height);
  ctx.restore();
}

/** Before the lines: missing power until the present instant as hatched areas. */
export function paintCauses(painting: Painting): void {
  const { u, spec } = painting;
  if (spec.causes.length === 0) return;
  const { ctx, bbox } = u;
  const right = Math.min(bbox.left + bbox.width, u.valToPos(spec.nowS, "x", true));
  if (right <= bbox.left) return;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, right - bbox.left, bbox.height);
  ctx.clip();
  const fills = spec.causes.map(({ cause }) => hatchOf(painting, causeToken(cause)) ?? causeToken(cause));
  for (const area of causeAreas(spec)) {
    pathOf(painting, area);
    ctx.fillStyle = tokenColour("surface");
    ctx.fill();
    ctx.fillStyle = fills[area.cause];
    ctx.fill();
  }
  ctx.restore();
}

/** The outline of an area, at least a pixel wide. */
function pathOf({ u, ratio }: Painting, { fromS, toS, from, to }: CauseArea): void {
  const { ctx } = u;
  const left = u.valToPos(fromS, "x", true);
  const right = Math.max(left + ratio, u.valToPos(toS, "x", true));
  const y = (value: number) => u.valToPos(value, "y", true);
  ctx.beginPath();
  ctx.moveTo(left, y(from[0]));
  ctx.lineTo(right, y(to[0]));
  ctx.lineTo(right, y(to[1]));
  ctx.lineTo(left, y(from[1]));
  ctx.closePath();
}

/** Diagonal lines in a colour, so that an area is known without its colour. */
function hatchOf({ u, ratio }: Painting, colour: string): CanvasPattern | null {
  const size = Math.round(6 * ratio);
  const tile = document.createElement("canvas");
  tile.width = size;
  tile.height = size;
  const ctx = tile.getContext("2d");
  if (ctx === null) return null;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2 * ratio;
  for (const shift of [-size, 0, size]) {
    ctx.beginPath();
    ctx.moveTo(shift - 1, size + 1);
    ctx.lineTo(shift + size + 1, -1);
    ctx.stroke();
  }
  return u.ctx.createPattern(tile, "repeat");
}

/** After the lines: limits, the present instant, blocks and marks. */
export function paintOver(painting: Painting): void {
  const { ctx } = painting.u;
  ctx.save();
  ctx.font = scaledFont(painting.ratio);
  paintLimits(painting);
  paintNow(painting);
  paintBlocks(painting);
  paintMarks(painting);
  ctx.restore();
}

const scaledFont = (ratio: number): string => CHART_FONT.replace("12px", `${12 * ratio}px`);

function paintLimits({ u, spec, ratio }: Painting): void {
  const { ctx, bbox } = u;
  const end = bbox.left + bbox.width;
  for (const { fromS, toS, value, label } of spec.limits) {
    const [left, right] = [u.valToPos(fromS, "x", true), u.valToPos(toS, "x", true)];
    const y = u.valToPos(value, "y", true);
    if (y < bbox.top || bbox.top + bbox.height < y || right < bbox.left || end < left) continue;
    ctx.strokeStyle = tokenColour("requested");
    ctx.lineWidth = ratio;
    ctx.setLineDash([2 * ratio, 4 * ratio]);
    line(ctx, [Math.max(left, bbox.left), y], [Math.min(right, end), y]);
    ctx.setLineDash([]);
    const labelRight = limitLabelRight({
      from: Math.max(left, bbox.left),
      to: Math.min(right, end),
      now: u.valToPos(spec.nowS, "x", true),
      width: ctx.measureText(label).width,
      gap: 4 * ratio,
    });
    if (labelRight === null) continue;
    paintLabelGround(ctx, labelRight, y, { width: ctx.measureText(label).width, ratio });
    ctx.fillStyle = tokenColour("muted");
    ctx.textAlign = "right";
    ctx.textBaseline = "bottom";
    ctx.fillText(label, labelRight, y - 2 * ratio);
  }
}

/** A ground of its own keeps a label legible over the hatching of a cause. */
function paintLabelGround(
  ctx: CanvasRenderingContext2D,
  right: number,
  bottom: number,
  { width, ratio }: { readonly width: number; readonly ratio: number },
): void {
  const [margin, height] = [3 * ratio, 16 * ratio];
  ctx.fillStyle = tokenColour("surface");
  ctx.fillRect(right - width - margin, bottom - height, width + 2 * margin, height - ratio);
}

function paintNow({ u, spec, ratio }: Painting): void {
  const { ctx, bbox } = u;
  const x = u.valToPos(spec.nowS, "x", true);
  if (x < bbox.left || bbox.left + bbox.width < x) return;
  ctx.strokeStyle = tokenColour("ink");
  ctx.lineWidth = 1.5 * ratio;
  line(ctx, [x, bbox.top - 4 * ratio], [x, bbox.top + bbox.height]);
}

function line(ctx: CanvasRenderingContext2D, [x0, y0]: readonly number[], [x1, y1]: readonly number[]): void {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}

function paintBlocks({ u, spec, ratio }: Painting): void {
  const { ctx, bbox } = u;
  const rows = blockRows(spec.blocks);
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  spec.blocks.forEach(({ fromS, toS, label }, k) => {
    const left = Math.max(bbox.left, u.valToPos(fromS, "x", true));
    const right = Math.min(bbox.left + bbox.width, u.valToPos(toS, "x", true));
    if (right <= left || rows[k] >= BLOCK_ROWS_MAX) return;
    const top = (4 + BLOCK_ROW_PX * rows[k]) * ratio;
    const height = (BLOCK_ROW_PX - 4) * ratio;
    ctx.fillStyle = tokenColour("tint");
    ctx.fillRect(left, top, right - left, height);
    ctx.strokeStyle = tokenColour("ink");
    ctx.lineWidth = 1.5 * ratio;
    ctx.strokeRect(left + ratio, top, Math.max(1, right - left - 2 * ratio), height);
    ctx.fillStyle = tokenColour("ink");
    ctx.fillText(fittingText(ctx, label, right - left - 12 * ratio), left + 6 * ratio, top + height / 2);
  });
}

/** As much of a text as fits; nothing below three letters. */
export function fittingText(ctx: CanvasRenderingContext2D, text: string, width: number): string {
  if (ctx.measureText(text).width <= width) return text;
  for (let letters = text.length - 1; letters >= 3; letters--) {
    const shortened = `${text.slice(0, letters)}…`;
    if (ctx.measureText(shortened).width <= width) return shortened;
  }
  return "";
}

/** Marks nearer to each other than this share a box with their number. */
const MARK_DISTANCE_PX = 18;

function paintMarks({ u, spec, ratio }: Painting): void {
  const { ctx, bbox } = u;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  let group: { x: number; count: number } | null = null;
  const flush = () => {
    if (group === null) return;
    const { x, count } = group;
    const size = 14 * ratio;
    const y = bbox.top - (MARK_ROW_PX - 8) * ratio;
    ctx.strokeStyle = tokenColour("ink");
    ctx.lineWidth = ratio;
    ctx.setLineDash([3 * ratio, 3 * ratio]);
    line(ctx, [x, y + size / 2], [x, bbox.top + bbox.height]);
    ctx.setLineDash([]);
    ctx.fillStyle = tokenColour("raised");
    ctx.fillRect(x - size / 2, y - size / 2, size, size);
    ctx.strokeRect(x - size / 2, y - size / 2, size, size);
    ctx.fillStyle = tokenColour("ink");
    ctx.fillText(count === 1 ? "!" : String(Math.min(99, count)), x, y + ratio);
  };
  for (const { atS } of spec.marks) {
    const x = u.valToPos(atS, "x", true);
    if (x < bbox.left || bbox.left + bbox.width < x) continue;
    if (group !== null && x - group.x < MARK_DISTANCE_PX * ratio) group.count++;
    else {
      flush();
      group = { x, count: 1 };
    }
  }
  flush();
}

/** Text of the values at an instant. */
export const valueText = (value: number, unit: string): string => `${formatIn(value, unit)}\u00a0${unit}`;

/** One decimal; three of a frequency, whose deviations are hundredths. */
export const formatIn = (value: number, unit: string): string => formatNumber(value, unit === "Hz" ? 3 : 1);
