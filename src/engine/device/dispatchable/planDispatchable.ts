import { assert } from "../../../base/assert.ts";
import { MS_PER_HOUR, MS_PER_MINUTE } from "../../../base/time.ts";
import { STORAGE_BOUND_TOLERANCE_KWH } from "../battery/batteryCapability.ts";
import { curveValue, firstPositiveMs } from "../curve/curve.ts";
import type { DevicePlanInput } from "../curve/devicePlanInput.ts";
import { LIMITING_FACTOR, type LimitingFactor } from "../curve/limitingFactor.ts";
import { newTrajectorySegment, type Trajectory } from "../curve/trajectory.ts";
import type { PowerProfile } from "../frequency/responseProfile.ts";
import type { DispatchableSpec } from "./dispatchableSpec.ts";

/** Powers that differ by less are equal, in kW: far above rounding errors, far below printed digits. */
const SAME = 1e-9;
/** A target crosses each of its five thresholds once; each crossing may add a ramp, a start or a stop. */
const MAX_SEGMENTS = 60;
const NEVER = Number.POSITIVE_INFINITY;
/** A shorter remainder of a profile's piece is skipped. */
const STALL_MS = 1e-9;

/**
 * Plans a dispatchable plant until its target, limits or service change: fills `out` with segments of linear power. A
 * target below half of the minimum output is off; any other is at least the minimum output. Start and stop take no
 * time, ramps apply between minimum and rated output, and pumps follow at once (docs/model/dispatchable.md#min-output).
 * A plant that stops or pumps therefore first ramps down to its minimum output. Limits act at once; one below the
 * minimum output stops the plant. An empty reservoir stops generation and a full one pumping, at a solved instant,
 * until the target reverses. Frequency response adds to the target: each switch of its profile is one of the plan.
 *
 * @param path  in kW beyond the motion's target, starts with the motion; `null`: none
 * @see docs/model/time.md#closed-form
 */
export function planDispatchable(
  spec: DispatchableSpec,
  motion: Readonly<DevicePlanInput>,
  path: PowerProfile | null,
  out: Trajectory,
): void {
  assert(0 <= motion.importLimitKw && 0 <= motion.exportLimitKw, "limits of a plant's power are at least 0");
  out.begin(motion.startMs, 0);
  const planner = new DispatchablePlanner(spec, motion, path);
  for (let left = MAX_SEGMENTS * (path?.count ?? 1); 0 < left; left--) if (!planner.next(out)) return;
  assert(
    false,
    () => `a plant's plan is complete within ${MAX_SEGMENTS} segments, ${spec.componentId}: ${JSON.stringify(motion)}`,
  );
}

/** Advances from switch to switch. */
class DispatchablePlanner {
  private readonly segment = newTrajectorySegment();
  private readonly spec: DispatchableSpec;
  private readonly motion: Readonly<DevicePlanInput>;
  private readonly profile: PowerProfile | null;
  /** Current piece of the profile. */
  private profileIndex = 0;
  private readonly rampKwPerMs: number;
  // State at the current switch.
  private afterMs = 0;
  private storedKwh: number;
  private flowingKw: number;
  // Desired power within the limits, before ramps. `wantsOutput` false: pumping or standstill.
  private wantsOutput = false;
  private wantedKw = 0;
  private wantedSlope = 0;
  private wantedLimit: LimitingFactor = LIMITING_FACTOR.none;
  /** Duration of the segment. */
  private endMs = NEVER;

  constructor(spec: DispatchableSpec, motion: Readonly<DevicePlanInput>, path: PowerProfile | null) {
    this.spec = spec;
    this.motion = motion;
    this.profile = path;
    this.rampKwPerMs = spec.rampKwPerMin === null ? NEVER : spec.rampKwPerMin / MS_PER_MINUTE;
    this.storedKwh = motion.storedKwh;
    this.flowingKw = motion.inService ? motion.flowingKw : 0;
  }

  /** Adds the next segment. @returns whether another one follows */
  next(out: Trajectory): boolean {
    const path = this.profile;
    const { inService } = this.motion;
    let { targetSlopeKwPerMs } = this.motion;
    let wantedKw = this.motion.targetKw + targetSlopeKwPerMs * this.afterMs;
    this.endMs = NEVER;
    if (path !== null) {
      const k = this.profileIndex;
      wantedKw += path.kw[k] + path.kwPerMs[k] * (this.afterMs - path.afterMs[k]);
      targetSlopeKwPerMs += path.kwPerMs[k];
      if (inService && k + 1 < path.count) this.endMs = path.afterMs[k + 1] - this.afterMs;
    }
    if (inService) {
      this.setDesiredPower(wantedKw, targetSlopeKwPerMs);
      if (this.wantsOutput) this.generate();
      else this.pumpOrStop();
      this.endAtBound();
    } else this.setLinearSegment(0, 0, LIMITING_FACTOR.none);
    out.append(this.segment);
    return this.advanceToEnd();
  }

