import { assert } from "../../base/assert.ts";
import { type EpochMs, MS_PER_HOUR, MS_PER_MINUTE } from "../../base/time.ts";
import { BOUND_KWH } from "../battery/batteryCapability.ts";
import { curveValue, firstRiseMs } from "../curve/curve.ts";
import { BINDING, type Binding, type Stretch, type Trajectory } from "../curve/trajectory.ts";
import type { TargetPath } from "../frequency/responsePath.ts";
import type { DispatchableSpec } from "./dispatchableSpec.ts";

/** State of a plant at an instant and what it is asked to do from then on. Powers are AC, import positive. */
export interface GeneratorMotion {
  readonly startMs: EpochMs;
  /** In the upper reservoir; 0 for a plant without one. */
  readonly storedKwh: number;
  /** What flowed just before: ramps start from it. */
  readonly flowingKw: number;
  readonly targetKw: number;
  /** Usually 0; otherwise the target moves linearly from `targetKw` at `startMs`. */
  readonly targetSlopeKwPerMs: number;
  readonly inService: boolean;
  /** At least 0; `Infinity` where there is none. */
  readonly importLimitKw: number;
  readonly exportLimitKw: number;
}

/** Powers nearer than this are equal: far above rounding, far below anything printed. */
const SAME = 1e-9;
/** A target crosses each of its five thresholds once; each crossing may add a ramp, a start or a stop. */
const MOST_STRETCHES = 60;
const NEVER = Number.POSITIVE_INFINITY;
/** A rest of a path's piece that is shorter is left out. */
const STALL_MS = 1e-9;

/**
 * Plans all that a dispatchable plant does until its target, limits or service change: fills `out` with stretches of
 * straight power.
 *
 * A target below half of the least output is off, any other at least the least output; starting and stopping take no
 * time, ramps count between least and rated output, and pumps follow at once (decisions.md 126). So a plant that is to
 * stop or pump first comes down to its least output. Limits act at once; one below the least output stops the plant. An
 * empty reservoir stops generating and a full one pumping, at a solved instant, until the target turns round.
 *
 * @see models.md §1, §4
 */
export function planGenerator(spec: DispatchableSpec, motion: GeneratorMotion, out: Trajectory): void {
  planGeneratorAlong(spec, motion, null, out);
}

/**
 * The same for a target to which frequency response adds: every switch of the path is one of the plan.
 *
 * @param path  in kW beyond the motion's target, starts where the motion does; `null`: none
 */
export function planGeneratorAlong(
  spec: DispatchableSpec,
  motion: GeneratorMotion,
  path: TargetPath | null,
  out: Trajectory,
): void {
  assert(0 <= motion.importLimitKw && 0 <= motion.exportLimitKw, "limits of a plant's power are at least 0");
  out.begin(motion.startMs, 0);
  planner.begin(spec, motion, path);
  for (let left = MOST_STRETCHES * (path?.count ?? 1); 0 < left; left--) if (!planner.next(out)) return;
  assert(
    false,
    () => `a plant's plan settles within ${MOST_STRETCHES} stretches, ${spec.componentId}: ${JSON.stringify(motion)}`,
  );
}

/** Walks from switch to switch. One is kept and reused, so that planning allocates nothing. */
class Planner {
  private readonly stretch: Stretch = {
    afterMs: 0,
    cellKw: 0,
    slopeKwPerMs: 0,
    expKw: 0,
    storedKwh: 0,
    storedKwhPerMs: 0,
    storedKwhPerMs2: 0,
    ratePerMs: 0,
    binds: BINDING.free,
  };
  private spec!: DispatchableSpec;
  private motion!: GeneratorMotion;
  private path: TargetPath | null = null;
  /** The piece of the path that holds now. */
  private piece = 0;
  private rampKwPerMs = 0;
  // The state at the present switch.
  private afterMs = 0;
  private storedKwh = 0;
  private flowingKw = 0;
  // What is wanted and possible now, ramps left aside: output or, where `wantsOutput` is false, pumping or nothing.
  private wantsOutput = false;
  private wantedKw = 0;
  private wantedSlope = 0;
  private wantedBinds: Binding = BINDING.free;
  /** How long the stretch lasts. */
  private endMs = NEVER;

