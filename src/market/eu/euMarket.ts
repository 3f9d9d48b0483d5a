import type { Sku } from "../../base/sku.ts";
import { MS_PER_MINUTE, MS_PER_SECOND } from "../../base/time.ts";
import {
  type AwardSlot,
  type AwardSlotPrices,
  type GroupSlot,
  type GroupSlotPrices,
  imbalancePriceOf,
} from "../awardSlot.ts";
import { InvoiceBook, type InvoiceItem } from "../invoiceBook.ts";
import {
  type AwardLine,
  amountOf,
  type EnergyLine,
  type Market,
  MarketError,
  MEMO,
  type SamplingRule,
  type Settlement,
  type SettlementInput,
  sumActivatedEnergy,
  TOTAL,
} from "../settlement.ts";
import type { EuParameters } from "./euParameters.ts";

const ITEMS: readonly InvoiceItem[] = [
  { item: "capacity", counterparty: "tso", part: "reserve", unit: "kW slots" },
  { item: "non_availability", counterparty: "tso", part: "penalties", unit: "slots" },
  { item: "activated", counterparty: "tso", part: "activated", unit: "kWh" },
  { item: "imbalance", counterparty: "tso", part: "imbalance", unit: "kWh" },
  { item: "day_ahead", counterparty: "exchange", part: "energy", unit: "kWh" },
  { item: "intraday", counterparty: "exchange", part: "energy", unit: "kWh" },
  { item: "exchange_fee", counterparty: "exchange", part: "energy", unit: "kWh" },
  { item: "total_cash", counterparty: TOTAL, part: null, unit: "" },
  { item: "day_ahead_value", counterparty: MEMO, part: null, unit: "kWh" },
];

const KWH_PER_MWH = 1000;

/** Slots of 15 minutes, an imbalance price for each direction, capacity paid per MW and hour (docs/model/settlement.md#europe). */
export class EuMarket implements Market {
  readonly slotMs = 15 * MS_PER_MINUTE;
  private readonly parameters: EuParameters;

  constructor(parameters: EuParameters) {
    this.parameters = parameters;
  }

  samplingOf(_sku: Sku | null): SamplingRule {
    const { band_pct, sample_seconds, grace_seconds } = this.parameters;
    return {
      sampleMs: sample_seconds * MS_PER_SECOND,
      graceMs: grace_seconds * MS_PER_SECOND,
      bandKw: (_requestedKw, awardedKw) => (band_pct / 100) * awardedKw,
    };
  }

  settle({ awardSlots, groupSlots, monthOf }: SettlementInput): Settlement {
    const book = new InvoiceBook(ITEMS);
    const awards = awardSlots.map(({ slot, prices }) => {
      const line = settleAward(slot, prices, this.parameters);
      const month = monthOf(slot.slotStartMs);
      book.add(month, "capacity", slot.awardedKw * slot.coveredShare, line.capacityAmount);
      book.add(month, "non_availability", line.penalty1Amount < 0 ? 1 : 0, line.penalty1Amount);
      book.add(month, "activated", line.activatedKwh, line.activatedAmount);
      return line;
    });
    const activatedKwhOf = sumActivatedEnergy(awards);
    const energy = groupSlots.map(({ slot, prices }) => {
      const line = settleGroup(slot, prices, activatedKwhOf(slot), this.parameters);
      const month = monthOf(slot.slotStartMs);
      book.add(month, "imbalance", line.imbalanceKwh, line.imbalanceAmount);
      book.add(month, "day_ahead", line.spotKwh, line.spotAmount);
      book.add(month, "intraday", line.intradayKwh, line.intradayAmount);
      book.add(month, "exchange_fee", Math.abs(line.spotKwh) + Math.abs(line.intradayKwh), line.marketFeeAmount);
      book.add(month, "day_ahead_value", -line.meteredKwh, line.spotValueAmount);
      return line;
    });
    const { rounding, tax_pct } = this.parameters;
    return { awards, energy, calls: [], invoice: book.lines("total_cash", rounding, tax_pct) };
  }
}

