import type { SiteRow } from "../../../accounting/siteRow.ts";
import { roundTo } from "../../../base/rounding.ts";
import {
  type ChartSpec,
  horizontalBarAxis,
  horizontalPlotArea,
  renderFigure,
  shortenName,
  valueAxis,
} from "../charts/chart.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatCount, formatKwh, numberCell } from "../page/format.ts";
import { html } from "../page/markup.ts";
import { type ColourName, colourPlaceholder } from "../page/palette.ts";

const BARS_MAX = 30;
const ROWS_MAX = 200;

const REASONS: readonly {
  readonly label: string;
  readonly colour: ColourName;
  readonly kwh: (site: SiteRow) => number;
}[] = [
  { label: "FIT", colour: "s5", kwh: (site) => site.fitCurtailedKwh ?? 0 },
  { label: "Non-firm", colour: "s1", kwh: (site) => site.nonFirmCurtailedKwh ?? 0 },
  { label: "Manual", colour: "s4", kwh: (site) => site.manualCurtailedKwh ?? 0 },
  { label: "Other", colour: "s8", kwh: otherCurtailedKwh },
];

/** What is left of a site's curtailed energy; thousandths, as the others are. */
function otherCurtailedKwh(site: SiteRow): number {
  const named = (site.fitCurtailedKwh ?? 0) + (site.nonFirmCurtailedKwh ?? 0) + (site.manualCurtailedKwh ?? 0);
  return Math.max(0, roundTo((site.curtailedKwh ?? 0) - named, 3));
}

/** Energy that plants had to hold back, by who asked for it; `null` where there was none. */
export function curtailmentSection(sites: readonly SiteRow[]): Section | null {
  const most = sites
    .map((site, k) => ({ site, k, kwh: site.curtailedKwh ?? 0 }))
    .filter(({ kwh }) => 0 < kwh)
    .sort((a, b) => b.kwh - a.kwh || a.k - b.k)
    .map(({ site }) => site);
  if (most.length === 0) return null;
  return {
    id: "curtailment",
    contentsTitle: "Curtailment",
    title: "Curtailed energy",
    intro:
      "What sun and wind would have given and plants had to hold back. FIT: output control of plants with a feed-in tariff; non-firm: congestion where the connection is not firm; manual: output control by hand, and set-points below what was available.",
    body: html`${renderFigure(curtailmentChart(most))}${curtailmentTable(most)}`,
  };
}

function curtailmentChart(sites: readonly SiteRow[]): ChartSpec {
  const shown = sites.slice(0, BARS_MAX);
  const left = sites.length - shown.length;
  const total = (of: (site: SiteRow) => number) => sites.reduce((sum, site) => sum + of(site), 0);
  const reasons = REASONS.filter(({ kwh }) => 0 < total(kwh));
  return {
    id: "curtailed-bars",
    title: "Curtailed energy by site and reason",
    caption: `kWh over the whole run, largest first.${left > 0 ? ` ${left} more sites are in the table.` : ""}`,
    altText: `Curtailed energy of ${formatCount(sites.length, "site")}: ${reasons.map(({ label, kwh }) => `${label} ${formatKwh(total(kwh))}`).join(", ")}.`,
    // Two at least, so that a single reason is named as well.
    legend: reasons.length === 1 ? [] : reasons.map(({ label, colour }) => ({ label, colour })),
    heightPx: 44 + 32 * shown.length,
    buildOption: (size) => ({
      grid: horizontalPlotArea,
      xAxis: { ...valueAxis("kWh"), splitNumber: size.isNarrow ? 3 : 6 },
      yAxis: horizontalBarAxis(shown.map(({ site }) => shortenName(site, size))),
      series: reasons.map(({ colour, kwh }) => ({
        type: "bar" as const,
        stack: "curtailed",
        silent: true,
        barMaxWidth: 18,
        itemStyle: { color: colourPlaceholder(colour) },
        data: shown.map(kwh),
      })),
    }),
  };
}

function curtailmentTable(sites: readonly SiteRow[]) {
  const caption =
    sites.length <= ROWS_MAX
      ? "Sites with curtailed energy, largest first"
      : `The ${ROWS_MAX} of ${sites.length} sites with most curtailed energy; all of them are in sites.csv`;
  return dataTable(caption, sites.slice(0, ROWS_MAX), [
    { title: "Site", cell: ({ site }) => html`<span class="id">${site}</span>` },
    column("Curtailed", (site) => site.curtailedKwh ?? 0),
    ...REASONS.map(({ label, kwh }) => column(label, kwh)),
    column("Exported", (site) => site.exportKwh),
  ]);
}

const column = (title: string, kwh: (site: SiteRow) => number): TableColumn<SiteRow> => ({
  title,
  unit: "kWh",
  align: "right",
  cell: (site) => numberCell(kwh(site), 1),
});
