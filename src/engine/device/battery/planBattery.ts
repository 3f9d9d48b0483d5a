import { assert } from "../../../base/assert.ts";
import { expm1 } from "../../../base/elementary.ts";
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_SECOND } from "../../../base/time.ts";
import { curveValue, firstPositiveMs } from "../curve/curve.ts";
import type { DevicePlanInput } from "../curve/devicePlanInput.ts";
import { LIMITING_FACTOR, type LimitingFactor } from "../curve/limitingFactor.ts";
import { findPowerCap, type PowerCap } from "../curve/powerCap.ts";
import { newTrajectorySegment, type Trajectory } from "../curve/trajectory.ts";
import type { PowerProfile } from "../frequency/responseProfile.ts";
import { EQUALITY_TOLERANCE, STORAGE_BOUND_TOLERANCE_KWH, storedMaxKwh, storedMinKwh } from "./batteryCapability.ts";
import type { BatterySpec } from "./batterySpec.ts";
import { ConstantPowerFlow, type ConstantPowerRatings, constantPowerRatings } from "./constantPowerBattery.ts";

/**
 * Rounding difference between two computations of one power. A larger tolerance would let energy drift over the days of
 * a segment.
 */
const SAME_TRAJECTORY_KW = 1e-12;
/** Relative margin, far above rounding, by which a limit must be faster than the ramp. */
const CLEARLY_FASTER = 1e-12;
/** A shorter segment makes no progress; the next one then lasts at least `NUDGE_MS`. */
const STALL_MS = 1e-9;
const MIN_PROGRESS_MS = 1e-3;

/**
 * Plans a battery until its target, limits or service change: fills `out` with segments in which power and stored
 * energy have a closed form. The power ramps towards the target, within rating × taper and the limits, which act at
 * once (docs/model/battery.md#ramp). At a SOC bound it stays at the nearest feasible power: 0, or the power that covers
 * the self-discharge of a full battery. Every switch is a solved real instant.
 *
 * @param path  frequency response in kW beyond the motion's target, from the start of the motion on
 * @see docs/model/time.md#closed-form
 */
export function planBattery(
  spec: BatterySpec,
  motion: Readonly<DevicePlanInput>,
  out: Trajectory,
  path: PowerProfile | null = null,
): void {
  assert(0 <= motion.importLimitKw && 0 <= motion.exportLimitKw, "limits of a battery's power are at least 0");
  out.begin(motion.startMs, motion.inService ? spec.auxiliaryKw : 0);
  const ratings =
    path?.isStepped && motion.inService && motion.targetSlopeKwPerMs === 0 ? constantPowerRatings(spec) : null;
  if (path !== null && ratings !== null) planSteps(ratings, motion, path, out);
  else planSegmentwise(spec, motion, out, path);
}

/** Plans from step to step of a profile, one a second, with constant power in each. Power that a bound or a limit holds is one segment. */
function planSteps(
  ratings: ConstantPowerRatings,
  { targetKw, storedKwh, importLimitKw, exportLimitKw }: Readonly<DevicePlanInput>,
  { count, afterMs, kw: pathKw }: PowerProfile,
  out: Trajectory,
): void {
  const step = new ConstantPowerFlow();
  step.startMs = 0;
  step.storedKwh = storedKwh;
  let lastKw = Number.NaN;
  let lastLimitedBy: LimitingFactor = LIMITING_FACTOR.none;
  for (let k = 0; k < count; k++) {
    const wantedKw = targetKw + pathKw[k];
    step.plan(ratings, Math.abs(wantedKw) <= EQUALITY_TOLERANCE ? 0 : wantedKw, importLimitKw, exportLimitKw);
    const { cellKw, limitedBy } = step;
    if (cellKw !== lastKw || limitedBy !== lastLimitedBy)
      out.appendConstantPower(afterMs[k], cellKw, step.storedKwh, step.storedKwhPerMs, limitedBy);
    lastKw = cellKw;
    lastLimitedBy = limitedBy;
    const spanMs = k + 1 < count ? afterMs[k + 1] - afterMs[k] : Number.POSITIVE_INFINITY;
    if (step.boundAfterMs < spanMs) {
      out.appendConstantPower(afterMs[k] + step.boundAfterMs, 0, step.boundKwh, 0, LIMITING_FACTOR.socBound);
      step.storedKwh = step.boundKwh;
      lastKw = 0;
      lastLimitedBy = LIMITING_FACTOR.socBound;
    } else step.storedKwh += step.storedKwhPerMs * spanMs;
  }
}

