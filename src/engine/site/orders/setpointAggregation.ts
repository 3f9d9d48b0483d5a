import { Copyable } from "../../../base/copyState.ts";
import { type MutableSetpoint, newSetpoint, PLAN_SETPOINT, type Setpoint } from "../components/setpoint.ts";
import { fcrSetpointOf } from "../frequency/fcrSetpoint.ts";
import type { OrderBookEntry } from "./siteOrder.ts";

/** Combines the active orders of one site into a set-point. */
export class SetpointAggregation extends Copyable {
  /** Two alternating set-points, now and before, for a site whose set-points are not stored elsewhere; `null` otherwise. */
  private readonly reusableSetpoints: readonly [MutableSetpoint, MutableSetpoint] | null;

  /** @param isUndelayed  whether set-points take effect at once and go to a single component */
  constructor(isUndelayed: boolean) {
    super();
    this.reusableSetpoints = isUndelayed ? [newSetpoint(), newSetpoint()] : null;
  }

  /**
   * The sum of the active orders, on the baseline of the oldest (docs/model/overlap.md#coexisting).
   *
   * @param last         the previous set-point of the site
   * @param isRetained   whether the site's frequency response stores the set-point
   */
  aggregate(activeOrders: readonly OrderBookEntry[], last: Setpoint, isRetained: boolean): Setpoint {
    if (activeOrders.length === 0) return PLAN_SETPOINT;
    let deltaKw = 0;
    let fcrCapacityKw = 0;
    for (const entry of activeOrders) {
      deltaKw += entry.setpointCeilingKw * entry.order.activation;
      fcrCapacityKw += entry.fcrCapacityKw;
    }
    const reusable = isRetained || 0 < fcrCapacityKw ? null : this.reusableSetpoints;
    const setpoint = reusable === null ? newSetpoint() : reusable[last === reusable[0] ? 1 : 0];
    setpoint.baselineKw = activeOrders[0].baselineKw;
    setpoint.deltaKw = deltaKw;
    if (0 < fcrCapacityKw) setpoint.fcr = fcrSetpointOf(activeOrders);
    return setpoint;
  }
}
