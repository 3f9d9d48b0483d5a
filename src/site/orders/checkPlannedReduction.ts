import type { RefusalKind } from "../../base/result.ts";
import type { EpochMs } from "../../base/time.ts";
import type { LoadTerms } from "../components/operationFacet.ts";
import type { Site } from "../site.ts";
import { findTargetConsumer } from "./checkOrder.ts";
import { type DirectOrder, type DirectRequest, toOrderAmount } from "./directOrder.ts";
import { areMutuallyExclusive, type SiteOrder } from "./siteOrder.ts";

/** A reason for which a consumer would refuse the start of a scheduled reduction, as far as it can be determined in advance. */
export interface PlannedReductionRefusal {
  readonly kind: Extract<RefusalKind, "dr_duplicate_dispatch" | "dr_cooldown_active">;
  /** End of the conflicting reduction. */
  readonly endMs: EpochMs;
}

/**
 * Checks a consumer's new schedule against its last reduction, the one in force and the registered direct schedules: a
 * reduction for another product at the same time (docs/model/overlap.md#dr-duplicate), or a start within the cooldown.
 * Pending VPP schedules are not checked, because the allocation decides at their start whether the site participates.
 */
export function checkPlannedReduction(site: Site, added: DirectRequest): PlannedReductionRefusal | null {
  const consumer = findTargetConsumer(site.spec, added);
  if (consumer === null || !isReduction(site, added)) return null;
  const { minDrCooldownMs } = consumer;
  // A reduction of the same product that ends at its start is continued; excluded ones are cut by it.
  let lastMs = site.reduction.reducing ? Number.NEGATIVE_INFINITY : site.reduction.endedMs;
  let isContinuation = false;
  // Earlier schedules can neither be continued nor lie within the cooldown.
  const fromMs = added.startMs - Math.max(minDrCooldownMs, 1);
  const registered = site.directSchedules.overlapping(fromMs, added.endMs);
  for (const { sku, startMs, endMs } of reductionsOf(site, consumer, registered)) {
    if (added.endMs <= startMs) continue;
    if (added.startMs < endMs && !areMutuallyExclusive(sku, added.sku)) return { kind: "dr_duplicate_dispatch", endMs };
    // The new schedule deletes those that start with it or after it.
    if (added.startMs <= startMs) continue;
    const untilMs = Math.min(endMs, added.startMs);
    if (untilMs === added.startMs && sku === added.sku) isContinuation = true;
    lastMs = Math.max(lastMs, untilMs);
  }
  if (isContinuation || minDrCooldownMs <= added.startMs - lastMs) return null;
  return { kind: "dr_cooldown_active", endMs: lastMs };
}

const isReduction = (site: Site, request: DirectRequest): boolean =>
  toOrderAmount(request, request.baselineKw ?? site.baselineSlotKwAt(request.startMs)).deltaKw < 0;

/** Reductions that address one consumer. Orders for a whole multi-component site are left out: they are divided at their start. */
function reductionsOf(site: Site, consumer: LoadTerms, schedules: readonly DirectOrder[]): ReadonlySet<SiteOrder> {
  const inForce = site.activeOrders.filter(({ deltaKw, order }) => deltaKw * order.activation < 0);
  const registered = schedules.filter(({ request }) => isReduction(site, request));
  const orders = [...inForce.map(({ order }) => order), ...registered];
  return new Set<SiteOrder>(orders.filter((order) => findTargetConsumer(site.spec, order) === consumer));
}
