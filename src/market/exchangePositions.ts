import type { Sku } from "../base/sku.ts";
import { type EpochMs, MS_PER_HOUR } from "../base/time.ts";

type ExchangeSku = "exchange-da" | "exchange-ttv" | "negawatt-spot";

/** Whether a product is traded at an exchange: a position of the balancing group, not a reserve. */
export const isExchangeSku = (sku: Sku | null): sku is ExchangeSku =>
  sku === "exchange-da" || sku === "exchange-ttv" || sku === "negawatt-spot";

/** An award of an exchange product, or a part of one. */
export interface ExchangeAward {
  readonly awardId: string;
  readonly sku: ExchangeSku;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Bought +, sold −. */
  readonly kw: number;
}

/** Net purchases in a period, in kWh: bought +, sold −. */
interface ExchangeEnergy {
  readonly spotKwh: number;
  readonly intradayKwh: number;
}

/** Positions that the exchange awards of one VPP give its group beside the baselines (docs/model/settlement.md#positions). */
export class ExchangePositions {
  private readonly slotMs: number;
  /** Awards in order of registration, cut at slots, by the start of the slot. */
  private readonly bySlot = new Map<EpochMs, ExchangeAward[]>();

  /** @param slotMs  length of a settlement slot */
  constructor(slotMs: number) {
    this.slotMs = slotMs;
  }

  /** Awards come in order of registration. */
  add(award: ExchangeAward): void {
    for (const slotMs of this.slotsOf(award)) {
      const awards = this.bySlot.get(slotMs);
      if (awards === undefined) this.bySlot.set(slotMs, [award]);
      else awards.push(award);
    }
  }

  /** Removes the position of an award over a period in which it is not traded. */
  remove(awardId: string, period: { readonly startMs: EpochMs; readonly endMs: EpochMs }): void {
    for (const slotMs of this.slotsOf(period)) {
      const awards = this.bySlot.get(slotMs) ?? [];
      const rest = awards.flatMap((award) => (award.awardId === awardId ? partsOutside(award, period) : [award]));
      this.bySlot.set(slotMs, rest);
    }
  }

  /** Positions over a period within one slot; later calls are for later periods. */
  energyOver(fromMs: EpochMs, toMs: EpochMs): ExchangeEnergy {
    const slotMs = this.slotStartMs(fromMs);
    const awards = this.bySlot.get(slotMs);
    if (awards === undefined) return NO_ENERGY;
    if (slotMs + this.slotMs <= toMs) this.bySlot.delete(slotMs);
    const cuts = awards.flatMap(({ startMs, endMs }) => [startMs, endMs]).filter((ms) => fromMs < ms && ms < toMs);
    const times = [...new Set([fromMs, ...cuts, toMs])].sort((a, b) => a - b);
    let spotKwh = 0;
    let intradayKwh = 0;
    for (let k = 1; k < times.length; k++) {
      const hours = (times[k] - times[k - 1]) / MS_PER_HOUR;
      const inForce = awards.filter(({ startMs, endMs }) => startMs <= times[k - 1] && times[k] <= endMs);
      const { spotKw, intradayKw } = positionsOf(inForce);
      spotKwh += spotKw * hours;
      intradayKwh += intradayKw * hours;
    }
    return { spotKwh, intradayKwh };
  }

  private slotStartMs(atMs: EpochMs): EpochMs {
    return Math.floor(atMs / this.slotMs) * this.slotMs;
  }

  private *slotsOf({ startMs, endMs }: { readonly startMs: EpochMs; readonly endMs: EpochMs }): Iterable<EpochMs> {
    for (let slotMs = this.slotStartMs(startMs); slotMs < endMs; slotMs += this.slotMs) yield slotMs;
  }
}

const NO_ENERGY: ExchangeEnergy = { spotKwh: 0, intradayKwh: 0 };

/**
 * The last award of each product counts. An intraday award changes the day-ahead position to its own power; a day-ahead
 * award that is registered later replaces both.
 */
function positionsOf(inForce: readonly ExchangeAward[]): { readonly spotKw: number; readonly intradayKw: number } {
  const dayAheadKw = inForce.findLast(({ sku }) => sku === "exchange-da")?.kw ?? 0;
  const negawattKw = inForce.findLast(({ sku }) => sku === "negawatt-spot")?.kw ?? 0;
  const last = inForce.findLast(({ sku }) => sku !== "negawatt-spot");
  return {
    spotKw: dayAheadKw + negawattKw,
    intradayKw: last?.sku === "exchange-ttv" ? last.kw - dayAheadKw : 0,
  };
}

const partsOutside = (
  award: ExchangeAward,
  { startMs, endMs }: { startMs: EpochMs; endMs: EpochMs },
): ExchangeAward[] =>
  [
    { ...award, endMs: Math.min(award.endMs, startMs) },
    { ...award, startMs: Math.max(award.startMs, endMs) },
  ].filter((part) => part.startMs < part.endMs);
