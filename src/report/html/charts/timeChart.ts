// A chart of curves over time, with blocks of time above them: a drawing for print, and the data of the interactive chart.

import { formatDuration } from "../page/format.ts";
import { type ChartSpec, svgInSizes } from "./chart.ts";
import type { TimeCurve } from "./interactiveChart.ts";
import { drawingHeightPx, drawTimeChart, type TimeChart } from "./timeDrawing.ts";

/** The chart with its drawing and its interactive data. */
export function timeChartSpec(chart: TimeChart): ChartSpec {
  const { id, title, altText, curves, locale, span } = chart;
  return {
    id,
    title,
    caption: `${chart.caption}${thinningNote(curves)}`,
    altText,
    legend: curves.map(({ label, colour, isDashed, unit }) => ({
      label: unit === "%" && curves.some((other) => other.unit !== unit) ? `${label} (right)` : label,
      colour,
      ...(isDashed === undefined ? {} : { isDashed }),
    })),
    draw: (drawn) =>
      svgInSizes(drawn, drawingHeightPx(chart), (size) => ({
        className: "drawn",
        elements: drawTimeChart(chart, size),
      })),
    interactive: { charts: [chart], timezone: locale.timezone, span, choice: null },
  };
}

/** A note if curves have been thinned. */
export function thinningNote(curves: readonly TimeCurve[]): string {
  const thinnedMs = curves.reduce((most, { curve }) => Math.max(most, curve.thinnedMs), 0);
  return thinnedMs === 0
    ? ""
    : ` Curves are thinned to the first, lowest, highest and last value of every ${formatDuration(thinnedMs)}, so no extreme is lost.`;
}
