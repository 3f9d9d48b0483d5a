import type { TableBlock } from "../../accounting/recorders/tableBlock.ts";
import type { BidSlot } from "../../market/clearBid.ts";
import { type RowColumn, rowsToBlock } from "./rowsToBlock.ts";

/** One row per bid and slot (docs/model/bids.md#files). */
export const bidsBlock = (slots: readonly BidSlot[]): TableBlock => rowsToBlock(slots, COLUMNS);

const COLUMNS: readonly RowColumn<BidSlot>[] = [
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
