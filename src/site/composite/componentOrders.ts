import type { FcrTarget } from "../components/target.ts";
import { fcrTarget, sameFcr } from "../frequency/fcrTarget.ts";
import type { HeldOrder } from "../orders/siteOrder.ts";

/** What one component of several is told by itself: it then takes no part in what the site as a whole is told. */
export interface OwnTarget {
  readonly componentId: string;
  /** Of the component: what its deltas are counted from. */
  readonly baselineKw: number;
  readonly deltaKw: number;
  readonly fcr: FcrTarget | null;
}

export const NOBODY: readonly OwnTarget[] = [];

/** What the orders that rule tell single components, summed by component, in the order of their oldest registrations. */
export function ownTargets(ruling: readonly HeldOrder[]): readonly OwnTarget[] {
  const byComponent = new Map<string, HeldOrder[]>();
  for (const held of ruling) {
    const { componentId } = held.order;
    if (typeof componentId !== "string") continue;
    byComponent.set(componentId, [...(byComponent.get(componentId) ?? []), held]);
  }
  if (byComponent.size === 0) return NOBODY;
  return [...byComponent].map(([componentId, orders]) => {
    let deltaKw = 0;
    let widthKw = 0;
    for (const held of orders) {
      deltaKw += held.reachKw * held.order.activation;
      widthKw += held.fcrKw;
    }
    const fcr = 0 < widthKw ? fcrTarget(orders) : null;
    return { componentId, baselineKw: orders[0].baselineKw, deltaKw, fcr };
  });
}

export const sameOwn = (a: readonly OwnTarget[], b: readonly OwnTarget[]): boolean =>
  a === b ||
  (a.length === b.length &&
    a.every(
      (own, k) =>
        own.componentId === b[k].componentId &&
        own.baselineKw === b[k].baselineKw &&
        own.deltaKw === b[k].deltaKw &&
        sameFcr(own.fcr, b[k].fcr),
    ));
