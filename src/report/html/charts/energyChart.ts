import type { SiteRow } from "../../../accounting/siteRow.ts";
import { sumOf } from "../../../base/lists.ts";
import { formatKwh, PRINTED_MIN } from "../page/format.ts";
import type { Translate } from "../page/pageLocale.ts";
import { type Bar, type BarRow, barAxis, barChartSpec } from "./barChart.ts";
import type { ChartSpec } from "./chart.ts";

const SITES_MAX = 30;

/** Energy at each connection point: import (positive) to the right, export to the left. */
export function energyChart(sites: readonly SiteRow[], t: Translate): ChartSpec | null {
  if (sites.every(({ importKwh, exportKwh }) => importKwh + exportKwh === 0)) return null;
  const shown = selectShownSites(sites);
  const rows = shown.map((site) => energyRow(site, t));
  return barChartSpec({
    id: "energy",
    title: t("chart.energy"),
    caption: captionOf(sites, shown, t),
    altText: t("chart.energy_alt", { count: sites.length, ...energyOf(sites) }),
    legend: [
      { label: t("chart.import"), colour: "s1" },
      { label: t("chart.export"), colour: "s5" },
    ],
    axis: barAxis(t("chart.energy_two_axis"), rows),
    rows,
  });
}

function energyRow({ site, importKwh, exportKwh }: SiteRow, t: Translate): BarRow {
  const bars: readonly Bar[] = [
    { from: 0, to: importKwh, colour: "s1", label: t("chart.import"), valueText: formatKwh(importKwh) },
    { from: 0, to: -exportKwh, colour: "s5", label: t("chart.export"), valueText: formatKwh(exportKwh) },
  ];
  return { name: site, tracks: [{ bars: bars.filter(({ to }) => PRINTED_MIN <= Math.abs(to)) }] };
}

/** In the order of the scenario if all fit, otherwise the largest first. */
function selectShownSites(sites: readonly SiteRow[]): readonly SiteRow[] {
  if (sites.length <= SITES_MAX) return sites;
  const total = ({ importKwh, exportKwh }: SiteRow): number => importKwh + exportKwh;
  return sites
    .map((row, k) => ({ row, k }))
    .sort((a, b) => total(b.row) - total(a.row) || a.k - b.k)
    .slice(0, SITES_MAX)
    .map(({ row }) => row);
}

const energyOf = (sites: readonly SiteRow[]) => ({
  import: formatKwh(sumOf(sites, (site) => site.importKwh)),
  export: formatKwh(sumOf(sites, (site) => site.exportKwh)),
});

/** With the sum of the other sites as text: a bar of them would dwarf the others. */
function captionOf(sites: readonly SiteRow[], shown: readonly SiteRow[], t: Translate): string {
  if (shown.length === sites.length) return t("chart.energy_caption");
  const others = sites.filter((row) => !shown.includes(row));
  return t("chart.energy_caption_excerpt", { shown: shown.length, count: others.length, ...energyOf(others) });
}
