import { groupBy, sumOf } from "../../../base/lists.ts";
import { type BidSlot, bidTotals } from "../../../market/clearBid.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { numberCell } from "../page/format.ts";
import { html } from "../page/markup.ts";
import { currencyUnit } from "../page/money.ts";
import type { PageLocale, Translate } from "../page/pageLocale.ts";

/** Maximum number of listed bids; more are only summed by VPP and product. bids.csv has all. */
const LISTED_BIDS_MAX = 50;

/** The accepted bids, by VPP and product and bid by bid; `null` without bids. */
export function bidSection(slots: readonly BidSlot[], locale: PageLocale): Section | null {
  if (slots.length === 0) return null;
  const { taken, amountJpy, marginJpy } = bidTotals(slots);
  const products = groupsOf(slots, ({ vpp, sku, unit }) => `${vpp} ${sku} ${unit}`);
  const bids = groupsOf(slots, ({ bidId }) => bidId);
  const { t, rich, renderTime } = locale;
  const isListed = bids.length <= LISTED_BIDS_MAX;
  return {
    id: "bids",
    contentsTitle: t("bids.title"),
    title: t("bids.title"),
    intro: t("bids.intro", { taken: String(taken), count: slots.length }),
    body: html`${dataTable(t("bids.by_vpp"), products, [
      { title: "VPP", cell: ([{ vpp }]) => vpp },
      { title: t("head.product"), cell: ([{ sku }]) => sku ?? t("word.none") },
      {
        title: t("bids.title"),
        align: "right",
        cell: (group) => numberCell(new Set(group.map(({ bidId }) => bidId)).size, 0),
      },
      ...resultColumns(t, currencyUnit(locale)),
    ])}${
      isListed
        ? dataTable(t("bids.title"), bids, [
            { title: t("bids.bid"), cell: ([{ bidId }]) => bidId },
            { title: t("head.product"), cell: ([{ sku }]) => sku ?? t("word.none") },
            { title: t("head.from"), cell: ([{ startMs }]) => renderTime(startMs) },
            { title: t("head.to"), cell: (group) => renderTime(group[group.length - 1].endMs) },
            { title: t("bids.power"), unit: "kW", align: "right", cell: ([{ kw }]) => numberCell(kw, 1) },
            ...resultColumns(t, currencyUnit(locale)),
          ])
        : html`<p class="muted">${t("bids.many", { count: bids.length })}</p>`
    }<p>${rich("bids.paid", { amount: numberCell(amountJpy, 0), margin: numberCell(marginJpy, 0), currency: currencyUnit(locale) })}</p>`,
  };
}

type Group = readonly BidSlot[];

const groupsOf = (slots: Group, keyOf: (slot: BidSlot) => string): Group[] => [...groupBy(slots, keyOf).values()];

const meanOf = (group: Group, quantityOf: (slot: BidSlot) => number): number | null =>
  group.length === 0 ? null : sumOf(group, quantityOf) / group.length;

const takenOf = (group: Group): Group => group.filter(({ awardId }) => awardId !== null);

const resultColumns = (t: Translate, currency: string): readonly TableColumn<Group>[] => [
  {
    title: t("bids.taken"),
    unit: t("unit.slots"),
    align: "right",
    cell: (group) => numberCell(takenOf(group).length, 0),
  },
  {
    title: t("bids.refused"),
    unit: t("unit.slots"),
    align: "right",
    cell: (group) => numberCell(group.length - takenOf(group).length, 0),
  },
  { title: t("bids.price_per"), cell: ([{ unit }]) => t(`bids.unit.${unit}`, { currency }) },
  {
    title: t("bids.mean_bid"),
    align: "right",
    cell: (group) =>
      numberCell(
        meanOf(group, ({ pricePerUnit }) => pricePerUnit),
        3,
      ),
  },
  {
    title: t("bids.mean_cleared"),
    align: "right",
    cell: (group) =>
      numberCell(
        meanOf(group, ({ clearedPricePerUnit }) => clearedPricePerUnit),
        3,
      ),
  },
  {
    title: t("bids.mean_paid"),
    align: "right",
    cell: (group) =>
      numberCell(
        meanOf(takenOf(group), ({ paidPricePerUnit }) => paidPricePerUnit ?? 0),
        3,
      ),
  },
  {
    title: t("bids.amount"),
    unit: currency,
    align: "right",
    cell: (group) => numberCell(bidTotals(group).amountJpy, 0),
  },
  {
    title: t("bids.margin"),
    unit: currency,
    align: "right",
    cell: (group) => numberCell(bidTotals(group).marginJpy, 0),
  },
];