/** Plans from switch to switch. @param out begun, without segments */
export function planSegmentwise(
  spec: BatterySpec,
  motion: Readonly<DevicePlanInput>,
  out: Trajectory,
  path: PowerProfile | null = null,
): void {
  const planner = new BatteryPlanner(spec, motion, path);
  if (!motion.inService) {
    planner.idle(LIMITING_FACTOR.none);
    out.append(planner.segment);
    return;
  }
  const maxSegments = (50 + 20 * (spec.powerTaper?.length ?? 0)) * (path?.count ?? 1);
  for (let left = maxSegments; 0 < left; left--) if (!planner.next(out)) return;
  assert(
    false,
    () => `a battery's plan is complete within ${maxSegments} segments, ${spec.componentId}: ${JSON.stringify(motion)}`,
  );
}

/** Advances from switch to switch. */
class BatteryPlanner {
  readonly segment = newTrajectorySegment();
  private readonly cap: PowerCap = { interceptKw: 0, slopeKwPerKwh: 0, lowKwh: 0, highKwh: 0 };
  private readonly spec: BatterySpec;
  private readonly motion: Readonly<DevicePlanInput>;
  private readonly profile: PowerProfile | null;
  /** Current piece of the profile. */
  private profileIndex = 0;
  private readonly minKwh: number;
  private readonly maxKwh: number;
  /** Share of the stored energy lost per ms. */
  private readonly lossPerMs: number;
  private readonly rampKwPerMs: number;
  // State at the current switch.
  private afterMs = 0;
  private storedKwh: number;
  private flowingKw: number;
  private stalled = false;
  /** Whether the last segment ended at a corner of the taper, where its closed form may continue. */
  private atCorner = false;
  /** +1 charging, −1 discharging: below, powers are counted positive into this direction. */
  private sign: 1 | -1 = 1;
  /** kWh in the cells per ms and kW at the AC side, into the present direction. */
  private kwhPerKwMs = 0;
  // End of the segment and state at the end.
  private endMs = 0;
  private endsAtBound = false;
  private endsAtCorner = false;

  constructor(spec: BatterySpec, motion: Readonly<DevicePlanInput>, path: PowerProfile | null) {
    this.spec = spec;
    this.motion = motion;
    this.profile = path;
    this.minKwh = storedMinKwh(spec);
    this.maxKwh = storedMaxKwh(spec);
    this.lossPerMs = spec.selfDischargePctPerDay / 100 / MS_PER_DAY;
    this.rampKwPerMs = spec.rampKwPerS === null ? Number.POSITIVE_INFINITY : spec.rampKwPerS / MS_PER_SECOND;
    this.storedKwh = motion.storedKwh;
    this.flowingKw = motion.inService ? motion.flowingKw : 0;
    this.turn(1);
  }

  /** Adds the next segment. @returns whether another one follows */
  next(out: Trajectory): boolean {
    const path = this.profile;
    let { targetSlopeKwPerMs } = this.motion;
    let wantedKw = this.motion.targetKw + targetSlopeKwPerMs * this.afterMs;
    this.endMs = Number.POSITIVE_INFINITY;
    if (path !== null) {
      const k = this.profileIndex;
      wantedKw += path.kw[k] + path.kwPerMs[k] * (this.afterMs - path.afterMs[k]);
      targetSlopeKwPerMs += path.kwPerMs[k];
      if (k + 1 < path.count) this.endMs = path.afterMs[k + 1] - this.afterMs;
    }
    const jumps =
      this.rampKwPerMs === Number.POSITIVE_INFINITY || Math.abs(this.flowingKw - wantedKw) <= EQUALITY_TOLERANCE;
    this.flowingKw = this.feasibleKw(jumps ? wantedKw : this.flowingKw);
    this.endsAtBound = false;
    this.endsAtCorner = false;
    const sign = directionOf(this.flowingKw, wantedKw, targetSlopeKwPerMs);
    if (sign === 0) this.idle(LIMITING_FACTOR.none);
    else {
      this.turn(sign);
      this.move(wantedKw * sign, targetSlopeKwPerMs * sign);
    }
    if (!this.continuesPreviousSegment(out)) out.append(this.segment);
    return this.advanceToEnd();
  }

