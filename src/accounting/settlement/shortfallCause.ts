import { CAPABILITY_LIMIT } from "../../site/components/capabilities.ts";
import { LIMITING_FACTOR, type Segment } from "../../site/components/segment.ts";
import type { Site } from "../../site/site.ts";
import { DISPATCH_OUTCOME } from "../../vpp/instructions/instruction.ts";
import { CAUSE_INDEX } from "./causeIndex.ts";
import { isDeliveryShared } from "./deliveryCredit.ts";

/** Powers closer than this are the same: it keeps the last digits of a sum from counting as a lack. */
export const POWER_TOLERANCE_KW = 1e-9;

/** Cause of everything a member lacks while it does not count, or -1 when it counts (docs/model/accounting.md#attribution, step 3). */
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
      // Weight 0: nothing is expected of the member, so that it lacks nothing.
      return CAUSE_INDEX.power_limit;
  }
}

/** Cause of the layer that was cut at the dispatch. */
export function causeOfCut(cutBy: number): number {
  if (cutBy === CAPABILITY_LIMIT.energy) return CAUSE_INDEX.energy_limit;
  if (cutBy === CAPABILITY_LIMIT.weather) return CAUSE_INDEX.weather;
  if (cutBy === CAPABILITY_LIMIT.otherAward) return CAUSE_INDEX.other_award;
  return cutBy === CAPABILITY_LIMIT.outputControl ? CAUSE_INDEX.output_control : CAUSE_INDEX.power_limit;
}

/**
 * Cause of the layer that is lacking beyond the cut: what binds now, in the order of docs/model/accounting.md#delivery-layer.
 *
 * @param direction  sign of the request: a limit that pushes the power its way is not why something is lacking
 */
export function causeOfLimitingFactor(
  site: Site,
  { limitedBy: binds, deviationSign: keeps }: Segment,
  direction: number,
): number {
  if (site.hasPendingChange) return CAUSE_INDEX.ramp;
  switch (keeps * direction > 0 ? LIMITING_FACTOR.none : binds) {
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
      // The unit does what it was told. Of awards that share it, those served before have what this one lacks; else
      // auxiliaries or the load make the difference, or the last tenth of a kW does.
      if (isDeliveryShared(site.activeOrders)) return CAUSE_INDEX.other_award;
      return site.resource.hasUncontrolledLoad ? CAUSE_INDEX.load_deviation : CAUSE_INDEX.power_limit;
  }
}
