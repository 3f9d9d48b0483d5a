// The local time axis, and thinning of curves to the resolution of a chart.
import type { EpochMs } from "../../../base/time.ts";
import type { LocalClock } from "../page/localClock.ts";
import { colourPlaceholder } from "../page/palette.ts";
import { axisStyle, type ChartSize } from "./chart.ts";

export interface TimeSpan {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** A value axis of instants with round local times as ticks. ECharts' own time axis supports one fixed offset only. */
export function timeAxis(clock: LocalClock, span: TimeSpan, size: ChartSize) {
  const all = clock.ticksBetween(span.startMs, span.endMs);
  const every = size.isNarrow ? Math.max(1, Math.ceil(all.length / 5)) : 1;
  const ticks = all.filter((_, k) => k % every === 0);
  const labels = new Map(ticks.map(({ atMs, label }) => [atMs, label]));
  const customValues = ticks.map(({ atMs }) => atMs);
  return {
    ...axisStyle,
    type: "value" as const,
    min: span.startMs,
    max: span.endMs,
    axisLine: { onZero: false, lineStyle: { color: colourPlaceholder("neutral") } },
    axisTick: { customValues, lineStyle: { color: colourPlaceholder("neutral") } },
    axisLabel: { ...axisStyle.axisLabel, customValues, formatter: (atMs: number) => labels.get(atMs) ?? "" },
    splitLine: { show: false },
  };
}

export type CurvePoint = [number, number | null];

/** Indices of the minimum and maximum of equal groups of bins, in order of time, so that thinning preserves peaks. */
function extremes(values: Float64Array, groups: number): number[] {
  const picked: number[] = [];
  for (let g = 0; g < groups; g++) {
    const from = Math.floor((g * values.length) / groups);
    const to = Math.floor(((g + 1) * values.length) / groups);
    let low = from;
    let high = from;
    for (let k = from + 1; k < to; k++) {
      if (values[k] < values[low]) low = k;
      if (values[high] < values[k]) high = k;
    }
    if (low === high) picked.push(low);
    else picked.push(Math.min(low, high), Math.max(low, high));
  }
  return picked;
}

/** Points of a curve, at most two for each of `groupsMax` groups; NaN leaves a gap. */
export function curvePoints(timesMs: Float64Array, values: Float64Array, groupsMax: number): CurvePoint[] {
  const count = Math.min(timesMs.length, values.length);
  const indices =
    count <= 2 * groupsMax
      ? Array.from({ length: count }, (_, k) => k)
      : extremes(values.subarray(0, count), groupsMax);
  return indices.map((k) => [timesMs[k], Number.isFinite(values[k]) ? rounded(values[k]) : null]);
}

/** Three decimals exceed the resolution of the chart; more would only enlarge the file. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000;
