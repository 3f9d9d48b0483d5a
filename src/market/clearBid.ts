import { meanOver } from "../accounting/settlement/awardPrices.ts";
import type { Sku } from "../base/sku.ts";
import { type EpochMs, MS_PER_HALF_HOUR, MS_PER_HOUR } from "../base/time.ts";
import type { NumberOrSeries } from "../engine/vpp/instructions/instructionSpec.ts";
import { withoutMinusZero } from "./settlement.ts";

/** Unit of the price of a bid: per kW and 30 minutes, per kW and hour, or per kWh. */
export type BidUnit = "kw_30min" | "kw_h" | "kwh";

/** A bid with prices in JPY per `unit`. */
export interface PricedBid {
  readonly bidId: string;
  /** Name of the VPP. */
  readonly vpp: string;
  readonly sku: Sku | null;
  /** Signed: export −; for frequency response, the two-sided capacity. */
  readonly kw: number;
  readonly unit: BidUnit;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Slots are counted from the start and cleared one by one. */
  readonly slotMs: number;
  /** Whether the whole bid is accepted or refused, by its mean prices. */
  readonly isAllOrNone: boolean;
  readonly pricePerUnit: NumberOrSeries;
  readonly clearedPricePerUnit: NumberOrSeries;
  readonly paid: "bid" | "cleared";
  /** Price at which the bidder has neither gain nor loss. */
  readonly reservationPricePerUnit: NumberOrSeries;
}

/** The result of one bid in one slot. Prices are JPY per `unit`, means over the slot. */
export interface BidSlot {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly bidId: string;
  readonly vpp: string;
  readonly sku: Sku | null;
  readonly kw: number;
  readonly unit: BidUnit;
  readonly pricePerUnit: number;
  readonly clearedPricePerUnit: number;
  /** Difference to the cleared price in the bid's favour; below 0: the bid is refused by this difference. */
  readonly marginPerUnit: number;
  /** `null`: refused. */
  readonly awardId: string | null;
  /** `null` where the bid was refused. */
  readonly paidPricePerUnit: number | null;
  /** Payment (+) or charge (−) of the market for the accepted bid, in JPY; 0 if it was refused. */
  readonly amountJpy: number;
  /** Margin of the accepted bid over its reservation price, in JPY; 0 if it was refused. */
  readonly marginJpy: number;
}

/** Consecutive accepted slots, which become one award. */
export interface TakenPeriod {
  readonly awardId: string;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

interface ClearedBid {
  readonly slots: readonly BidSlot[];
  readonly taken: readonly TakenPeriod[];
}

/** Smaller differences of prices are rounding errors; a bid at the cleared price is accepted. */
const PRICE_TOLERANCE = 1e-9;

/**
 * Compares a bid with the cleared prices (docs/model/bids.md#clearing). Capacity is always sold. Energy is sold with a
 * negative `kw` and bought with a positive one.
 *
 * @param untilMs  end of the run: slots from there on are left out
 */
export function clearBid(bid: PricedBid, untilMs: EpochMs): ClearedBid {
  const { startMs, slotMs, isAllOrNone } = bid;
  const endMs = Math.min(bid.endMs, untilMs);
  const wholeMargin = marginOver(bid, startMs, endMs);
  const slots: BidSlot[] = [];
  const taken: { awardId: string; startMs: EpochMs; endMs: EpochMs }[] = [];
  let isOpen = false;
  for (let atMs = startMs, number = 1; atMs < endMs; atMs += slotMs, number++) {
    const slotEndMs = Math.min(atMs + slotMs, bid.endMs);
    const marginPerUnit = marginOver(bid, atMs, Math.min(slotEndMs, untilMs));
    const isTaken = (isAllOrNone ? wholeMargin : marginPerUnit) >= -PRICE_TOLERANCE;
    if (isTaken && isOpen) taken[taken.length - 1].endMs = slotEndMs;
    else if (isTaken) taken.push({ awardId: awardIdOf(bid, number), startMs: atMs, endMs: slotEndMs });
    isOpen = isTaken;
    const awardId = isTaken ? taken[taken.length - 1].awardId : null;
    slots.push(slotOf(bid, { startMs: atMs, endMs: slotEndMs, untilMs, marginPerUnit, awardId }));
  }
  return { slots, taken };
}

/** Independent of the prices of other slots. @param number  of its first slot in the bid, from 1 */
const awardIdOf = ({ bidId }: PricedBid, number: number): string => (number === 1 ? bidId : `${bidId}-${number}`);

interface SlotResult {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly untilMs: EpochMs;
  readonly marginPerUnit: number;
  readonly awardId: string | null;
}

function slotOf(bid: PricedBid, { startMs, endMs, untilMs, marginPerUnit, awardId }: SlotResult): BidSlot {
  const { bidId, vpp, sku, kw, unit } = bid;
  const mean = (price: NumberOrSeries): number => meanOver(price, startMs, Math.min(endMs, untilMs));
  const pricePerUnit = mean(bid.pricePerUnit);
  const clearedPricePerUnit = mean(bid.clearedPricePerUnit);
  const paidPrice = bid.paid === "bid" ? pricePerUnit : clearedPricePerUnit;
  const quantity = (Math.abs(kw) * (Math.min(endMs, untilMs) - startMs)) / UNIT_MS[unit];
  const sign = isPurchase(bid) ? -1 : 1;
  const isTaken = awardId !== null;
  return {
    startMs,
    endMs,
    bidId,
    vpp,
    sku,
    kw,
    unit,
    pricePerUnit,
    clearedPricePerUnit,
    marginPerUnit: withoutMinusZero(marginPerUnit),
    awardId,
    paidPricePerUnit: isTaken ? paidPrice : null,
    amountJpy: isTaken ? withoutMinusZero(sign * paidPrice * quantity) : 0,
    marginJpy: isTaken ? withoutMinusZero(sign * (paidPrice - mean(bid.reservationPricePerUnit)) * quantity) : 0,
  };
}

/** Time that one kW holds for one unit. */
const UNIT_MS: Readonly<Record<BidUnit, number>> = { kw_30min: MS_PER_HALF_HOUR, kw_h: MS_PER_HOUR, kwh: MS_PER_HOUR };

const isPurchase = ({ unit, kw }: PricedBid): boolean => unit === "kwh" && kw > 0;

/** Difference of the mean cleared price of a period to the bid's price, positive in the bid's favour. */
function marginOver(bid: PricedBid, fromMs: EpochMs, toMs: EpochMs): number {
  const above = meanOver(bid.clearedPricePerUnit, fromMs, toMs) - meanOver(bid.pricePerUnit, fromMs, toMs);
  return isPurchase(bid) ? -above : above;
}

/** Sums over all bids of a run. */
interface BidTotals {
  readonly slots: number;
  readonly taken: number;
  readonly amountJpy: number;
  readonly marginJpy: number;
}

export function bidTotals(slots: readonly BidSlot[]): BidTotals {
  const totals = { slots: slots.length, taken: 0, amountJpy: 0, marginJpy: 0 };
  for (const { awardId, amountJpy, marginJpy } of slots) {
    if (awardId !== null) totals.taken++;
    totals.amountJpy += amountJpy;
    totals.marginJpy += marginJpy;
  }
  return totals;
}
