import type { Sku } from "../base/sku.ts";
import type { EpochMs } from "../base/time.ts";

/**
 * The assessed quantities of one award in one settlement slot. Power and energy are positive in the direction of the
 * request.
 */
export interface AwardSlot {
  readonly slotStartMs: EpochMs;
  readonly vpp: string;
  readonly awardId: string;
  readonly sku: Sku | null;
  /** Sign of the awarded power: −1 export (more supply), +1 import. */
  readonly direction: 1 | -1;
  /** Awarded kW, at least 0; for frequency response, the two-sided capacity. */
  readonly awardedKw: number;
  /** Covered part of the slot, 0..1. */
  readonly coveredShare: number;
  /** Least power in the slot that the members could have supplied against the plan, in kW; `null`: not measured. */
  readonly availableKw: number | null;
  /** Samples at which a request was in force past the grace period. */
  readonly samples: number;
  /** Samples outside the band. */
  readonly samplesBad: number;
  /** The sample that is farthest outside its band; `null`: none is outside. */
  readonly worstSample: BandMiss | null;
  /** Mean of max(0, requested − delivered) over the samples, in kW. */
  readonly missingKw: number;
  /** Sums of the samples of requested and delivered power, in kW. */
  readonly sampledRequestedKw: number;
  readonly sampledDeliveredKw: number;
  /** ∫ requested dt and ∫ delivered dt, in kWh, exact. */
  readonly requestedKwh: number;
  readonly deliveredKwh: number;
  /** ∫ min(max(delivered, 0), requested) dt, in kWh, exact. */
  readonly creditedKwh: number;
}

/** A difference to the request beside the one that is allowed, in kW. */
export interface BandMiss {
  /** Requested − delivered power; negative: over-delivery. */
  readonly missedKw: number;
  readonly bandKw: number;
}

/** Prices of an award in one slot. */
export interface AwardSlotPrices {
  /** Capacity, per kW and slot; 0 without one. */
  readonly capacityPerKwSlot: number;
  /** Per kWh of activated energy upwards (supplied) and downwards (taken in); 0 without one. */
  readonly upPerKwh: number;
  readonly downPerKwh: number;
}

/** Energy of one balancing group in one settlement slot, in kWh, import positive. */
export interface GroupSlot {
  readonly slotStartMs: EpochMs;
  /** Shorter than a slot of the market only at the ends of the run. */
  readonly durationMs: number;
  readonly group: string;
  /** Net purchases at the day-ahead (spot) and the intraday market: bought +, sold −. */
  readonly spotKwh: number;
  readonly intradayKwh: number;
  /** Part of `spotKwh` that is the import of other sites than storage by their baselines, at least 0; 0 where a plan is given. */
  readonly otherBaselineKwh: number;
  /** Net import at the meters; of sites on a retail tariff, only their export and their response to awards. */
  readonly meteredKwh: number;
  /** Import and export of sites that only store, both at least 0. */
  readonly storageChargedKwh: number;
  readonly storageDischargedKwh: number;
  /** Change of the losses of these sites: of each, what it has charged less discharged since the month began, at least 0. */
  readonly storageLossKwh: number;
  /** Import and export of all other sites, both at least 0. */
  readonly otherImportKwh: number;
  readonly otherExportKwh: number;
  /** Energy that batteries gave to their terminals, at least 0. */
  readonly batteryDischargedKwh: number;
  /** Import of the sites on a retail tariff, and the import of their baselines, both at least 0. */
  readonly retailKwh: number;
  readonly retailBaselineKwh: number;
  /** Reduction of sites on a retail tariff below their baseline that was sold as `negawatt-spot`, at least 0. */
  readonly negawattKwh: number;
  /**
   * Energy that counts in a call of the capacity market: net export of sites that only store, reduction of all others
   * below the baseline.
   */
  readonly capacitySupplyKwh: number;
  /** Export under a feed-in premium, at least 0. */
  readonly premiumExportKwh: number;
}

/** A slot without any energy. */
export const emptyGroupSlot = (slotStartMs: EpochMs, durationMs: number, group: string): GroupSlot => ({
  slotStartMs,
  durationMs,
  group,
  spotKwh: 0,
  intradayKwh: 0,
  otherBaselineKwh: 0,
  meteredKwh: 0,
  storageChargedKwh: 0,
  storageDischargedKwh: 0,
  storageLossKwh: 0,
  otherImportKwh: 0,
  otherExportKwh: 0,
  batteryDischargedKwh: 0,
  retailKwh: 0,
  retailBaselineKwh: 0,
  negawattKwh: 0,
  capacitySupplyKwh: 0,
  premiumExportKwh: 0,
});

/** Prices per kWh in one slot; `null`: no such price. */
export interface GroupSlotPrices {
  readonly spotPerKwh: number | null;
  readonly intradayPerKwh: number | null;
  readonly imbalanceSurplusPerKwh: number | null;
  readonly imbalanceShortagePerKwh: number | null;
  readonly retailPerKwh: number | null;
  readonly premiumReferencePerKwh: number | null;
}

/** The price of a surplus (≥ 0) or of a shortage. */
export const imbalancePriceOf = <Price>(
  imbalanceKwh: number,
  prices: { readonly imbalanceSurplusPerKwh: Price; readonly imbalanceShortagePerKwh: Price },
): Price => (imbalanceKwh < 0 ? prices.imbalanceShortagePerKwh : prices.imbalanceSurplusPerKwh);
