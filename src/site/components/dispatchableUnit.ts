import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import { BINDING, Trajectory } from "../../device/curve/trajectory.ts";
import { planGeneratorAlong } from "../../device/dispatchable/dispatchable.ts";
import { outputCapabilityKw, pumpCapabilityKw } from "../../device/dispatchable/dispatchableCapability.ts";
import type { DispatchableSpec } from "../../device/dispatchable/dispatchableSpec.ts";
import type { ResponsePath } from "../../device/frequency/responsePath.ts";
import type { Series } from "../../series/model/series.ts";
import type { UnitOrigin } from "../siteMoment.ts";
import type { SiteConstraints } from "../siteSpec.ts";
import { BINDS, fillStraight, type Stretch } from "./stretch.ts";
import type { ReplanMs, Surroundings, Target } from "./target.ts";

/** A thermal plant, pumped storage or the like at its site: follows its plan or an instruction. @see models.md §4 */
export class DispatchableUnit extends Copyable {
  readonly kind = "dispatchable";
  readonly spec: DispatchableSpec;
  /** The law from the last `follow` on. */
  readonly law = new Trajectory();
  /** In the upper reservoir; 0 for a plant without one. */
  storedKwh: number;
  private plan: Series | number;
  private readonly constraints: SiteConstraints;
  /** NaN before the first law. */
  private flowKw = Number.NaN;
  private outputLimit = 1;
  private response: ResponsePath | null = null;
  /** Filled anew for each plan. */
  private readonly motion = {
    startMs: 0,
    storedKwh: 0,
    flowingKw: 0,
    targetKw: 0,
    targetSlopeKwPerMs: 0,
    inService: true,
    importLimitKw: 0,
    exportLimitKw: 0,
  };

  constructor(spec: DispatchableSpec, constraints: SiteConstraints, plan: Series | number) {
    super();
    this.spec = spec;
    this.constraints = constraints;
    this.plan = plan;
    this.storedKwh = spec.reservoir === null ? 0 : (spec.reservoir.initialFillPct / 100) * spec.reservoir.capacityKwh;
  }

  /** Follows another plan from the next law on. */
  usePlan(plan: Series | number): void {
    this.plan = plan;
  }

  /** Carries the state forward to an instant; the present law ends there. */
  advance(atMs: EpochMs): void {
    if (this.law.count === 0) return;
    this.storedKwh = this.law.storedKwhAt(atMs);
    this.flowKw = this.law.cellKwAt(atMs);
  }

  /** kW that flowed when the present law began, or at the last `advance`; 0 before the first. */
  get flowingKw(): number {
    return this.flowKw || 0;
  }

  /** What the present law began with. */
  noteOrigin(out: UnitOrigin): void {
    out.storedKwh = this.storedKwh;
    out.flowingKw = this.flowKw;
  }

  /** Goes back to where a law began; `follow` then gives it again. */
  recall({ storedKwh, flowingKw }: UnitOrigin, _atMs: EpochMs): void {
    this.storedKwh = storedKwh;
    this.flowKw = flowingKw;
  }

  /** Begins a new law. @returns when the own plan moves on, else `Infinity` */
  follow(atMs: EpochMs, target: Target, around: Surroundings): ReplanMs {
    this.outputLimit = around.outputLimit;
    const plan = this.plan;
    const motion = this.motion;
    // A plant has been running by its plan when the world begins: its ramp can take hours.
    if (Number.isNaN(this.flowKw)) this.flowKw = typeof plan === "number" ? plan : plan.valueAt(atMs);
    let replanMs = Number.POSITIVE_INFINITY;
    motion.targetSlopeKwPerMs = target.kwPerMs ?? 0;
    if (target.instructed) motion.targetKw = target.baselineKw + target.deltaKw;
    else if (typeof plan === "number") motion.targetKw = plan;
    else {
      motion.targetKw = plan.valueAt(atMs);
      motion.targetSlopeKwPerMs = plan.slopeAt(plan.indexAt(atMs));
      replanMs = plan.nextChangeMs(atMs);
    }
    motion.startMs = atMs;
    motion.storedKwh = this.storedKwh;
    motion.flowingKw = this.flowKw;
    motion.inService = around.inService;
    motion.importLimitKw = this.constraints.siteImportMaxKw;
    motion.exportLimitKw = this.exportLimitKw();
    this.response = around.response;
    planGeneratorAlong(this.spec, motion, around.response, this.law);
    if (!around.inService) this.flowKw = 0;
    return replanMs;
  }

