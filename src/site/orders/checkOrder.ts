import type { RefusalKind } from "../../base/result.ts";
import type { EpochMs } from "../../base/time.ts";
import type { ConsumerSpec } from "../../device/consumer/consumerSpec.ts";
import { firstMissingSlotMs } from "../baseline/clientSlots.ts";
import type { SiteBaseline } from "../baseline/siteBaseline.ts";
import type { SiteSpec } from "../siteSpec.ts";
import { isMarketable } from "./isMarketable.ts";
import { checkCompositeOrder, checkReduction, checkReductionTerms, type ReductionState } from "./reductionRules.ts";
import type { OrderAmount, OrderTerms, SiteOrder } from "./siteOrder.ts";

/** What a site looks at before it takes an order. */
export interface OrderCheckContext {
  readonly spec: SiteSpec;
  readonly baseline: SiteBaseline;
  readonly reduction: ReductionState;
  /** The order whose reduction rules now. */
  readonly reductionOrder: SiteOrder | null;
}

/** Why a site refuses an order that comes now, or `null` when it takes it. */
export function checkOrder(
  door: OrderCheckContext,
  order: SiteOrder,
  amount: OrderAmount,
  atMs: EpochMs,
): RefusalKind | null {
  const { spec, reduction } = door;
  if (!isMarketable(spec.capability.marketable, order, amount)) return "sku_not_marketable";
  if (spec.components.length > 1) {
    const refusal = checkCompositeOrder(spec, order, hasBaselineSlots(door, order));
    if (refusal !== null) return refusal;
  }
  const load = findTargetConsumer(spec, order);
  if (load === null) return null;
  const found = {
    reductionKw: reductionKwOf(load, amount),
    atMs,
    hasBaselineSlots: hasBaselineSlots(door, order),
    // Of several components others may carry what the site is told.
    activeReductionOrder: spec.components.length > 1 && !reduction.reducing ? null : door.reductionOrder,
  };
  return checkReduction(load, reduction, order, found);
}

/** Why a site would refuse an order whenever it came; what depends on other reductions is asked when it comes. */
export function checkOrderTerms(door: OrderCheckContext, order: OrderTerms, amount: OrderAmount): RefusalKind | null {
  const { spec } = door;
  if (!isMarketable(spec.capability.marketable, order, amount)) return "sku_not_marketable";
  const slots = hasBaselineSlots(door, order);
  if (spec.components.length > 1) {
    const refusal = checkCompositeOrder(spec, order, slots);
    if (refusal !== null) return refusal;
  }
  const load = findTargetConsumer(spec, order);
  return load === null
    ? null
    : checkReductionTerms(load, order, { reductionKw: reductionKwOf(load, amount), hasBaselineSlots: slots });
}

/** The load that an order is for: a site's only component, or the one that it names; `null` for others. */
export function findTargetConsumer(
  { components }: SiteSpec,
  { componentId }: Pick<SiteOrder, "componentId">,
): ConsumerSpec | null {
  const component =
    components.length === 1 ? components[0] : components.find((candidate) => candidate.componentId === componentId);
  return component?.kind === "consumer" ? component : null;
}

const reductionKwOf = (load: ConsumerSpec, { deltaKw }: OrderAmount): number =>
  Math.min(Math.max(0, -deltaKw), load.maxDrReductionKw);

/** Whether every half hour of an order has a registered baseline (docs/model/baselines.md#negawatt-slots). */
export const hasBaselineSlots = (
  { baseline }: Pick<OrderCheckContext, "baseline">,
  { startMs, endMs }: Pick<SiteOrder, "startMs" | "endMs">,
) => baseline.hasRegisteredSlots || firstMissingSlotMs(baseline, startMs, endMs) === null;
