import type { EpochMs } from "../../base/time.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";
import type { AwardPiece, AwardPieceListener } from "./awardSettlement.ts";
import { integrateDeviation } from "./segmentSum.ts";

/** The shortfall of each executed award until an instant, which need not be one at which accounts are settled. */
export class ShortfallUntil implements AwardPieceListener {
  readonly untilMs: EpochMs;
  readonly #kwh = new Map<string, number>();
  readonly #integrals = { shortfallKwh: 0, excessKwh: 0, inBandMs: 0 };

  constructor(untilMs: EpochMs) {
    this.untilMs = untilMs;
  }

  addPiece({ awardId }: Instruction, { fromMs, toMs, deviation }: AwardPiece): void {
    if (this.untilMs <= fromMs) return;
    integrateDeviation(deviation, Math.min(toMs, this.untilMs) - fromMs, 0, this.#integrals);
    this.#kwh.set(awardId, this.kwhOf(awardId) + this.#integrals.shortfallKwh);
  }

  /** At least 0. */
  kwhOf(awardId: string): number {
    return this.#kwh.get(awardId) ?? 0;
  }
}
