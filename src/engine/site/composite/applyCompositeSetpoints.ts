import type { EpochMs } from "../../../base/time.ts";
import type { SiteBaseline } from "../baseline/siteBaseline.ts";
import type { Setpoint } from "../components/setpoint.ts";
import { hasBaselineSlots } from "../orders/checkOrder.ts";
import type { OrderBook } from "../orders/orderBook.ts";
import { checkReduction, findReductionOrder, type SiteReduction } from "../orders/reductionRules.ts";
import type { SiteOrder } from "../orders/siteOrder.ts";
import type { SiteSpec } from "../siteSpec.ts";
import { componentSetpoints, NO_COMPONENT_SETPOINTS } from "./componentSetpoints.ts";
import type { CompositeResource } from "./compositeResource.ts";

/** A site of several components. */
interface CompositeSite {
  readonly spec: SiteSpec;
  readonly baseline: SiteBaseline;
  readonly orderBook: OrderBook;
  readonly reduction: SiteReduction;
  readonly reductionOrder: SiteOrder | null;
  readonly outputLimitShare: number;
}

/** Dispatches the set-points of a composite: the site's and those of single components. */
export function applyCompositeSetpoints(
  site: CompositeSite,
  resource: CompositeResource,
  setpoint: Setpoint,
  atMs: EpochMs,
): void {
  const { spec, reduction } = site;
  resource.outputLimitShare = site.outputLimitShare;
  const { activeOrders, siteLevelOrders, hasActiveComponentOrders } = site.orderBook;
  const order = findReductionOrder(siteLevelOrders, spec);
  const isReducing = resource.applySetpoint(
    setpoint,
    hasActiveComponentOrders ? componentSetpoints(activeOrders) : NO_COMPONENT_SETPOINTS,
    {
      sku: siteLevelOrders.find(({ order }) => order.sku !== null)?.order.sku ?? null,
      atMs,
      checkReduction: (consumer, reductionKw) => {
        if (order === null) return null;
        const request = {
          reductionKw,
          atMs,
          hasBaselineSlots: hasBaselineSlots(site, order),
          activeReductionOrder: null,
        };
        return checkReduction(consumer.spec, reduction, order, request);
      },
    },
  );
  reduction.update(resource, isReducing, site.reductionOrder?.sku ?? null, atMs);
}
