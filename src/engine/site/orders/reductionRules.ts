import { Copyable } from "../../../base/copyState.ts";
import type { RefusalKind } from "../../../base/result.ts";
import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { LoadTerms, Reducible, ReductionState } from "../components/capabilities.ts";
import { type ComponentSpec, kindOf } from "../components/registry.ts";
import type { SiteSpec } from "../siteSpec.ts";
import type { OrderBookEntry, SiteOrder } from "./siteOrder.ts";

/**
 * The reason for which a multi-component site with a consumer refuses an order, or `null`. Exchange products require reverse
 * flow (docs/model/allocation.md#compatibility); negawatt products require a registered baseline
 * (docs/model/baselines.md#negawatt-slots).
 */
export function checkCompositeOrder(
  spec: SiteSpec,
  order: Pick<SiteOrder, "sku">,
  hasBaselineSlots: boolean,
): RefusalKind | null {
  if (!spec.components.some(isLoad)) return null;
  if (order.sku === "negawatt-spot" && !hasBaselineSlots) return "baseline_not_configured";
  const isExchange = order.sku === "exchange-da" || order.sku === "exchange-ttv";
  return isExchange && !spec.capability.reverseFlowAllowed ? "sku_not_marketable" : null;
}

/** The inputs of `checkReduction`. */
export interface ReductionRequest {
  readonly reductionKw: number;
  readonly atMs: EpochMs;
  readonly hasBaselineSlots: boolean;
  /** The order whose reduction is in force; only one product at a time (docs/model/overlap.md#dr-duplicate). */
  readonly activeReductionOrder: SiteOrder | null;
}

/**
 * The reason for which a consumer refuses a reduction, or `null`.
 *
 * A reduction of the same SKU that is in force, or ended at this instant, is continued (docs/model/consumer.md#contiguous).
 *
 * @param reductionKw after the cut to the maximum; at least 0; 0 is no demand response
 */
export function checkReduction(
  spec: LoadTerms,
  state: ReductionState,
  order: SiteOrder,
  { reductionKw, atMs, hasBaselineSlots, activeReductionOrder }: ReductionRequest,
): RefusalKind | null {
  const termsRefusal = checkReductionTerms(spec, order, { reductionKw, hasBaselineSlots: hasBaselineSlots });
  if (termsRefusal !== null || reductionKw === 0) return termsRefusal;
  if (activeReductionOrder !== null && activeReductionOrder !== order && activeReductionOrder.sku !== order.sku)
    return "dr_duplicate_dispatch";
  if (state.reducing && state.sku === order.sku) return null;
  const endedMs = state.reducing ? atMs : state.endedMs;
  return atMs - endedMs < spec.minDrCooldownMs ? "dr_cooldown_active" : null;
}

/** The checks of `checkReduction` that do not depend on the start of the reduction. */
export function checkReductionTerms(
  spec: LoadTerms,
  order: Pick<SiteOrder, "sku" | "startMs" | "endMs">,
  { reductionKw, hasBaselineSlots }: Pick<ReductionRequest, "reductionKw" | "hasBaselineSlots">,
): RefusalKind | null {
  if (order.sku === "negawatt-spot" && !hasBaselineSlots) return "baseline_not_configured";
  if (reductionKw === 0) return null;
  if (reductionKw < spec.minDrReductionKw) return "dr_reduction_below_minimum";
  return order.endMs - order.startMs < spec.minDrDurationMs ? "dr_duration_below_minimum" : null;
}

/** Whether an order is in force and reduces a consumer of the site. */
export const isActiveReduction = (spec: SiteSpec, activeOrders: readonly OrderBookEntry[], order: SiteOrder): boolean =>
  spec.components.some(isLoad) &&
  isForLoad(spec, order) &&
  activeOrders.some((entry) => entry.order === order && entry.deltaKw < 0);

/**
 * The order in force that reduces consumption: an order for one consumer, else the oldest order for the whole site, whose
 * amount may be divided among other components.
 */
export function findReductionOrder(activeOrders: readonly OrderBookEntry[], spec: SiteSpec): SiteOrder | null {
  let found: SiteOrder | null = null;
  for (const { order, deltaKw } of activeOrders) {
    if (deltaKw * order.activation >= 0 || !isForLoad(spec, order)) continue;
    if (typeof order.componentId === "string") return order;
    found ??= order;
  }
  return found;
}

/** Whether an order addresses the whole site or a consumer. */
const isForLoad = ({ components }: SiteSpec, { componentId }: SiteOrder): boolean =>
  typeof componentId !== "string" ||
  components.some((component) => component.componentId === componentId && isLoad(component));

const isLoad = (component: ComponentSpec): boolean => kindOf(component).operation.loadTerms(component) !== null;

/** State of the demand response of a site with a consumer. */
export class SiteReduction extends Copyable implements ReductionState {
  reducing = false;
  sku: Sku | null = null;
  endedMs: EpochMs = Number.NEGATIVE_INFINITY;
  /** End of an order released since the last update; NaN if none. */
  private releasedMs: EpochMs = Number.NaN;

  /** Records the release of an order. @param endMs end of its effect: now, or the start of the outage */
  noteRelease(endMs: EpochMs): void {
    this.releasedMs = endMs;
  }

  /**
   * Begins, continues or ends a reduction.
   *
   * @param sku  product of the reducing order; ignored without one
   * @returns whether another product's reduction replaced the one in force
   */
  update(resource: Reducible, isReductionRequested: boolean, sku: Sku | null, atMs: EpochMs): boolean {
    const replaced = this.reducing && isReductionRequested && this.sku !== sku;
    if (this.reducing && (!isReductionRequested || replaced)) {
      this.endedMs = Number.isNaN(this.releasedMs) ? atMs : this.releasedMs;
      this.reducing = false;
      resource.endReduction(this.endedMs);
    }
    this.releasedMs = Number.NaN;
    if (isReductionRequested) {
      this.reducing = true;
      this.sku = sku;
      resource.beginReduction();
    }
    return replaced;
  }
}