/** Settles one award in one slot. Capacity prices are per kW and slot, energy prices per kWh. */
function settleAward(slot: AwardSlot, prices: AwardSlotPrices, parameters: EuParameters): AwardLine {
  const { awardedKw, availableKw, coveredShare, direction } = slot;
  const missingKw = availableKw === null ? 0 : Math.max(0, awardedKw - availableKw);
  const kwh = parameters.activated_energy === "requested" ? slot.requestedKwh : slot.creditedKwh;
  const activatedKwh = amountOf(direction, kwh);
  const activatedPricePerKwh = kwh === 0 ? null : direction < 0 ? prices.upPerKwh : prices.downPerKwh;
  return {
    slotStartMs: slot.slotStartMs,
    vpp: slot.vpp,
    awardId: slot.awardId,
    sku: slot.sku,
    awardedKw: direction * awardedKw,
    capacityPricePerKwSlot: prices.capacityPerKwSlot,
    settledPricePerKwSlot: prices.capacityPerKwSlot,
    capacityAmount: coveredShare * prices.capacityPerKwSlot * awardedKw,
    feeAmount: 0,
    availableKw,
    assessment1: availableKw === null ? "none" : missingKw > 0 ? "fail" : "ok",
    missingKw,
    samples: slot.samples,
    samplesBad: slot.samplesBad,
    assessment2: slot.samples === 0 ? "none" : slot.samplesBad > 0 ? "fail" : "ok",
    miss2: slot.worstSample === null ? null : { ...slot.worstSample, isMean: false },
    penalty1Amount: amountOf(-coveredShare * parameters.non_availability_factor * prices.capacityPerKwSlot, missingKw),
    penalty2Amount: 0,
    requestedKwh: amountOf(direction, slot.requestedKwh),
    deliveredKwh: amountOf(direction, slot.deliveredKwh),
    activatedKwh,
    activatedPricePerKwh,
    activatedAmount: amountOf(-activatedKwh, activatedPricePerKwh ?? 0),
  };
}

function settleGroup(
  slot: GroupSlot,
  prices: GroupSlotPrices,
  activatedKwh: number,
  parameters: EuParameters,
): EnergyLine {
  const { spotKwh, intradayKwh, meteredKwh } = slot;
  const balanceKwh = spotKwh + intradayKwh + activatedKwh - meteredKwh;
  const imbalanceKwh = Math.abs(balanceKwh) < 1e-9 ? 0 : balanceKwh;
  const price = (name: string, value: number | null, quantity: number): number => {
    if (value !== null) return value;
    if (quantity === 0 || parameters.price_gap === "zero") return 0;
    const at = new Date(slot.slotStartMs).toISOString();
    throw new MarketError(`no ${name} price at ${at}: give the series a value there, or set price_gap to zero`);
  };
  const spotPricePerKwh = price("day-ahead", prices.spotPerKwh, spotKwh);
  const imbalancePricePerKwh = price("imbalance", imbalancePriceOf(imbalanceKwh, prices), imbalanceKwh);
  return {
    slotStartMs: slot.slotStartMs,
    group: slot.group,
    planKwh: spotKwh + intradayKwh,
    spotKwh,
    spotPricePerKwh,
    spotAmount: amountOf(-spotKwh, spotPricePerKwh),
    intradayKwh,
    intradayAmount: amountOf(-intradayKwh, price("intraday", prices.intradayPerKwh, intradayKwh)),
    marketFeeAmount: amountOf(-(Math.abs(spotKwh) + Math.abs(intradayKwh)) / KWH_PER_MWH, parameters.exchange_fee_mwh),
    meteredKwh,
    activatedKwh,
    imbalanceKwh,
    imbalancePricePerKwh,
    imbalanceAmount: amountOf(imbalanceKwh, imbalancePricePerKwh),
    wheelingKwh: 0,
    premiumAmount: 0,
    retailAmount: 0,
    avoidedAmount: 0,
    degradationAmount: 0,
    spotValueAmount: amountOf(-meteredKwh, spotPricePerKwh),
  };
}
