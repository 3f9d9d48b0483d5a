import { sumOf } from "../../base/lists.ts";
import type { Sku } from "../../base/sku.ts";
import { MS_PER_DAY, MS_PER_HALF_HOUR, MS_PER_SECOND } from "../../base/time.ts";
import { InvoiceBook, type InvoiceItem } from "../invoiceBook.ts";
import {
  type AwardLine,
  amountOf,
  type EnergyLine,
  type Market,
  MEMO,
  type SamplingRule,
  type Settlement,
  type SettlementInput,
  sumActivatedEnergy,
  TOTAL,
} from "../settlement.ts";
import { settleCapacityCalls } from "./capacityCalls.ts";
import { type JpParameters, type MonthlyRate, ofSku, rateIn, type TaxableItem, withoutTax } from "./jpParameters.ts";
import { settleAwardSlot, settleSuspendedSlot } from "./settleAward.ts";
import { monthlyWheelingKwh, PriceFiller, settleGroupSlot } from "./settleEnergy.ts";
import { StrikeCounter } from "./strikes.ts";

const ITEMS: readonly InvoiceItem[] = [
  { item: "dkw", counterparty: "tso", part: "reserve", unit: "kW slots" },
  { item: "eprx_fee", counterparty: "eprx", part: "reserve", unit: "kW slots" },
  { item: "activated", counterparty: "tso", part: "activated", unit: "kWh" },
  { item: "penalty_1", counterparty: "tso", part: "penalties", unit: "slots" },
  { item: "penalty_2", counterparty: "tso", part: "penalties", unit: "slots" },
  { item: "imbalance", counterparty: "tso", part: "imbalance", unit: "kWh" },
  { item: "spot", counterparty: "jepx", part: "energy", unit: "kWh" },
  { item: "intraday", counterparty: "jepx", part: "energy", unit: "kWh" },
  { item: "jepx_fee", counterparty: "jepx", part: "energy", unit: "kWh" },
  { item: "wheeling_basic", counterparty: "tso", part: "network", unit: "kW" },
  { item: "wheeling_energy", counterparty: "tso", part: "network", unit: "kWh" },
  { item: "generator_basic", counterparty: "tso", part: "network", unit: "kW" },
  { item: "generator_energy", counterparty: "tso", part: "network", unit: "kWh" },
  { item: "capacity", counterparty: "occto", part: "capacity", unit: "kW" },
  { item: "capacity_penalty", counterparty: "occto", part: "penalties", unit: "kWh" },
  { item: "fip", counterparty: "tso", part: "energy", unit: "kWh" },
  { item: "retail_basic", counterparty: "retailer", part: "energy", unit: "kW" },
  { item: "retail", counterparty: "retailer", part: "energy", unit: "kWh" },
  { item: "negawatt", counterparty: "retailer", part: "energy", unit: "kWh" },
  { item: "total_cash", counterparty: TOTAL, part: null, unit: "" },
  { item: "degradation", counterparty: MEMO, part: null, unit: "kWh" },
  { item: "avoided", counterparty: MEMO, part: null, unit: "kWh" },
  { item: "spot_value", counterparty: MEMO, part: null, unit: "kWh" },
  { item: "margin", counterparty: MEMO, part: null, unit: "" },
];

/** Balancing, spot and imbalance settlement in Japan (docs/model/settlement.md#japan). */
export class JpMarket implements Market {
  readonly slotMs = MS_PER_HALF_HOUR;
  private readonly parameters: JpParameters;

  constructor(parameters: JpParameters) {
    this.parameters = parameters;
  }

  samplingOf(sku: Sku | null): SamplingRule {
    const { band_pct, band_of, sample_seconds, grace_seconds } = this.parameters;
    return {
      sampleMs: ofSku(sample_seconds, sku) * MS_PER_SECOND,
      graceMs: ofSku(grace_seconds, sku) * MS_PER_SECOND,
      bandKw: (requestedKw, awardedKw) => (band_pct / 100) * (band_of === "award" ? awardedKw : requestedKw),
    };
  }

  settle(input: SettlementInput): Settlement {
    const book = new InvoiceBook(ITEMS);
    const awards = this.settleAwards(input, book);
    const energy = this.settleEnergy(input, awards, book);
    const calls = settleCapacityCalls(input, this.parameters);
    for (const { month, missedKwh, penaltyAmount } of calls)
      book.add(month, "capacity_penalty", missedKwh, penaltyAmount);
    for (const month of book.months()) this.bookMonth(input, month, book);
    const { rounding, tax_pct } = this.parameters;
    return { awards, energy, calls, invoice: book.lines("total_cash", rounding, tax_pct) };
  }

