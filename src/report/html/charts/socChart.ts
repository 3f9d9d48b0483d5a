import type { RunRecord } from "../../../accounting/runRecord.ts";
import { formatCount, formatPct } from "../page/format.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import { SERIES_COLOURS } from "../page/palette.ts";
import type { ChartSpec } from "./chart.ts";
import { type EnvelopeData, isLong, spanning, type TimeBand } from "./envelopeData.ts";
import type { TimeCurve, TimeSpan } from "./interactiveChart.ts";
import { timeChartSpec } from "./timeChart.ts";

const LINES_MAX = 12;

type Battery = RunRecord["soc"]["batteries"][number];

/** State of charge: a line per battery; of many batteries, and of a long run, the band of all. `null` without batteries. */
export function socChart(
  { batteries }: RunRecord["soc"],
  { locale, span }: { locale: PageLocale; span: TimeSpan },
): ChartSpec | null {
  if (batteries.length === 0) return null;
  const hasLines = batteries.length <= LINES_MAX;
  const all = spanning(batteries.map(({ envelope }) => envelope));
  const band: TimeBand = { ...all, label: "State of charge", unit: "%", kind: "soc", names: [] };
  const lowest = all.min.reduce(lower);
  const highest = all.max.reduce(higher);
  const isBand = !hasLines || isLong(span);
  const ofAll = batteries.length === 1 ? "" : ": the lowest and the highest of all batteries, and the mean of all";
  return timeChartSpec(
    {
      id: "soc",
      title: hasLines
        ? "State of charge"
        : `State of charge of ${formatCount(batteries.length, "battery", "batteries")}`,
      caption: `Stored energy of each battery in % of its rated capacity, ${locale.timezone}${isBand ? ofAll : ""}.`,
      altText: `State of charge in percent of ${formatCount(batteries.length, "battery", "batteries")} over time, between ${formatPct(lowest)} and ${formatPct(highest)}.`,
      locale,
      span,
      axisTitle: "State of charge (%)",
      curves: hasLines ? batteries.map((battery, k) => batteryCurve(battery, k, batteries)) : [],
      bands: isBand ? [band] : [],
      rows: [],
      shades: [],
    },
    { ...socData(batteries), mean: all.mean },
  );
}

/** The bins of every battery, by site; with the component of sites with several batteries. */
function socData(batteries: readonly Battery[]): EnvelopeData {
  return {
    kind: "soc",
    bins: batteries[0].envelope.bins,
    series: batteries.map((battery) => ({ ...battery.envelope, name: nameOf(battery, batteries) })),
  };
}

const lower = (a: number, b: number): number => Math.min(a, b);
const higher = (a: number, b: number): number => Math.max(a, b);

const nameOf = ({ site, componentId }: Battery, all: readonly Battery[]): string =>
  all.filter((other) => other.site === site).length === 1 ? site : `${site} / ${componentId}`;

const batteryCurve = (battery: Battery, k: number, all: readonly Battery[]): TimeCurve => ({
  label: nameOf(battery, all),
  colour: LINE_COLOURS[k % LINE_COLOURS.length],
  isDashed: LINE_COLOURS.length <= k,
  unit: "%",
  curve: battery.socPct,
});

const LINE_COLOURS = SERIES_COLOURS.slice(0, 6);
