import type { RefusalKind } from "../../base/result.ts";
import type { EpochMs } from "../../base/time.ts";
import type { ConsumerSpec } from "../../device/consumer/consumerSpec.ts";
import type { Site } from "../site.ts";
import { findTargetConsumer } from "./checkOrder.ts";
import { type DirectRequest, toOrderAmount } from "./directOrder.ts";
import { areMutuallyExclusive, type SiteOrder } from "./siteOrder.ts";

/** Why a schedule that reduces a load would be refused at its start, as far as that is known today. */
export interface PlannedReductionRefusal {
  readonly kind: Extract<RefusalKind, "dr_duplicate_dispatch" | "dr_cooldown_active">;
  /** End of the reduction that stands in its way. */
  readonly endMs: EpochMs;
}

/**
 * Holds a load's new schedule against the reduction that was last, the one in force and those that its owner has registered:
 * another product at one time (docs/model/overlap.md#dr-duplicate), or a start before the load has rested (87). What a VPP has still to tell is
 * not asked: whether the site has a part in it is decided at its start.
 */
export function checkPlannedReduction(site: Site, added: DirectRequest): PlannedReductionRefusal | null {
  const load = findTargetConsumer(site.spec, added);
  if (load === null || !isReduction(site, added)) return null;
  const { minDrCooldownMs } = load;
  // It goes on with a reduction of its own product that ends where it begins, and takes the time of those it excludes.
  let lastMs = site.reduction.reducing ? Number.NEGATIVE_INFINITY : site.reduction.endedMs;
  let continues = false;
  for (const { sku, startMs, endMs } of reductionsOf(site, load)) {
    if (added.endMs <= startMs) continue;
    if (added.startMs < endMs && !areMutuallyExclusive(sku, added.sku)) return { kind: "dr_duplicate_dispatch", endMs };
    // What begins with it or after it goes away.
    if (added.startMs <= startMs) continue;
    const untilMs = Math.min(endMs, added.startMs);
    if (untilMs === added.startMs && sku === added.sku) continues = true;
    lastMs = Math.max(lastMs, untilMs);
  }
  if (continues || minDrCooldownMs <= added.startMs - lastMs) return null;
  return { kind: "dr_cooldown_active", endMs: lastMs };
}

const isReduction = (site: Site, request: DirectRequest): boolean =>
  toOrderAmount(request, request.baselineKw ?? site.baselineSlotKwAt(request.startMs)).deltaKw < 0;

/** Of one load: what is for the site as a whole of several components falls on it only at its start. */
function reductionsOf(site: Site, load: ConsumerSpec): ReadonlySet<SiteOrder> {
  const inForce = site.activeOrders.filter(({ deltaKw, order }) => deltaKw * order.activation < 0);
  const registered = site.directSchedules.filter(({ request }) => isReduction(site, request));
  const orders = [...inForce.map(({ order }) => order), ...registered];
  return new Set<SiteOrder>(orders.filter((order) => findTargetConsumer(site.spec, order) === load));
}
