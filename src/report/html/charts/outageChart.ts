import type { OutageSpan } from "../../../accounting/runRecord.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import { causeColour } from "../page/palette.ts";
import { barChartSpec } from "./barChart.ts";
import type { ChartSpec } from "./chart.ts";
import type { TimeSpan } from "./interactiveChart.ts";

const SITES_MAX = 30;
/** Outages less than one pixel apart are merged. */
const DRAWING_WIDTH_PX = 900;

/** Outages of each site over time; sites without an outage are omitted. */
export function outageChart(
  outages: readonly OutageSpan[],
  { locale, span }: { locale: PageLocale; span: TimeSpan },
): ChartSpec | null {
  const all = outagesBySite(outages);
  if (all.length === 0) return null;
  const sites = all.slice(0, SITES_MAX);
  const { t, timezone: zone, formatDuration } = locale;
  const count = all.length - sites.length;
  return barChartSpec({
    id: "outages",
    title: t("chart.outages"),
    caption: t(count > 0 ? "chart.outages_caption_excerpt" : "chart.outages_caption", { zone, count }),
    altText: t("chart.outages_alt", {
      count: all.length,
      site: sites[0].site,
      duration: formatDuration(sites[0].outageMs),
    }),
    legend: [
      { label: t("chart.outage"), colour: causeColour("out_of_service") },
      { label: t("chart.maintenance"), colour: "s6" },
    ],
    axis: {
      title: t("chart.time_axis", { zone }),
      min: span.startMs,
      max: span.endMs,
      ticks: locale.ticksBetween(span.startMs, span.endMs).map(({ atMs, label }) => ({ at: atMs, label })),
    },
    rows: sites.map(({ site, spans, outageMs }) => ({
      name: site,
      detail: formatDuration(outageMs),
      tracks: [
        {
          bars: mergeSpans(spans, (span.endMs - span.startMs) / DRAWING_WIDTH_PX).map(
            ({ startMs, endMs, planned }) => ({
              from: startMs,
              to: endMs,
              colour: planned ? ("s6" as const) : causeColour("out_of_service"),
              label: t(planned ? "chart.maintenance" : "chart.outage"),
              valueText: locale.formatPeriod(startMs, endMs),
            }),
          ),
        },
      ],
    })),
  });
}

interface SiteOutages {
  readonly site: string;
  readonly outageMs: number;
  readonly spans: readonly OutageSpan[];
}

function outagesBySite(outages: readonly OutageSpan[]): readonly SiteOutages[] {
  const bySite = new Map<string, OutageSpan[]>();
  for (const span of outages) {
    const spans = bySite.get(span.site);
    if (spans === undefined) bySite.set(span.site, [span]);
    else spans.push(span);
  }
  return [...bySite]
    .map(([site, spans], k) => ({
      site,
      spans,
      k,
      outageMs: spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0),
    }))
    .sort((a, b) => b.outageMs - a.outageMs || a.k - b.k);
}

/** Merges consecutive outages of one kind that are less than `pixelMs` apart. */
function mergeSpans(spans: readonly OutageSpan[], pixelMs: number): readonly OutageSpan[] {
  const bars: OutageSpan[] = [];
  for (const span of spans) {
    const last = bars[bars.length - 1];
    if (
      last !== undefined &&
      last.planned === span.planned &&
      span.startMs - last.endMs < pixelMs &&
      last.startMs <= span.startMs
    ) {
      bars[bars.length - 1] = { ...last, endMs: Math.max(last.endMs, span.endMs) };
    } else bars.push(span);
  }
  return bars;
}
