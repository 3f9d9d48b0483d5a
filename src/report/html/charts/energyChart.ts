import type { SiteRow } from "../../../accounting/siteRow.ts";
import { formatCount, formatKwh } from "../page/format.ts";
import { colourPlaceholder } from "../page/palette.ts";
import { type ChartSpec, horizontalBarAxis, horizontalPlotArea, horizontalValueAxis, shortenName } from "./chart.ts";

const SITES_MAX = 30;

/** Energy at each connection point: import (positive) to the right, export to the left. */
export function energyChart(sites: readonly SiteRow[]): ChartSpec | null {
  if (sites.every(({ importKwh, exportKwh }) => importKwh + exportKwh === 0)) return null;
  const shown = selectShownSites(sites);
  return {
    id: "energy",
    title: "Energy by site",
    caption: `kWh at each grid connection point over the whole run. Right: import. Left: export.${omittedSitesText(sites, shown)}`,
    altText: `Import and export of ${formatCount(sites.length, "site")} in kWh: ${formatKwh(sumOf(sites, "importKwh"))} imported and ${formatKwh(sumOf(sites, "exportKwh"))} exported in all.`,
    legend: [
      { label: "Import", colour: "s1" },
      { label: "Export", colour: "s5" },
    ],
    heightPx: 66 + (shown.length > 12 ? 20 : 28) * shown.length,
    buildOption: (size) => ({
      grid: horizontalPlotArea,
      xAxis: { ...horizontalValueAxis("Export ← Energy (kWh) → Import"), splitNumber: size.isNarrow ? 3 : 7 },
      yAxis: { ...horizontalBarAxis(shown.map(({ site }) => shortenName(site, size))), axisLine: { show: false } },
      series: [
        { ...bar, itemStyle: { color: colourPlaceholder("s1") }, data: shown.map((row) => row.importKwh) },
        { ...bar, itemStyle: { color: colourPlaceholder("s5") }, data: shown.map((row) => -row.exportKwh) },
      ],
    }),
  };
}

const bar = { type: "bar" as const, stack: "energy", silent: true, barWidth: "62%" };

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

/** The sum of the other sites as text: a bar of them would dwarf the others. */
function omittedSitesText(sites: readonly SiteRow[], shown: readonly SiteRow[]): string {
  if (shown.length === sites.length) return "";
  const others = sites.filter((row) => !shown.includes(row));
  return ` Shown are the ${shown.length} sites with most energy; the other ${others.length} together imported ${formatKwh(sumOf(others, "importKwh"))} and exported ${formatKwh(sumOf(others, "exportKwh"))}.`;
}

const sumOf = (sites: readonly SiteRow[], field: "importKwh" | "exportKwh"): number =>
  sites.reduce((sum, site) => sum + site[field], 0);
