import { sumOf } from "../../base/lists.ts";
import { type GroupSlot, type GroupSlotPrices, imbalancePriceOf } from "../awardSlot.ts";
import { amountOf, type EnergyLine, MarketError } from "../settlement.ts";
import { type JpParameters, withoutTax } from "./jpParameters.ts";

/** Prices of a slot, with missing ones filled. */
type FilledPrices = { readonly [Name in keyof GroupSlotPrices]: number };

/**
 * Settles the energy of one balancing group in one slot (docs/model/settlement.md#balancing-group).
 *
 * @param activatedKwh  of all awards of the group in the slot, import positive
 */
export function settleGroupSlot(
  slot: GroupSlot,
  prices: FilledPrices,
  activatedKwh: number,
  parameters: JpParameters,
): EnergyLine {
  const { intradayKwh } = slot;
  const { spotKwh, meteredKwh } = atGridSide(slot, parameters);
  const planKwh = spotKwh + intradayKwh;
  const imbalanceKwh = cleaned(planKwh + activatedKwh - meteredKwh);
  const imbalancePricePerKwh = imbalancePriceOf(imbalanceKwh, prices);
  const isPremiumPaid = prices.spotPerKwh > parameters.zero_price_threshold_kwh;
  const premiumPrice = Math.max(
    parameters.premium_base_kwh - prices.premiumReferencePerKwh,
    parameters.premium_min_kwh ?? Number.NEGATIVE_INFINITY,
  );
  const retailPrice = withoutTax(prices.retailPerKwh + parameters.levy_kwh, "retail", parameters);
  return {
    slotStartMs: slot.slotStartMs,
    group: slot.group,
    planKwh,
    spotKwh,
    spotPricePerKwh: prices.spotPerKwh,
    spotAmount: amountOf(-spotKwh, prices.spotPerKwh),
    intradayKwh,
    intradayAmount: amountOf(-intradayKwh, prices.intradayPerKwh),
    marketFeeAmount: amountOf(-(Math.abs(spotKwh) + Math.abs(intradayKwh)), parameters.jepx_fee_kwh),
    meteredKwh,
    activatedKwh,
    imbalanceKwh,
    imbalancePricePerKwh,
    imbalanceAmount: amountOf(imbalanceKwh, imbalancePricePerKwh),
    wheelingKwh: wheelingKwh(slot, parameters),
    premiumAmount: isPremiumPaid ? amountOf(slot.premiumExportKwh, premiumPrice) : 0,
    retailAmount: amountOf(-slot.retailKwh, retailPrice),
    avoidedAmount: amountOf(slot.retailBaselineKwh - slot.retailKwh, retailPrice),
    degradationAmount: amountOf(-slot.batteryDischargedKwh, parameters.degradation_kwh),
    spotValueAmount: amountOf(-meteredKwh, prices.spotPerKwh),
  };
}

/** Plan and metered energy with the loss up to the meters of demand (docs/model/settlement.md#loss). */
function atGridSide(
  { spotKwh, meteredKwh, otherBaselineKwh, otherImportKwh }: GroupSlot,
  { at_loss, loss_pct }: JpParameters,
): Pick<GroupSlot, "spotKwh" | "meteredKwh"> {
  if (!at_loss) return { spotKwh, meteredKwh };
  const addedShare = 1 / (1 - loss_pct / 100) - 1;
  return { spotKwh: spotKwh + addedShare * otherBaselineKwh, meteredKwh: meteredKwh + addedShare * otherImportKwh };
}

/** Energy on which wheeling is charged in a slot; it adds up over the month and may be negative (docs/model/settlement.md#wheeling). */
function wheelingKwh(slot: GroupSlot, { wheeling_charging: rule }: JpParameters): number {
  const { otherImportKwh, otherExportKwh, storageChargedKwh, storageDischargedKwh, storageLossKwh } = slot;
  switch (rule) {
    case "by_site":
      return otherImportKwh + storageLossKwh;
    case "full":
      return otherImportKwh + storageChargedKwh;
    case "loss_only":
      return otherImportKwh - otherExportKwh + storageChargedKwh - storageDischargedKwh;
    case "none":
      return 0;
    default:
      return rule satisfies never;
  }
}

