// What awards bring and cost (docs/model/accounting.md#kpis), added up step by step.
import { Series } from "../../../src/series/model/series.ts";
import type { AwardSpec, NumberOrSeries } from "../../../src/vpp/instructions/instructionSpec.ts";

export type Prices = Pick<AwardSpec, "capacityPriceJpyPerKwHour" | "priceJpyPerKwh" | "penaltyJpyPerKwh">;

export interface Money {
  /** For a kW that is covered. */
  capacityJpyPerKw: number;
  deliveredJpy: number;
  lowestJpyPerKwh: number;
  highestJpyPerKwh: number;
  penaltyJpy: number;
}

export const noMoney = (): Money => ({
  capacityJpyPerKw: 0,
  deliveredJpy: 0,
  lowestJpyPerKwh: 1e9,
  highestJpyPerKwh: -1e9,
  penaltyJpy: 0,
});

const priceAt = (price: NumberOrSeries | null, atMs: number): number =>
  price === null ? 0 : price instanceof Series ? price.valueAt(atMs) : price;

/** Adds a step. @param kwh  along the request */
export function addMoney(
  money: Money,
  { capacityPriceJpyPerKwHour, priceJpyPerKwh, penaltyJpyPerKwh }: Prices,
  atMs: number,
  step: { readonly hours: number; readonly deliveredKwh: number; readonly shortfallKwh: number },
): void {
  money.capacityJpyPerKw += priceAt(capacityPriceJpyPerKwHour, atMs) * step.hours;
  const jpyPerKwh = priceAt(priceJpyPerKwh, atMs);
  money.deliveredJpy += jpyPerKwh * step.deliveredKwh;
  money.lowestJpyPerKwh = Math.min(money.lowestJpyPerKwh, jpyPerKwh);
  money.highestJpyPerKwh = Math.max(money.highestJpyPerKwh, jpyPerKwh);
  money.penaltyJpy += priceAt(penaltyJpyPerKwh, atMs) * step.shortfallKwh;
}

/** Capacity that was covered, and of what was delivered no more than was asked, at what all of it brought in the mean: a price of its time. */
export function revenueJpy(
  { capacityJpyPerKw, deliveredJpy, lowestJpyPerKwh, highestJpyPerKwh }: Money,
  kw: { readonly requestedKw: number; readonly uncoveredKw: number },
  kwh: { readonly requestedKwh: number; readonly deliveredKwh: number },
): number {
  const capacity = capacityJpyPerKw * Math.max(0, Math.abs(kw.requestedKw) - Math.abs(kw.uncoveredKw));
  if (kwh.deliveredKwh <= 0) return capacity;
  const mean = Math.max(lowestJpyPerKwh, Math.min(highestJpyPerKwh, deliveredJpy / kwh.deliveredKwh));
  return capacity + mean * Math.min(kwh.requestedKwh, kwh.deliveredKwh);
}
