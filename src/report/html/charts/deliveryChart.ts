import type { VppTimeline } from "../../../accounting/runRecord.ts";
import { formatKw } from "../page/format.ts";
import type { LocalClock } from "../page/localClock.ts";
import { colourPlaceholder } from "../page/palette.ts";
import { type ChartSpec, plotArea, valueAxis } from "./chart.ts";
import { type CurvePoint, curvePoints, type TimeSpan, timeAxis } from "./timeAxis.ts";

const GROUPS_MAX = 700;

/** Asked against delivered power of one VPP: where the grey shows, something is lacking. */
export function deliveryChart(
  timeline: VppTimeline,
  { id, clock, span }: { id: string; clock: LocalClock; span: TimeSpan },
): ChartSpec {
  const asked = stepPoints(timeline, timeline.requestedKw);
  const delivered = stepPoints(timeline, timeline.deliveredKw);
  // A year of awards is a thicket: thin lines leave the grey tips visible.
  const lineWidth = 2 * GROUPS_MAX < timeline.binStartMs.length ? 0.5 : 1.5;
  const peakKw = largestMagnitude(timeline.requestedKw);
  const got = largestMagnitude(timeline.deliveredKw);
  return {
    id,
    title: `${timeline.vpp}: asked and delivered`,
    caption: `Mean power in kW over equal steps of time, ${clock.timezone}. Above zero the power plant takes power from the grid, below zero it sends power. Grey that the blue does not cover was asked for and not delivered.`,
    altText: `Asked and delivered power of ${timeline.vpp} over time in kW. The largest request was ${formatKw(peakKw)}, the largest delivery ${formatKw(got)}.`,
    legend: [
      { label: "Asked", colour: "asked" },
      { label: "Delivered", colour: "s1" },
    ],
    heightPx: 300,
    buildOption: (size) => ({
      grid: plotArea,
      xAxis: timeAxis(clock, span, size),
      yAxis: valueAxis("kW"),
      series: [
        {
          ...stepArea,
          data: asked,
          lineStyle: { color: colourPlaceholder("asked"), width: lineWidth },
          areaStyle: { color: colourPlaceholder("asked"), opacity: 0.35 },
        },
        {
          ...stepArea,
          data: delivered,
          lineStyle: { color: colourPlaceholder("s1"), width: lineWidth },
          areaStyle: { color: colourPlaceholder("s1"), opacity: 0.45 },
        },
      ],
    }),
  };
}

const stepArea = {
  type: "line" as const,
  step: "end" as const,
  showSymbol: false,
  silent: true,
  emphasis: { disabled: true },
};

/** The last bin is drawn to its end. */
function stepPoints({ binStartMs, endMs }: VppTimeline, values: Float64Array): CurvePoint[] {
  const points = curvePoints(binStartMs, values, GROUPS_MAX);
  const last = points[points.length - 1];
  return last === undefined ? points : [...points, [endMs, last[1]]];
}

/** The value of largest magnitude, with its sign. */
const largestMagnitude = (values: Float64Array): number =>
  values.reduce((most, value) => (Math.abs(most) < Math.abs(value) ? value : most), 0);
