import type { SiteRow } from "../../../accounting/siteRow.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import { numberCell } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";

const SITES_MAX = 500;

/** One row per site, without the columns that apply to no site. Columns of batteries are in the battery section. */
export function siteTable(sites: readonly SiteRow[]): Markup {
  const rows = sites.slice(0, SITES_MAX);
  const caption =
    rows.length === sites.length
      ? "Every site over the whole run"
      : `The first ${rows.length} of ${sites.length} sites; sites.csv has all`;
  const shownColumns = NUMBER_COLUMNS.filter(([, , , value]) => sites.some((site) => value(site) !== null));
  return dataTable(caption, rows, [
    { title: "Site", cell: ({ site }) => html`<span class="id">${site}</span>` },
    { title: "Kind", cell: ({ resourceType }) => html`<span class="nb">${resourceType.replace("_", " ")}</span>` },
    {
      title: "VPP",
      cell: ({ vpp }) => (vpp === null ? html`<span class="na">–</span>` : html`<span class="nb">${vpp}</span>`),
    },
    ...shownColumns.map(
      ([title, unit, decimals, value]): TableColumn<SiteRow> => ({
        title,
        unit,
        align: "right",
        cell: (site) => numberCell(value(site), decimals),
      }),
    ),
  ]);
}

const NUMBER_COLUMNS: readonly (readonly [string, string, number, (site: SiteRow) => number | null])[] = [
  ["Import", "kWh", 1, (site) => site.importKwh],
  ["Export", "kWh", 1, (site) => site.exportKwh],
  ["In service", "%", 1, (site) => site.availabilityPct],
  ["Planned maintenance", "%", 1, (site) => site.plannedOutagePct],
  ["Curtailed", "kWh", 1, (site) => site.curtailedKwh],
  ["Load reduced", "kWh", 1, (site) => site.drDeliveredKwh],
];