  private setDesiredPower(kw: number, slope: number): void {
    if (isAbove(kw, 0, slope)) this.setDesiredPumping(Math.max(0, kw), slope);
    else this.setDesiredOutput(Math.max(0, -kw), -slope);
  }

  private setDesiredPumping(kw: number, slope: number): void {
    const full = this.isFull();
    const maxKw = full ? 0 : Math.min(this.spec.reservoir?.pumpMaxKw ?? 0, this.motion.importLimitKw);
    this.wantsOutput = false;
    if (isAbove(kw, maxKw, slope)) {
      const isCut = SAME < kw - maxKw || 0 < slope;
      this.setConstantPower(
        maxKw,
        isCut ? (full ? LIMITING_FACTOR.socBound : LIMITING_FACTOR.powerLimit) : LIMITING_FACTOR.none,
      );
    } else this.setMovingPower(kw, slope);
    this.endAtThreshold(kw, slope, 0);
    this.endAtThreshold(kw, slope, maxKw);
  }

  private setDesiredOutput(kw: number, slope: number): void {
    const minKw = this.spec.minOutputKw;
    const maxKw = this.maxOutputKw();
    const canRun = minKw <= maxKw && !this.isEmpty();
    this.wantsOutput = canRun && isAbove(kw, minKw / 2, slope);
    const stopCause = this.isEmpty() ? LIMITING_FACTOR.socBound : LIMITING_FACTOR.powerLimit;
    if (!this.wantsOutput) this.setConstantPower(0, kw <= SAME && slope === 0 ? LIMITING_FACTOR.none : stopCause);
    else if (!isAbove(kw, minKw, slope)) this.setConstantPower(-minKw, LIMITING_FACTOR.powerLimit);
    else if (isAbove(kw, maxKw, slope)) {
      this.setConstantPower(-maxKw, SAME < kw - maxKw || 0 < slope ? LIMITING_FACTOR.powerLimit : LIMITING_FACTOR.none);
    } else this.setMovingPower(-kw, -slope);
    this.endAtThreshold(kw, slope, 0);
    if (!canRun) return;
    this.endAtThreshold(kw, slope, minKw / 2);
    this.endAtThreshold(kw, slope, minKw);
    this.endAtThreshold(kw, slope, maxKw);
  }

  private setConstantPower(kw: number, limitedBy: LimitingFactor): void {
    this.wantedKw = kw || 0;
    this.wantedSlope = 0;
    this.wantedLimit = limitedBy;
  }

  private setMovingPower(kw: number, slope: number): void {
    this.wantedKw = kw || 0;
    this.wantedSlope = slope || 0;
    this.wantedLimit = LIMITING_FACTOR.none;
  }

  /** Ramps the output to the desired one, then follows it. */
  private generate(): void {
    const ramp = this.rampKwPerMs;
    const wantedKw = -this.wantedKw;
    const wantedSlope = -this.wantedSlope;
    const kw = ramp === NEVER ? wantedKw : Math.max(this.runningKw(), this.spec.minOutputKw);
    const gapKw = wantedKw - kw;
    if (Math.abs(gapKw) <= SAME) {
      const slope = Math.max(-ramp, Math.min(ramp, wantedSlope));
      this.setLinearSegment(-wantedKw, -slope, slope === wantedSlope ? this.wantedLimit : LIMITING_FACTOR.ramp);
      return;
    }
    const towards = Math.sign(gapKw);
    this.setLinearSegment(-kw, -towards * ramp, LIMITING_FACTOR.ramp);
    const closing = ramp - towards * wantedSlope;
    if (0 < closing) this.endAfter(Math.abs(gapKw) / closing);
  }

  /** A running plant first ramps down to its minimum output. */
  private pumpOrStop(): void {
    const ramp = this.rampKwPerMs;
    const aboveKw = this.runningKw() - this.spec.minOutputKw;
    if (ramp === NEVER || aboveKw <= SAME) this.setLinearSegment(this.wantedKw, this.wantedSlope, this.wantedLimit);
    else {
      this.setLinearSegment(-this.runningKw(), ramp, LIMITING_FACTOR.ramp);
      this.endAfter(aboveKw / ramp);
    }
  }

