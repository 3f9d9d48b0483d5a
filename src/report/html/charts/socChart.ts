import type { SocTimeline } from "../../../accounting/runRecord.ts";
import { meanOf } from "../../../base/lists.ts";
import { formatCount, formatDuration, formatPct } from "../page/format.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import { SERIES_COLOURS } from "../page/palette.ts";
import type { ChartSpec } from "./chart.ts";
import type { TimeCurve, TimeSpan } from "./interactiveChart.ts";
import { timeChartSpec } from "./timeChart.ts";

const LINES_MAX = 12;

type Battery = SocTimeline["batteries"][number];

/** State of charge: a line per battery, or highest, mean and lowest of each bin if there are too many. */
export function socChart(soc: SocTimeline, { locale, span }: { locale: PageLocale; span: TimeSpan }): ChartSpec | null {
  const { batteries } = soc;
  if (batteries.length === 0) return null;
  const isBand = LINES_MAX < batteries.length;
  const lows = batteries.map(({ bins }) => bins.low.reduce(lower));
  const highs = batteries.map(({ bins }) => bins.high.reduce(higher));
  return timeChartSpec({
    id: "soc",
    title: isBand ? `State of charge of ${formatCount(batteries.length, "battery", "batteries")}` : "State of charge",
    caption: `Stored energy of each battery in % of its rated capacity, ${locale.timezone}${isBand ? `: the highest, the mean and the lowest of all batteries in each bin of ${formatDuration(soc.binMs)}. The chart above has each site` : ""}.`,
    altText: `State of charge in percent of ${formatCount(batteries.length, "battery", "batteries")} over time, between ${formatPct(lows.reduce(lower))} and ${formatPct(highs.reduce(higher))}.`,
    locale,
    span,
    axisTitle: "State of charge (%)",
    curves: isBand ? bandCurves(soc, span) : batteries.map((battery, k) => batteryCurve(battery, k, batteries)),
    rows: [],
    shades: [],
  });
}

const lower = (a: number, b: number): number => Math.min(a, b);
const higher = (a: number, b: number): number => Math.max(a, b);

/** With the component id for sites with several batteries. */
function batteryCurve({ site, componentId, socPct }: Battery, k: number, all: readonly Battery[]): TimeCurve {
  const isOnlyOne = all.filter((other) => other.site === site).length === 1;
  return {
    label: isOnlyOne ? site : `${site} / ${componentId}`,
    colour: LINE_COLOURS[k % LINE_COLOURS.length],
    isDashed: LINE_COLOURS.length <= k,
    unit: "%",
    curve: socPct,
  };
}

const LINE_COLOURS = SERIES_COLOURS.slice(0, 6);

function bandCurves({ binMs, batteries }: SocTimeline, { startMs, endMs }: TimeSpan): readonly TimeCurve[] {
  const starts = Array.from(batteries[0].bins.low, (_, bin) => startMs + bin * binMs);
  const steps = (valueIn: (bin: number) => number) => ({
    atMs: Float64Array.from(starts.flatMap((start) => [start, Math.min(endMs, start + binMs)])),
    values: Float64Array.from(starts.flatMap((_, bin) => [valueIn(bin), valueIn(bin)])),
    thinnedMs: 0,
  });
  const highest = steps((bin) => batteries.map(({ bins }) => bins.high[bin]).reduce(higher));
  const mean = steps((bin) => meanOf(batteries.map(({ bins }) => bins.mean[bin])));
  const lowest = steps((bin) => batteries.map(({ bins }) => bins.low[bin]).reduce(lower));
  return [
    { label: "Highest", colour: "s6", unit: "%", curve: highest },
    { label: "Mean", colour: "s1", unit: "%", curve: mean },
    { label: "Lowest", colour: "s2", unit: "%", curve: lowest },
  ];
}
