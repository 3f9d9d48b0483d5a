import type { LocalClock } from "../page/localClock.ts";
import { colourPlaceholder } from "../page/palette.ts";
import { axisStyle, type ChartSize } from "./chart.ts";
import type { TimeSpan } from "./timeSpan.ts";

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
