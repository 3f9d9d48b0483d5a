import type { OutageSpan } from "../../../accounting/runRecord.ts";
import { formatCount, formatDuration } from "../page/format.ts";
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
  const omittedCount = all.length - sites.length;
  return barChartSpec({
    id: "outages",
    title: "Time out of service",
    caption: `Each bar is a period of time out of service, ${locale.timezone}; sites with the longest total first.${omittedCount > 0 ? ` ${formatCount(omittedCount, "site")} with less time out of service ${omittedCount === 1 ? "is" : "are"} omitted.` : ""}`,
    altText: `Times out of service of ${formatCount(all.length, "site")}. Longest: ${sites[0].site}, ${formatDuration(sites[0].outageMs)}.`,
    legend: [
      { label: "Outage", colour: causeColour("out_of_service") },
      { label: "Planned maintenance", colour: "s6" },
    ],
    axis: {
      title: `Time (${locale.timezone})`,
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
              label: planned ? "Planned maintenance" : "Outage",
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
