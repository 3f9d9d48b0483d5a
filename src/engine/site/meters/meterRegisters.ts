import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import { Series } from "../../series/model/series.ts";
import { REGISTER } from "./energyRegisters.ts";
import type { MeteredSite } from "./resourceMeter.ts";

/** Integral of the reported baseline over a period within one trajectory, in kWh. */
export function baselineKwh(site: MeteredSite, fromMs: EpochMs, toMs: EpochMs): number {
  if (site.hasOrderBaseline) return (site.orderBaselineKw * (toMs - fromMs)) / MS_PER_HOUR;
  const { slotsKw: slots } = site.baseline;
  return slots instanceof Series ? slots.integrate(fromMs, toMs) : (slots * (toMs - fromMs)) / MS_PER_HOUR;
}

/** The register of the limiting output control: the lowest limit, the oldest of equals. */
export function curtailmentRegister(site: MeteredSite): number {
  let binding = site.outputControls[0];
  for (const control of site.outputControls) if (control.limitPct < binding.limitPct) binding = control;
  switch (binding.reason) {
    case "fit_curtailment":
      return REGISTER.fitCurtailed;
    case "non_firm_congestion":
      return REGISTER.nonFirmCurtailed;
    case "manual":
      return REGISTER.manualCurtailed;
    case "other":
      return REGISTER.otherCurtailed;
  }
}