  /** No power flows; only self-discharge changes the stored energy. */
  idle(limitedBy: LimitingFactor): void {
    this.setLinearSegment(0, 0, limitedBy);
  }

  private turn(sign: 1 | -1): void {
    const { chargeEfficiency, dischargeEfficiency } = this.spec;
    this.sign = sign;
    this.kwhPerKwMs = (0 < sign ? chargeEfficiency : 1 / dischargeEfficiency) / MS_PER_HOUR;
  }

  /** The nearest power to `kw` that can flow at this instant. */
  private feasibleKw(kw: number): number {
    // A target crossing 0 counts as 0: rounding errors would make the plan oscillate.
    if (Math.abs(kw) <= EQUALITY_TOLERANCE) return 0;
    this.turn(0 < kw ? 1 : -1);
    if (this.isShut()) return 0;
    const maxKw = this.isFull() ? Math.min(this.capKw(0), this.holdingKw()) : this.capKw(0);
    return this.sign * Math.min(Math.abs(kw), maxKw);
  }

  /** Whether no power can flow in the current direction: beyond the window, or empty. */
  private isShut(): boolean {
    return 0 < this.sign
      ? this.maxKwh + STORAGE_BOUND_TOLERANCE_KWH < this.storedKwh
      : this.storedKwh <= this.minKwh + STORAGE_BOUND_TOLERANCE_KWH;
  }

  /** Whether a charging battery is at its upper bound. */
  private isFull(): boolean {
    return 0 < this.sign && this.maxKwh - STORAGE_BOUND_TOLERANCE_KWH <= this.storedKwh;
  }

  /** AC power that covers the self-discharge while charging. */
  private holdingKw(): number {
    return (this.lossPerMs * this.storedKwh) / this.kwhPerKwMs;
  }

  /** Limit by rating, taper, and from outside into the present direction. */
  private capKw(towards: number): number {
    const charging = 0 < this.sign;
    const limitKw = charging ? this.motion.importLimitKw : this.motion.exportLimitKw;
    findPowerCap(this.spec, charging, limitKw, this.storedKwh, towards, this.cap);
    const kw = this.cap.interceptKw + this.cap.slopeKwPerKwh * this.storedKwh;
    return kw <= EQUALITY_TOLERANCE ? 0 : kw;
  }

  /** Plans the segment in the current direction; `wantedKw` and its slope are relative to it. */
  private move(wantedKw: number, wantedSlope: number): void {
    const kw = this.flowingKw * this.sign;
    if (this.isShut()) return this.waitAtBound(wantedKw, wantedSlope);
    const full = this.isFull();
    if (full && this.staysFull(kw, wantedKw, wantedSlope)) return this.holdFull(wantedKw, wantedSlope);
    const capKw = this.capKw(this.sign * this.kwhPerKwMs * kw - this.lossPerMs * this.storedKwh);
    const slope = this.slopeTowards(kw, wantedKw, wantedSlope);
    const atCap = capKw - EQUALITY_TOLERANCE <= kw || slope === Number.POSITIVE_INFINITY;
    if (atCap && this.capSlope(capKw) < slope) this.followCap(capKw, wantedKw, wantedSlope, slope);
    else this.followRamp(kw, slope, wantedKw, wantedSlope, full);
  }

  /** Change of power per ms by target and ramp, without limits. */
  private slopeTowards(kw: number, wantedKw: number, wantedSlope: number): number {
    const ramp = this.rampKwPerMs;
    if (kw + EQUALITY_TOLERANCE < wantedKw) return ramp;
    if (wantedKw < kw - EQUALITY_TOLERANCE) return -ramp;
    return Math.max(-ramp, Math.min(ramp, wantedSlope));
  }

