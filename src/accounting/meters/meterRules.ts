import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import { Series } from "../../series/model/series.ts";
import type { Site } from "../../site/site.ts";
import { LEAF } from "./leaves.ts";

/** Integral of the reported baseline over a time without change of law. */
export function baselineKwh(site: Site, fromMs: EpochMs, toMs: EpochMs): number {
  if (site.hasOrderBaseline) return (site.orderBaselineKw * (toMs - fromMs)) / MS_PER_HOUR;
  const { slots } = site.baseline;
  return slots instanceof Series ? slots.integral(fromMs, toMs) : (slots * (toMs - fromMs)) / MS_PER_HOUR;
}

/** The register of the output control that binds: the lowest limit, the oldest of equals. */
export function leafOfReason(site: Site): number {
  let binding = site.outputControls[0];
  for (const control of site.outputControls) if (control.limitPct < binding.limitPct) binding = control;
  switch (binding.reason) {
    case "fit_curtailment":
      return LEAF.fitCurtailed;
    case "non_firm_congestion":
      return LEAF.nonFirmCurtailed;
    case "manual":
      return LEAF.manualCurtailed;
    case "other":
      return LEAF.otherCurtailed;
  }
}
