import { Copyable } from "../../base/copyState.ts";
import { type MutableTarget, newTarget, OWN_PLAN, type Target } from "../components/target.ts";
import { fcrTarget } from "../frequency/fcrTarget.ts";
import type { HeldOrder } from "./siteOrder.ts";

/** Sums up what the orders that rule at one site tell it. */
export class Telling extends Copyable {
  /** Of a site whose targets nobody keeps two are enough for all awards: what it is told now, and was told last. */
  private readonly inTurn: readonly [MutableTarget, MutableTarget] | null;

  /** @param isPrompt  whether the plant follows at once what its site is told, and nobody else is told of it */
  constructor(isPrompt: boolean) {
    super();
    this.inTurn = isPrompt ? [newTarget(), newTarget()] : null;
  }

  /**
   * The sum of what rules, on the baseline of the oldest (decisions.md 43).
   *
   * @param last   what the site was told before
   * @param isKept whether the site's frequency response keeps what it is told
   */
  now(ruling: readonly HeldOrder[], last: Target, isKept: boolean): Target {
    if (ruling.length === 0) return OWN_PLAN;
    let deltaKw = 0;
    let widthKw = 0;
    for (const held of ruling) {
      deltaKw += held.reachKw * held.order.activation;
      widthKw += held.fcrKw;
    }
    const inTurn = isKept || 0 < widthKw ? null : this.inTurn;
    const told = inTurn === null ? newTarget() : inTurn[last === inTurn[0] ? 1 : 0];
    told.baselineKw = ruling[0].baselineKw;
    told.deltaKw = deltaKw;
    if (0 < widthKw) told.fcr = fcrTarget(ruling);
    return told;
  }
}
