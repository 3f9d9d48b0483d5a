import type { SocTimeline } from "../../../accounting/runRecord.ts";
import { formatCount, formatPct } from "../page/format.ts";
import type { LocalClock } from "../page/localClock.ts";
import { colourPlaceholder, SERIES_COLOURS } from "../page/palette.ts";
import { type ChartSpec, type LegendEntry, plotArea, valueAxis } from "./chart.ts";
import { curvePoints, type TimeSpan, timeAxis } from "./timeAxis.ts";

const LINES_MAX = 12;
const GROUPS_MAX = 360;

type Battery = SocTimeline["batteries"][number];

/** State of charge: a line per battery, or minimum, mean and maximum if there are too many. */
export function socChart(soc: SocTimeline, { clock, span }: { clock: LocalClock; span: TimeSpan }): ChartSpec | null {
  const { batteries } = soc;
  if (batteries.length === 0 || soc.atMs.length === 0) return null;
  const isBand = LINES_MAX < batteries.length;
  const band = bandOf(soc);
  return {
    id: "soc",
    title: isBand ? `State of charge of ${formatCount(batteries.length, "battery", "batteries")}` : "State of charge",
    caption: `Stored energy of each battery in % of its rated capacity, ${clock.timezone}. ${isBand ? "The band spans minimum to maximum, the line is the mean." : "A gap: no value."}`,
    altText: `State of charge in percent of ${formatCount(batteries.length, "battery", "batteries")} over time, between ${formatPct(minimumOf(band.min))} and ${formatPct(maximumOf(band.max))}.`,
    legend: isBand
      ? [
          { label: "Mean", colour: "s1" },
          { label: "Minimum to maximum", colour: "s6" },
        ]
      : batteries.map((battery, k) => legendEntry(battery, k, batteries)),
    heightPx: 300,
    buildOption: (size) => ({
      grid: plotArea,
      xAxis: timeAxis(clock, span, size),
      yAxis: { ...valueAxis("%"), min: 0, max: 100 },
      series: isBand ? bandSeries(band) : batteries.map((battery, k) => batteryLine(soc.atMs, battery, k)),
    }),
  };
}

/** With the component id for sites with several batteries. */
function legendEntry({ site, componentId }: Battery, k: number, all: readonly Battery[]): LegendEntry {
  const isOnlyOne = all.filter((other) => other.site === site).length === 1;
  return { label: isOnlyOne ? site : `${site} / ${componentId}`, colour: colourOf(k), isDashed: isDashed(k) };
}

const LINE_COLOURS = SERIES_COLOURS.slice(0, 6);
const colourOf = (k: number) => LINE_COLOURS[k % LINE_COLOURS.length];
const isDashed = (k: number): boolean => LINE_COLOURS.length <= k;

const curveStyle = { type: "line" as const, showSymbol: false, silent: true, emphasis: { disabled: true } };

const batteryLine = (atMs: Float64Array, { socPct }: Battery, k: number) => ({
  ...curveStyle,
  data: curvePoints(atMs, socPct, GROUPS_MAX),
  lineStyle: {
    color: colourPlaceholder(colourOf(k)),
    width: 1.8,
    type: isDashed(k) ? ("dashed" as const) : ("solid" as const),
  },
});

interface Band {
  readonly atMs: readonly number[];
  readonly min: readonly number[];
  readonly mean: readonly number[];
  readonly max: readonly number[];
}

/**
 * Minimum, mean and maximum over all batteries and over groups of consecutive instants: thinning to the resolution of
 * the chart preserves extremes. Groups without values are omitted.
 */
function bandOf({ atMs, batteries }: SocTimeline): Band {
  const every = Math.max(1, Math.ceil(atMs.length / GROUPS_MAX));
  const band = { atMs: [] as number[], min: [] as number[], mean: [] as number[], max: [] as number[] };
  for (let from = 0; from < atMs.length; from += every) {
    const last = atMs.length - every <= from;
    const values = batteries.flatMap(({ socPct }) => [...socPct.subarray(from, from + every)].filter(Number.isFinite));
    if (values.length === 0) continue;
    band.atMs.push(last ? atMs[atMs.length - 1] : atMs[from]);
    band.min.push(values.reduce((low, value) => Math.min(low, value)));
    band.max.push(values.reduce((high, value) => Math.max(high, value)));
    band.mean.push(values.reduce((sum, value) => sum + value, 0) / values.length);
  }
  return band;
}

/** The band is two stacked areas: transparent up to the minimum, coloured from there to the maximum. */
function bandSeries({ atMs, min, mean, max }: Band) {
  const points = (values: readonly number[]) => atMs.map((at, k) => [at, Math.round(values[k] * 100) / 100]);
  const edge = { ...curveStyle, stack: "band", lineStyle: { width: 0, color: colourPlaceholder("s6") } };
  return [
    { ...edge, data: points(min) },
    {
      ...edge,
      data: points(max.map((value, k) => value - min[k])),
      areaStyle: { color: colourPlaceholder("s6"), opacity: 0.4 },
    },
    { ...curveStyle, data: points(mean), lineStyle: { color: colourPlaceholder("s1"), width: 2 } },
  ];
}

const minimumOf = (values: readonly number[]): number => values.reduce((low, value) => Math.min(low, value), 100);
const maximumOf = (values: readonly number[]): number => values.reduce((high, value) => Math.max(high, value), 0);
