// A chart of curves over time, with blocks of time above them: a drawing for print, and the data of the interactive chart.
import type { CustomSeriesRenderItem, EChartsOption } from "echarts";
import { thinned } from "../../../accounting/recorders/polyline.ts";
import { formatDuration } from "../page/format.ts";
import type { LocalClock } from "../page/localClock.ts";
import { colourPlaceholder } from "../page/palette.ts";
import { type ChartSize, type ChartSpec, valueAxis } from "./chart.ts";
import type { InteractiveChart, Shade, TimeCurve } from "./interactiveChart.ts";
import { timeAxis } from "./timeAxis.ts";
import { type BlockRow, mergeNear, rowHeightPx, type TimeBlock } from "./timeBlocks.ts";
import type { TimeSpan } from "./timeSpan.ts";

export interface TimeChart extends InteractiveChart {
  readonly id: string;
  readonly caption: string;
  readonly clock: LocalClock;
  readonly span: TimeSpan;
}

const PLOT_HEIGHT_PX = 250;
const TOP_PX = 12;
const POINTS_MAX = { wide: 1000, narrow: 350 };

/** The chart with its drawing and its interactive data. */
export function timeChartSpec(chart: TimeChart): ChartSpec {
  const { id, title, altText, curves, rows } = chart;
  return {
    id,
    title,
    caption: `${chart.caption}${thinningNote(curves)}`,
    altText,
    legend: curves.map(({ label, colour, isDashed, unit }) => ({
      label: curves.some((other) => other.unit !== unit) && unit === "%" ? `${label} (right)` : label,
      colour,
      ...(isDashed === undefined ? {} : { isDashed }),
    })),
    heightPx: plotTopPx(rows) + PLOT_HEIGHT_PX + 34,
    buildOption: (size) => buildOption(chart, size),
    interactive: {
      charts: [chart],
      timezone: chart.clock.timezone,
      span: chart.span,
      chooseLabel: "",
    },
  };
}

/** Says where the curves have been thinned. */
function thinningNote(curves: readonly TimeCurve[]): string {
  const thinnedMs = Math.max(0, ...curves.map(({ curve }) => curve.thinnedMs));
  return thinnedMs === 0
    ? ""
    : ` Curves are thinned to the first, lowest, highest and last value of every ${formatDuration(thinnedMs)}, so no extreme is lost.`;
}

/** Rows of blocks are above the plot. */
const plotTopPx = (rows: readonly BlockRow[]): number =>
  rows.reduce((top, row) => top + rowHeightPx(row), TOP_PX) + (rows.length > 0 ? 8 : 0);

function buildOption(chart: TimeChart, size: ChartSize): EChartsOption {
  const { clock, span, curves, rows } = chart;
  const left = size.isNarrow ? 80 : 96;
  const right = curves.some(isPercent) && curves.some(isPower) ? 58 : 24;
  const units = [...new Set(curves.map(({ unit }) => unit))];
  return {
    grid: { left, right, top: plotTopPx(rows), height: PLOT_HEIGHT_PX },
    graphic: rowTitles(rows, left - 8, size),
    xAxis: timeAxis(clock, span, size),
    yAxis: units.map((unit, k) => curveAxis(unit, k === 0 ? chart.axisTitle : "State of charge (%)", k)),
    series: [
      ...curves.map((curve) => curveSeries(curve, units.indexOf(curve.unit), size)),
      shadeSeries(chart.shades),
      blockSeries(chart, size),
    ],
  };
}

const rowTitles = (rows: readonly BlockRow[], rightPx: number, size: ChartSize) =>
  rows.map((row, k) => ({
    type: "text" as const,
    x: rightPx,
    y: rows.slice(0, k).reduce((top, above) => top + rowHeightPx(above), TOP_PX) + rowHeightPx(row) / 2 - 7,
    style: {
      text: row.title,
      align: "right" as const,
      fill: colourPlaceholder("muted"),
      fontSize: size.isNarrow ? 10 : 11,
      fontFamily: "inherit",
    },
  }));

const isPercent = ({ unit }: TimeCurve): boolean => unit === "%";
const isPower = ({ unit }: TimeCurve): boolean => unit === "kW";

const curveAxis = (unit: "kW" | "%", title: string, k: number) => ({
  ...valueAxis(""),
  name: title,
  nameLocation: "middle" as const,
  nameGap: k === 0 ? 62 : 40,
  nameRotate: 90,
  ...(unit === "%" && { min: 0, max: 100 }),
  ...(k > 0 && { splitLine: { show: false } }),
});

