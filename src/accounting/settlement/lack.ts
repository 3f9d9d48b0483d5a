import { BINDS, type Stretch } from "../../site/components/stretch.ts";
import type { Site } from "../../site/site.ts";
import { CUT_BY, DISPATCH } from "../../vpp/instructions/instruction.ts";
import { isShared } from "./credit.ts";
import { CAUSE } from "./shortfall.ts";

/** Powers closer than this are the same: it keeps the last digits of a sum from counting as a lack. */
export const SAME_KW = 1e-9;

/** Cause of everything a member lacks while it does not count, or -1 when it counts (accounting.md §1, step 3). */
export function causeOfAbsence(site: Site, status: number, hasOrder: boolean): number {
  if (!site.inService) return CAUSE.out_of_service;
  switch (status) {
    case DISPATCH.dispatched:
      return hasOrder ? -1 : CAUSE.direct_control;
    case DISPATCH.outOfService:
      return CAUSE.out_of_service;
    case DISPATCH.baselineMissing:
      return CAUSE.baseline_missing;
    case DISPATCH.incompatible:
      return CAUSE.incompatible;
    case DISPATCH.refused:
      return CAUSE.refused;
    case DISPATCH.failed:
      return CAUSE.delivery_failed;
    default:
      // Weight 0: nothing is expected of the member, so that it lacks nothing.
      return CAUSE.power_limit;
  }
}

/** Cause of the layer that was cut at the dispatch. */
export function causeOfCut(cutBy: number): number {
  if (cutBy === CUT_BY.energy) return CAUSE.energy_limit;
  if (cutBy === CUT_BY.weather) return CAUSE.weather;
  if (cutBy === CUT_BY.otherAward) return CAUSE.other_award;
  return cutBy === CUT_BY.outputControl ? CAUSE.output_control : CAUSE.power_limit;
}

/**
 * Cause of the layer that is lacking beyond the cut: what binds now, in the order of decisions.md 172.
 *
 * @param direction  sign of the request: a limit that pushes the power its way is not why something is lacking
 */
export function causeOfBinding(site: Site, { binds, keeps }: Stretch, direction: number): number {
  if (site.changePending) return CAUSE.ramp;
  switch (keeps * direction > 0 ? BINDS.free : binds) {
    case BINDS.socBound:
      return CAUSE.energy_limit;
    case BINDS.powerLimit:
      return CAUSE.power_limit;
    case BINDS.ramp:
      return CAUSE.ramp;
    case BINDS.outputControl:
      return CAUSE.output_control;
    case BINDS.weather:
      return CAUSE.weather;
    default:
      // The unit does what it was told. Of awards that share it, those served before have what this one lacks; else
      // auxiliaries or the load make the difference, or the last tenth of a kW does.
      if (isShared(site.ruling)) return CAUSE.other_award;
      return hasOwnLoad(site) ? CAUSE.load_deviation : CAUSE.power_limit;
  }
}

function hasOwnLoad({ unit }: Site): boolean {
  return (
    unit.kind === "consumer" ||
    unit.kind === "multi_component" ||
    (unit.kind === "battery" && unit.spec.auxiliaryKw > 0)
  );
}
