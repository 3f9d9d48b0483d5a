import type { RefusalKind } from "../../../base/result.ts";
import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import { firstMissingSlotMs } from "../baseline/clientSlots.ts";
import type { SiteBaseline } from "../baseline/siteBaseline.ts";
import type { LoadTerms, ReductionState } from "../components/capabilities.ts";
import { kindOf } from "../components/registry.ts";
import type { SiteSpec } from "../siteSpec.ts";
import { checkCompositeOrder, checkReduction, checkReductionTerms } from "./reductionRules.ts";
import type { OrderAmount, OrderTerms, SiteOrder } from "./siteOrder.ts";

/** The state of a site that `checkOrder` reads. */
interface OrderCheckContext {
  readonly spec: SiteSpec;
  /** The load of a site of one component; `null` for other kinds and for several components. */
  readonly soleLoad: LoadTerms | null;
  readonly baseline: SiteBaseline;
  readonly reduction: ReductionState;
  /** The order whose reduction is in force. */
  readonly reductionOrder: SiteOrder | null;
}

/** The reason for which a site refuses an order now, or `null`. */
export function checkOrder(
  site: OrderCheckContext,
  order: SiteOrder,
  amount: OrderAmount,
  atMs: EpochMs,
): RefusalKind | null {
  const { spec, reduction, soleLoad } = site;
  if (!isMarketable(spec.capability.marketable, order, amount)) return "sku_not_marketable";
  if (spec.components.length > 1) {
    const refusal = checkCompositeOrder(spec, order, hasBaselineSlots(site, order));
    if (refusal !== null) return refusal;
  }
  const consumer = spec.components.length > 1 ? findTargetConsumer(spec, order) : soleLoad;
  if (consumer === null) return null;
  const found = {
    reductionKw: reductionKwOf(consumer, amount),
    atMs,
    hasBaselineSlots: hasBaselineSlots(site, order),
    // With several components the order may be divided among the others.
    activeReductionOrder: spec.components.length > 1 && !reduction.reducing ? null : site.reductionOrder,
  };
  return checkReduction(consumer, reduction, order, found);
}

/** The reason for which a site would refuse an order at any time, or `null`; conflicts with other reductions are not checked. */
export function checkOrderTerms(site: OrderCheckContext, order: OrderTerms, amount: OrderAmount): RefusalKind | null {
  const { spec } = site;
  if (!isMarketable(spec.capability.marketable, order, amount)) return "sku_not_marketable";
  const hasSlots = hasBaselineSlots(site, order);
  if (spec.components.length > 1) {
    const refusal = checkCompositeOrder(spec, order, hasSlots);
    if (refusal !== null) return refusal;
  }
  const consumer = findTargetConsumer(spec, order);
  return consumer === null
    ? null
    : checkReductionTerms(consumer, order, {
        reductionKw: reductionKwOf(consumer, amount),
        hasBaselineSlots: hasSlots,
      });
}

/** The consumer that an order addresses: the site's only component or the named one; `null` if it is no consumer. */
export function findTargetConsumer(
  { components }: SiteSpec,
  { componentId }: Pick<SiteOrder, "componentId">,
): LoadTerms | null {
  const component =
    components.length === 1 ? components[0] : components.find((candidate) => candidate.componentId === componentId);
  return component === undefined ? null : kindOf(component).operation.loadTerms(component);
}

const reductionKwOf = (consumer: LoadTerms, { deltaKw }: OrderAmount): number =>
  Math.min(Math.max(0, -deltaKw), consumer.maxDrReductionKw);

/** Whether every half hour of an order has a registered baseline slot (docs/model/baselines.md#negawatt-slots). */
export const hasBaselineSlots = (
  { baseline }: Pick<OrderCheckContext, "baseline">,
  { startMs, endMs }: Pick<SiteOrder, "startMs" | "endMs">,
) => baseline.hasRegisteredSlots || firstMissingSlotMs(baseline, startMs, endMs) === null;

/** A site may also provide a compound if each of its product legs is marketable (docs/model/allocation.md#compatibility). */
export function isMarketable(
  marketable: readonly Sku[],
  { sku, compoundBreakdown }: Pick<SiteOrder, "sku" | "compoundBreakdown">,
  { fcrCapacityKw }: OrderAmount,
): boolean {
  if (sku === null) return true;
  for (let k = 0; k < marketable.length; k++) if (marketable[k] === sku) return true;
  if (sku !== "compound" || compoundBreakdown === undefined || compoundBreakdown === null) return false;
  return Object.keys(compoundBreakdown).every((leg) =>
    leg === "fcr_response_kw"
      ? fcrCapacityKw === 0 || marketable.includes("fcr")
      : marketable.some((sku) => sku === leg),
  );
}
