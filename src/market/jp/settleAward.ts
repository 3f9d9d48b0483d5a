import type { AwardSlot, AwardSlotPrices, BandMiss } from "../awardSlot.ts";
import { type AwardLine, type Verdict, withoutMinusZero } from "../settlement.ts";
import { type JpParameters, ofSku } from "./jpParameters.ts";

/** Settles one award in one slot (docs/model/settlement.md#awards). */
export function settleAwardSlot(slot: AwardSlot, prices: AwardSlotPrices, parameters: JpParameters): AwardLine {
  const { awardedKw, availableKw, coveredShare } = slot;
  const cap = ofSku(parameters.dkw_cap_30min, slot.sku) ?? Number.POSITIVE_INFINITY;
  const settledPricePerKwSlot = Math.min(prices.capacityPerKwSlot, cap);
  const paidKw =
    parameters.dkw_paid_on === "available" && availableKw !== null ? Math.min(awardedKw, availableKw) : awardedKw;
  const missingKw = shortOfCapacityKw(slot, parameters);
  const assessment2 = secondAssessment(slot, parameters);
  const penalties = combined(
    parameters.penalty_multiplier_1 * coveredShare * settledPricePerKwSlot * missingKw,
    assessment2 === "fail"
      ? parameters.penalty_multiplier_2 * coveredShare * settledPricePerKwSlot * penaltyBaseKw(slot, parameters)
      : 0,
    parameters,
  );
  const activation = activated(slot, prices, parameters);
  return {
    slotStartMs: slot.slotStartMs,
    vpp: slot.vpp,
    awardId: slot.awardId,
    sku: slot.sku,
    awardedKw: slot.direction * awardedKw,
    capacityPricePerKwSlot: prices.capacityPerKwSlot,
    settledPricePerKwSlot,
    capacityAmount: coveredShare * settledPricePerKwSlot * paidKw,
    feeAmount: withoutMinusZero(-coveredShare * parameters.eprx_fee_30min * awardedKw),
    availableKw,
    assessment1: availableKw === null ? "none" : missingKw > 0 ? "fail" : "ok",
    missingKw,
    samples: slot.samples,
    samplesBad: slot.samplesBad,
    assessment2,
    miss2: assessment2 === "fail" ? missOf(slot, parameters) : null,
    ...penalties,
    requestedKwh: withoutMinusZero(slot.direction * slot.requestedKwh),
    deliveredKwh: withoutMinusZero(slot.direction * slot.deliveredKwh),
    ...activation,
  };
}

/** Settles an award whose product is suspended: it earns nothing and is not assessed. */
export function settleSuspendedSlot(slot: AwardSlot, prices: AwardSlotPrices): AwardLine {
  return {
    slotStartMs: slot.slotStartMs,
    vpp: slot.vpp,
    awardId: slot.awardId,
    sku: slot.sku,
    awardedKw: slot.direction * slot.awardedKw,
    capacityPricePerKwSlot: prices.capacityPerKwSlot,
    settledPricePerKwSlot: 0,
    capacityAmount: 0,
    feeAmount: 0,
    availableKw: null,
    assessment1: "none",
    missingKw: 0,
    samples: 0,
    samplesBad: 0,
    assessment2: "none",
    miss2: null,
    penalty1Amount: 0,
    penalty2Amount: 0,
    requestedKwh: withoutMinusZero(slot.direction * slot.requestedKwh),
    deliveredKwh: withoutMinusZero(slot.direction * slot.deliveredKwh),
    activatedKwh: 0,
    activatedPricePerKwh: null,
    activatedAmount: 0,
  };
}

/** Part of the award in kW beyond the available power: assessment I. */
function shortOfCapacityKw({ awardedKw, availableKw }: AwardSlot, { tolerance_1_pct }: JpParameters): number {
  if (availableKw === null) return 0;
  return Math.max(0, awardedKw * (1 - tolerance_1_pct / 100) - availableKw);
}

/** Whether the award followed its request: assessment II. */
function secondAssessment(slot: AwardSlot, { slot_rule, share_pct, band_pct }: JpParameters): Verdict {
  const { samples, samplesBad } = slot;
  if (samples === 0) return "none";
  switch (slot_rule) {
    case "all":
      return samplesBad > 0 ? "fail" : "ok";
    case "share":
      return (100 * (samples - samplesBad)) / samples < share_pct ? "fail" : "ok";
    case "energy": {
      const { missedKw, bandKw } = meanMiss(slot, band_pct);
      return samples * Math.abs(missedKw) > samples * bandKw + BAND_TOLERANCE_KW ? "fail" : "ok";
    }
    default:
      return slot_rule satisfies never;
  }
}

const meanMiss = ({ samples, sampledRequestedKw, sampledDeliveredKw }: AwardSlot, bandPct: number): BandMiss => ({
  missedKw: (sampledRequestedKw - sampledDeliveredKw) / samples,
  bandKw: ((bandPct / 100) * sampledRequestedKw) / samples,
});

/** What a failed assessment II failed by. */
function missOf(slot: AwardSlot, { slot_rule, band_pct }: JpParameters): AwardLine["miss2"] {
  if (slot_rule === "energy") return { ...meanMiss(slot, band_pct), isMean: true };
  return slot.worstSample === null ? null : { ...slot.worstSample, isMean: false };
}

/** Sums of samples are inexact. */
const BAND_TOLERANCE_KW = 1e-6;

function penaltyBaseKw(slot: AwardSlot, { penalty_base_2: base }: JpParameters): number {
  switch (base) {
    case "whole_award":
      return slot.awardedKw;
    case "failed_samples":
      return (slot.awardedKw * slot.samplesBad) / slot.samples;
    case "missing_kw":
      return slot.missingKw;
    default:
      return base satisfies never;
  }
}

/** Combines the two penalties of a slot: the larger one is due, or both. */
function combined(
  first: number,
  second: number,
  { penalty_combination }: JpParameters,
): { readonly penalty1Amount: number; readonly penalty2Amount: number } {
  const isMax = penalty_combination === "max";
  return {
    penalty1Amount: withoutMinusZero(isMax && first < second ? 0 : -first),
    penalty2Amount: withoutMinusZero(isMax && second <= first ? 0 : -second),
  };
}

/** Activated energy, import positive, with its price: supplied energy earns, taken-in energy costs. */
function activated(
  slot: AwardSlot,
  prices: AwardSlotPrices,
  parameters: JpParameters,
): Pick<AwardLine, "activatedKwh" | "activatedPricePerKwh" | "activatedAmount"> {
  const isSettled = ofSku(parameters.kwh_settled, slot.sku) ?? false;
  const kwh = parameters.activated_kwh === "requested" ? slot.requestedKwh : slot.creditedKwh;
  if (!isSettled || kwh === 0) return { activatedKwh: 0, activatedPricePerKwh: null, activatedAmount: 0 };
  const activatedKwh = slot.direction * kwh;
  const price = slot.direction < 0 ? prices.upPerKwh : prices.downPerKwh;
  return { activatedKwh, activatedPricePerKwh: price, activatedAmount: withoutMinusZero(-activatedKwh * price) };
}
