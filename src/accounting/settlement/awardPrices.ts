import type { EpochMs } from "../../base/time.ts";
import { MS_PER_HOUR } from "../../base/time.ts";
import { Series } from "../../series/model/series.ts";
import type { AwardSpec, InstructionOrigin, NumberOrSeries } from "../../vpp/instructions/instructionSpec.ts";

/** Prices and penalty of an award of which at least one varies over time. */
export type ChangingPrices = Pick<AwardSpec, "capacityPriceJpyPerKwHour" | "priceJpyPerKwh" | "penaltyJpyPerKwh">;

/** `null` where no price varies over time. */
export function changingPricesOf(origin: InstructionOrigin): ChangingPrices | null {
  if ("atMs" in origin) return null;
  const { capacityPriceJpyPerKwHour, priceJpyPerKwh, penaltyJpyPerKwh } = origin;
  const changes = [capacityPriceJpyPerKwHour, priceJpyPerKwh, penaltyJpyPerKwh].some(
    (price) => price instanceof Series,
  );
  return changes ? origin : null;
}

/** First instant after `atMs` at which one of the prices changes. */
export function nextPriceChangeMs(
  { capacityPriceJpyPerKwHour, priceJpyPerKwh, penaltyJpyPerKwh }: ChangingPrices,
  atMs: EpochMs,
): EpochMs {
  return Math.min(
    nextChangeMs(capacityPriceJpyPerKwHour, atMs),
    nextChangeMs(priceJpyPerKwh, atMs),
    nextChangeMs(penaltyJpyPerKwh, atMs),
  );
}

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
