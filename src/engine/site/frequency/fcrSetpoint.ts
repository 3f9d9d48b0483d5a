import type { FcrOrderResponse, FcrSetpoint } from "../components/setpoint.ts";
import type { OrderBookEntry } from "../orders/siteOrder.ts";

/**
 * The FCR set-point of the active orders, at least one of which has an FCR capacity.
 *
 * A compound responds around its activated delta and stays within ±|delta|, which is reserved
 * (docs/model/frequency-response.md#compound); with a delta of 0 it cannot respond.
 */
export function fcrSetpointOf(activeOrders: readonly OrderBookEntry[]): FcrSetpoint {
  const orderResponses: FcrOrderResponse[] = [];
  let downDeltaKw = 0;
  let upDeltaKw = 0;
  for (const { order, deltaKw, fcrCapacityKw } of activeOrders) {
    const activatedKw = deltaKw * order.activation;
    if (activatedKw < 0) downDeltaKw += activatedKw;
    else upDeltaKw += activatedKw;
    if (fcrCapacityKw <= 0) continue;
    const isCompound = order.sku === "compound";
    orderResponses.push({
      order,
      fcrCapacityKw: fcrCapacityKw,
      deltaKw: isCompound ? activatedKw : 0,
      limitKw: isCompound ? Math.abs(deltaKw) : Number.POSITIVE_INFINITY,
    });
  }
  return { orderResponses: orderResponses, downDeltaKw: downDeltaKw, upDeltaKw: upDeltaKw };
}

/** Whether two FCR set-points have the same effect. */
export function isSameFcrSetpoint(a: FcrSetpoint | null, b: FcrSetpoint | null): boolean {
  if (a === null || b === null) return a === b;
  if (
    a.downDeltaKw !== b.downDeltaKw ||
    a.upDeltaKw !== b.upDeltaKw ||
    a.orderResponses.length !== b.orderResponses.length
  )
    return false;
  return a.orderResponses.every((response, k) => {
    const other = b.orderResponses[k];
    return (
      response.order === other.order &&
      response.fcrCapacityKw === other.fcrCapacityKw &&
      response.limitKw === other.limitKw
    );
  });
}
