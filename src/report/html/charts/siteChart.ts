import type { RunRecord, SiteCurves } from "../../../accounting/runRecord.ts";
import { sumOf } from "../../../base/lists.ts";
import { formatCount } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import type { ChartSpec } from "./chart.ts";
import { type BlockRow, limitRows } from "./timeBlocks.ts";
import { thinningNote, timeChartSpec } from "./timeChart.ts";
import type { TimeChart } from "./timeDrawing.ts";

const SITES_MAX = 100;

/** Where the awards of a VPP are in the page: in its chart, if it has one. */
export interface AwardRows {
  /** Id of the figure; `null`: the VPP has none. */
  readonly figure: string | null;
  readonly rows: readonly BlockRow[];
}

/** Power and state of charge of the sites, one at a time; the drawing and the first choice is the site with the largest shortfall. */
export function siteChart(
  record: RunRecord,
  locale: PageLocale,
  awardRowsOf: (vpp: string | null) => AwardRows,
): ChartSpec | null {
  const sites = shownSites(record);
  const drawn = siteWithLargestShortfall(record, sites) ?? sites[0];
  if (drawn === undefined) return null;
  const vpps = [...new Set(sites.map(({ site }) => vppOf(record, site)))];
  const charts = sites.map((curves) => oneSite(curves, record, locale, awardRowsOf(vppOf(record, curves.site)).rows));
  const first = sites.indexOf(drawn);
  const omittedCount = record.siteCurves.length - sites.length;
  const omitted = `${formatCount(omittedCount, "site")} with less energy cannot be chosen; power.csv has all.`;
  return {
    ...timeChartSpec(charts[first]),
    title: charts.length > 1 ? titleWithChoice(drawn.site) : html`Power of ${drawn.site}`,
    caption: `Power in kW, and the state of charge in % of a site with storage; ${locale.timezone}. Import is positive, export negative. The set-point is the baseline plus the dispatched change of power.${omittedCount > 0 ? ` ${omitted}` : ""}${thinningNote(charts.flatMap(({ curves }) => curves))}`,
    interactive: {
      charts,
      timezone: locale.timezone,
      span: record,
      choice: {
        label: "Site",
        first,
        rowsOf: vpps.map(awardRowsOf).flatMap(({ figure, rows }) => (figure === null ? [] : [{ figure, rows }])),
      },
    },
  };
}

/** The script writes the name of the chosen site; print shows that of the drawn one. */
const titleWithChoice = (drawn: string): Markup =>
  html`Power of <span class="drawn-only">${drawn}</span><span class="chosen"></span>`;

const vppOf = ({ sites }: RunRecord, name: string): string | null =>
  sites.find(({ site }) => site === name)?.vpp ?? null;

function oneSite(
  { site, setpointKw, powerKw, baselineKw, socPct }: SiteCurves,
  record: RunRecord,
  locale: PageLocale,
  awards: readonly BlockRow[],
): TimeChart {
  const hasSoc = socPct.atMs.length > 0;
  return {
    id: "site-power",
    title: site,
    caption: "",
    altText: `Set-point, power and baseline${hasSoc ? " in kW and state of charge in %" : " in kW"} of ${site} over time.`,
    locale,
    span: record,
    axisTitle: "Power (kW)",
    curves: [
      { label: "Power", colour: "s1", unit: "kW", curve: powerKw, isFilled: true },
      { label: "Set-point", colour: "s2", unit: "kW", curve: setpointKw },
      { label: "Baseline", colour: "neutral", unit: "kW", curve: baselineKw, isDashed: true },
      ...(hasSoc ? [{ label: "State of charge", colour: "s3", unit: "%", curve: socPct } as const] : []),
    ],
    rows: [...awards, ...limitRows(record, new Set([site]))],
    shades: [],
  };
}

/** In the order of the scenario if there are few, otherwise those with most energy. */
function shownSites({ siteCurves, sites }: RunRecord): readonly SiteCurves[] {
  if (siteCurves.length <= SITES_MAX) return siteCurves;
  const energyKwh = new Map(sites.map(({ site, importKwh, exportKwh }) => [site, importKwh + exportKwh]));
  const kept = siteCurves
    .map((curves, k) => ({ curves, k, kwh: energyKwh.get(curves.site) ?? 0 }))
    .sort((a, b) => b.kwh - a.kwh || a.k - b.k)
    .slice(0, SITES_MAX);
  return kept.sort((a, b) => a.k - b.k).map(({ curves }) => curves);
}

function siteWithLargestShortfall({ siteShortfalls }: RunRecord, sites: readonly SiteCurves[]): SiteCurves | null {
  const kwhOf = new Map(siteShortfalls.map(({ site, byCauseKwh }) => [site, sumOf(byCauseKwh)]));
  return sites.reduce<SiteCurves | null>(
    (most, curves) =>
      (most === null ? 0 : (kwhOf.get(most.site) ?? 0)) < (kwhOf.get(curves.site) ?? 0) ? curves : most,
    null,
  );
}
