import type { RunRecord } from "../../../accounting/runRecord.ts";
import type { SiteRow } from "../../../accounting/siteRow.ts";
import { sumOf } from "../../../base/lists.ts";
import { isLong } from "../charts/envelopeData.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import { energyScale, formatScaled, numberCell, type Scale } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale, Translate } from "../page/pageLocale.ts";

const SITES_MAX = 500;
/** Of a run of more than ten days. */
const WORST_MAX = 20;

/** One row per site, without the columns that apply to no site. Columns of batteries are in the battery section. */
export function siteTable(record: RunRecord, { t }: PageLocale): Markup {
  const { sites } = record;
  const rows = isLong(record) ? worstSites(record) : sites.slice(0, SITES_MAX);
  const caption =
    rows.length === sites.length
      ? t("site_table.all")
      : t(isLong(record) ? "months.worst_sites" : "site_table.excerpt", { shown: rows.length, count: sites.length });
  const missingKwh = new Map(record.siteShortfalls.map(({ site, byCauseKwh }) => [site, sumOf(byCauseKwh)]));
  const shortfall: NumberColumn = ["shortfall", "kWh", 1, ({ site }) => missingKwh.get(site) ?? 0];
  const columns = isLong(record) && missingKwh.size > 0 ? [shortfall, ...NUMBER_COLUMNS] : NUMBER_COLUMNS;
  const shownColumns = columns.filter(([, , , value]) => sites.some((site) => value(site) !== null));
  const scale = isLong(record) ? energyScale(rows.flatMap((site) => energiesOf(site, shownColumns))) : null;
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
    ...shownColumns.map((column) => numberColumn(column, scale, t)),
  ]);
}

type ColumnName = "shortfall" | "import" | "export" | "in_service" | "maintenance" | "curtailed" | "reduced";
type NumberColumn = readonly [
  name: ColumnName,
  unit: string,
  decimals: number,
  value: (site: SiteRow) => number | null,
];

const NUMBER_COLUMNS: readonly NumberColumn[] = [
  ["import", "kWh", 1, (site) => site.importKwh],
  ["export", "kWh", 1, (site) => site.exportKwh],
  ["in_service", "%", 1, (site) => site.availabilityPct],
  ["maintenance", "%", 1, (site) => site.plannedOutagePct],
  ["curtailed", "kWh", 1, (site) => site.curtailedKwh],
  ["reduced", "kWh", 1, (site) => site.drDeliveredKwh],
];

const energiesOf = (site: SiteRow, columns: readonly NumberColumn[]): number[] =>
  columns.filter(([, unit]) => unit === "kWh").map(([, , , value]) => value(site) ?? 0);

/** @param scale  of all energies of the table; `null`: kWh with a decimal */
function numberColumn(
  [name, unit, decimals, value]: NumberColumn,
  scale: Scale | null,
  t: Translate,
): TableColumn<SiteRow> {
  const title = name === "shortfall" ? t("head.shortfall") : t(`site_table.${name}`);
  if (scale === null || unit !== "kWh")
    return { title, unit, align: "right", cell: (site) => numberCell(value(site), decimals) };
  const cell = (site: SiteRow): Markup => {
    const kwh = value(site);
    return kwh === null ? numberCell(null, 0) : html`<data value="${kwh}">${formatScaled(kwh, scale)}</data>`;
  };
  return { title, unit: scale.unit, align: "right", cell };
}

/** Those with the largest shortfall, then with most energy. */
function worstSites({ sites, siteShortfalls }: RunRecord): readonly SiteRow[] {
  const missingKwh = new Map(siteShortfalls.map(({ site, byCauseKwh }) => [site, sumOf(byCauseKwh)]));
  const missing = ({ site }: SiteRow): number => missingKwh.get(site) ?? 0;
  const energy = ({ importKwh, exportKwh }: SiteRow): number => importKwh + exportKwh;
  return sites
    .map((row, k) => ({ row, k }))
    .sort((a, b) => missing(b.row) - missing(a.row) || energy(b.row) - energy(a.row) || a.k - b.k)
    .slice(0, WORST_MAX)
    .map(({ row }) => row);
}
