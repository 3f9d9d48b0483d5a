import { Copyable } from "../../base/copyState.ts";
import { type MutableSetpoint, newSetpoint, PLAN_SETPOINT, type Setpoint } from "../components/setpoint.ts";
import { fcrSetpointOf } from "../frequency/fcrSetpoint.ts";
import type { OrderBookEntry } from "./siteOrder.ts";

/** Sums up what the orders that rule at one site tell it. */
export class SetpointAggregation extends Copyable {
  /** Of a site whose targets nobody keeps two are enough for all awards: what it is told now, and was told last. */
  private readonly reusableSetpoints: readonly [MutableSetpoint, MutableSetpoint] | null;

  /** @param isUndelayed  whether the plant follows at once what its site is told, and nobody else is told of it */
  constructor(isPrompt: boolean) {
    super();
    this.reusableSetpoints = isPrompt ? [newSetpoint(), newSetpoint()] : null;
  }

  /**
   * The sum of what rules, on the baseline of the oldest (docs/model/overlap.md#coexisting).
   *
   * @param last   what the site was told before
   * @param isKept whether the site's frequency response keeps what it is told
   */
  aggregate(ruling: readonly OrderBookEntry[], last: Setpoint, isKept: boolean): Setpoint {
    if (ruling.length === 0) return PLAN_SETPOINT;
    let deltaKw = 0;
    let widthKw = 0;
    for (const held of ruling) {
      deltaKw += held.setpointCeilingKw * held.order.activation;
      widthKw += held.fcrCapacityKw;
    }
    const inTurn = isKept || 0 < widthKw ? null : this.reusableSetpoints;
    const told = inTurn === null ? newSetpoint() : inTurn[last === inTurn[0] ? 1 : 0];
    told.baselineKw = ruling[0].baselineKw;
    told.deltaKw = deltaKw;
    if (0 < widthKw) told.fcr = fcrSetpointOf(ruling);
    return told;
  }
}
