import type { Setpoint } from "../components/setpoint.ts";
import { isSameFcrSetpoint } from "../frequency/fcrSetpoint.ts";
import type { SiteResource } from "../siteResource.ts";

/** Whether two set-points differ for the plant: a consumer follows the delta, other plants the sum of baseline and delta. */
export function setpointChanged(a: Setpoint, b: Setpoint, kind: SiteResource["kind"]): boolean {
  // The components of a composite get their own set-points.
  if (kind === "multi_component") return !isSameFcrSetpoint(a.fcr, b.fcr);
  if (a.isInstructed !== b.isInstructed || !isSameFcrSetpoint(a.fcr, b.fcr)) return true;
  return kind === "consumer" ? a.deltaKw !== b.deltaKw : a.baselineKw + a.deltaKw !== b.baselineKw + b.deltaKw;
}