export const monthlyWheelingKwh = (slots: readonly GroupSlot[], parameters: JpParameters): number =>
  Math.max(
    0,
    sumOf(slots, (slot) => wheelingKwh(slot, parameters)),
  );

/** Removes rounding errors, which are no imbalance. */
const cleaned = (kwh: number): number => (Math.abs(kwh) < 1e-9 ? 0 : kwh);

/** The prices that a slot needs; the price of a quantity of 0 may be missing. */
type PriceNeeds = { readonly [Name in keyof GroupSlotPrices]: boolean };

/** Fills missing prices as `price_gap` says. */
export class PriceFiller {
  private readonly rule: JpParameters["price_gap"];
  private readonly slotsPerDay: number;
  private readonly earlier = new Map<string, (number | null)[]>();

  constructor(rule: JpParameters["price_gap"], slotsPerDay: number) {
    this.rule = rule;
    this.slotsPerDay = slotsPerDay;
  }

  /** Slots of a group come in order of time. @throws MarketError */
  fill(slot: GroupSlot, prices: GroupSlotPrices, activatedKwh: number, parameters: JpParameters): FilledPrices {
    const needs = needsOf(slot, activatedKwh, parameters);
    const value = (name: keyof GroupSlotPrices): number => {
      const price = this.filled(slot, name, prices[name]);
      if (price !== null) return price;
      if (!needs[name] || this.rule === "zero") return 0;
      throw new MarketError(
        `no ${PRICE_WORDS[name]} price at ${new Date(slot.slotStartMs).toISOString()}: give the series a value there, or ` +
          "set price_gap to zero or previous_day",
      );
    };
    return {
      spotPerKwh: value("spotPerKwh"),
      intradayPerKwh: value("intradayPerKwh"),
      imbalanceSurplusPerKwh: value("imbalanceSurplusPerKwh"),
      imbalanceShortagePerKwh: value("imbalanceShortagePerKwh"),
      retailPerKwh: value("retailPerKwh"),
      premiumReferencePerKwh: value("premiumReferencePerKwh"),
    };
  }

  /** The price, or that of the slot a day earlier; `null`: none. */
  private filled(slot: GroupSlot, name: string, price: number | null): number | null {
    const key = `${slot.group} ${name}`;
    const earlier = this.earlier.get(key) ?? [];
    this.earlier.set(key, earlier);
    const before = earlier.length < this.slotsPerDay ? null : earlier[earlier.length - this.slotsPerDay];
    const filled = price ?? (this.rule === "previous_day" ? before : null);
    earlier.push(filled);
    return filled;
  }
}

function needsOf(slot: GroupSlot, activatedKwh: number, parameters: JpParameters): PriceNeeds {
  const { spotKwh, meteredKwh } = atGridSide(slot, parameters);
  const imbalanceKwh = spotKwh + slot.intradayKwh + activatedKwh - meteredKwh;
  return {
    // Whether a premium is paid depends on the spot price.
    spotPerKwh: spotKwh !== 0 || slot.premiumExportKwh !== 0,
    intradayPerKwh: slot.intradayKwh !== 0,
    imbalanceSurplusPerKwh: Math.abs(imbalanceKwh) >= 1e-9,
    imbalanceShortagePerKwh: Math.abs(imbalanceKwh) >= 1e-9,
    retailPerKwh: slot.retailKwh !== 0,
    premiumReferencePerKwh: slot.premiumExportKwh !== 0,
  };
}

const PRICE_WORDS: Readonly<Record<keyof GroupSlotPrices, string>> = {
  spotPerKwh: "spot",
  intradayPerKwh: "intraday",
  imbalanceSurplusPerKwh: "imbalance",
  imbalanceShortagePerKwh: "imbalance",
  retailPerKwh: "retail",
  premiumReferencePerKwh: "premium reference",
};
