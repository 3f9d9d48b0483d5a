import type { Setpoint } from "../components/setpoint.ts";
import { isSameFcrSetpoint } from "../frequency/fcrSetpoint.ts";
import type { SiteResource } from "../siteResource.ts";

/** Whether the plant would notice: a reduction is known by its delta, a set-point by its sum. */
export function setpointChanged(a: Setpoint, b: Setpoint, kind: SiteResource["kind"]): boolean {
  // Several components are told their amounts by themselves.
  if (kind === "multi_component") return !isSameFcrSetpoint(a.fcr, b.fcr);
  if (a.isInstructed !== b.isInstructed || !isSameFcrSetpoint(a.fcr, b.fcr)) return true;
  return kind === "consumer" ? a.deltaKw !== b.deltaKw : a.baselineKw + a.deltaKw !== b.baselineKw + b.deltaKw;
}