  begin(spec: DispatchableSpec, motion: GeneratorMotion, path: TargetPath | null): void {
    this.spec = spec;
    this.motion = motion;
    this.path = path;
    this.piece = 0;
    this.rampKwPerMs = spec.rampKwPerMin === null ? NEVER : spec.rampKwPerMin / MS_PER_MINUTE;
    this.afterMs = 0;
    this.storedKwh = motion.storedKwh;
    this.flowingKw = motion.inService ? motion.flowingKw : 0;
  }

  /** Adds the next stretch. @returns whether there is one after it */
  next(out: Trajectory): boolean {
    const path = this.path;
    const { inService } = this.motion;
    let { targetSlopeKwPerMs } = this.motion;
    let wantedKw = this.motion.targetKw + targetSlopeKwPerMs * this.afterMs;
    this.endMs = NEVER;
    if (path !== null) {
      const k = this.piece;
      wantedKw += path.kw[k] + path.kwPerMs[k] * (this.afterMs - path.afterMs[k]);
      targetSlopeKwPerMs += path.kwPerMs[k];
      if (inService && k + 1 < path.count) this.endMs = path.afterMs[k + 1] - this.afterMs;
    }
    if (inService) {
      this.want(wantedKw, targetSlopeKwPerMs);
      if (this.wantsOutput) this.generate();
      else this.pumpOrStop();
      this.endAtBound();
    } else this.flow(0, 0, BINDING.free);
    out.append(this.stretch);
    return this.cross();
  }

  private want(kw: number, slope: number): void {
    if (isAbove(kw, 0, slope)) this.wantPumping(Math.max(0, kw), slope);
    else this.wantOutput(Math.max(0, -kw), -slope);
  }

  private wantPumping(kw: number, slope: number): void {
    const full = this.isFull();
    const mostKw = full ? 0 : Math.min(this.spec.reservoir?.pumpMaxKw ?? 0, this.motion.importLimitKw);
    this.wantsOutput = false;
    if (isAbove(kw, mostKw, slope)) {
      const isCut = SAME < kw - mostKw || 0 < slope;
      this.wantSteady(mostKw, isCut ? (full ? BINDING.socBound : BINDING.taperOrGrid) : BINDING.free);
    } else this.wantMoving(kw, slope);
    this.endAtThreshold(kw, slope, 0);
    this.endAtThreshold(kw, slope, mostKw);
  }

  private wantOutput(kw: number, slope: number): void {
    const leastKw = this.spec.minOutputKw;
    const mostKw = this.mostOutputKw();
    const canRun = leastKw <= mostKw && !this.isEmpty();
    this.wantsOutput = canRun && isAbove(kw, leastKw / 2, slope);
    const stands = this.isEmpty() ? BINDING.socBound : BINDING.taperOrGrid;
    if (!this.wantsOutput) this.wantSteady(0, kw <= SAME && slope === 0 ? BINDING.free : stands);
    else if (!isAbove(kw, leastKw, slope)) this.wantSteady(-leastKw, BINDING.taperOrGrid);
    else if (isAbove(kw, mostKw, slope)) {
      this.wantSteady(-mostKw, SAME < kw - mostKw || 0 < slope ? BINDING.taperOrGrid : BINDING.free);
    } else this.wantMoving(-kw, -slope);
    this.endAtThreshold(kw, slope, 0);
    if (!canRun) return;
    this.endAtThreshold(kw, slope, leastKw / 2);
    this.endAtThreshold(kw, slope, leastKw);
    this.endAtThreshold(kw, slope, mostKw);
  }

  private wantSteady(kw: number, binds: Binding): void {
    this.wantedKw = kw || 0;
    this.wantedSlope = 0;
    this.wantedBinds = binds;
  }

  private wantMoving(kw: number, slope: number): void {
    this.wantedKw = kw || 0;
    this.wantedSlope = slope || 0;
    this.wantedBinds = BINDING.free;
  }

  /** Output on the way to the wanted one, and then along it. */
  private generate(): void {
    const ramp = this.rampKwPerMs;
    const wantedKw = -this.wantedKw;
    const wantedSlope = -this.wantedSlope;
    const kw = ramp === NEVER ? wantedKw : Math.max(this.runningKw(), this.spec.minOutputKw);
    const gapKw = wantedKw - kw;
    if (Math.abs(gapKw) <= SAME) {
      const slope = Math.max(-ramp, Math.min(ramp, wantedSlope));
      this.flow(-wantedKw, -slope, slope === wantedSlope ? this.wantedBinds : BINDING.ramp);
      return;
    }
    const towards = Math.sign(gapKw);
    this.flow(-kw, -towards * ramp, BINDING.ramp);
    const closing = ramp - towards * wantedSlope;
    if (0 < closing) this.endAfter(Math.abs(gapKw) / closing);
  }

