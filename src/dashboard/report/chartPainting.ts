import type uPlot from "uplot";
import { fittingText } from "../parts/chart/paintChart.ts";
import type { Chart, Period } from "./chartData.ts";

const TOP_PX = 12;

/** What the painters need: the plot, its chart, the period shown, and colours by their tokens. */
export interface Painting {
  readonly u: uPlot;
  readonly chart: Chart;
  readonly period: Period;
  readonly colour: (token: string) => string;
}

/** Height of the rows of blocks above the plot. */
export const rowsHeightPx = ({ rows }: Chart): number =>
  rows.reduce((sum, { heightPx }) => sum + heightPx, TOP_PX) + (rows.length > 0 ? 8 : 0);

const isShown = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }, { min, max }: Period): boolean =>
  min <= toMs && fromMs <= max;

/** Missing power above the curves. */
export function paintShades({ u, chart, period, colour }: Painting): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.globalAlpha = 0.75;
  const y = (value: number) => u.valToPos(value, "kW", true);
  for (const shade of chart.shades) {
    if (!isShown(shade, period)) continue;
    const { fromMs, toMs, from, to } = shade;
    const left = u.valToPos(fromMs, "x", true);
    const right = Math.max(left + 1, u.valToPos(toMs, "x", true));
    ctx.fillStyle = colour(shade.colour);
    ctx.beginPath();
    ctx.moveTo(left, y(from[0]));
    ctx.lineTo(right, y(from[1]));
    ctx.lineTo(right, y(to[1]));
    ctx.lineTo(left, y(to[0]));
    ctx.fill();
  }
  ctx.restore();
}

/** The rows of blocks above the plot, with their titles left of it. */
export function paintBlocks(painting: Painting): void {
  const { u, chart, period, colour } = painting;
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.textBaseline = "middle";
  let top = TOP_PX * ratio;
  for (const { title, heightPx, blocks } of chart.rows) {
    const height = (heightPx - 4) * ratio;
    ctx.font = `${11 * ratio}px system-ui, sans-serif`;
    ctx.textAlign = "right";
    ctx.fillStyle = colour("muted");
    ctx.fillText(title, bbox.left - 8 * ratio, top + height / 2, bbox.left - 8 * ratio);
    ctx.textAlign = "left";
    for (const block of blocks) if (isShown(block, period)) paintBlock(painting, block, { top, height, ratio });
    top += heightPx * ratio;
  }
  ctx.restore();
}

function paintBlock(
  { u, colour }: Painting,
  { fromMs, toMs, colour: token, label }: Chart["rows"][number]["blocks"][number],
  { top, height, ratio }: { readonly top: number; readonly height: number; readonly ratio: number },
): void {
  const { ctx, bbox } = u;
  const left = Math.max(bbox.left, u.valToPos(fromMs, "x", true));
  const right = Math.min(bbox.left + bbox.width, u.valToPos(toMs, "x", true));
  const width = Math.max(2 * ratio, right - left - ratio);
  ctx.fillStyle = colour(token);
  ctx.globalAlpha = 0.28;
  ctx.fillRect(left, top, width, height);
  ctx.globalAlpha = 1;
  ctx.fillRect(left, top + height - 3 * ratio, width, 3 * ratio);
  ctx.fillStyle = colour("ink");
  const textWidth = width - 7 * ratio;
  label.split("\n").forEach((line, k) => {
    const isWhole = ctx.measureText(line).width <= textWidth;
    // Only the first line is shortened.
    const text = isWhole ? line : k === 0 ? fittingText(ctx, line, textWidth) : "";
    ctx.fillText(text, left + 4 * ratio, top + (8 + 13 * k) * ratio);
  });
}
