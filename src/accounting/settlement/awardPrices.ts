import type { EpochMs } from "../../base/time.ts";
import { MS_PER_HOUR } from "../../base/time.ts";
import { Series } from "../../series/model/series.ts";
import type { AwardSpec, InstructionOrigin, NumberOrSeries } from "../../vpp/instructions/instructionSpec.ts";

/** What an award pays or costs, where one of it at least changes over time. */
export type ChangingPrices = Pick<AwardSpec, "capacityPriceJpyPerKwHour" | "priceJpyPerKwh" | "penaltyJpyPerKwh">;

/** `null` where all prices stay, or there are none. */
export function changingPricesOf(origin: InstructionOrigin): ChangingPrices | null {
  if ("atMs" in origin) return null;
  const { capacityPriceJpyPerKwHour: priceJpyPerKwH, priceJpyPerKwh, penaltyJpyPerKwh } = origin;
  const changes = [priceJpyPerKwH, priceJpyPerKwh, penaltyJpyPerKwh].some((price) => price instanceof Series);
  return changes ? origin : null;
}

/** When one of them next changes. */
export function nextPriceChangeMs(
  { capacityPriceJpyPerKwHour: priceJpyPerKwH, priceJpyPerKwh, penaltyJpyPerKwh }: ChangingPrices,
  atMs: EpochMs,
): EpochMs {
  return Math.min(
    nextChangeMs(priceJpyPerKwH, atMs),
    nextChangeMs(priceJpyPerKwh, atMs),
    nextChangeMs(penaltyJpyPerKwh, atMs),
  );
}

const nextChangeMs = (price: NumberOrSeries | null, atMs: EpochMs): EpochMs =>
  price instanceof Series ? price.nextChangeMs(atMs) : Number.POSITIVE_INFINITY;

/** ∫ price × share dt, in JPY for each kW: for what asks and gets nothing. Exact where both are steps. */
export function valueOver(price: NumberOrSeries | null, share: NumberOrSeries, fromMs: EpochMs, toMs: EpochMs): number {
  let jpy = 0;
  for (let atMs = fromMs; atMs < toMs; ) {
    const untilMs = Math.min(toMs, nextChangeMs(price, atMs), nextChangeMs(share, atMs));
    jpy += (meanOver(price, atMs, untilMs) * meanOver(share, atMs, untilMs) * (untilMs - atMs)) / MS_PER_HOUR;
    atMs = untilMs;
  }
  return jpy;
}

/** A price or share over a period: as it is, or the mean of its series; 0 where there is none. */
export function meanOver(value: NumberOrSeries | null, fromMs: EpochMs, toMs: EpochMs): number {
  if (value === null) return 0;
  if (!(value instanceof Series)) return value;
  return toMs <= fromMs ? 0 : (value.integrate(fromMs, toMs) * MS_PER_HOUR) / (toMs - fromMs);
}
