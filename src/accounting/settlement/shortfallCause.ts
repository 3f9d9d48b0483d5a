import { LIMITING_FACTOR } from "../../engine/device/curve/limitingFactor.ts";
import { CAPABILITY_LIMIT } from "../../engine/site/components/capabilities.ts";
import type { Segment } from "../../engine/site/components/segment.ts";
import type { Site } from "../../engine/site/site.ts";
import { CAUSE_INDEX } from "./causes.ts";
import type { DeliveryCredit } from "./deliveryCredit.ts";

/** Powers closer than this are equal, so that rounding errors of a sum do not count as a shortfall. */
export const POWER_TOLERANCE_KW = 1e-9;

/** Cause of an allocation gap for which a member's capability accounts (an entry of `CAPABILITY_LIMIT`). */
export function causeOfCapabilityLimit(limit: number): number {
  if (limit === CAPABILITY_LIMIT.energy) return CAUSE_INDEX.energy_limit;
  if (limit === CAPABILITY_LIMIT.weather) return CAUSE_INDEX.weather;
  if (limit === CAPABILITY_LIMIT.otherAward) return CAUSE_INDEX.other_award;
  return limit === CAPABILITY_LIMIT.outputControl ? CAUSE_INDEX.output_control : CAUSE_INDEX.power_limit;
}

/**
 * Cause of a delivery gap: the factor that limits the delivery now, in the order of
 * docs/model/accounting.md#delivery-layer.
 *
 * @param direction  sign of the request; a limit that moves the power in this direction causes no shortfall
 * @param credit     split of the delivered power among the awards that share the member; `null`: only one
 */
export function causeOfLimitingFactor(
  site: Site,
  { limitedBy, deviationSign }: Segment,
  direction: number,
  credit: DeliveryCredit | null,
): number {
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
      if (credit?.hasEarlierDelta) return CAUSE_INDEX.other_award;
      return site.resource.hasUncontrolledLoad ? CAUSE_INDEX.load_deviation : CAUSE_INDEX.power_limit;
  }
}
