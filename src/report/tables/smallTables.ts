import type { TableBlock } from "../../accounting/recorders/tableBlock.ts";
import type { KindTable } from "../../accounting/runRecord.ts";
import type { SiteRow } from "../../accounting/siteRow.ts";
import type { ComponentTableColumn } from "../../engine/site/components/tableFacet.ts";
import type { BidSlot } from "../../market/clearBid.ts";
import type { AlarmRow } from "../alarmRow.ts";
import { type RowColumn, rowsToBlock } from "./rowsToBlock.ts";

const SITE_COLUMNS: readonly RowColumn<SiteRow>[] = [
  { name: "site", kind: "text", of: (row) => row.site },
  { name: "resource_type", kind: "name", of: (row) => row.resourceType },
  { name: "vpp", kind: "name", of: (row) => row.vpp },
  { name: "import_kwh", kind: "thousandths", of: (row) => row.importKwh },
  { name: "export_kwh", kind: "thousandths", of: (row) => row.exportKwh },
  { name: "throughput_kwh", kind: "thousandths", of: (row) => row.throughputKwh },
  { name: "equivalent_full_cycles", kind: "thousandths", of: (row) => row.equivalentFullCycles },
  { name: "soc_min_pct", kind: "thousandths", of: (row) => row.socMinPct },
  { name: "soc_mean_pct", kind: "thousandths", of: (row) => row.socMeanPct },
  { name: "soc_max_pct", kind: "thousandths", of: (row) => row.socMaxPct },
  { name: "minutes_at_soc_min", kind: "thousandths", of: (row) => row.minutesAtSocMin },
  { name: "minutes_at_soc_max", kind: "thousandths", of: (row) => row.minutesAtSocMax },
  ...[20, 40, 60, 80, 100].map(
    (depth, k): RowColumn<SiteRow> => ({
      name: `cycles_to_${depth}_pct`,
      kind: "thousandths",
      of: (row) => row.cyclesByDepth?.[k] ?? null,
    }),
  ),
  { name: "availability_pct", kind: "thousandths", of: (row) => row.availabilityPct },
  { name: "planned_outage_pct", kind: "thousandths", of: (row) => row.plannedOutagePct },
  { name: "curtailed_kwh", kind: "thousandths", of: (row) => row.curtailedKwh },
  { name: "fit_curtailed_kwh", kind: "thousandths", of: (row) => row.fitCurtailedKwh },
  { name: "non_firm_curtailed_kwh", kind: "thousandths", of: (row) => row.nonFirmCurtailedKwh },
  { name: "manual_curtailed_kwh", kind: "thousandths", of: (row) => row.manualCurtailedKwh },
  { name: "dr_delivered_kwh", kind: "thousandths", of: (row) => row.drDeliveredKwh },
  { name: "soc_final_pct", kind: "thousandths", of: (row) => row.socFinalPct },
];

export const sitesBlock = (sites: readonly SiteRow[]): TableBlock => rowsToBlock(sites, SITE_COLUMNS);

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
