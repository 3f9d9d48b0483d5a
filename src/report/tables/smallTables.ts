import type { SiteMoneyRow } from "../../accounting/ledger/moneyRows.ts";
import type { TableBlock } from "../../accounting/recorders/tableBlock.ts";
import type { KindTable, RunRecord } from "../../accounting/runRecord.ts";
import type { SiteRow } from "../../accounting/siteRow.ts";
import type { ComponentTableColumn } from "../../engine/site/components/tableFacet.ts";
import type { BidSlot } from "../../market/clearBid.ts";
import type { AlarmRow } from "../alarmRow.ts";
import { AWARD_MONEY_FIELDS } from "./awardsTable.ts";
import { type Field, fieldColumns, partColumns, type RowColumn, rowsToBlock } from "./rowsToBlock.ts";

/** A site, or what no site bears. `null`: not applicable. */
type SiteTableRow = { readonly [Key in keyof SiteRow]: SiteRow[Key] | null };

const SITE_FIELDS = {
  site: { name: "site", kind: "text" },
  resourceType: { name: "resource_type", kind: "name" },
  vpp: { name: "vpp", kind: "name" },
  importKwh: { name: "import_kwh", kind: "thousandths" },
  exportKwh: { name: "export_kwh", kind: "thousandths" },
  throughputKwh: { name: "throughput_kwh", kind: "thousandths" },
  equivalentFullCycles: { name: "equivalent_full_cycles", kind: "thousandths" },
  socMinPct: { name: "soc_min_pct", kind: "thousandths" },
  socMeanPct: { name: "soc_mean_pct", kind: "thousandths" },
  socMaxPct: { name: "soc_max_pct", kind: "thousandths" },
  minutesAtSocMin: { name: "minutes_at_soc_min", kind: "thousandths" },
  minutesAtSocMax: { name: "minutes_at_soc_max", kind: "thousandths" },
} as const satisfies { readonly [Key in keyof SiteTableRow]?: Field };

const CYCLE_COLUMNS = [20, 40, 60, 80, 100].map(
  (depth, k): RowColumn<SiteTableRow> => ({
    name: `cycles_to_${depth}_pct`,
    kind: "thousandths",
    of: (row) => row.cyclesByDepth?.[k] ?? null,
  }),
);

const LATER_SITE_FIELDS = {
  availabilityPct: { name: "availability_pct", kind: "thousandths" },
  plannedOutagePct: { name: "planned_outage_pct", kind: "thousandths" },
  curtailedKwh: { name: "curtailed_kwh", kind: "thousandths" },
  fitCurtailedKwh: { name: "fit_curtailed_kwh", kind: "thousandths" },
  nonFirmCurtailedKwh: { name: "non_firm_curtailed_kwh", kind: "thousandths" },
  manualCurtailedKwh: { name: "manual_curtailed_kwh", kind: "thousandths" },
  drDeliveredKwh: { name: "dr_delivered_kwh", kind: "thousandths" },
  socFinalPct: { name: "soc_final_pct", kind: "thousandths" },
} as const satisfies { readonly [Key in keyof SiteTableRow]?: Field };

const SITE_MONEY_FIELDS = {
  owner: { name: "owner", kind: "name" },
  ...AWARD_MONEY_FIELDS,
  ownEnergyCostJpy: { name: "own_energy_cost_jpy", kind: "thousandths" },
  customerEnergyCostJpy: { name: "customer_energy_cost_jpy", kind: "thousandths" },
  marginJpy: { name: "margin_jpy", kind: "thousandths" },
  feesJpy: { name: "fees_jpy", kind: "thousandths" },
  wearJpy: { name: "wear_jpy", kind: "thousandths" },
} as const satisfies { readonly [Key in keyof SiteMoneyRow]?: Field };

const SITE_COLUMNS: readonly RowColumn<SiteTableRow>[] = [
  ...fieldColumns<SiteTableRow>(SITE_FIELDS),
  ...CYCLE_COLUMNS,
  ...fieldColumns<SiteTableRow>(LATER_SITE_FIELDS),
  ...partColumns<SiteTableRow, SiteMoneyRow>(SITE_MONEY_FIELDS, ({ money }) => money),
];

/** Name of the row of sites.csv with what no site bears. */
const SITELESS = "(none)";