  private settleAwards({ awardSlots, monthOf }: SettlementInput, book: InvoiceBook): AwardLine[] {
    const strikes = new StrikeCounter(this.parameters);
    return awardSlots.map(({ slot, prices }) => {
      const month = monthOf(slot.slotStartMs);
      const isSuspended = strikes.isSuspended(slot.vpp, slot.sku, month);
      const line = isSuspended ? settleSuspendedSlot(slot, prices) : settleAwardSlot(slot, prices, this.parameters);
      strikes.add(line, month);
      const kwSlots = isSuspended ? 0 : slot.awardedKw * slot.coveredShare;
      book.add(month, "dkw", kwSlots, line.capacityAmount);
      book.add(month, "eprx_fee", kwSlots, line.feeAmount);
      book.add(month, "activated", line.activatedKwh, line.activatedAmount);
      book.add(month, "penalty_1", line.penalty1Amount < 0 ? 1 : 0, line.penalty1Amount);
      book.add(month, "penalty_2", line.penalty2Amount < 0 ? 1 : 0, line.penalty2Amount);
      return line;
    });
  }

  private settleEnergy(
    { groupSlots, monthOf }: SettlementInput,
    awards: readonly AwardLine[],
    book: InvoiceBook,
  ): EnergyLine[] {
    const activatedKwhOf = sumActivatedEnergy(awards);
    const filler = new PriceFiller(this.parameters.price_gap, MS_PER_DAY / this.slotMs);
    return groupSlots.map(({ slot, prices }) => {
      const activatedKwh = activatedKwhOf(slot);
      const filled = filler.fill(slot, prices, activatedKwh, this.parameters);
      const line = settleGroupSlot(slot, filled, activatedKwh, this.parameters);
      const month = monthOf(slot.slotStartMs);
      book.add(month, "imbalance", line.imbalanceKwh, line.imbalanceAmount);
      book.add(month, "spot", line.spotKwh, line.spotAmount);
      book.add(month, "intraday", line.intradayKwh, line.intradayAmount);
      book.add(month, "jepx_fee", Math.abs(line.spotKwh) + Math.abs(line.intradayKwh), line.marketFeeAmount);
      book.add(month, "fip", slot.premiumExportKwh, line.premiumAmount);
      book.add(month, "retail", slot.retailKwh, line.retailAmount);
      const { negawatt_compensation_kwh } = this.parameters;
      book.add(month, "negawatt", slot.negawattKwh, charge(negawatt_compensation_kwh, slot.negawattKwh));
      book.add(month, "degradation", slot.batteryDischargedKwh, line.degradationAmount);
      book.add(month, "avoided", slot.retailBaselineKwh - slot.retailKwh, line.avoidedAmount);
      book.add(month, "spot_value", -line.meteredKwh, line.spotValueAmount);
      return line;
    });
  }

  /** Adds the monthly charges and the margin. */
  private bookMonth({ groupSlots, connection, monthOf }: SettlementInput, month: string, book: InvoiceBook): void {
    const parameters = this.parameters;
    const slots = groupSlots.map(({ slot }) => slot).filter(({ slotStartMs }) => monthOf(slotStartMs) === month);
    const { wheelingBasicKw, wheelingKw, receivingKw, capacityKw, retailKw } = connection;
    const bookCharge = (item: TaxableItem, rate: MonthlyRate, quantity: number): void =>
      book.add(month, item, quantity, charge(withoutTax(rateIn(rate, month), item, parameters), quantity));
    bookCharge("wheeling_energy", parameters.wheeling_energy_kwh, monthlyWheelingKwh(slots, parameters));
    bookCharge("wheeling_basic", parameters.wheeling_basic_kw_month, wheelingBasicKw);
    bookCharge("retail_basic", parameters.retail_basic_kw_month, retailKw);
    if (parameters.generator_charge) {
      const exportKwh = sumOf(slots, ({ storageDischargedKwh, otherExportKwh }) =>
        parameters.battery_energy_exempt ? otherExportKwh : otherExportKwh + storageDischargedKwh,
      );
      bookCharge("generator_basic", parameters.generator_basic_kw_month, Math.max(0, receivingKw - wheelingKw));
      bookCharge("generator_energy", parameters.generator_energy_kwh, exportKwh);
    }
    book.add(month, "capacity", capacityKw, (parameters.capacity_price_kw_year * capacityKw) / 12);
    book.add(month, "margin", 0, book.cash(month) + book.sum(month, "degradation").amount);
  }
}

const charge = (rate: number, quantity: number): number => amountOf(-rate, quantity);
