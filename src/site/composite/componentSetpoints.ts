import type { FcrSetpoint } from "../components/setpoint.ts";
import { fcrSetpointOf, isSameFcrSetpoint } from "../frequency/fcrSetpoint.ts";
import type { OrderBookEntry } from "../orders/siteOrder.ts";

/** What one component of several is told by itself: it then takes no part in what the site as a whole is told. */
export interface ComponentSetpoint {
  readonly componentId: string;
  /** Of the component: what its deltas are counted from. */
  readonly baselineKw: number;
  readonly deltaKw: number;
  readonly fcr: FcrSetpoint | null;
}

export const NO_COMPONENT_SETPOINTS: readonly ComponentSetpoint[] = [];

/** What the orders that rule tell single components, summed by component, in the order of their oldest registrations. */
export function componentSetpoints(ruling: readonly OrderBookEntry[]): readonly ComponentSetpoint[] {
  const byComponent = new Map<string, OrderBookEntry[]>();
  for (const held of ruling) {
    const { componentId } = held.order;
    if (typeof componentId !== "string") continue;
    byComponent.set(componentId, [...(byComponent.get(componentId) ?? []), held]);
  }
  if (byComponent.size === 0) return NO_COMPONENT_SETPOINTS;
  return [...byComponent].map(([componentId, orders]) => {
    let deltaKw = 0;
    let widthKw = 0;
    for (const held of orders) {
      deltaKw += held.setpointCeilingKw * held.order.activation;
      widthKw += held.fcrCapacityKw;
    }
    const fcr = 0 < widthKw ? fcrSetpointOf(orders) : null;
    return { componentId, baselineKw: orders[0].baselineKw, deltaKw, fcr };
  });
}

export const isSameComponentSetpoints = (a: readonly ComponentSetpoint[], b: readonly ComponentSetpoint[]): boolean =>
  a === b ||
  (a.length === b.length &&
    a.every(
      (own, k) =>
        own.componentId === b[k].componentId &&
        own.baselineKw === b[k].baselineKw &&
        own.deltaKw === b[k].deltaKw &&
        isSameFcrSetpoint(own.fcr, b[k].fcr),
    ));
