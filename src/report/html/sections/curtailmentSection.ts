import type { SiteRow } from "../../../accounting/siteRow.ts";
import { sumOf } from "../../../base/lists.ts";
import { roundTo } from "../../../base/rounding.ts";
import { type BarRow, barAxis, barChartSpec, stackedTrack } from "../charts/barChart.ts";
import { type ChartSpec, renderFigure } from "../charts/chart.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatCount, formatKwh, numberCell, PRINTED_MIN } from "../page/format.ts";
import { html } from "../page/markup.ts";
import type { ColourName } from "../page/palette.ts";

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

/** Curtailed energy of no known reason, rounded to three decimals like the others. */
function otherCurtailedKwh(site: SiteRow): number {
  const attributedKwh = (site.fitCurtailedKwh ?? 0) + (site.nonFirmCurtailedKwh ?? 0) + (site.manualCurtailedKwh ?? 0);
  return Math.max(0, roundTo((site.curtailedKwh ?? 0) - attributedKwh, 3));
}

/** Curtailed energy by reason; `null` if there was none. */
export function curtailmentSection(sites: readonly SiteRow[]): Section | null {
  const curtailed = sites
    .map((site, k) => ({ site, k, kwh: site.curtailedKwh ?? 0 }))
    .filter(({ kwh }) => PRINTED_MIN <= kwh)
    .sort((a, b) => b.kwh - a.kwh || a.k - b.k)
    .map(({ site }) => site);
  if (curtailed.length === 0) return null;
  return {
    id: "curtailment",
    contentsTitle: "Curtailment",
    title: "Curtailed energy",
    intro:
      "Available generation that was not used because of output control or a set-point. FIT: output control of plants with a feed-in tariff; non-firm: congestion at a non-firm connection; manual: manual output control, and set-points below the available power.",
    body: html`${renderFigure(curtailmentChart(curtailed))}${curtailmentTable(curtailed)}`,
  };
}

function curtailmentChart(sites: readonly SiteRow[]): ChartSpec {
  const shown = sites.slice(0, BARS_MAX);
  const omittedCount = sites.length - shown.length;
  const total = (of: (site: SiteRow) => number) => sumOf(sites, of);
  const reasons = REASONS.filter(({ kwh }) => PRINTED_MIN <= total(kwh));
  const rows = shown.map(
    (site): BarRow => ({
      name: site.site,
      detail: formatKwh(site.curtailedKwh ?? 0),
      tracks: [
        stackedTrack(
          reasons.map(({ label, colour, kwh }) => ({
            value: kwh(site),
            colour,
            label,
            valueText: formatKwh(kwh(site)),
          })),
        ),
      ],
    }),
  );
  return barChartSpec({
    id: "curtailed-bars",
    title: "Curtailed energy by site and reason",
    caption: `kWh over the whole run, largest first.${omittedCount > 0 ? ` The table has ${omittedCount} more sites.` : ""}`,
    altText: `Curtailed energy of ${formatCount(sites.length, "site")}: ${reasons.map(({ label, kwh }) => `${label} ${formatKwh(total(kwh))}`).join(", ")}.`,
    legend: reasons.length === 1 ? [] : reasons.map(({ label, colour }) => ({ label, colour })),
    axis: barAxis("Energy (kWh)", rows),
    rows,
  });
}

function curtailmentTable(sites: readonly SiteRow[]) {
  const caption =
    sites.length <= ROWS_MAX
      ? "Sites with curtailed energy, largest first"
      : `The ${ROWS_MAX} of ${sites.length} sites with most curtailed energy; sites.csv has all`;
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
