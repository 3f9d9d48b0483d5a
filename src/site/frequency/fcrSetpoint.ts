import type { FcrOrderResponse, FcrSetpoint } from "../components/setpoint.ts";
import type { OrderBookEntry } from "../orders/siteOrder.ts";

/**
 * What the orders that a site executes ask of its frequency response, of which there is one with a width at least.
 *
 * A compound responds around what is called of its delta and never leaves ±|delta|, which is reserved (docs/model/frequency-response.md#compound);
 * one without a delta has no room to respond.
 */
export function fcrSetpointOf(ruling: readonly OrderBookEntry[]): FcrSetpoint {
  const parts: FcrOrderResponse[] = [];
  let downKw = 0;
  let upKw = 0;
  for (const { order, deltaKw, fcrCapacityKw: fcrKw } of ruling) {
    const calledKw = deltaKw * order.activation;
    if (calledKw < 0) downKw += calledKw;
    else upKw += calledKw;
    if (fcrKw <= 0) continue;
    const isCompound = order.sku === "compound";
    parts.push({
      order,
      fcrCapacityKw: fcrKw,
      deltaKw: isCompound ? calledKw : 0,
      limitKw: isCompound ? Math.abs(deltaKw) : Number.POSITIVE_INFINITY,
    });
  }
  return { orderResponses: parts, downDeltaKw: downKw, upDeltaKw: upKw };
}

/** Whether the plant would notice. */
export function isSameFcrSetpoint(a: FcrSetpoint | null, b: FcrSetpoint | null): boolean {
  if (a === null || b === null) return a === b;
  if (
    a.downDeltaKw !== b.downDeltaKw ||
    a.upDeltaKw !== b.upDeltaKw ||
    a.orderResponses.length !== b.orderResponses.length
  )
    return false;
  return a.orderResponses.every((part, k) => {
    const other = b.orderResponses[k];
    return part.order === other.order && part.fcrCapacityKw === other.fcrCapacityKw && part.limitKw === other.limitKw;
  });
}
