import { envelope, equalBins } from "../../../accounting/recorders/envelope.ts";
import type { RunRecord, SiteCurves } from "../../../accounting/runRecord.ts";
import { sumOf } from "../../../base/lists.ts";
import { MS_PER_HOUR } from "../../../base/time.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import type { ChartSpec } from "./chart.ts";
import { type EnvelopeData, isLong } from "./envelopeData.ts";
import type { TimeCurve } from "./interactiveChart.ts";
import { sitePowerHeat } from "./solidHeat.ts";
import { type BlockRow, limitRows } from "./timeBlocks.ts";
import { binNote, captionOf, thinningNote, timeChartSpec } from "./timeChart.ts";
import type { TimeChart } from "./timeDrawing.ts";

/** Sites that can be chosen: of a long run only those with the largest shortfall, because each has its envelope. */
const SITES_MAX = { short: 100, long: 20 };

/** Curves of a long run that are thinned to longer periods are no curves in a zoom of days. */
const CURVE_STEP_MAX_MS = MS_PER_HOUR;

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
): { readonly chart: ChartSpec; readonly heat: ChartSpec | null } | null {
  const isBand = isLong(record);
  const sites = shownSites(record, isBand ? SITES_MAX.long : SITES_MAX.short);
  const drawn = siteWithLargestShortfall(record, sites) ?? sites[0];
  if (drawn === undefined) return null;
  const vpps = [...new Set(sites.map(({ site }) => vppOf(record, site)))];
  const envelopes = isBand ? powerEnvelopes(sites, record) : null;
  const charts = sites.map((curves, k) => {
    const rows = isBand
      ? []
      : [...awardRowsOf(vppOf(record, curves.site)).rows, ...limitRows(record, new Set([curves.site]), locale)];
    return oneSite(curves, record, { locale, rows, power: envelopes?.series[k] ?? null });
  });
  const first = sites.indexOf(drawn);
  const omittedCount = record.siteCurves.length - sites.length;
  const { t, timezone: zone } = locale;
  const omittedKey = isBand ? "chart.site_omitted_shortfall" : "chart.site_omitted_energy";
  const heat = envelopes === null ? null : sitePowerHeat(drawn, envelopes.series[first], record, locale);
  const chart: ChartSpec = {
    ...timeChartSpec(charts[first], envelopes ?? undefined),
    title: charts.length > 1 ? titleWithChoice(drawn.site, locale) : t("chart.site_title", { site: drawn.site }),
    caption: captionOf(
      [
        t("chart.site_caption", { zone }),
        omittedCount > 0 ? t(omittedKey, { count: omittedCount }) : "",
        ...(charts[first].bands ?? []).map((band) => binNote(band, locale)),
        thinningNote(
          charts.flatMap(({ curves }) => curves),
          locale,
        ),
      ],
      t,
    ),
    interactive: {
      charts,
      timezone: locale.timezone,
      span: record,
      choice: {
        label: t("head.site"),
        first,
        rowsOf: (isBand ? [] : vpps)
          .map(awardRowsOf)
          .flatMap(({ figure, rows }) => (figure === null ? [] : [{ figure, rows }])),
      },
    },
  };
  return { chart, heat };
}

/** The script writes the name of the chosen site; print shows that of the drawn one. */
const titleWithChoice = (drawn: string, { rich }: PageLocale): Markup =>
  rich("chart.site_title", { site: html`<span class="drawn-only">${drawn}</span><span class="chosen"></span>` });

const vppOf = ({ sites }: RunRecord, name: string): string | null =>
  sites.find(({ site }) => site === name)?.vpp ?? null;

/** Bins in which the thinned curves have all their extremes. */
function powerEnvelopes(sites: readonly SiteCurves[], { startMs, endMs, bins }: RunRecord): EnvelopeData {
  const thinnedMs = sites.reduce((most, { powerKw }) => Math.max(most, powerKw.thinnedMs), 0);
  const wider = thinnedMs <= bins.binMs ? bins : equalBins({ startMs, endMs }, thinnedMs, bins.startMs);
  return {
    kind: "power",
    bins: wider,
    series: sites.map(({ site, powerKw }) => ({ ...envelope(powerKw, wider), name: site })),
  };
}

interface SiteDrawing {
  readonly locale: PageLocale;
  readonly rows: readonly BlockRow[];
  /** `null`: curves. */
  readonly power: EnvelopeData["series"][number] | null;
}

function oneSite(
  { site, setpointKw, powerKw, baselineKw, socPct }: SiteCurves,
  record: RunRecord,
  { locale, rows, power }: SiteDrawing,
): TimeChart {
  const { t } = locale;
  const hasSoc = socPct.atMs.length > 0;
  const curves: readonly TimeCurve[] = [
    { label: t("chart.power"), colour: "s1", unit: "kW", curve: powerKw, isFilled: true },
    { label: t("chart.set_point"), colour: "s2", unit: "kW", curve: setpointKw },
    { label: t("head.baseline"), colour: "neutral", unit: "kW", curve: baselineKw, isDashed: true },
    ...(hasSoc ? [{ label: t("chart.soc"), colour: "s3", unit: "%", curve: socPct } as const] : []),
  ];
  return {
    id: "site-power",
    title: site,
    caption: "",
    altText: t(hasSoc ? "chart.site_alt_soc" : "chart.site_alt", { site }),
    locale,
    span: record,
    axisTitle: t("chart.power_axis"),
    curves: power !== null && CURVE_STEP_MAX_MS < powerKw.thinnedMs ? [] : curves,
    bands: power === null ? [] : [{ ...power, label: t("chart.power"), unit: "kW", kind: "power", names: [site] }],
    rows,
    shades: [],
  };
}

/** In the order of the scenario if there are few, otherwise those with the largest shortfall, then with most energy. */
function shownSites({ siteCurves, sites, siteShortfalls }: RunRecord, sitesMax: number): readonly SiteCurves[] {
  if (siteCurves.length <= sitesMax) return siteCurves;
  const shortKwh =
    sitesMax === SITES_MAX.short
      ? new Map<string, number>()
      : new Map(siteShortfalls.map(({ site, byCauseKwh }) => [site, sumOf(byCauseKwh)]));
  const energyKwh = new Map(sites.map(({ site, importKwh, exportKwh }) => [site, importKwh + exportKwh]));
  const kept = siteCurves
    .map((curves, k) => ({ curves, k, kwh: energyKwh.get(curves.site) ?? 0, short: shortKwh.get(curves.site) ?? 0 }))
    .sort((a, b) => b.short - a.short || b.kwh - a.kwh || a.k - b.k)
    .slice(0, sitesMax);
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
