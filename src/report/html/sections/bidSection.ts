import { groupBy, sumOf } from "../../../base/lists.ts";
import { type BidSlot, type BidUnit, bidTotals } from "../../../market/clearBid.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatCount, numberCell } from "../page/format.ts";
import { html } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";

/** Maximum number of listed bids; more are only summed by VPP and product. bids.csv has all. */
const LISTED_BIDS_MAX = 50;

/** The accepted bids, by VPP and product and bid by bid; `null` without bids. */
export function bidSection(slots: readonly BidSlot[], locale: PageLocale): Section | null {
  if (slots.length === 0) return null;
  const { taken, amountJpy, marginJpy } = bidTotals(slots);
  const products = groupsOf(slots, ({ vpp, sku, unit }) => `${vpp} ${sku} ${unit}`);
  const bids = groupsOf(slots, ({ bidId }) => bidId);
  const isListed = bids.length <= LISTED_BIDS_MAX;
  return {
    id: "bids",
    contentsTitle: "Bids",
    title: "Bids",
    intro: `A bid is taken in each slot in which it is in the money. The VPPs are price takers: their bids do not change the cleared prices. The amounts are for the power as taken; what was delivered of it stands with the awards. Taken: ${taken} of ${formatCount(slots.length, "slot")}.`,
    body: html`${dataTable("Bids by VPP and product", products, [
      { title: "VPP", cell: ([{ vpp }]) => vpp },
      { title: "Product", cell: ([{ sku }]) => sku ?? "none" },
      { title: "Bids", align: "right", cell: (group) => numberCell(new Set(group.map(({ bidId }) => bidId)).size, 0) },
      ...RESULT_COLUMNS,
    ])}${
      isListed
        ? dataTable("Bids", bids, [
            { title: "Bid", cell: ([{ bidId }]) => bidId },
            { title: "Product", cell: ([{ sku }]) => sku ?? "none" },
            { title: "From", cell: ([{ startMs }]) => locale.renderTime(startMs) },
            { title: "To", cell: (group) => locale.renderTime(group[group.length - 1].endMs) },
            { title: "Power", unit: "kW", align: "right", cell: ([{ kw }]) => numberCell(kw, 1) },
            ...RESULT_COLUMNS,
          ])
        : html`<p class="muted">bids.csv lists ${formatCount(bids.length, "bid")} slot by slot.</p>`
    }<p>Paid for taken bids: ${numberCell(amountJpy, 0)} JPY, of which ${numberCell(marginJpy, 0)} JPY above the reservation prices.</p>`,
  };
}

type Group = readonly BidSlot[];

const groupsOf = (slots: Group, keyOf: (slot: BidSlot) => string): Group[] => [...groupBy(slots, keyOf).values()];

const meanOf = (group: Group, quantityOf: (slot: BidSlot) => number): number | null =>
  group.length === 0 ? null : sumOf(group, quantityOf) / group.length;

const takenOf = (group: Group): Group => group.filter(({ awardId }) => awardId !== null);

const UNIT_LABELS: Readonly<Record<BidUnit, string>> = {
  kw_30min: "JPY per kW and 30 min",
  kw_h: "JPY per kW and hour",
  kwh: "JPY per kWh",
};

const RESULT_COLUMNS: readonly TableColumn<Group>[] = [
  { title: "Taken", unit: "slots", align: "right", cell: (group) => numberCell(takenOf(group).length, 0) },
  {
    title: "Refused",
    unit: "slots",
    align: "right",
    cell: (group) => numberCell(group.length - takenOf(group).length, 0),
  },
  { title: "Price per", cell: ([{ unit }]) => UNIT_LABELS[unit] },
  {
    title: "Mean bid",
    align: "right",
    cell: (group) =>
      numberCell(
        meanOf(group, ({ pricePerUnit }) => pricePerUnit),
        3,
      ),
  },
  {
    title: "Mean cleared price",
    align: "right",
    cell: (group) =>
      numberCell(
        meanOf(group, ({ clearedPricePerUnit }) => clearedPricePerUnit),
        3,
      ),
  },
  {
    title: "Mean price paid",
    align: "right",
    cell: (group) =>
      numberCell(
        meanOf(takenOf(group), ({ paidPricePerUnit }) => paidPricePerUnit ?? 0),
        3,
      ),
  },
  { title: "Amount", unit: "JPY", align: "right", cell: (group) => numberCell(bidTotals(group).amountJpy, 0) },
  { title: "Margin", unit: "JPY", align: "right", cell: (group) => numberCell(bidTotals(group).marginJpy, 0) },
];
