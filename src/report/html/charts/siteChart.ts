import type { RunRecord, SiteCurves } from "../../../accounting/runRecord.ts";
import { formatCount } from "../page/format.ts";
import type { LocalClock } from "../page/localClock.ts";
import type { ChartSpec } from "./chart.ts";
import { awardRows, type BlockRow, limitRows } from "./timeBlocks.ts";
import { type TimeChart, timeChartSpec } from "./timeChart.ts";

const SITES_MAX = 100;

/** Power and state of charge of the sites, one at a time; the drawing shows the site with the largest shortfall. */
export function siteChart(record: RunRecord, clock: LocalClock): ChartSpec | null {
  const sites = shownSites(record);
  const drawn = siteWithLargestShortfall(record, sites) ?? sites[0];
  if (drawn === undefined) return null;
  const byVpp = new Map<string | null, readonly BlockRow[]>();
  const awardRowsOf = (vpp: string | null): readonly BlockRow[] => {
    const known = byVpp.get(vpp) ?? awardRows(record, vpp);
    byVpp.set(vpp, known);
    return known;
  };
  const ordered = [drawn, ...sites.filter((site) => site !== drawn)];
  const charts = ordered.map((curves) => oneSite(curves, record, clock, awardRowsOf));
  const specs = charts.map(timeChartSpec);
  const [spec] = specs;
  // The drawn site may have no storage, others may.
  const legends = specs.map(({ legend }) => legend).sort((a, b) => b.length - a.length);
  const omittedCount = record.siteCurves.length - sites.length;
  return {
    ...spec,
    title: "Power of a site",
    legend: legends[0],
    caption: `${spec.caption} The drawing without scripts and on paper shows ${drawn.site}.${omittedCount > 0 ? ` ${formatCount(omittedCount, "site")} with less energy cannot be chosen; power.csv has all.` : ""}`,
    interactive: {
      charts: inOrderOf(sites, charts),
      timezone: clock.timezone,
      span: record,
      chooseLabel: "Site",
    },
  };
}

function oneSite(
  { site, setpointKw, powerKw, baselineKw, socPct }: SiteCurves,
  record: RunRecord,
  clock: LocalClock,
  awardRowsOf: (vpp: string | null) => readonly BlockRow[],
): TimeChart {
  const vpp = record.sites.find((row) => row.site === site)?.vpp ?? null;
  const hasSoc = socPct.atMs.length > 0;
  return {
    id: "site-power",
    title: site,
    caption: `Power in kW${hasSoc ? " and state of charge in %" : ""}, ${clock.timezone}. Import is positive, export negative. The set-point is the baseline plus the dispatched change of power.`,
    altText: `Set-point, power and baseline${hasSoc ? " in kW and state of charge in %" : " in kW"} of ${site} over time.`,
    clock,
    span: record,
    axisTitle: "Power (kW)",
    curves: [
      { label: "Power", colour: "s1", unit: "kW", curve: powerKw, isFilled: true },
      { label: "Set-point", colour: "s2", unit: "kW", curve: setpointKw },
      { label: "Baseline", colour: "neutral", unit: "kW", curve: baselineKw, isDashed: true },
      ...(hasSoc ? [{ label: "State of charge", colour: "s3", unit: "%", curve: socPct } as const] : []),
    ],
    rows: [...awardRowsOf(vpp), ...limitRows(record, new Set([site]))],
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
  const kwhOf = new Map(
    siteShortfalls.map(({ site, byCauseKwh }) => [site, byCauseKwh.reduce((sum, kwh) => sum + kwh, 0)]),
  );
  return sites.reduce<SiteCurves | null>(
    (most, curves) =>
      (most === null ? 0 : (kwhOf.get(most.site) ?? 0)) < (kwhOf.get(curves.site) ?? 0) ? curves : most,
    null,
  );
}

const inOrderOf = (sites: readonly SiteCurves[], charts: readonly TimeChart[]): readonly TimeChart[] =>
  [...charts].sort(
    (a, b) => sites.findIndex(({ site }) => site === a.title) - sites.findIndex(({ site }) => site === b.title),
  );
