import { meanOver } from "../accounting/settlement/awardPrices.ts";
import { type EpochMs, MS_PER_HOUR } from "../base/time.ts";
import type { AwardSpec, NumberOrSeries } from "../engine/vpp/instructions/instructionSpec.ts";
import type { AwardSlot, AwardSlotPrices, GroupSlot, GroupSlotPrices } from "./awardSlot.ts";
import type { SettlementInput } from "./settlement.ts";
import type { SettlementSpec } from "./settlementSpec.ts";

/** The assessed slots of a run without prices, in order of time. */
export interface SettledSlots {
  readonly awardSlots: readonly AwardSlot[];
  readonly groupSlots: readonly GroupSlot[];
}

/** Adds to each slot its prices: the means over the slot. */
export function priceSlots(
  { awardSlots, groupSlots }: SettledSlots,
  spec: SettlementSpec,
  awards: readonly AwardSpec[],
): SettlementInput {
  const awardById = new Map(awards.map((award) => [award.awardId, award]));
  return {
    awardSlots: awardSlots.map((slot) => ({ slot, prices: awardPrices(slot, spec, awardById.get(slot.awardId)) })),
    groupSlots: groupSlots.map((slot) => ({
      slot: withPlan(slot, spec.plan),
      prices: groupPrices(slot.slotStartMs, spec),
    })),
    connection: spec.connection,
    capacityCalls: spec.capacityCalls,
    monthOf: spec.monthOf,
  };
}

function awardPrices({ slotStartMs, awardId }: AwardSlot, spec: SettlementSpec, award?: AwardSpec): AwardSlotPrices {
  const { slotMs } = spec.market;
  const mean = (price: NumberOrSeries | null): number => meanOver(price, slotStartMs, slotStartMs + slotMs);
  const activation = spec.activationPrices.get(awardId);
  return {
    capacityPerKwSlot: (mean(award?.capacityPriceJpyPerKwHour ?? null) * slotMs) / MS_PER_HOUR,
    upPerKwh: mean(activation?.upPerKwh ?? null),
    downPerKwh: mean(activation?.downPerKwh ?? null),
  };
}

function groupPrices(slotStartMs: EpochMs, { prices, market }: SettlementSpec): GroupSlotPrices {
  const mean = (price: NumberOrSeries | null): number | null =>
    price === null ? null : meanOver(price, slotStartMs, slotStartMs + market.slotMs);
  return {
    spotPerKwh: mean(prices.spotPerKwh),
    intradayPerKwh: mean(prices.intradayPerKwh),
    imbalanceSurplusPerKwh: mean(prices.imbalanceSurplusPerKwh),
    imbalanceShortagePerKwh: mean(prices.imbalanceShortagePerKwh),
    retailPerKwh: mean(prices.retailPerKwh),
    premiumReferencePerKwh: mean(prices.premiumReferencePerKwh),
  };
}

/** Replaces the purchases by baselines and exchange awards with those of a plan. */
function withPlan(slot: GroupSlot, plan: SettlementSpec["plan"]): GroupSlot {
  if (plan === null) return slot;
  const { slotStartMs, durationMs } = slot;
  const kwhOf = (kw: NumberOrSeries): number =>
    (meanOver(kw, slotStartMs, slotStartMs + durationMs) * durationMs) / MS_PER_HOUR;
  return { ...slot, spotKwh: kwhOf(plan.spotKw), intradayKwh: kwhOf(plan.intradayKw), otherBaselineKwh: 0 };
}
