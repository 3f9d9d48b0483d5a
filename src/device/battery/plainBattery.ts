import { MS_PER_HOUR } from "../../base/time.ts";
import { BINDING, type Binding, type Trajectory } from "../curve/trajectory.ts";
import type { TargetPath } from "../frequency/responsePath.ts";
import { BOUND_KWH, SAME, storedMaxKwh, storedMinKwh } from "./batteryCapability.ts";
import type { BatteryMotion } from "./batteryMotion.ts";
import type { BatterySpec } from "./batterySpec.ts";

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

/**
 * The same along a path of steps: frequency response, a step a second. Power that a bound or a limit holds over several
 * steps is one stretch.
 *
 * @param out  begun, without stretches
 */
export function planPlainSteps(spec: BatterySpec, motion: BatteryMotion, path: TargetPath, out: Trajectory): boolean {
  if (!isPlain(spec) || !path.isStepped || !motion.inService || motion.targetSlopeKwPerMs !== 0) return false;
  const { targetKw } = motion;
  const { count, afterMs, kw: pathKw } = path;
  const fullKwh = storedMaxKwh(spec);
  const emptyKwh = storedMinKwh(spec);
  const importKw = Math.min(spec.importMaxKw, motion.importLimitKw);
  const exportKw = Math.min(spec.exportMaxKw, motion.exportLimitKw);
  const chargePerMs = spec.chargeEfficiency / MS_PER_HOUR;
  const dischargePerMs = 1 / spec.dischargeEfficiency / MS_PER_HOUR;
  let storedKwh = motion.storedKwh;
  let lastKw = Number.NaN;
  let lastBinds: Binding = BINDING.free;
  for (let k = 0; k < count; k++) {
    const wantedKw = targetKw + pathKw[k];
    const charging = 0 < wantedKw;
    let kw = wantedKw;
    let binds: Binding = BINDING.free;
    if (Math.abs(kw) <= SAME) kw = 0;
    else if (charging ? fullKwh - BOUND_KWH <= storedKwh : storedKwh <= emptyKwh + BOUND_KWH) {
      kw = 0;
      binds = BINDING.socBound;
    } else if (charging ? importKw + SAME < kw : kw < -exportKw - SAME) {
      kw = charging ? importKw : -exportKw;
      binds = BINDING.taperOrGrid;
    }
    const kwhPerMs = (charging ? chargePerMs : dischargePerMs) * kw;
    if (kw !== lastKw || binds !== lastBinds) out.appendSteady(afterMs[k], kw, storedKwh, kwhPerMs, binds);
    lastKw = kw;
    lastBinds = binds;
    if (kw === 0) continue;
    const spanMs = k + 1 < count ? afterMs[k + 1] - afterMs[k] : Number.POSITIVE_INFINITY;
    const endKwh = storedKwh + kwhPerMs * spanMs;
    if (charging ? fullKwh < endKwh : endKwh < emptyKwh) {
      const boundKwh = charging ? fullKwh : emptyKwh;
      out.appendSteady(afterMs[k] + (boundKwh - storedKwh) / kwhPerMs, 0, boundKwh, 0, BINDING.socBound);
      storedKwh = boundKwh;
      lastKw = 0;
      lastBinds = BINDING.socBound;
    } else storedKwh = endKwh;
  }
  return true;
}

/** Whether nothing but ratings, limits and the window's bounds keeps a battery from its target. */
export const isPlain = ({ powerTaper, rampKwPerS, selfDischargePctPerDay }: BatterySpec): boolean =>
  rampKwPerS === null && selfDischargePctPerDay === 0 && (powerTaper === null || powerTaper.length === 0);
