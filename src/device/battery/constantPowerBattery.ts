import { MS_PER_HOUR } from "../../base/time.ts";
import { DEVICE_LIMIT, type DeviceLimit, type Trajectory } from "../curve/trajectory.ts";
import type { PowerProfile } from "../frequency/responseProfile.ts";
import { EQUALITY_TOLERANCE, STORAGE_BOUND_TOLERANCE_KWH, storedMaxKwh, storedMinKwh } from "./batteryCapability.ts";
import type { BatteryPlanInput } from "./batteryPlanInput.ts";
import type { BatterySpec } from "./batterySpec.ts";

/** Ratings of a battery without taper, ramp and self-discharge. */
export interface ConstantPowerRatings {
  /** Bounds of the stored energy. */
  readonly fullKwh: number;
  readonly emptyKwh: number;
  readonly importMaxKw: number;
  readonly exportMaxKw: number;
  /** Change of the stored energy by power at the AC side, both above 0. */
  readonly chargeKwhPerKwMs: number;
  readonly dischargeKwhPerKwMs: number;
}

/** The ratings that `planConstantPower` needs; `null` for a battery with taper, ramp or self-discharge. */
export const constantPowerRatings = (spec: BatterySpec): ConstantPowerRatings | null =>
  hasConstantPowerModel(spec)
    ? {
        fullKwh: storedMaxKwh(spec),
        emptyKwh: storedMinKwh(spec),
        importMaxKw: spec.importMaxKw,
        exportMaxKw: spec.exportMaxKw,
        chargeKwhPerKwMs: spec.chargeEfficiency / MS_PER_HOUR,
        dischargeKwhPerKwMs: 1 / spec.dischargeEfficiency / MS_PER_HOUR,
      }
    : null;

/**
 * Plans the common case in one step: a constant target in service, without taper, ramp and self-discharge. One power
 * flows up to the window's bound, and none after it. A test compares it with the general planner.
 *
 * @param out begun, without segments
 * @returns whether the case applies; if not, `out` is unchanged
 */
export function planConstantPower(ratings: ConstantPowerRatings, motion: BatteryPlanInput, out: Trajectory): boolean {
  const { targetKw, storedKwh } = motion;
  if (!motion.inService || motion.targetSlopeKwPerMs !== 0) return false;
  if (targetKw === 0) {
    out.appendConstantPower(0, 0, storedKwh, 0, DEVICE_LIMIT.none);
    return true;
  }
  const wantedKw = Math.abs(targetKw);
  if (wantedKw <= EQUALITY_TOLERANCE) return false;
  const charging = 0 < targetKw;
  const boundKwh = charging ? ratings.fullKwh : ratings.emptyKwh;
  if (
    charging ? boundKwh - STORAGE_BOUND_TOLERANCE_KWH <= storedKwh : storedKwh <= boundKwh + STORAGE_BOUND_TOLERANCE_KWH
  ) {
    out.appendConstantPower(0, 0, storedKwh, 0, DEVICE_LIMIT.socBound);
    return true;
  }
  const capKw = charging
    ? Math.min(ratings.importMaxKw, motion.importLimitKw)
    : Math.min(ratings.exportMaxKw, motion.exportLimitKw);
  if (capKw <= EQUALITY_TOLERANCE) {
    out.appendConstantPower(0, 0, storedKwh, 0, DEVICE_LIMIT.powerLimit);
    return true;
  }
  const kw = Math.min(wantedKw, capKw);
  const kwhPerMs = (charging ? ratings.chargeKwhPerKwMs : ratings.dischargeKwhPerKwMs) * kw;
  const afterMs = Math.abs(boundKwh - storedKwh) / kwhPerMs;
  const signedKwhPerMs = charging ? kwhPerMs : -kwhPerMs;
  if (EQUALITY_TOLERANCE < Math.abs(storedKwh + signedKwhPerMs * afterMs - boundKwh)) return false;
  const limitedBy = kw + EQUALITY_TOLERANCE < wantedKw ? DEVICE_LIMIT.powerLimit : DEVICE_LIMIT.none;
  out.appendConstantPower(0, charging ? kw : -kw, storedKwh, signedKwhPerMs, limitedBy);
  out.appendConstantPower(afterMs, 0, boundKwh, 0, DEVICE_LIMIT.socBound);
  return true;
}

/**
 * Plans the common case for a stepped power profile: frequency response with one step a second. Power that a bound or a
 * limit holds over several steps is one segment.
 *
 * @param out begun, without segments
 */
export function planSteppedPower(
  spec: BatterySpec,
  motion: BatteryPlanInput,
  path: PowerProfile,
  out: Trajectory,
): boolean {
  if (!hasConstantPowerModel(spec) || !path.isStepped || !motion.inService || motion.targetSlopeKwPerMs !== 0)
    return false;
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
  let lastLimitedBy: DeviceLimit = DEVICE_LIMIT.none;
  for (let k = 0; k < count; k++) {
    const wantedKw = targetKw + pathKw[k];
    const charging = 0 < wantedKw;
    let kw = wantedKw;
    let limitedBy: DeviceLimit = DEVICE_LIMIT.none;
    if (Math.abs(kw) <= EQUALITY_TOLERANCE) kw = 0;
    else if (
      charging
        ? fullKwh - STORAGE_BOUND_TOLERANCE_KWH <= storedKwh
        : storedKwh <= emptyKwh + STORAGE_BOUND_TOLERANCE_KWH
    ) {
      kw = 0;
      limitedBy = DEVICE_LIMIT.socBound;
    } else if (charging ? importKw + EQUALITY_TOLERANCE < kw : kw < -exportKw - EQUALITY_TOLERANCE) {
      kw = charging ? importKw : -exportKw;
      limitedBy = DEVICE_LIMIT.powerLimit;
    }
    const kwhPerMs = (charging ? chargePerMs : dischargePerMs) * kw;
    if (kw !== lastKw || limitedBy !== lastLimitedBy)
      out.appendConstantPower(afterMs[k], kw, storedKwh, kwhPerMs, limitedBy);
    lastKw = kw;
    lastLimitedBy = limitedBy;
    if (kw === 0) continue;
    const spanMs = k + 1 < count ? afterMs[k + 1] - afterMs[k] : Number.POSITIVE_INFINITY;
    const endKwh = storedKwh + kwhPerMs * spanMs;
    if (charging ? fullKwh < endKwh : endKwh < emptyKwh) {
      const boundKwh = charging ? fullKwh : emptyKwh;
      out.appendConstantPower(afterMs[k] + (boundKwh - storedKwh) / kwhPerMs, 0, boundKwh, 0, DEVICE_LIMIT.socBound);
      storedKwh = boundKwh;
      lastKw = 0;
      lastLimitedBy = DEVICE_LIMIT.socBound;
    } else storedKwh = endKwh;
  }
  return true;
}

/** Whether only ratings, limits and the window's bounds can prevent a battery from reaching its target. */
export const hasConstantPowerModel = ({ powerTaper, rampKwPerS, selfDischargePctPerDay }: BatterySpec): boolean =>
  rampKwPerS === null && selfDischargePctPerDay === 0 && (powerTaper === null || powerTaper.length === 0);
