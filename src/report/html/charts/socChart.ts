import type { SocTimeline } from "../../../accounting/runRecord.ts";
import { meanOf } from "../../../base/sums.ts";
import { formatCount, formatPct } from "../page/format.ts";
import type { LocalClock } from "../page/localClock.ts";
import { SERIES_COLOURS } from "../page/palette.ts";
import type { ChartSpec } from "./chart.ts";
import type { TimeCurve } from "./interactiveChart.ts";
import { timeChartSpec } from "./timeChart.ts";
import type { TimeSpan } from "./timeSpan.ts";

const LINES_MAX = 12;
const GROUPS_MAX = 360;

type Battery = SocTimeline["batteries"][number];

/** State of charge: a line per battery, or minimum, mean and maximum if there are too many. */
export function socChart(soc: SocTimeline, { clock, span }: { clock: LocalClock; span: TimeSpan }): ChartSpec | null {
  const { batteries } = soc;
  if (batteries.length === 0 || soc.atMs.length === 0) return null;
  const isBand = LINES_MAX < batteries.length;
  const band = bandOf(soc);
  return timeChartSpec({
    id: "soc",
    title: isBand ? `State of charge of ${formatCount(batteries.length, "battery", "batteries")}` : "State of charge",
    caption: `Stored energy of each battery in % of its rated capacity, ${clock.timezone}${isBand ? ": the highest, the mean and the lowest of all batteries. The chart above has each site" : ""}.`,
    altText: `State of charge in percent of ${formatCount(batteries.length, "battery", "batteries")} over time, between ${formatPct(minimumOf(band.min))} and ${formatPct(maximumOf(band.max))}.`,
    clock,
    span,
    axisTitle: "State of charge (%)",
    curves: isBand ? bandCurves(band) : batteries.map((battery, k) => batteryCurve(soc.atMs, battery, k, batteries)),
    rows: [],
    shades: [],
  });
}

/** With the component id for sites with several batteries; instants without a value are omitted. */
function batteryCurve(atMs: Float64Array, battery: Battery, k: number, all: readonly Battery[]): TimeCurve {
  const { site, componentId, socPct } = battery;
  const isOnlyOne = all.filter((other) => other.site === site).length === 1;
  return {
    label: isOnlyOne ? site : `${site} / ${componentId}`,
    colour: LINE_COLOURS[k % LINE_COLOURS.length],
    isDashed: LINE_COLOURS.length <= k,
    unit: "%",
    curve: {
      atMs: atMs.filter((_, n) => Number.isFinite(socPct[n])),
      values: socPct.filter(Number.isFinite),
      thinnedMs: 0,
    },
  };
}

const LINE_COLOURS = SERIES_COLOURS.slice(0, 6);

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
    band.mean.push(meanOf(values));
  }
  return band;
}

function bandCurves({ atMs, min, mean, max }: Band): readonly TimeCurve[] {
  const curve = (values: readonly number[]) => ({
    atMs: Float64Array.from(atMs),
    values: Float64Array.from(values),
    thinnedMs: 0,
  });
  return [
    { label: "Highest", colour: "s6", unit: "%", curve: curve(max) },
    { label: "Mean", colour: "s1", unit: "%", curve: curve(mean) },
    { label: "Lowest", colour: "s2", unit: "%", curve: curve(min) },
  ];
}

const minimumOf = (values: readonly number[]): number => values.reduce((low, value) => Math.min(low, value), 100);
const maximumOf = (values: readonly number[]): number => values.reduce((high, value) => Math.max(high, value), 0);
