import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { Instruction } from "../../engine/vpp/instructions/instruction.ts";
import { meanOver, pricesOf } from "./awardPrices.ts";
import type { AwardPiece, AwardPieceListener } from "./awardSettlement.ts";
import { integrateDeviation } from "./segmentSum.ts";

/** Energy in the direction of the request and penalty of an award, or a sum of awards; all at least 0 but the delivered energy. */
export const NO_TOTALS = { requestedKwh: 0, deliveredKwh: 0, shortfallKwh: 0, excessKwh: 0, penaltyJpy: 0 };

export type AwardTotals = Readonly<typeof NO_TOTALS>;

/** The totals of each executed award until an instant, which need not be one at which accounts are settled. */
export class TotalsUntil extends Copyable implements AwardPieceListener {
  readonly untilMs: EpochMs;
  private readonly byAward = new Map<string, AwardTotals>();
  private readonly integrals = { shortfallKwh: 0, excessKwh: 0, inBandMs: 0 };

  constructor(untilMs: EpochMs) {
    super();
    this.untilMs = untilMs;
  }

  addPiece({ awardId, origin }: Instruction, { fromMs, toMs, requestedKw, deviation }: AwardPiece): void {
    if (this.untilMs <= fromMs) return;
    const endMs = Math.min(toMs, this.untilMs);
    integrateDeviation(deviation, endMs - fromMs, 0, this.integrals);
    const { shortfallKwh, excessKwh } = this.integrals;
    const requestedKwh = (requestedKw * (endMs - fromMs)) / MS_PER_HOUR;
    const penalty = pricesOf(origin, null)?.penaltyPerKwh ?? null;
    const piece = {
      requestedKwh,
      deliveredKwh: requestedKwh - shortfallKwh + excessKwh,
      shortfallKwh,
      excessKwh,
      penaltyJpy: meanOver(penalty, fromMs, endMs) * shortfallKwh,
    };
    this.byAward.set(awardId, sumTotals([this.of(awardId), piece]));
  }

  /** All 0 for an award of which nothing was executed until the instant. */
  of(awardId: string): AwardTotals {
    return this.byAward.get(awardId) ?? NO_TOTALS;
  }
}

export function sumTotals(figures: Iterable<AwardTotals>): AwardTotals {
  const sum = { ...NO_TOTALS };
  for (const each of figures) for (const name of Object.keys(sum) as (keyof AwardTotals)[]) sum[name] += each[name];
  return sum;
}