// All fields of the table are set to null, and no column has the others.
const NO_SITE = Object.fromEntries(
  [...Object.keys(SITE_FIELDS), ...Object.keys(LATER_SITE_FIELDS)].map((key) => [key, null]),
) as unknown as SiteTableRow;

/** The sites, and last what no site bears, if there is something. */
export const siteTableRows = ({ sites, siteless }: Pick<RunRecord, "sites" | "siteless">): readonly SiteTableRow[] =>
  siteless === null ? sites : [...sites, { ...NO_SITE, site: SITELESS, money: siteless }];

export const sitesBlock = (rows: readonly SiteTableRow[]): TableBlock => rowsToBlock(rows, SITE_COLUMNS);

/** One row per bid and slot (docs/model/bids.md#files). */
export const bidsBlock = (slots: readonly BidSlot[]): TableBlock => rowsToBlock(slots, BID_COLUMNS);

const BID_COLUMNS: readonly RowColumn<BidSlot>[] = [
  { name: "slot_start", kind: "instant", of: ({ startMs }) => startMs },
  { name: "slot_end", kind: "instant", of: ({ endMs }) => endMs },
  { name: "bid_id", kind: "text", of: ({ bidId }) => bidId },
  { name: "vpp_id", kind: "name", of: ({ vpp }) => vpp },
  { name: "sku", kind: "name", of: ({ sku }) => sku },
  { name: "bid_kw", kind: "thousandths", of: ({ kw }) => kw },
  { name: "price_per", kind: "name", of: ({ unit }) => unit },
  { name: "bid_price_jpy", kind: "thousandths", of: ({ pricePerUnit }) => pricePerUnit },
  { name: "cleared_price_jpy", kind: "thousandths", of: ({ clearedPricePerUnit }) => clearedPricePerUnit },
  { name: "margin_price_jpy", kind: "thousandths", of: ({ marginPerUnit }) => marginPerUnit },
  { name: "result", kind: "name", of: ({ awardId }) => (awardId === null ? "refused" : "taken") },
  { name: "award_id", kind: "text", of: ({ awardId }) => awardId },
  { name: "paid_price_jpy", kind: "thousandths", of: ({ paidPricePerUnit }) => paidPricePerUnit },
  { name: "amount_jpy", kind: "thousandths", of: ({ amountJpy }) => amountJpy },
  { name: "margin_jpy", kind: "thousandths", of: ({ marginJpy }) => marginJpy },
];

/** One row per change of an alarm (docs/model/report-files.md#alarms). */
export const alarmsBlock = (alarms: readonly AlarmRow[]): TableBlock => rowsToBlock(alarms, ALARM_COLUMNS);

const ALARM_COLUMNS: readonly RowColumn<AlarmRow>[] = [
  { name: "seq", kind: "integer", of: ({ seq }) => seq },
  { name: "at", kind: "instant", of: ({ atMs }) => atMs },
  { name: "what", kind: "name", of: ({ what }) => what },
  { name: "id", kind: "text", of: ({ id }) => id },
  { name: "kind", kind: "name", of: ({ kind }) => kind },
  { name: "cause", kind: "name", of: ({ cause }) => cause },
  { name: "priority", kind: "integer", of: ({ priority }) => priority },
  { name: "vpp", kind: "name", of: ({ vpp }) => vpp },
  { name: "site", kind: "name", of: ({ site }) => site },
  { name: "award", kind: "text", of: ({ award }) => award },
  { name: "since", kind: "instant", of: ({ sinceMs }) => sinceMs },
  { name: "kw", kind: "thousandths", of: ({ kw }) => kw },
  { name: "by", kind: "name", of: ({ by }) => by },
  { name: "name", kind: "text", of: ({ name }) => name },
  { name: "shelved_until", kind: "optional instant", of: ({ shelvedUntilMs }) => shelvedUntilMs },
];

type Row = KindTable["rows"][number];

/** The table that a kind of component adds to a report. */
export const kindTableBlock = ({ layout, rows }: KindTable): TableBlock =>
  rowsToBlock(rows, [{ name: "site", kind: "name", of: ({ site }) => site }, ...layout.columns.map(columnOf)]);

function columnOf({ name, kind }: ComponentTableColumn, k: number): RowColumn<Row> {
  if (kind === "text") return { name, kind, of: ({ cells }) => String(cells[k]) };
  return { name, kind, of: ({ cells }) => Number(cells[k]) };
}