  private capSlope(capKw: number): number {
    const slope = this.cap.slopeKwPerKwh;
    return slope === 0 ? 0 : slope * this.storedSlope(capKw);
  }

  /** Change of the stored energy per ms at a power counted into the present direction. */
  private storedSlope(kw: number): number {
    return this.sign * this.kwhPerKwMs * kw - this.lossPerMs * this.storedKwh;
  }

  /** No power flows until the target reverses, or self-discharge brings the battery back into its window. */
  private waitAtBound(wantedKw: number, wantedSlope: number): void {
    this.idle(LIMITING_FACTOR.socBound);
    this.endWhenAbove(-wantedKw, -wantedSlope, 0, 0);
    if (0 < this.sign) {
      const { storedKwh, storedKwhPerMs, storedKwhPerMs2, ratePerMs } = this.segment;
      if (this.endWhenAbove(this.maxKwh - storedKwh, -storedKwhPerMs, -storedKwhPerMs2, ratePerMs))
        this.endsAtBound = true;
    }
  }

  private staysFull(kw: number, wantedKw: number, wantedSlope: number): boolean {
    const holdingKw = this.holdingKw();
    if (kw < holdingKw - EQUALITY_TOLERANCE) return false;
    return holdingKw + EQUALITY_TOLERANCE < wantedKw || (holdingKw - EQUALITY_TOLERANCE <= wantedKw && 0 < wantedSlope);
  }

  /** A full battery draws the power that keeps it full, until the target is lower. */
  private holdFull(wantedKw: number, wantedSlope: number): void {
    const holdingKw = this.holdingKw();
    this.setLinearSegment(holdingKw, 0, LIMITING_FACTOR.socBound);
    this.segment.storedKwhPerMs = 0;
    this.segment.storedKwhPerMs2 = 0;
    this.endWhenAbove(holdingKw - wantedKw, -wantedSlope, 0, 0);
  }

  /** Linear power: the target, or the ramp towards it. */
  private followRamp(kw: number, slope: number, wantedKw: number, wantedSlope: number, full: boolean): void {
    const arrived = Math.abs(kw - wantedKw) <= EQUALITY_TOLERANCE;
    this.setLinearSegment(kw, slope, arrived && slope === wantedSlope ? LIMITING_FACTOR.none : LIMITING_FACTOR.ramp);
    const { storedKwh, storedKwhPerMs, storedKwhPerMs2, ratePerMs } = this.segment;
    if (!arrived) {
      const towards = Math.sign(wantedKw - kw);
      this.endWhenAbove(towards * (kw - wantedKw), towards * (slope - wantedSlope), 0, 0);
    }
    if (slope < 0) this.endWhenAbove(-kw, -slope, 0, 0);
    this.capKw(storedKwhPerMs === 0 ? storedKwhPerMs2 : storedKwhPerMs);
    const { interceptKw, slopeKwPerKwh } = this.cap;
    this.endWhenAbove(
      kw - interceptKw - slopeKwPerKwh * storedKwh,
      slope - slopeKwPerKwh * storedKwhPerMs,
      -slopeKwPerKwh * storedKwhPerMs2,
      ratePerMs,
    );
    // A full battery that draws less than its self-discharge leaves the bound, and returns when it draws more.
    if (full) {
      const perKw = 1 / this.kwhPerKwMs;
      this.endWhenAbove(
        perKw * storedKwhPerMs,
        perKw * storedKwhPerMs2,
        -perKw * ratePerMs * storedKwhPerMs2,
        ratePerMs,
      );
    } else this.endAtBound();
    this.endAtCorners();
  }

