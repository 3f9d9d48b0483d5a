import uPlot from "uplot";
import { formatNumber, tickDecimals } from "../../format/numbers.ts";
import type { TimeFormats } from "../../format/times.ts";
import { type ChartLine, type ChartSpec, rangeWithZero } from "./chartSpec.ts";
import { CHART_FONT, headPx, type Painting, paintCauses, paintFuture, paintOver, tokenColour } from "./paintChart.ts";

/** Callbacks of the plot to the component that shows it. */
export interface ChartHandlers {
  /** What is shown now. */
  readonly spec: () => ChartSpec;
  readonly onRead: (atS: number) => void;
  readonly onZoom: (period: readonly [number, number] | null) => void;
}

const AXIS_WIDTH_PX = 72;
/** For labels of a million and more. */
const WIDE_AXIS_WIDTH_PX = 104;
/** Letters of a label that fit into the narrow axis. */
const AXIS_LETTERS_MAX = 9;
/** Half of the last label of the time axis, which may stand at the end. */
const RIGHT_PX = 26;
/** A drag shorter than this is a click. */
const DRAG_PX_MIN = 6;
const HOUR_MS = 3_600_000;

/** The columns of the plot. */
export const chartData = ({ times, lines }: ChartSpec): uPlot.AlignedData =>
  [times, ...lines.map(({ values }) => values)] as uPlot.AlignedData;

export function chartOptions(
  spec: ChartSpec,
  size: { readonly width: number; readonly height: number },
  times: TimeFormats,
  { spec: current, onRead, onZoom }: ChartHandlers,
): uPlot.Options {
  const paint = (painter: (painting: Painting) => void) => (u: uPlot) =>
    painter({ u, spec: current(), ratio: uPlot.pxRatio });
  return {
    ...size,
    padding: [headPx(spec), RIGHT_PX, 0, 0],
    legend: { show: false },
    tzDate: (atS) => uPlot.tzDate(new Date(1_000 * atS), times.zone),
    cursor: {
      y: false,
      points: { size: 7 },
      drag: { x: true, y: false, setScale: false, dist: DRAG_PX_MIN },
      bind: { dblclick: () => () => resetZoom(onZoom) },
    },
    scales: {
      x: { time: true, min: spec.fromS, max: spec.toS },
      y: { range: (_u, low, high) => rangeOf(current(), low, high) },
    },
    axes: [timeAxis(times), valueAxis(spec.unit)],
    series: [{}, ...spec.lines.map(seriesOf)],
    hooks: {
      drawClear: [paint(paintFuture)],
      drawAxes: [paint(paintCauses)],
      draw: [paint(paintOver)],
      setCursor: [(u) => readPointer(u, onRead)],
      setSelect: [(u) => zoomToSelection(u, onZoom)],
    },
  };
}

/** With zero, the limits, and room for the causes, which lie between zero and the first line. */
function rangeOf({ range, limits }: ChartSpec, low: number | null, high: number | null): uPlot.Range.MinMax {
  if (range !== null) return [...range];
  const values = limits.map(({ value }) => value);
  return rangeWithZero(Math.min(low ?? 0, ...values), Math.max(high ?? 0, ...values));
}

export const gridStyle = (): uPlot.Axis.Grid => ({ stroke: () => tokenColour("line"), width: 1 });

export const axisStyle = (font: string): uPlot.Axis => ({
  stroke: () => tokenColour("muted"),
  font,
  grid: gridStyle(),
  ticks: { ...gridStyle(), size: 4 },
});

/** The day at midnight, otherwise the time. */
export function timeTick(times: TimeFormats, atMs: number, stepMs: number): string {
  const clock = times.clock(atMs);
  if (24 * HOUR_MS <= stepMs || clock === "00:00:00") return times.shortDay(atMs);
  return stepMs < 60_000 ? clock : times.time(atMs);
}

function timeAxis(times: TimeFormats): uPlot.Axis {
  return {
    ...axisStyle(CHART_FONT),
    size: 30,
    values: (_u, splits, _axis, _space, stepS) => splits.map((atS) => timeTick(times, 1_000 * atS, 1_000 * stepS)),
  };
}

function valueAxis(unit: string): uPlot.Axis {
  return {
    ...axisStyle(CHART_FONT),
    size: (_u, labels) =>
      labels?.some((label) => label.length > AXIS_LETTERS_MAX) ? WIDE_AXIS_WIDTH_PX : AXIS_WIDTH_PX,
    values: (_u, splits) => {
      const decimals = tickDecimals(splits);
      return splits.map((value, k) => `${formatNumber(value, decimals)}${k === splits.length - 1 ? ` ${unit}` : ""}`);
    },
  };
}

function seriesOf({ label, colour, shape, isDashed, isFilled }: ChartLine): uPlot.Series {
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  return {
    label,
    stroke: () => tokenColour(colour),
    width: 2,
    spanGaps: false,
    points: { show: false },
    ...(shape === "step" && stepped !== undefined ? { paths: stepped } : {}),
    ...(isDashed === true ? { dash: [6, 4] } : {}),
    ...(isFilled === true ? { fill: () => `${tokenColour("delivered-fill")}80`, fillTo: () => 0 } : {}),
  };
}

/** The pointer moves the reading line; leaving the plot keeps the last reading. */
function readPointer(u: uPlot, onRead: ChartHandlers["onRead"]): void {
  const { left, event } = u.cursor;
  // Moved by a key, or by data that came in.
  if (event === undefined || event === null || left === undefined || left < 0) return;
  onRead(Math.round(u.posToVal(left, "x")));
}

function resetZoom(onZoom: ChartHandlers["onZoom"]): null {
  onZoom(null);
  return null;
}

function zoomToSelection(u: uPlot, onZoom: ChartHandlers["onZoom"]): void {
  const { left, width } = u.select;
  if (width < DRAG_PX_MIN) return;
  const period = [u.posToVal(left, "x"), u.posToVal(left + width, "x")].map(Math.round);
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onZoom([period[0], period[1]]);
}