  private exportLimitKw(): number {
    return Math.min(this.constraints.siteExportMaxKw, this.controlledKw());
  }

  private controlledKw(): number {
    return this.spec.ratedOutputKw * this.outputLimit;
  }

  /** The highest power, import positive, that an instruction can ask for now: pumping, else the least output. */
  highestKw(): number {
    const { reservoir, minOutputKw } = this.spec;
    if (reservoir === null) return -minOutputKw;
    return Math.min(pumpCapabilityKw(this.spec, this.storedKwh), this.constraints.siteImportMaxKw);
  }

  /**
   * kW that the grid point could give with so much stored (by default as the state was last advanced), at least 0: none
   * where a limit lies below the least output.
   */
  exportAvailableKw(_atMs: EpochMs, outputLimit: number, storedKwh = this.storedKwh): number {
    this.outputLimit = outputLimit;
    const mostKw = Math.min(outputCapabilityKw(this.spec, storedKwh), this.exportLimitKw());
    return mostKw < this.spec.minOutputKw ? 0 : mostKw;
  }

  /** Whether output control, not rating or grid, limits what may be sent. */
  isOutputControlled(_atMs: EpochMs, outputLimit: number): boolean {
    return this.spec.ratedOutputKw * outputLimit < Math.min(this.spec.ratedOutputKw, this.constraints.siteExportMaxKw);
  }

  /** Whether the reservoir is full (`up`) or empty, so that power cannot flow that way. */
  isAtBound(up: boolean): boolean {
    const { spec, storedKwh } = this;
    if (spec.reservoir === null) return false;
    return up
      ? pumpCapabilityKw(spec, storedKwh) < spec.reservoir.pumpMaxKw
      : outputCapabilityKw(spec, storedKwh) === 0;
  }

  stretchAt(atMs: EpochMs, out: Stretch): void {
    const { law } = this;
    const k = law.indexAt(atMs);
    const endMs = k + 1 < law.count ? law.startMs[k + 1] : Number.POSITIVE_INFINITY;
    fillStraight(out, law.startMs[k], endMs, law.constKw[k], law.slopeKwPerMs[k], this.bindsOf(k));
    const isLimited = law.binds[k] === BINDING.socBound || law.binds[k] === BINDING.taperOrGrid;
    // A millisecond on, a target that moves away from the limit has left it.
    if (isLimited) out.keeps = Math.sign(law.constKw[k] - this.targetAt(law.startMs[k] + 1));
  }

  private targetAt(atMs: EpochMs): number {
    const { targetKw, targetSlopeKwPerMs, startMs } = this.motion;
    const responseKw = this.response === null ? 0 : this.response.kwAt(atMs);
    return targetKw + responseKw + targetSlopeKwPerMs * (atMs - startMs);
  }

  private bindsOf(k: number): number {
    const { law } = this;
    switch (law.binds[k]) {
      case BINDING.free:
        return BINDS.free;
      case BINDING.ramp:
        return BINDS.ramp;
      case BINDING.socBound:
        return BINDS.socBound;
      default:
        return this.isHeldByControl(k) ? BINDS.outputControl : BINDS.powerLimit;
    }
  }

  /** Whether output control cuts what is asked: to its cap, or to nothing where that is below the least output. */
  private isHeldByControl(k: number): boolean {
    if (!this.isOutputControlled(0, this.outputLimit)) return false;
    const { minOutputKw } = this.spec;
    const askedKw = -this.targetAt(this.law.startMs[k]);
    const controlledKw = this.controlledKw();
    if (controlledKw < minOutputKw) return minOutputKw / 2 <= askedKw && 0 < askedKw;
    return controlledKw - SAME_KW <= askedKw;
  }
}

const SAME_KW = 1e-9;
