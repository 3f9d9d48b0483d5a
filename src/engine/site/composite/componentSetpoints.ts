import type { FcrSetpoint } from "../components/setpoint.ts";
import { isSameFcrSetpoint } from "../frequency/fcrSetpoint.ts";
import { aggregateSetpoint } from "../orders/aggregateSetpoint.ts";
import type { OrderBookEntry } from "../orders/siteOrder.ts";

/** The set-point of a single component, which then gets no share of the site's set-point. */
export interface ComponentSetpoint {
  readonly componentId: string;
  /** Baseline of the component, from which the delta is counted. */
  readonly baselineKw: number;
  readonly deltaKw: number;
  readonly fcr: FcrSetpoint | null;
}

export const NO_COMPONENT_SETPOINTS: readonly ComponentSetpoint[] = [];

/** Set-points of single components: the active orders summed by component, in order of the oldest registration. */
export function componentSetpoints(activeOrders: readonly OrderBookEntry[]): readonly ComponentSetpoint[] {
  const byComponent = new Map<string, OrderBookEntry[]>();
  for (const entry of activeOrders) {
    const { componentId } = entry.order;
    if (typeof componentId !== "string") continue;
    byComponent.set(componentId, [...(byComponent.get(componentId) ?? []), entry]);
  }
  if (byComponent.size === 0) return NO_COMPONENT_SETPOINTS;
  return [...byComponent].map(([componentId, orders]) => ({ componentId, ...aggregateSetpoint(orders) }));
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
