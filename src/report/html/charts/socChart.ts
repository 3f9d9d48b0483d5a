import type { RunRecord } from "../../../accounting/runRecord.ts";
import { type EpochMs, MS_PER_DAY } from "../../../base/time.ts";
import { formatPct } from "../page/format.ts";
import { midnightBefore, type PageLocale } from "../page/pageLocale.ts";
import { SERIES_COLOURS } from "../page/palette.ts";
import type { ChartSpec } from "./chart.ts";
import { type EnvelopeData, isLong, spanning, type TimeBand, wider } from "./envelopeData.ts";
import type { TimeCurve, TimeSpan } from "./interactiveChart.ts";
import { socHeat } from "./solidHeat.ts";
import { timeChartSpec } from "./timeChart.ts";

const LINES_MAX = 12;

type Battery = RunRecord["soc"]["batteries"][number];

/** State of charge: a line per battery; of many batteries, and of a long run, the band of all. `null` without batteries. */
export function socChart(
  record: Pick<RunRecord, "soc" | "startMs" | "endMs">,
  locale: PageLocale,
): { readonly chart: ChartSpec; readonly heat: ChartSpec | null } | null {
  const { batteries } = record.soc;
  if (batteries.length === 0) return null;
  const { t, timezone: zone } = locale;
  const { length: count } = batteries;
  const span: TimeSpan = { startMs: record.startMs, endMs: record.endMs };
  const hasLines = batteries.length <= LINES_MAX;
  const data = socData(batteries, midnightBefore(span.startMs, zone));
  const all = spanning(data.series);
  const band: TimeBand = { ...all, label: t("chart.soc"), unit: "%", kind: "soc", names: [] };
  const lowest = all.min.reduce(lower);
  const highest = all.max.reduce(higher);
  const isBand = !hasLines || isLong(span);
  const chart = timeChartSpec(
    {
      id: "soc",
      title: hasLines ? t("chart.soc") : t("chart.soc_of", { count }),
      caption: t(isBand && count > 1 ? "chart.soc_caption_band" : "chart.soc_caption", { zone }),
      altText: t("chart.soc_alt", { count, low: formatPct(lowest), high: formatPct(highest) }),
      locale,
      span,
      axisTitle: t("chart.soc_axis"),
      curves: hasLines ? batteries.map((battery, k) => batteryCurve(battery, k, batteries)) : [],
      bands: isBand ? [band] : [],
      rows: [],
      shades: [],
    },
    { ...data, mean: all.mean },
  );
  return { chart, heat: isLong(span) ? socHeat(record, all, locale) : null };
}

/** Bins of all batteries together; of more, days have one bin. */
const BINS_TOTAL = 45_000;

/** The bins of every battery, by site; with the component of sites with several batteries. */
function socData(batteries: readonly Battery[], midnightMs: EpochMs): EnvelopeData {
  const { bins } = batteries[0].envelope;
  const isWide = BINS_TOTAL < batteries.length * bins.count && bins.binMs < MS_PER_DAY;
  const series = batteries.map((battery) => ({
    ...(isWide ? wider(battery.envelope, MS_PER_DAY, midnightMs) : battery.envelope),
    name: nameOf(battery, batteries),
  }));
  return { kind: "soc", bins: series[0].bins, series };
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
