// A chart of curves over time, with blocks of time above them: a drawing for print, and the data of the interactive chart.

import { unitOfBin } from "../../../accounting/recorders/envelope.ts";
import { formatDuration } from "../page/format.ts";
import { type ChartSpec, type LegendEntry, svgInSizes } from "./chart.ts";
import type { EnvelopeData, TimeBand } from "./envelopeData.ts";
import type { TimeCurve } from "./interactiveChart.ts";
import { drawingHeightPx, drawTimeChart, type TimeChart } from "./timeDrawing.ts";

/** The chart with its drawing and its interactive data. */
export function timeChartSpec(chart: TimeChart, envelopes?: EnvelopeData): ChartSpec {
  const { id, title, altText, curves, bands = [], locale, span } = chart;
  return {
    id,
    title,
    caption: `${chart.caption}${bands.map(binNote).join("")}${thinningNote(curves)}`,
    altText,
    ...(envelopes === undefined ? {} : { envelopes }),
    legend:
      bands.length > 0
        ? bands.flatMap(bandLegend)
        : curves.map(({ label, colour, isDashed, unit }) => ({
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

const bandLegend = ({ middle }: TimeBand): LegendEntry[] => [
  { label: "lowest to highest", colour: middle === undefined ? "h1" : "h0" },
  ...(middle === undefined ? [] : [{ label: "middle 80 %", colour: "h1" as const }]),
  { label: "mean", colour: "ink", shape: "line" },
];

/** How to read a band. */
export function binNote({ bins, middle, unit }: TimeBand): string {
  const length = formatDuration(bins.binMs);
  const means = formatDuration(unitOfBin(bins.binMs));
  const inner = middle === undefined ? "" : ` The darker band is the middle 80 % of its means of ${means}.`;
  const all = unit === "%" ? "" : " The line is the mean.";
  return ` Each bin is ${length} and shows the lowest and the highest value in it.${inner}${all}`;
}

/** A note if curves have been thinned. */
export function thinningNote(curves: readonly TimeCurve[]): string {
  const thinnedMs = curves.reduce((most, { curve }) => Math.max(most, curve.thinnedMs), 0);
  return thinnedMs === 0
    ? ""
    : ` Curves are thinned to the first, lowest, highest and last value of every ${formatDuration(thinnedMs)}, so no extreme is lost.`;
}
