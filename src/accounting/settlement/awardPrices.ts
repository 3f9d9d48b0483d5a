import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import { Series } from "../../engine/series/model/series.ts";
import type { InstructionOrigin, NumberOrSeries } from "../../engine/vpp/instructions/instructionSpec.ts";

/** Prices of an award; `null`: the award has no such price. @see docs/model/money.md#prices */
export interface AwardPrices {
  /** Per kW and hour. */
  readonly capacityPerKwHour: NumberOrSeries | null;
  /** Per kWh of award energy. */
  readonly energyPerKwh: NumberOrSeries | null;
  /** Per kWh of shortfall. */
  readonly penaltyPerKwh: NumberOrSeries | null;
  /** Per kWh at the connection points. */
  readonly marketPerKwh: NumberOrSeries | null;
}

const NO_OWN_PRICES = { capacityPriceJpyPerKwHour: null, priceJpyPerKwh: null, penaltyJpyPerKwh: null };

/** @returns `null` where nothing of the award is priced; instructions have no prices of their own */
export function pricesOf(origin: InstructionOrigin, market: Series | null): AwardPrices | null {
  const own = "atMs" in origin ? NO_OWN_PRICES : origin;
  const {
    capacityPriceJpyPerKwHour: capacityPerKwHour,
    priceJpyPerKwh: energyPerKwh,
    penaltyJpyPerKwh: penaltyPerKwh,
  } = own;
  // Frequency response alone moves no energy of an award.
  const marketPerKwh = origin.sku === "fcr" ? null : market;
  const isPriced = (capacityPerKwHour ?? energyPerKwh ?? penaltyPerKwh ?? marketPerKwh) !== null;
  return isPriced ? { capacityPerKwHour, energyPerKwh, penaltyPerKwh, marketPerKwh } : null;
}

/** First instant after `atMs` at which one of the prices changes. */
export const nextPriceChangeMs = (
  { capacityPerKwHour, energyPerKwh, penaltyPerKwh, marketPerKwh }: AwardPrices,
  atMs: EpochMs,
): EpochMs =>
  Math.min(
    nextChangeMs(capacityPerKwHour, atMs),
    nextChangeMs(energyPerKwh, atMs),
    nextChangeMs(penaltyPerKwh, atMs),
    nextChangeMs(marketPerKwh, atMs),
  );

const nextChangeMs = (price: NumberOrSeries | null, atMs: EpochMs): EpochMs =>
  price instanceof Series ? price.nextChangeMs(atMs) : Number.POSITIVE_INFINITY;

/** ∫ price × activation dt, in JPY per kW. Exact where one of the two is constant between changes. */
export function valueOver(
  price: NumberOrSeries | null,
  activation: NumberOrSeries,
  fromMs: EpochMs,
  toMs: EpochMs,
): number {
  let jpy = 0;
  for (let atMs = fromMs; atMs < toMs; ) {
    const untilMs = Math.min(toMs, nextChangeMs(price, atMs), nextChangeMs(activation, atMs));
    jpy += (meanOver(price, atMs, untilMs) * meanOver(activation, atMs, untilMs) * (untilMs - atMs)) / MS_PER_HOUR;
    atMs = untilMs;
  }
  return jpy;
}

/**
 * A price or activation over a period: the constant, or the time average of the series; 0 for `null` and for an empty
 * period of a series.
 */
export function meanOver(value: NumberOrSeries | null, fromMs: EpochMs, toMs: EpochMs): number {
  if (value === null) return 0;
  if (!(value instanceof Series)) return value;
  return toMs <= fromMs ? 0 : (value.integrate(fromMs, toMs) * MS_PER_HOUR) / (toMs - fromMs);
}
