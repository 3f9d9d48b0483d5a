import { MS_PER_HOUR } from "../base/time.ts";
import type { BatteryMotion } from "./battery.ts";
import { BOUND_KWH, SAME, storedMaxKwh, storedMinKwh } from "./batteryCapability.ts";
import type { BatterySpec } from "./batterySpec.ts";
import { BINDING, type Trajectory } from "./trajectory.ts";

/**
 * Plans what nearly all batteries of a fleet do, in one step: a constant target in service, without taper, ramp and
 * self-discharge. One power flows until the window's bound, and nothing after it. A test holds it to the general way.
 *
 * @param out  begun, without stretches
 * @returns whether this was such a battery; if not, nothing has been added
 */
export function planPlainBattery(spec: BatterySpec, motion: BatteryMotion, out: Trajectory): boolean {
  const { targetKw, storedKwh } = motion;
  if (!isPlain(spec) || !motion.inService || motion.targetSlopeKwPerMs !== 0) return false;
  if (targetKw === 0) {
    out.appendSteady(0, 0, storedKwh, 0, BINDING.free);
    return true;
  }
  const wantedKw = Math.abs(targetKw);
  if (wantedKw <= SAME) return false;
  const charging = 0 < targetKw;
  const boundKwh = charging ? storedMaxKwh(spec) : storedMinKwh(spec);
  if (charging ? boundKwh - BOUND_KWH <= storedKwh : storedKwh <= boundKwh + BOUND_KWH) {
    out.appendSteady(0, 0, storedKwh, 0, BINDING.socBound);
    return true;
  }
  const capKw = charging
    ? Math.min(spec.importMaxKw, motion.importLimitKw)
    : Math.min(spec.exportMaxKw, motion.exportLimitKw);
  if (capKw <= SAME) {
    out.appendSteady(0, 0, storedKwh, 0, BINDING.taperOrGrid);
    return true;
  }
  const kw = Math.min(wantedKw, capKw);
  const kwhPerMs = ((charging ? spec.chargeEfficiency : 1 / spec.dischargeEfficiency) / MS_PER_HOUR) * kw;
  const afterMs = Math.abs(boundKwh - storedKwh) / kwhPerMs;
  const signedKwhPerMs = charging ? kwhPerMs : -kwhPerMs;
  if (SAME < Math.abs(storedKwh + signedKwhPerMs * afterMs - boundKwh)) return false;
  const binds = kw + SAME < wantedKw ? BINDING.taperOrGrid : BINDING.free;
  out.appendSteady(0, charging ? kw : -kw, storedKwh, signedKwhPerMs, binds);
  out.appendSteady(afterMs, 0, boundKwh, 0, BINDING.socBound);
  return true;
}

const isPlain = ({ powerTaper, rampKwPerS, selfDischargePctPerDay }: BatterySpec): boolean =>
  rampKwPerS === null && selfDischargePctPerDay === 0 && (powerTaper === null || powerTaper.length === 0);
