import type { CustomSeriesRenderItem } from "echarts";
import type { OutageSpan } from "../../../accounting/runRecord.ts";
import { formatCount, formatDuration } from "../page/format.ts";
import type { LocalClock } from "../page/localClock.ts";
import { colourPlaceholder } from "../page/palette.ts";
import { type ChartSpec, horizontalBarAxis, horizontalPlotArea, shortenName } from "./chart.ts";
import { timeAxis } from "./timeAxis.ts";
import type { TimeSpan } from "./timeSpan.ts";

const SITES_MAX = 30;
/** Plot width of the wide chart. Outages less than one pixel apart are merged. */
const DRAWING_WIDTH_PX = 900;

/** Outages of each site over time; sites without an outage are omitted. */
export function outageChart(
  outages: readonly OutageSpan[],
  { clock, span }: { clock: LocalClock; span: TimeSpan },
): ChartSpec | null {
  const all = outagesBySite(outages);
  if (all.length === 0) return null;
  const sites = all.slice(0, SITES_MAX);
  const bars = sites.flatMap(({ spans }, row) =>
    mergeSpans(spans, (span.endMs - span.startMs) / DRAWING_WIDTH_PX).map((outage) => ({ ...outage, row })),
  );
  const omittedCount = all.length - sites.length;
  return {
    id: "outages",
    title: "Time out of service",
    caption: `Each bar is a period of time out of service, ${clock.timezone}; sites with the longest total first.${omittedCount > 0 ? ` ${formatCount(omittedCount, "site")} with less time out of service ${omittedCount === 1 ? "is" : "are"} omitted.` : ""}`,
    altText: `Times out of service of ${formatCount(all.length, "site")}. Longest: ${sites[0].site}, ${formatDuration(sites[0].outageMs)}.`,
    legend: [
      { label: "Outage", colour: "s2" },
      { label: "Planned maintenance", colour: "s6" },
    ],
    heightPx: 60 + (sites.length > 12 ? 20 : 28) * sites.length,
    buildOption: (size) => ({
      grid: { ...horizontalPlotArea, right: 22, bottom: 10 },
      xAxis: { ...timeAxis(clock, span, size), splitLine: { show: false } },
      yAxis: {
        ...horizontalBarAxis(sites.map(({ site }) => shortenName(site, size))),
        splitLine: { show: true, lineStyle: { color: colourPlaceholder("line") } },
      },
      series: [
        {
          type: "custom",
          silent: true,
          clip: true,
          renderItem: drawSpan,
          data: bars.map(({ startMs, endMs, row, planned }) => [startMs, row, endMs, planned ? 1 : 0]),
        },
      ],
    }),
  };
}

const drawSpan: CustomSeriesRenderItem = (_params, api) => {
  const from = api.coord([api.value(0), api.value(1)]);
  const to = api.coord([api.value(2), api.value(1)]);
  const size = api.size?.([0, 1]);
  const height = Array.isArray(size) ? size[1] * 0.56 : 12;
  return {
    type: "rect",
    shape: { x: from[0], y: from[1] - height / 2, width: Math.max(1.5, to[0] - from[0]), height },
    style: { fill: api.value(3) === 1 ? colourPlaceholder("s6") : colourPlaceholder("s2") },
  };
};

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
