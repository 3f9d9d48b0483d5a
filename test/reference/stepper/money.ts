// What awards bring and cost (docs/model/money.md#ledger), added up step by step.
import { Series } from "../../../src/engine/series/model/series.ts";
import type { AwardSpec, NumberOrSeries } from "../../../src/engine/vpp/instructions/instructionSpec.ts";

export type Prices = Pick<AwardSpec, "capacityPriceJpyPerKwHour" | "priceJpyPerKwh" | "penaltyJpyPerKwh"> & {
  /** Of energy at the connection points. */
  readonly marketJpyPerKwh: NumberOrSeries | null;
};

export interface Money {
  /** For a kW that is held. */
  capacityJpyPerKw: number;
  awardEnergyJpy: number;
  /** What the energy of the award would cost at the market price. */
  awardMarketJpy: number;
  penaltyJpy: number;
}

export const noMoney = (): Money => ({ capacityJpyPerKw: 0, awardEnergyJpy: 0, awardMarketJpy: 0, penaltyJpy: 0 });

export const priceAt = (price: NumberOrSeries | null, atMs: number): number =>
  price === null ? 0 : price instanceof Series ? price.valueAt(atMs) : price;

/** Adds a step. @param kwh  along the request, which is an import or an export by its sign */
export function addMoney(
  money: Money,
  { capacityPriceJpyPerKwHour, priceJpyPerKwh, penaltyJpyPerKwh, marketJpyPerKwh }: Prices,
  atMs: number,
  step: {
    readonly hours: number;
    readonly sign: number;
    readonly requestedKwh: number;
    readonly deliveredKwh: number;
    readonly shortfallKwh: number;
  },
): void {
  money.capacityJpyPerKw += priceAt(capacityPriceJpyPerKwHour, atMs) * step.hours;
  money.penaltyJpy += priceAt(penaltyJpyPerKwh, atMs) * step.shortfallKwh;
  if (priceJpyPerKwh === null) return;
  const pricedKwh = step.sign * Math.min(step.requestedKwh, Math.max(0, step.deliveredKwh));
  money.awardEnergyJpy -= priceAt(priceJpyPerKwh, atMs) * pricedKwh;
  money.awardMarketJpy += priceAt(marketJpyPerKwh, atMs) * pricedKwh;
}

export const capacityJpy = (
  { capacityJpyPerKw }: Money,
  kw: { readonly requestedKw: number; readonly uncoveredKw: number },
): number => capacityJpyPerKw * Math.max(0, Math.abs(kw.requestedKw) - Math.abs(kw.uncoveredKw));
