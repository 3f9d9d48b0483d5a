import { amountOf } from "../amount.ts";
import type { GroupSlot, GroupSlotPrices } from "../awardSlot.ts";
import { type EnergyLine, MarketError } from "../settlement.ts";
import { type JpParameters, withoutTax } from "./jpParameters.ts";

/** Prices of a slot, with missing ones filled. */
interface FilledPrices {
  readonly spot: number;
  readonly intraday: number;
  readonly imbalanceSurplus: number;
  readonly imbalanceShortage: number;
  readonly retail: number;
  readonly premiumReference: number;
}

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
  const imbalancePricePerKwh = imbalanceKwh < 0 ? prices.imbalanceShortage : prices.imbalanceSurplus;
  const isPremiumPaid = prices.spot > parameters.zero_price_threshold_kwh;
  const premiumPrice = Math.max(
    parameters.premium_base_kwh - prices.premiumReference,
    parameters.premium_min_kwh ?? Number.NEGATIVE_INFINITY,
  );
  const retailPrice = withoutTax(prices.retail + parameters.levy_kwh, "retail", parameters);
  return {
    slotStartMs: slot.slotStartMs,
    group: slot.group,
    planKwh,
    spotKwh,
    spotPricePerKwh: prices.spot,
    spotAmount: amountOf(-spotKwh, prices.spot),
    intradayKwh,
    intradayAmount: amountOf(-intradayKwh, prices.intraday),
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
    spotValueAmount: amountOf(-meteredKwh, prices.spot),
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

/** Energy on which wheeling is charged, before the losses of storage are summed over the month; may be negative. */
function wheelingKwh(slot: GroupSlot, { wheeling_charging: rule }: JpParameters): number {
  const { otherImportKwh, otherExportKwh, storageChargedKwh, storageDischargedKwh } = slot;
  switch (rule) {
    case "by_site":
      return otherImportKwh + storageChargedKwh - storageDischargedKwh;
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

/**
 * Energy on which wheeling is charged in a month. The loss of storage is what it charged less what it discharged in the
 * whole month, and at least 0 (docs/model/settlement.md#wheeling).
 */
export function monthlyWheelingKwh(slots: readonly GroupSlot[], parameters: JpParameters): number {
  let directKwh = 0;
  let lossKwh = 0;
  for (const slot of slots) {
    if (parameters.wheeling_charging === "by_site") {
      directKwh += slot.otherImportKwh;
      lossKwh += slot.storageChargedKwh - slot.storageDischargedKwh;
    } else lossKwh += wheelingKwh(slot, parameters);
  }
  return directKwh + Math.max(0, lossKwh);
}

/** Removes rounding errors, which are no imbalance. */
const cleaned = (kwh: number): number => (Math.abs(kwh) < 1e-9 ? 0 : kwh);

/** The prices that a slot needs; the price of a quantity of 0 may be missing. */
interface PriceNeeds {
  readonly spot: boolean;
  readonly intraday: boolean;
  readonly imbalance: boolean;
  readonly retail: boolean;
  readonly premium: boolean;
}

/** Fills missing prices as `price_gap` says. */
export class PriceFiller {
  readonly #rule: JpParameters["price_gap"];
  readonly #slotsPerDay: number;
  readonly #earlier = new Map<string, (number | null)[]>();

  constructor(rule: JpParameters["price_gap"], slotsPerDay: number) {
    this.#rule = rule;
    this.#slotsPerDay = slotsPerDay;
  }

  /** Slots of a group come in order of time. @throws MarketError */
  fill(slot: GroupSlot, prices: GroupSlotPrices, activatedKwh: number, parameters: JpParameters): FilledPrices {
    const needs = needsOf(slot, activatedKwh, parameters);
    const value = (name: keyof GroupSlotPrices, use: keyof PriceNeeds): number => {
      const price = this.#filled(slot, name, prices[name]);
      if (price !== null) return price;
      if (!needs[use] || this.#rule === "zero") return 0;
      throw new MarketError(
        `no ${PRICE_WORDS[name]} price at ${new Date(slot.slotStartMs).toISOString()}: give the series a value there, or ` +
          "set price_gap to zero or previous_day",
      );
    };
    return {
      spot: value("spot", "spot"),
      intraday: value("intraday", "intraday"),
      imbalanceSurplus: value("imbalanceSurplus", "imbalance"),
      imbalanceShortage: value("imbalanceShortage", "imbalance"),
      retail: value("retail", "retail"),
      premiumReference: value("premiumReference", "premium"),
    };
  }

  /** The price, or that of the slot a day earlier; `null`: none. */
  #filled(slot: GroupSlot, name: string, price: number | null): number | null {
    const key = `${slot.group} ${name}`;
    const earlier = this.#earlier.get(key) ?? [];
    this.#earlier.set(key, earlier);
    const before = earlier.length < this.#slotsPerDay ? null : earlier[earlier.length - this.#slotsPerDay];
    const filled = price ?? (this.#rule === "previous_day" ? before : null);
    earlier.push(filled);
    return filled;
  }
}

function needsOf(slot: GroupSlot, activatedKwh: number, parameters: JpParameters): PriceNeeds {
  const { spotKwh, meteredKwh } = atGridSide(slot, parameters);
  const imbalanceKwh = spotKwh + slot.intradayKwh + activatedKwh - meteredKwh;
  return {
    // Whether a premium is paid depends on the spot price.
    spot: spotKwh !== 0 || slot.premiumExportKwh !== 0,
    intraday: slot.intradayKwh !== 0,
    imbalance: Math.abs(imbalanceKwh) >= 1e-9,
    retail: slot.retailKwh !== 0,
    premium: slot.premiumExportKwh !== 0,
  };
}

const PRICE_WORDS: Readonly<Record<string, string>> = {
  spot: "spot",
  intraday: "intraday",
  imbalanceSurplus: "imbalance",
  imbalanceShortage: "imbalance",
  retail: "retail",
  premiumReference: "premium reference",
};