function curveSeries({ curve, colour, isDashed, isFilled }: TimeCurve, yAxisIndex: number, size: ChartSize) {
  const { atMs, values } = thinned(curve, size.isNarrow ? POINTS_MAX.narrow : POINTS_MAX.wide);
  // With the dense steps of a year, thick lines would cover the shortfall.
  const width = atMs.length > 1000 ? 0.7 : 1.6;
  return {
    type: "line" as const,
    showSymbol: false,
    silent: true,
    emphasis: { disabled: true },
    yAxisIndex,
    data: Array.from(atMs, (at, k) => [Math.round(at), Math.round(values[k] * 100) / 100]),
    lineStyle: { color: colourPlaceholder(colour), width, type: isDashed ? ("dashed" as const) : ("solid" as const) },
    ...(isFilled && { areaStyle: { color: colourPlaceholder(colour), opacity: 0.3 } }),
  };
}

function shadeSeries(shades: readonly Shade[]) {
  return {
    type: "custom" as const,
    silent: true,
    clip: true,
    renderItem: drawShade(shades),
    data: shades.map(({ startMs, fromValue, endMs, toValue }) => [startMs, fromValue, endMs, toValue]),
  };
}

const drawShade =
  (shades: readonly Shade[]): CustomSeriesRenderItem =>
  ({ dataIndex }, api) => {
    const from = api.coord([api.value(0), api.value(1)]);
    const to = api.coord([api.value(2), api.value(3)]);
    return {
      type: "rect",
      shape: {
        x: from[0],
        y: Math.min(from[1], to[1]),
        width: Math.max(1, to[0] - from[0]),
        height: Math.abs(to[1] - from[1]),
      },
      style: { fill: colourPlaceholder(shades[dataIndex].colour), opacity: 0.75 },
    };
  };

/** Blocks with a coloured edge, and as much of their label as fits. */
function blockSeries({ rows, span }: TimeChart, size: ChartSize) {
  const msPerPx = (span.endMs - span.startMs) / (size.widthPx - 116);
  const blocks = mergeNear(rows, 2 * msPerPx).flatMap((row, k) => {
    const topPx = rows.slice(0, k).reduce((top, above) => top + rowHeightPx(above), TOP_PX);
    return row.blocks.map((block) => ({ ...block, topPx, heightPx: rowHeightPx(row) - 4 }));
  });
  return {
    type: "custom" as const,
    silent: true,
    renderItem: drawBlock(blocks),
    data: blocks.map(({ startMs, endMs }) => [startMs, 0, endMs]),
  };
}

interface PlacedBlock extends TimeBlock {
  readonly topPx: number;
  readonly heightPx: number;
}

const drawBlock =
  (blocks: readonly PlacedBlock[]): CustomSeriesRenderItem =>
  ({ dataIndex }, api) => {
    const { colour, label, topPx: y, heightPx: height } = blocks[dataIndex];
    const [x] = api.coord([api.value(0), 0]);
    const [endX] = api.coord([api.value(2), 0]);
    const width = Math.max(2, endX - x - 1);
    const fill = colourPlaceholder(colour);
    const texts = label.split("\n").flatMap((line, k) => {
      const text = k === 0 ? fittingLabel(line, width) : fitsIn(line, width) ? line : "";
      const style = {
        x: x + 4,
        y: y + 2 + 13 * k,
        text,
        fill: colourPlaceholder("ink"),
        fontSize: 10.5,
        fontFamily: "inherit",
      };
      return text === "" ? [] : [{ type: "text" as const, style }];
    });
    return {
      type: "group",
      children: [
        { type: "rect", shape: { x, y, width, height }, style: { fill, opacity: 0.28 } },
        { type: "rect", shape: { x, y: y + height - 3, width, height: 3 }, style: { fill } },
        ...texts,
      ],
    };
  };

/** A letter is about 6 px wide. */
const lettersIn = (widthPx: number): number => Math.floor((widthPx - 7) / 6);
const fitsIn = (label: string, widthPx: number): boolean => label.length <= lettersIn(widthPx);

/** As much of a label as fits, at least three letters. */
function fittingLabel(label: string, widthPx: number): string {
  if (fitsIn(label, widthPx)) return label;
  const letters = lettersIn(widthPx);
  return letters < 4 ? "" : `${label.slice(0, letters - 1)}…`;
}
