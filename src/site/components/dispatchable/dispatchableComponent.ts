import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import { DEVICE_LIMIT, Trajectory } from "../../../device/curve/trajectory.ts";
import {
  outputCapabilityKw,
  pumpCapabilityKw,
  upwardCapabilityKw,
} from "../../../device/dispatchable/dispatchableCapability.ts";
import type { DispatchableSpec } from "../../../device/dispatchable/dispatchableSpec.ts";
import { planDispatchableWithResponse } from "../../../device/dispatchable/planDispatchable.ts";
import type { ResponseProfile } from "../../../device/frequency/responseProfile.ts";
import type { Series } from "../../../series/model/series.ts";
import type { SiteBaseline } from "../../baseline/siteBaseline.ts";
import type { SiteConstraints } from "../../siteConstraints.ts";
import type { ResourceSnapshot } from "../../siteSnapshot.ts";
import { BaseComponent } from "../baseComponent.ts";
import type { DeltaRequest, FcrCapabilityQuery, ResourceSite, Storage } from "../capabilities.ts";
import { LIMITING_FACTOR, type Segment, setLinearSegment } from "../segment.ts";
import type { OperatingConditions, ReplanMs, Setpoint } from "../setpoint.ts";

/** A thermal plant, pumped storage or the like at its site: follows its plan or an instruction. @see docs/model/dispatchable.md */
export class DispatchableComponent extends BaseComponent {
  readonly kind = "dispatchable";
  readonly spec: DispatchableSpec;
  /** The law from the last `follow` on. */
  readonly trajectory = new Trajectory();
  /** In the upper reservoir; 0 for a plant without one. */
  storedKwh: number;
  private plan: Series | number;
  private readonly constraints: SiteConstraints;
  /** NaN before the first law. */
  private flowKw = Number.NaN;
  private outputLimit = 1;
  private responseProfile: ResponseProfile | null = null;
  /** Filled anew for each plan. */
  private readonly planInput = {
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

  get role(): "plant" {
    return "plant";
  }

  override get storage(): Storage | null {
    return this.spec.reservoir === null ? null : this;
  }

  get fullKwh(): number {
    return this.spec.reservoir?.capacityKwh ?? Number.POSITIVE_INFINITY;
  }

  get emptyKwh(): number {
    return this.spec.reservoir === null ? Number.NEGATIVE_INFINITY : 0;
  }

  get midpointKwh(): number {
    return (this.spec.reservoir?.capacityKwh ?? 0) / 2;
  }

  /** Follows another plan from the next law on. */
  override applyBaseline({ planKw }: SiteBaseline): void {
    this.plan = planKw;
  }

  /** Carries the state forward to an instant; the present law ends there. */
  advance(atMs: EpochMs): void {
    if (this.trajectory.count === 0) return;
    this.storedKwh = this.trajectory.storedKwhAt(atMs);
    this.flowKw = this.trajectory.cellKwAt(atMs);
  }

  /** kW that flowed when the present law began, or at the last `advance`; 0 before the first. */
  get flowingKw(): number {
    return this.flowKw || 0;
  }

  /** What the present law began with. */
  captureState(out: ResourceSnapshot): void {
    out.storedKwh = this.storedKwh;
    out.flowingKw = this.flowKw;
  }

  /** Goes back to where a law began; `follow` then gives it again. */
  restore({ storedKwh, flowingKw }: ResourceSnapshot, _atMs: EpochMs): void {
    this.storedKwh = storedKwh;
    this.flowKw = flowingKw;
  }

  /** Begins a new law. @returns when the own plan moves on, else `Infinity` */
  planTrajectory(atMs: EpochMs, target: Setpoint, around: OperatingConditions): ReplanMs {
    this.outputLimit = around.outputLimit;
    const plan = this.plan;
    const motion = this.planInput;
    // A plant has been running by its plan when the world begins: its ramp can take hours.
    if (Number.isNaN(this.flowKw)) this.flowKw = typeof plan === "number" ? plan : plan.valueAt(atMs);
    let replanMs = Number.POSITIVE_INFINITY;
    motion.targetSlopeKwPerMs = target.kwPerMs ?? 0;
    if (target.isInstructed) motion.targetKw = target.baselineKw + target.deltaKw;
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
    this.responseProfile = around.response;
    planDispatchableWithResponse(this.spec, motion, around.response, this.trajectory);
    if (!around.inService) this.flowKw = 0;
    return replanMs;
  }

  private exportLimitKw(): number {
    return Math.min(this.constraints.siteExportMaxKw, this.outputControlCapKw());
  }

  private outputControlCapKw(): number {
    return this.spec.ratedOutputKw * this.outputLimit;
  }

  /** The highest power, import positive, that an instruction can ask for now: pumping, else the least output. */
  maxSetpointKw(): number {
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
  override isOutputControlled(_atMs: EpochMs, outputLimit: number): boolean {
    return this.spec.ratedOutputKw * outputLimit < Math.min(this.spec.ratedOutputKw, this.constraints.siteExportMaxKw);
  }

  /** Whether the reservoir is full (`up`) or empty, so that power cannot flow that way. */
  override isAtBound(up: boolean): boolean {
    const { spec, storedKwh } = this;
    if (spec.reservoir === null) return false;
    return up
      ? pumpCapabilityKw(spec, storedKwh) < spec.reservoir.pumpMaxKw
      : outputCapabilityKw(spec, storedKwh) === 0;
  }

  override dispatchableUpAvailableKw(site: ResourceSite, atMs: EpochMs): number {
    return this.headroomKw(site, site.baselineSlotKwAt(atMs), true, atMs);
  }

  override isOutsideMarkets(sku: Sku | null): boolean {
    return sku !== null && this.spec.subsidy === "fit";
  }

  /** Ratings alone decide: a reservoir that is full now must not leave the plant out for good (docs/model/allocation.md#compatibility, docs/model/allocation.md#re-dispatch). */
  takesDelta(_site: ResourceSite, baselineKw: number, { direction, sku }: DeltaRequest): boolean {
    if (this.isOutsideMarkets(sku)) return false;
    return direction <= 0 || upwardCapabilityKw(this.spec, baselineKw) > 0;
  }

  fcrHeadroomKw(site: ResourceSite, { baselineKw, atMs }: FcrCapabilityQuery, up: boolean): number {
    return up ? -baselineKw - this.spec.minOutputKw : this.gridExportAvailableKw(site, atMs) + baselineKw;
  }

  override isFcrEnergyLimited(): boolean {
    return this.isAtBound(false);
  }

  /** kW that it can take in (`up`) or give from rest as one of several components. */
  availableAsPartKw(up: boolean, outputLimit: number, atMs: EpochMs): number {
    const { spec } = this;
    const storedKwh = this.trajectory.count === 0 ? this.storedKwh : this.trajectory.storedKwhAt(atMs);
    if (up) return pumpCapabilityKw(spec, storedKwh);
    const mostKw = Math.min(outputCapabilityKw(spec, storedKwh), spec.ratedOutputKw * outputLimit);
    return mostKw < spec.minOutputKw ? 0 : mostKw;
  }

  /** kW that it can respond to one side as one of several components: a plant with a least output cannot leave rest by a little. */
  fcrHeadroomAsPartKw(up: boolean, outputLimit: number, atMs: EpochMs): number {
    return this.spec.minOutputKw > 0 ? 0 : this.availableAsPartKw(up, outputLimit, atMs);
  }

  /** Whether it can respond as one of several components. */
  get isFcrProvider(): boolean {
    return this.spec.fcrCapable && this.spec.subsidy !== "fit";
  }

  /** No test of energy applies to plants. */
  sustainableKw(_hours: number): number {
    return Number.POSITIVE_INFINITY;
  }

  segmentAt(atMs: EpochMs, out: Segment): void {
    const { trajectory: law } = this;
    const k = law.indexAt(atMs);
    const endMs = k + 1 < law.count ? law.startMs[k + 1] : Number.POSITIVE_INFINITY;
    setLinearSegment(out, law.startMs[k], endMs, law.constKw[k], law.slopeKwPerMs[k], this.limitingFactorOf(k));
    const isLimited = law.limitedBy[k] === DEVICE_LIMIT.socBound || law.limitedBy[k] === DEVICE_LIMIT.powerLimit;
    // A millisecond on, a target that moves away from the limit has left it.
    if (isLimited) out.deviationSign = Math.sign(law.constKw[k] - this.setpointKwAt(law.startMs[k] + 1));
  }

  private setpointKwAt(atMs: EpochMs): number {
    const { targetKw, targetSlopeKwPerMs, startMs } = this.planInput;
    const responseKw = this.responseProfile === null ? 0 : this.responseProfile.kwAt(atMs);
    return targetKw + responseKw + targetSlopeKwPerMs * (atMs - startMs);
  }

  private limitingFactorOf(k: number): number {
    const { trajectory: law } = this;
    switch (law.limitedBy[k]) {
      case DEVICE_LIMIT.none:
        return LIMITING_FACTOR.none;
      case DEVICE_LIMIT.ramp:
        return LIMITING_FACTOR.ramp;
      case DEVICE_LIMIT.socBound:
        return LIMITING_FACTOR.socBound;
      default:
        return this.isLimitedByOutputControl(k) ? LIMITING_FACTOR.outputControl : LIMITING_FACTOR.powerLimit;
    }
  }

  /** Whether output control cuts what is asked: to its cap, or to nothing where that is below the least output. */
  private isLimitedByOutputControl(k: number): boolean {
    if (!this.isOutputControlled(0, this.outputLimit)) return false;
    const { minOutputKw } = this.spec;
    const askedKw = -this.setpointKwAt(this.trajectory.startMs[k]);
    const controlledKw = this.outputControlCapKw();
    if (controlledKw < minOutputKw) return minOutputKw / 2 <= askedKw && 0 < askedKw;
    return controlledKw - SAME_KW <= askedKw;
  }
}

const SAME_KW = 1e-9;
