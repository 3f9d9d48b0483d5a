import type { SiteRow } from "../../../accounting/siteRow.ts";
import { sumOf } from "../../../base/lists.ts";
import { formatCount, formatKwh, PRINTED_MIN } from "../page/format.ts";
import { type Bar, type BarRow, barAxis, barChartSpec } from "./barChart.ts";
import type { ChartSpec } from "./chart.ts";

const SITES_MAX = 30;

/** Energy at each connection point: import (positive) to the right, export to the left. */
export function energyChart(sites: readonly SiteRow[]): ChartSpec | null {
  if (sites.every(({ importKwh, exportKwh }) => importKwh + exportKwh === 0)) return null;
  const shown = selectShownSites(sites);
  const rows = shown.map(energyRow);
  return barChartSpec({
    id: "energy",
    title: "Energy by site",
    caption: `kWh at each grid connection point over the whole run. Right: import. Left: export.${omittedSitesText(sites, shown)}`,
    altText: `Import and export of ${formatCount(sites.length, "site")} in kWh: ${formatKwh(sumOf(sites, (site) => site.importKwh))} imported and ${formatKwh(sumOf(sites, (site) => site.exportKwh))} exported in all.`,
    legend: [
      { label: "Import", colour: "s1" },
      { label: "Export", colour: "s5" },
    ],
    axis: barAxis("Export ← Energy (kWh) → Import", rows),
    rows,
  });
}

function energyRow({ site, importKwh, exportKwh }: SiteRow): BarRow {
  const bars: readonly Bar[] = [
    { from: 0, to: importKwh, colour: "s1", label: "Import", valueText: formatKwh(importKwh) },
    { from: 0, to: -exportKwh, colour: "s5", label: "Export", valueText: formatKwh(exportKwh) },
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

/** The sum of the other sites as text: a bar of them would dwarf the others. */
function omittedSitesText(sites: readonly SiteRow[], shown: readonly SiteRow[]): string {
  if (shown.length === sites.length) return "";
  const others = sites.filter((row) => !shown.includes(row));
  return ` Shown are the ${shown.length} sites with most energy; the other ${others.length} together imported ${formatKwh(sumOf(others, (site) => site.importKwh))} and exported ${formatKwh(sumOf(others, (site) => site.exportKwh))}.`;
}