  /** Power at the limit: constant, or exponential along a sloping taper. */
  private followCap(capKw: number, wantedKw: number, wantedSlope: number, slope: number): void {
    const { slopeKwPerKwh } = this.cap;
    const { segment } = this;
    const rate = this.lossPerMs - this.sign * this.kwhPerKwMs * slopeKwPerKwh;
    const storedSlope = this.storedSlope(capKw);
    const capSlope = slopeKwPerKwh === 0 ? 0 : slopeKwPerKwh * storedSlope;
    this.setLinearSegment(capKw, 0, LIMITING_FACTOR.powerLimit);
    if (rate === 0) segment.slopeKwPerMs = this.sign * capSlope;
    else segment.expKw = (-this.sign * capSlope) / rate || 0;
    segment.storedKwhPerMs = storedSlope;
    segment.storedKwhPerMs2 = -rate * storedSlope;
    segment.ratePerMs = rate;
    const towards = wantedKw < capKw - EQUALITY_TOLERANCE ? -1 : 1;
    this.endWhenAbove(
      towards * (capKw - wantedKw),
      towards * (capSlope - wantedSlope),
      -towards * rate * capSlope,
      rate,
    );
    // The limit may start to change faster than the ramp allows. The margin is needed because the next segment is
    // chosen by comparing the two.
    if (slope !== Number.POSITIVE_INFINITY && EQUALITY_TOLERANCE < Math.abs(wantedKw - capKw)) {
      const margin = CLEARLY_FASTER * this.rampKwPerMs;
      this.endAt(firstPositiveMs(capSlope - slope - margin, -rate * capSlope, rate * rate * capSlope, rate));
    }
    if (!this.isFull()) this.endAtBound();
    this.endAtCorners();
  }

  /** Linear power in the current direction, from the current state on. */
  private setLinearSegment(kw: number, slope: number, limitedBy: LimitingFactor): void {
    const { segment } = this;
    const loss = this.lossPerMs;
    segment.afterMs = this.afterMs;
    segment.cellKw = this.sign * kw || 0;
    segment.slopeKwPerMs = this.sign * slope || 0;
    segment.expKw = 0;
    segment.storedKwh = this.storedKwh;
    segment.storedKwhPerMs = this.storedSlope(kw);
    segment.storedKwhPerMs2 = this.sign * this.kwhPerKwMs * slope - loss * segment.storedKwhPerMs;
    segment.ratePerMs = loss;
    segment.limitedBy = limitedBy;
  }

  private endAtBound(): void {
    const { storedKwh, storedKwhPerMs, storedKwhPerMs2, ratePerMs } = this.segment;
    const sign = this.sign;
    const beyondKwh = sign * (storedKwh - (0 < sign ? this.maxKwh : this.minKwh));
    let afterMs = clearRiseMs(beyondKwh, sign * storedKwhPerMs, sign * storedKwhPerMs2, ratePerMs);
    // A tapering power may approach the bound asymptotically; within `STORAGE_BOUND_TOLERANCE_KWH` it counts as reached.
    if (afterMs === Number.POSITIVE_INFINITY)
      afterMs = firstPositiveMs(
        beyondKwh + STORAGE_BOUND_TOLERANCE_KWH,
        sign * storedKwhPerMs,
        sign * storedKwhPerMs2,
        ratePerMs,
      );
    if (afterMs < this.endMs) {
      this.endMs = afterMs;
      this.endsAtBound = true;
    }
  }

  private endAtCorners(): void {
    const { lowKwh, highKwh } = this.cap;
    const { storedKwh, storedKwhPerMs, storedKwhPerMs2, ratePerMs } = this.segment;
    let corner = false;
    if (highKwh !== Number.POSITIVE_INFINITY)
      corner = this.endWhenAbove(storedKwh - highKwh, storedKwhPerMs, storedKwhPerMs2, ratePerMs);
    if (lowKwh !== Number.NEGATIVE_INFINITY)
      corner = this.endWhenAbove(lowKwh - storedKwh, -storedKwhPerMs, -storedKwhPerMs2, ratePerMs) || corner;
    this.endsAtCorner = corner;
  }

  /** Ends the segment when a curve rises above 0 before its current end. @returns whether it does */
  private endWhenAbove(level: number, slope: number, curvature: number, ratePerMs: number): boolean {
    return this.endAt(clearRiseMs(level, slope, curvature, ratePerMs));
  }

  private endAt(afterMs: number): boolean {
    if (this.endMs <= afterMs) return false;
    this.endMs = afterMs;
    this.endsAtBound = false;
    return true;
  }

