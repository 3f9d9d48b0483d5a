import type { Sku } from "../base/sku.ts";
import type { EpochMs } from "../base/time.ts";
import type { AwardSlot, AwardSlotPrices, BandMiss, GroupSlot, GroupSlotPrices } from "./awardSlot.ts";

export type Verdict = "ok" | "fail" | "none";

/** Settlement of one award in one slot. Amounts: received +, paid −. Energy import positive. */
export interface AwardLine {
  readonly slotStartMs: EpochMs;
  readonly vpp: string;
  readonly awardId: string;
  readonly sku: Sku | null;
  /** Signed kW: export −. */
  readonly awardedKw: number;
  readonly capacityPricePerKwSlot: number;
  /** After a cap of the market. */
  readonly settledPricePerKwSlot: number;
  readonly capacityAmount: number;
  readonly feeAmount: number;
  readonly availableKw: number | null;
  readonly assessment1: Verdict;
  readonly missingKw: number;
  readonly samples: number;
  readonly samplesBad: number;
  readonly assessment2: Verdict;
  /** What assessment II failed by: its worst sample, or the mean of the samples; `null`: it did not fail. */
  readonly miss2: (BandMiss & { readonly isMean: boolean }) | null;
  readonly penalty1Amount: number;
  readonly penalty2Amount: number;
  readonly requestedKwh: number;
  readonly deliveredKwh: number;
  readonly activatedKwh: number;
  /** Price per kWh of the activated energy; `null` without any. */
  readonly activatedPricePerKwh: number | null;
  readonly activatedAmount: number;
}

/** Sum of the amounts of an award in a slot. */
export const netOf = ({
  capacityAmount,
  feeAmount,
  penalty1Amount,
  penalty2Amount,
  activatedAmount,
}: AwardLine): number => capacityAmount + feeAmount + penalty1Amount + penalty2Amount + activatedAmount;

/** Settlement of one balancing group in one slot. Amounts: received +, paid −. Energy import positive. */
export interface EnergyLine {
  readonly slotStartMs: EpochMs;
  readonly group: string;
  readonly planKwh: number;
  readonly spotKwh: number;
  readonly spotPricePerKwh: number | null;
  readonly spotAmount: number;
  readonly intradayKwh: number;
  readonly intradayAmount: number;
  readonly marketFeeAmount: number;
  readonly meteredKwh: number;
  readonly activatedKwh: number;
  /** Export positive: surplus +, shortage −. */
  readonly imbalanceKwh: number;
  readonly imbalancePricePerKwh: number | null;
  readonly imbalanceAmount: number;
  /** Energy on which wheeling is charged: its sum over a month counts. */
  readonly wheelingKwh: number;
  readonly premiumAmount: number;
  readonly retailAmount: number;
  /** Memo amounts, in no sum of cash. */
  readonly avoidedAmount: number;
  readonly degradationAmount: number;
  readonly spotValueAmount: number;
}

/** In place of a counterparty: lines that are in no sum of cash. */
export const MEMO = "memo";
/** In place of a counterparty: the sum of cash of a month. */
export const TOTAL = "total";

/** The part of the cash that an item belongs to; `null`: the sum of cash, and memos. */
export type CashPart = "reserve" | "activated" | "penalties" | "energy" | "imbalance" | "network" | "capacity" | null;

/** One line of the invoice of a month. */
export interface InvoiceLine {
  /** YYYY-MM in the market's zone. */
  readonly month: string;
  /** Name by which the market knows it, or `MEMO` or `TOTAL`. */
  readonly counterparty: string;
  readonly item: string;
  readonly part: CashPart;
  readonly quantity: number;
  readonly unit: string;
  readonly amount: number;
  readonly amountRounded: number;
  readonly taxAmount: number;
}

/** A call of the capacity market. */
export interface CapacityCall {
  readonly startMs: EpochMs;
  readonly notifiedMs: EpochMs;
}