  /** Present output within the limits; 0 if the plant cannot run. */
  private runningKw(): number {
    const maxKw = this.maxOutputKw();
    return this.isEmpty() || maxKw < this.spec.minOutputKw ? 0 : Math.max(0, Math.min(-this.flowingKw, maxKw));
  }

  private maxOutputKw(): number {
    return Math.min(this.spec.ratedOutputKw, this.motion.exportLimitKw);
  }

  private isEmpty(): boolean {
    return this.spec.reservoir !== null && this.storedKwh <= STORAGE_BOUND_TOLERANCE_KWH;
  }

  private isFull(): boolean {
    const { reservoir } = this.spec;
    return reservoir !== null && reservoir.capacityKwh - STORAGE_BOUND_TOLERANCE_KWH <= this.storedKwh;
  }

  /** Linear power from the current switch on. */
  private setLinearSegment(kw: number, slope: number, limitedBy: LimitingFactor): void {
    const segment = this.segment;
    const kwhPerKwMs = this.kwhPerKwMs(kw === 0 ? slope : kw);
    segment.afterMs = this.afterMs;
    segment.cellKw = kw || 0;
    segment.slopeKwPerMs = slope || 0;
    segment.storedKwh = this.storedKwh;
    segment.storedKwhPerMs = kwhPerKwMs * kw || 0;
    segment.storedKwhPerMs2 = kwhPerKwMs * slope || 0;
    segment.limitedBy = limitedBy;
  }

  /** kWh in the reservoir per ms and kW at the AC side, by the power's sign. */
  private kwhPerKwMs(sign: number): number {
    const { reservoir } = this.spec;
    if (reservoir === null) return 0;
    return (0 < sign ? reservoir.pumpingEfficiency : 1 / reservoir.generatingEfficiency) / MS_PER_HOUR;
  }

  private endAfter(spanMs: number): void {
    this.endMs = Math.min(this.endMs, spanMs);
  }

  /** Ends the segment where the target reaches a threshold that it is not already at. */
  private endAtThreshold(kw: number, slope: number, thresholdKw: number): void {
    const spanMs = (thresholdKw - kw) / slope;
    if (SAME < Math.abs(thresholdKw - kw) && 0 < spanMs) this.endAfter(spanMs);
  }

  private endAtBound(): void {
    const { reservoir } = this.spec;
    if (reservoir === null) return;
    const { storedKwh, storedKwhPerMs, storedKwhPerMs2 } = this.segment;
    this.endAfter(
      Math.min(
        firstPositiveMs(storedKwh - reservoir.capacityKwh, storedKwhPerMs, storedKwhPerMs2, 0),
        firstPositiveMs(-storedKwh, -storedKwhPerMs, -storedKwhPerMs2, 0),
      ),
    );
  }

  /** Moves the state to the end of the segment. @returns whether it has one */
  private advanceToEnd(): boolean {
    const spanMs = this.endMs;
    if (spanMs === NEVER) return false;
    const { storedKwh, storedKwhPerMs, storedKwhPerMs2, cellKw, slopeKwPerMs } = this.segment;
    this.storedKwh = curveValue(storedKwh, storedKwhPerMs, storedKwhPerMs2, 0, spanMs);
    if (this.isEmpty()) this.storedKwh = 0;
    else if (this.isFull()) this.storedKwh = this.spec.reservoir?.capacityKwh ?? 0;
    this.flowingKw = cellKw + slopeKwPerMs * spanMs;
    this.afterMs += spanMs;
    if (this.profile !== null) this.advanceProfile(this.profile);
    return true;
  }

  /** Advances to the current piece of the profile. */
  private advanceProfile({ count, afterMs }: PowerProfile): void {
    while (this.profileIndex + 1 < count && afterMs[this.profileIndex + 1] <= this.afterMs + STALL_MS) {
      this.profileIndex++;
      this.afterMs = Math.max(this.afterMs, afterMs[this.profileIndex]);
    }
  }
}

/** Whether a moving value is, or is about to be, above a threshold; equality with a slope of at least 0 counts. */
function isAbove(kw: number, thresholdKw: number, slope: number): boolean {
  if (SAME < Math.abs(kw - thresholdKw)) return thresholdKw < kw;
  return 0 <= slope;
}