  /** A running plant comes down to its least output first. */
  private pumpOrStop(): void {
    const ramp = this.rampKwPerMs;
    const aboveKw = this.runningKw() - this.spec.minOutputKw;
    if (ramp === NEVER || aboveKw <= SAME) this.flow(this.wantedKw, this.wantedSlope, this.wantedBinds);
    else {
      this.flow(-this.runningKw(), ramp, BINDING.ramp);
      this.endAfter(aboveKw / ramp);
    }
  }

  /** What the plant gives now, cut by what can be given at all. */
  private runningKw(): number {
    const mostKw = this.mostOutputKw();
    return this.isEmpty() || mostKw < this.spec.minOutputKw ? 0 : Math.max(0, Math.min(-this.flowingKw, mostKw));
  }

  private mostOutputKw(): number {
    return Math.min(this.spec.ratedOutputKw, this.motion.exportLimitKw);
  }

  private isEmpty(): boolean {
    return this.spec.reservoir !== null && this.storedKwh <= BOUND_KWH;
  }

  private isFull(): boolean {
    const { reservoir } = this.spec;
    return reservoir !== null && reservoir.capacityKwh - BOUND_KWH <= this.storedKwh;
  }

  /** A straight power from the present switch on. */
  private flow(kw: number, slope: number, binds: Binding): void {
    const stretch = this.stretch;
    const kwhPerKwMs = this.kwhPerKwMs(kw === 0 ? slope : kw);
    stretch.afterMs = this.afterMs;
    stretch.cellKw = kw || 0;
    stretch.slopeKwPerMs = slope || 0;
    stretch.storedKwh = this.storedKwh;
    stretch.storedKwhPerMs = kwhPerKwMs * kw || 0;
    stretch.storedKwhPerMs2 = kwhPerKwMs * slope || 0;
    stretch.binds = binds;
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

  /** Ends the stretch where the target reaches a threshold that it does not stand on. */
  private endAtThreshold(kw: number, slope: number, thresholdKw: number): void {
    const spanMs = (thresholdKw - kw) / slope;
    if (SAME < Math.abs(thresholdKw - kw) && 0 < spanMs) this.endAfter(spanMs);
  }

  private endAtBound(): void {
    const { reservoir } = this.spec;
    if (reservoir === null) return;
    const { storedKwh, storedKwhPerMs, storedKwhPerMs2 } = this.stretch;
    this.endAfter(
      Math.min(
        firstRiseMs(storedKwh - reservoir.capacityKwh, storedKwhPerMs, storedKwhPerMs2, 0),
        firstRiseMs(-storedKwh, -storedKwhPerMs, -storedKwhPerMs2, 0),
      ),
    );
  }

  /** Moves the state to the end of the stretch. @returns whether it has one */
  private cross(): boolean {
    const spanMs = this.endMs;
    if (spanMs === NEVER) return false;
    const { storedKwh, storedKwhPerMs, storedKwhPerMs2, cellKw, slopeKwPerMs } = this.stretch;
    this.storedKwh = curveValue(storedKwh, storedKwhPerMs, storedKwhPerMs2, 0, spanMs);
    if (this.isEmpty()) this.storedKwh = 0;
    else if (this.isFull()) this.storedKwh = this.spec.reservoir?.capacityKwh ?? 0;
    this.flowingKw = cellKw + slopeKwPerMs * spanMs;
    this.afterMs += spanMs;
    if (this.path !== null) this.takePiece(this.path);
    return true;
  }

  /** Goes on to the piece of the path that holds now. */
  private takePiece({ count, afterMs }: TargetPath): void {
    while (this.piece + 1 < count && afterMs[this.piece + 1] <= this.afterMs + STALL_MS) {
      this.piece++;
      this.afterMs = Math.max(this.afterMs, afterMs[this.piece]);
    }
  }
}

/** Whether a moving value is, or is about to be, above a threshold; standing on it counts. */
function isAbove(kw: number, thresholdKw: number, slope: number): boolean {
  if (SAME < Math.abs(kw - thresholdKw)) return thresholdKw < kw;
  return 0 <= slope;
}

const planner = new Planner();
