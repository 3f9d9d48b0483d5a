import type { SiteRow } from "../../../accounting/siteRow.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import { numberCell } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { Translate } from "../page/pageLocale.ts";

const SITES_MAX = 500;

/** One row per site, without the columns that apply to no site. Columns of batteries are in the battery section. */
export function siteTable(sites: readonly SiteRow[], t: Translate): Markup {
  const rows = sites.slice(0, SITES_MAX);
  const caption =
    rows.length === sites.length
      ? t("site_table.all")
      : t("site_table.excerpt", { shown: rows.length, count: sites.length });
  const shownColumns = NUMBER_COLUMNS.filter(([, , , value]) => sites.some((site) => value(site) !== null));
  return dataTable(caption, rows, [
    { title: t("head.site"), cell: ({ site }) => html`<span class="id">${site}</span>` },
    {
      title: t("head.kind"),
      cell: ({ resourceType }) => html`<span class="nb">${t(`resource.${resourceType}`)}</span>`,
    },
    {
      title: "VPP",
      cell: ({ vpp }) => (vpp === null ? html`<span class="na">–</span>` : html`<span class="nb">${vpp}</span>`),
    },
    ...shownColumns.map(
      ([name, unit, decimals, value]): TableColumn<SiteRow> => ({
        title: t(`site_table.${name}`),
        unit,
        align: "right",
        cell: (site) => numberCell(value(site), decimals),
      }),
    ),
  ]);
}

type NumberColumn = "import" | "export" | "in_service" | "maintenance" | "curtailed" | "reduced";

const NUMBER_COLUMNS: readonly (readonly [NumberColumn, string, number, (site: SiteRow) => number | null])[] = [
  ["import", "kWh", 1, (site) => site.importKwh],
  ["export", "kWh", 1, (site) => site.exportKwh],
  ["in_service", "%", 1, (site) => site.availabilityPct],
  ["maintenance", "%", 1, (site) => site.plannedOutagePct],
  ["curtailed", "kWh", 1, (site) => site.curtailedKwh],
  ["reduced", "kWh", 1, (site) => site.drDeliveredKwh],
];