/** Settlement of one call of the capacity market. */
export interface CallLine {
  /** YYYY-MM in the market's zone. */
  readonly month: string;
  readonly startMs: EpochMs;
  /** Whether the call was binding: notified early enough, and within the number of calls of a year. */
  readonly isBinding: boolean;
  readonly requestedKwh: number;
  readonly missedKwh: number;
  /** At most 0. */
  readonly penaltyAmount: number;
}

/** The result of a settlement. */
export interface Settlement {
  readonly awards: readonly AwardLine[];
  readonly energy: readonly EnergyLine[];
  /** In order of time. */
  readonly calls: readonly CallLine[];
  readonly invoice: readonly InvoiceLine[];
}

/** Input of a settlement, in order of time. */
export interface SettlementInput {
  readonly awardSlots: readonly { readonly slot: AwardSlot; readonly prices: AwardSlotPrices }[];
  readonly groupSlots: readonly { readonly slot: GroupSlot; readonly prices: GroupSlotPrices }[];
  readonly connection: ConnectionTerms;
  /** Calls of the capacity market. */
  readonly capacityCalls: readonly CapacityCall[];
  /** YYYY-MM of an instant in the market's zone. */
  readonly monthOf: (atMs: EpochMs) => string;
}

/** The quantities on which rates of a settlement may be charged. */
export interface RateUse {
  readonly connection: ConnectionTerms;
  /** Whether all sites only store. */
  readonly isStorageOnly: boolean;
}

/** Contracted powers of the settled sites together, in kW, at least 0. */
export interface ConnectionTerms {
  /** Wheeling contract (import), by which the charge for exports is reduced. */
  readonly wheelingKw: number;
  /** Part of it that pays the basic charge of wheeling; storage that pays for its losses alone does not. */
  readonly wheelingBasicKw: number;
  /** Largest simultaneous export. */
  readonly receivingKw: number;
  /** Of the capacity market. */
  readonly capacityKw: number;
  /** Of the retail tariff, which pays its basic charge. */
  readonly retailKw: number;
}

/** Rule for the assessment of a product by samples. */
export interface SamplingRule {
  readonly sampleMs: number;
  /** Time after a change of the request in which samples do not count. */
  readonly graceMs: number;
  /** Half width of the band in kW. */
  readonly bandKw: (requestedKw: number, awardedKw: number) => number;
}

/** The rules of one market with its parameters. */
export interface Market {
  /** Length of a settlement slot; slots begin at multiples of it in UTC. */
  readonly slotMs: number;
  samplingOf(sku: Sku | null): SamplingRule;
  /** @throws MarketError if a price is missing and the parameters ask for one */
  settle(input: SettlementInput): Settlement;
}

/** A settlement that is impossible; the message is for the user. */
export class MarketError extends Error {}

/** Avoids minus zero, which tables would print with a sign in JSON. */
export const withoutMinusZero = (amount: number): number => (amount === 0 ? 0 : amount);

/** An amount without minus zero. */
export const amountOf = (quantity: number, price: number): number => withoutMinusZero(quantity * price);

/** Activated energy of all awards of a VPP in a slot, in kWh, import positive; 0 without any. */
type ActivatedKwhOf = (slot: Pick<GroupSlot, "group" | "slotStartMs">) => number;

/** Sums the activated energy of awards by VPP and slot, in the order of the lines. */
export function sumActivatedEnergy(
  lines: readonly Pick<AwardLine, "vpp" | "slotStartMs" | "activatedKwh">[],
): ActivatedKwhOf {
  const sums = new Map<string, number>();
  for (const { vpp, slotStartMs, activatedKwh } of lines) {
    const key = `${slotStartMs} ${vpp}`;
    sums.set(key, (sums.get(key) ?? 0) + activatedKwh);
  }
  return ({ group, slotStartMs }) => sums.get(`${slotStartMs} ${group}`) ?? 0;
}
