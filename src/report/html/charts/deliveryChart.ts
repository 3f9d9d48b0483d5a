import type { VppTimeline } from "../../../accounting/runRecord.ts";
import { formatKw } from "../page/format.ts";
import type { LocalClock } from "../page/localClock.ts";
import { colourPlaceholder } from "../page/palette.ts";
import { type ChartSpec, plotArea, valueAxis } from "./chart.ts";
import { type CurvePoint, curvePoints, type TimeSpan, timeAxis } from "./timeAxis.ts";

const GROUPS_MAX = 700;

/** Requested and delivered power of one VPP. */
export function deliveryChart(
  timeline: VppTimeline,
  { id, clock, span }: { id: string; clock: LocalClock; span: TimeSpan },
): ChartSpec {
  const requested = stepPoints(timeline, timeline.requestedKw);
  const delivered = stepPoints(timeline, timeline.deliveredKw);
  // With the dense steps of a year, thick lines would cover the shortfall.
  const lineWidth = 2 * GROUPS_MAX < timeline.binStartMs.length ? 0.5 : 1.5;
  const requestedPeakKw = largestMagnitude(timeline.requestedKw);
  const deliveredPeakKw = largestMagnitude(timeline.deliveredKw);
  return {
    id,
    title: `${timeline.vpp}: requested and delivered power`,
    caption: `Mean change of power in kW over equal time steps, ${clock.timezone}. Above zero: more import; below zero: more export. Grey not overlaid by blue is shortfall.`,
    altText: `Requested and delivered power of ${timeline.vpp} over time in kW. The largest request was ${formatKw(requestedPeakKw)}, the largest delivery ${formatKw(deliveredPeakKw)}.`,
    legend: [
      { label: "Requested", colour: "neutral" },
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
          data: requested,
          lineStyle: { color: colourPlaceholder("neutral"), width: lineWidth },
          areaStyle: { color: colourPlaceholder("neutral"), opacity: 0.35 },
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

/** Adds a point at the end of the last bin. */
function stepPoints({ binStartMs, endMs }: VppTimeline, values: Float64Array): CurvePoint[] {
  const points = curvePoints(binStartMs, values, GROUPS_MAX);
  const last = points[points.length - 1];
  return last === undefined ? points : [...points, [endMs, last[1]]];
}

/** The value of largest magnitude, with its sign. */
const largestMagnitude = (values: Float64Array): number =>
  values.reduce((most, value) => (Math.abs(most) < Math.abs(value) ? value : most), 0);
