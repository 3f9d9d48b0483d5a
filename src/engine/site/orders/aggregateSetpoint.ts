import { newSetpoint, PLAN_SETPOINT, type Setpoint } from "../components/setpoint.ts";
import { fcrSetpointOf } from "../frequency/fcrSetpoint.ts";
import type { OrderBookEntry } from "./siteOrder.ts";

/** The sum of the active orders of a site, on the baseline of the oldest (docs/model/overlap.md#coexisting). */
export function aggregateSetpoint(activeOrders: readonly OrderBookEntry[]): Setpoint {
  if (activeOrders.length === 0) return PLAN_SETPOINT;
  const setpoint = newSetpoint();
  let fcrCapacityKw = 0;
  setpoint.baselineKw = activeOrders[0].baselineKw;
  setpoint.deltaKw = 0;
  for (const entry of activeOrders) {
    setpoint.deltaKw += entry.setpointCeilingKw * entry.order.activation;
    fcrCapacityKw += entry.fcrCapacityKw;
  }
  if (0 < fcrCapacityKw) setpoint.fcr = fcrSetpointOf(activeOrders);
  return setpoint;
}
