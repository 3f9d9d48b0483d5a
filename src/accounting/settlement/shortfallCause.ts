import { CAPABILITY_LIMIT } from "../../site/components/capabilities.ts";
import { LIMITING_FACTOR, type Segment } from "../../site/components/segment.ts";
import type { Site } from "../../site/site.ts";
import { DISPATCH_OUTCOME } from "../../vpp/instructions/instruction.ts";
import { CAUSE_INDEX } from "./causeIndex.ts";
import { isDeliveryShared } from "./deliveryCredit.ts";

/** Powers closer than this are equal, so that rounding errors of a sum do not count as a shortfall. */
export const POWER_TOLERANCE_KW = 1e-9;

/**
 * Cause of a member's whole shortfall while it does not take part, or -1 while it does
 * (docs/model/accounting.md#attribution, step 3).
 */
export function causeOfAbsence(site: Site, status: number, hasOrder: boolean): number {
  if (!site.isInService) return CAUSE_INDEX.out_of_service;
  switch (status) {
    case DISPATCH_OUTCOME.dispatched:
      return hasOrder ? -1 : CAUSE_INDEX.direct_control;
    case DISPATCH_OUTCOME.outOfService:
      return CAUSE_INDEX.out_of_service;
    case DISPATCH_OUTCOME.baselineMissing:
      return CAUSE_INDEX.baseline_missing;
    case DISPATCH_OUTCOME.incompatible:
      return CAUSE_INDEX.incompatible;
    case DISPATCH_OUTCOME.refused:
      return CAUSE_INDEX.refused;
    case DISPATCH_OUTCOME.failed:
      return CAUSE_INDEX.delivery_failed;
    default:
      // Weight 0: the member's share is 0, so that it has no shortfall.
      return CAUSE_INDEX.power_limit;
  }
}

/** Cause of the layer cut at the dispatch (a `CAPABILITY_LIMIT`). */
export function causeOfCut(cutBy: number): number {
  if (cutBy === CAPABILITY_LIMIT.energy) return CAUSE_INDEX.energy_limit;
  if (cutBy === CAPABILITY_LIMIT.weather) return CAUSE_INDEX.weather;
  if (cutBy === CAPABILITY_LIMIT.otherAward) return CAUSE_INDEX.other_award;
  return cutBy === CAPABILITY_LIMIT.outputControl ? CAUSE_INDEX.output_control : CAUSE_INDEX.power_limit;
}

/**
 * Cause of the shortfall beyond that cut: the factor that limits the delivery now, in the order of
 * docs/model/accounting.md#delivery-layer.
 *
 * @param direction  sign of the request; a limit that moves the power in this direction causes no shortfall
 */
export function causeOfLimitingFactor(site: Site, { limitedBy, deviationSign }: Segment, direction: number): number {
  if (site.hasPendingChange) return CAUSE_INDEX.ramp;
  switch (deviationSign * direction > 0 ? LIMITING_FACTOR.none : limitedBy) {
    case LIMITING_FACTOR.socBound:
      return CAUSE_INDEX.energy_limit;
    case LIMITING_FACTOR.powerLimit:
      return CAUSE_INDEX.power_limit;
    case LIMITING_FACTOR.ramp:
      return CAUSE_INDEX.ramp;
    case LIMITING_FACTOR.outputControl:
      return CAUSE_INDEX.output_control;
    case LIMITING_FACTOR.weather:
      return CAUSE_INDEX.weather;
    default:
      // The resource follows its set-point. Of simultaneous awards, those served first are credited before this one;
      // otherwise auxiliaries, the load or the rounding to tenths of a kW account for the difference.
      if (isDeliveryShared(site.activeOrders)) return CAUSE_INDEX.other_award;
      return site.resource.hasUncontrolledLoad ? CAUSE_INDEX.load_deviation : CAUSE_INDEX.power_limit;
  }
}