  /** Whether the closed form of the last segment continues over a corner of the taper that did not limit it. */
  private continuesPreviousSegment(out: Trajectory): boolean {
    if (!this.atCorner) return false;
    const { segment } = this;
    const k = out.count - 1;
    const kw = out.constKwOf(k) + out.slopeKwPerMsOf(k) * (segment.afterMs - out.afterMsOf(k)) - out.auxiliaryKw;
    return (
      out.expKwOf(k) === 0 &&
      segment.expKw === 0 &&
      out.slopeKwPerMsOf(k) === segment.slopeKwPerMs &&
      out.ratePerMsOf(k) === segment.ratePerMs &&
      out.limitedByOf(k) === segment.limitedBy &&
      Math.abs(kw - segment.cellKw) <= SAME_TRAJECTORY_KW
    );
  }

  /** Moves the state to the end of the segment. @returns whether it has one */
  private advanceToEnd(): boolean {
    if (this.endMs === Number.POSITIVE_INFINITY) return false;
    const stalls = this.endMs <= STALL_MS;
    const spanMs = stalls && this.stalled ? MIN_PROGRESS_MS : this.endMs;
    this.stalled = stalls;
    const { storedKwh, storedKwhPerMs, storedKwhPerMs2, ratePerMs, cellKw, slopeKwPerMs, expKw } = this.segment;
    this.storedKwh = curveValue(storedKwh, storedKwhPerMs, storedKwhPerMs2, ratePerMs, spanMs);
    const boundKwh = 0 < this.sign ? this.maxKwh : this.minKwh;
    if (this.endsAtBound && Math.abs(this.storedKwh - boundKwh) <= EQUALITY_TOLERANCE) this.storedKwh = boundKwh;
    const kw = cellKw + slopeKwPerMs * spanMs + (expKw === 0 ? 0 : expKw * expm1(-ratePerMs * spanMs));
    this.flowingKw = Math.abs(kw) <= EQUALITY_TOLERANCE ? 0 : kw;
    this.atCorner = this.endsAtCorner && this.flowingKw !== 0;
    this.afterMs += spanMs;
    if (this.profile !== null) this.advanceProfile(this.profile);
    return true;
  }

  /** Advances to the current piece of the profile; a remainder too short for progress is skipped. */
  private advanceProfile({ count, afterMs }: PowerProfile): void {
    while (this.profileIndex + 1 < count && afterMs[this.profileIndex + 1] <= this.afterMs + STALL_MS) {
      this.profileIndex++;
      this.afterMs = Math.max(this.afterMs, afterMs[this.profileIndex]);
      this.stalled = false;
    }
  }
}

/** When a curve rises above 0; never for a curve that settles at 0, where rounding would decide. */
function clearRiseMs(level: number, slope: number, curvature: number, ratePerMs: number): number {
  if (curvature === 0) {
    if (EQUALITY_TOLERANCE < level) return 0;
    return slope <= 0 ? Number.POSITIVE_INFINITY : -EQUALITY_TOLERANCE <= level ? 0 : -level / slope;
  }
  const settles = 0 < ratePerMs && Math.abs(slope + curvature / ratePerMs) <= 1e-12 * Math.abs(slope);
  if (settles && level + slope / ratePerMs <= EQUALITY_TOLERANCE)
    return EQUALITY_TOLERANCE < level ? 0 : Number.POSITIVE_INFINITY;
  return firstPositiveMs(Math.abs(level) <= EQUALITY_TOLERANCE ? 0 : level, slope, curvature, ratePerMs);
}

/** Direction in which power flows or would flow next; 0: none. */
function directionOf(flowingKw: number, wantedKw: number, wantedSlope: number): 1 | -1 | 0 {
  if (flowingKw !== 0) return 0 < flowingKw ? 1 : -1;
  if (EQUALITY_TOLERANCE < Math.abs(wantedKw)) return 0 < wantedKw ? 1 : -1;
  if (wantedSlope === 0) return 0;
  return 0 < wantedSlope ? 1 : -1;
}
