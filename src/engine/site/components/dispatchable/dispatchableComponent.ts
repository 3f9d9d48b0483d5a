import type { Sku } from "../../../../base/sku.ts";
import type { EpochMs } from "../../../../base/time.ts";
import { LIMITING_FACTOR, type LimitingFactor } from "../../../device/curve/limitingFactor.ts";
import { Trajectory } from "../../../device/curve/trajectory.ts";
import {
  outputCapabilityKw,
  pumpCapabilityKw,
  upwardCapabilityKw,
} from "../../../device/dispatchable/dispatchableCapability.ts";
import type { DispatchableSpec } from "../../../device/dispatchable/dispatchableSpec.ts";
import { planDispatchable } from "../../../device/dispatchable/planDispatchable.ts";
import type { Series } from "../../../series/model/series.ts";
import type { PowerLimits } from "../../siteConstraints.ts";
import type { ResourceSnapshot } from "../../siteSnapshot.ts";
import type { DeltaRequest, FcrCapabilityQuery, ResourceSite, Storage } from "../capabilities.ts";
import type { PlantPart } from "../parts.ts";
import { PlanFollowingComponent } from "../planFollowingComponent.ts";
import type { Segment } from "../segment.ts";
import type { OperatingConditions, ReplanMs, Setpoint } from "../setpoint.ts";

/** A dispatchable plant at its site: follows its plan or an instruction. @see docs/model/dispatchable.md */
export class DispatchableComponent extends PlanFollowingComponent implements PlantPart {
  readonly kind = "dispatchable";
  readonly spec: DispatchableSpec;
  /** Planned by the last `planTrajectory`. */
  readonly trajectory = new Trajectory();
  /** Energy in the upper reservoir; 0 for a plant without one. */
  storedKwh: number;
  /** NaN before the first trajectory. */
  private flowKw = Number.NaN;

  constructor(spec: DispatchableSpec, limits: PowerLimits, plan: Series | number) {
    super(limits, plan);
    this.spec = spec;
    this.storedKwh = spec.reservoir === null ? 0 : (spec.reservoir.initialFillPct / 100) * spec.reservoir.capacityKwh;
  }

  get role(): "plant" {
    return "plant";
  }

  get naturalKw(): Series | null {
    return null;
  }

  get naturalMaxKw(): number {
    return 0;
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

  /** Advances the state to an instant, at which the present trajectory ends. */
  advance(atMs: EpochMs): void {
    if (this.trajectory.count === 0) return;
    this.storedKwh = this.trajectory.storedKwhAt(atMs);
    this.flowKw = this.trajectory.cellKwAt(atMs);
  }

  /** Power in kW at the start of the present trajectory, or at the last `advance`; 0 before the first trajectory. */
  get flowingKw(): number {
    return this.flowKw || 0;
  }

  /** Writes the state at the start of the present trajectory. */
  captureState(out: ResourceSnapshot): void {
    out.storedKwh = this.storedKwh;
    out.flowingKw = this.flowKw;
  }

  /** Restores the state at the start of a trajectory; `planTrajectory` then reproduces the trajectory. */
  restore({ storedKwh, flowingKw }: ResourceSnapshot, _atMs: EpochMs): void {
    this.storedKwh = storedKwh;
    this.flowKw = flowingKw;
  }

  /** Plans a new trajectory. @returns the next change of the plan where the plant follows it, else `Infinity` */
  planTrajectory(atMs: EpochMs, target: Setpoint, conditions: OperatingConditions): ReplanMs {
    this.outputLimitShare = conditions.outputLimitShare;
    // The plant starts at the power of its plan, because its ramp can take hours.
    if (Number.isNaN(this.flowKw)) this.flowKw = this.planKwAt(atMs);
    const replanMs = this.setTarget(atMs, target);
    const { planInput } = this;
    planInput.startMs = atMs;
    planInput.storedKwh = this.storedKwh;
    planInput.flowingKw = this.flowKw;
    planInput.inService = conditions.inService;
    planInput.importLimitKw = this.limits.siteImportMaxKw;
    planInput.exportLimitKw = this.exportLimitKw();
    this.responseProfile = conditions.response;
    planDispatchable(this.spec, planInput, conditions.response, this.trajectory);
    if (!conditions.inService) this.flowKw = 0;
    return replanMs;
  }

  private exportLimitKw(): number {
    return Math.min(this.limits.siteExportMaxKw, this.outputControlCapKw());
  }

  private outputControlCapKw(): number {
    return this.spec.ratedOutputKw * this.outputLimitShare;
  }

  /** Highest power, import positive, that an instruction can request now: pumping power, else the minimum output. */
  maxSetpointKw(): number {
    const { reservoir, minOutputKw } = this.spec;
    if (reservoir === null) return -minOutputKw;
    return Math.min(pumpCapabilityKw(this.spec, this.storedKwh), this.limits.siteImportMaxKw);
  }

  /**
   * Export power available at the connection point, in kW, at least 0; 0 where a limit lies below the minimum output.
   *
   * @param storedKwh  by default that of the last `advance`
   */
  exportAvailableKw(_atMs: EpochMs, outputLimitShare: number, storedKwh = this.storedKwh): number {
    this.outputLimitShare = outputLimitShare;
    const limitKw = Math.min(outputCapabilityKw(this.spec, storedKwh), this.exportLimitKw());
    return limitKw < this.spec.minOutputKw ? 0 : limitKw;
  }

  /** Whether output control is the limiting factor of export, rather than rating or connection limit. */
  override isOutputControlled(_atMs: EpochMs, outputLimitShare: number): boolean {
    return this.spec.ratedOutputKw * outputLimitShare < Math.min(this.spec.ratedOutputKw, this.limits.siteExportMaxKw);
  }

  /** Whether the reservoir is too full (`up`) to pump at full power, or empty. */
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

  /** Depends on ratings alone: a reservoir that is full at dispatch must not exclude the plant for the whole award (docs/model/allocation.md#compatibility, docs/model/allocation.md#re-dispatch). */
  takesDelta(_site: ResourceSite, baselineKw: number, { direction, sku }: DeltaRequest): boolean {
    if (this.isOutsideMarkets(sku)) return false;
    return direction <= 0 || upwardCapabilityKw(this.spec, baselineKw) > 0;
  }

  fcrHeadroomKw(site: ResourceSite, { baselineKw, atMs }: FcrCapabilityQuery, up: boolean): number {
    return up ? -baselineKw - this.spec.minOutputKw : this.gridExportAvailableKw(site, atMs) + baselineKw;
  }

  override get isAtFcrBound(): boolean {
    return this.isAtBound(false);
  }

  availableAsPartKw(up: boolean, outputLimitShare: number, atMs: EpochMs): number {
    const { spec } = this;
    const storedKwh = this.storedKwhAt(atMs);
    if (up) return pumpCapabilityKw(spec, storedKwh);
    const limitKw = Math.min(outputCapabilityKw(spec, storedKwh), spec.ratedOutputKw * outputLimitShare);
    return limitKw < spec.minOutputKw ? 0 : limitKw;
  }

  contributionKw(up: boolean, requestedKw: number, outputLimitShare: number, atMs: EpochMs): number {
    // A set-point below half of the minimum output switches the plant off (docs/model/dispatchable.md#min-output).
    return !up && requestedKw < this.spec.minOutputKw / 2
      ? 0
      : Math.min(requestedKw, this.availableAsPartKw(up, outputLimitShare, atMs));
  }

  get followsAtOnce(): boolean {
    return this.spec.rampKwPerMin === null && this.spec.minOutputKw === 0;
  }

  /** 0 with a minimum output, below which it cannot run. */
  fcrHeadroomAsPartKw(up: boolean, outputLimitShare: number, atMs: EpochMs): number {
    return this.spec.minOutputKw > 0 ? 0 : this.availableAsPartKw(up, outputLimitShare, atMs);
  }

  get isFcrProvider(): boolean {
    return this.spec.fcrCapable && this.spec.subsidy !== "fit";
  }

  /** Export below the minimum output is none. */
  override lastingKw(up: boolean, hours: number, atMs: EpochMs): number {
    const { reservoir, minOutputKw } = this.spec;
    if (reservoir === null || hours === 0) return Number.POSITIVE_INFINITY;
    const storedKwh = this.storedKwhAt(atMs);
    if (up) return (reservoir.capacityKwh - storedKwh) / reservoir.pumpingEfficiency / hours;
    const kw = (storedKwh * reservoir.generatingEfficiency) / hours;
    return kw < minOutputKw ? 0 : kw;
  }

  private storedKwhAt(atMs: EpochMs): number {
    return this.trajectory.count === 0 ? this.storedKwh : this.trajectory.storedKwhAt(atMs);
  }

  /** The energy test does not apply to plants. */
  sustainableKw(_hours: number): number {
    return Number.POSITIVE_INFINITY;
  }

  segmentAt(atMs: EpochMs, out: Segment): void {
    const { trajectory } = this;
    const k = trajectory.indexAt(atMs);
    trajectory.readSegment(k, out);
    out.limitedBy = this.limitingFactorOf(k);
    const isLimited =
      trajectory.limitedByOf(k) === LIMITING_FACTOR.socBound ||
      trajectory.limitedByOf(k) === LIMITING_FACTOR.powerLimit;
    // Compared one millisecond later, because a ramping set-point may equal the limit at the start of the segment.
    out.deviationSign = isLimited ? Math.sign(out.kw - this.setpointKwAt(out.originMs + 1)) : 0;
  }

  private setpointKwAt(atMs: EpochMs): number {
    const { targetKw, targetSlopeKwPerMs, startMs } = this.planInput;
    const responseKw = this.responseProfile === null ? 0 : this.responseProfile.kwAt(atMs);
    return targetKw + responseKw + targetSlopeKwPerMs * (atMs - startMs);
  }

  private limitingFactorOf(k: number): LimitingFactor {
    const limitedBy = this.trajectory.limitedByOf(k);
    return limitedBy === LIMITING_FACTOR.powerLimit && this.isLimitedByOutputControl(k)
      ? LIMITING_FACTOR.outputControl
      : limitedBy;
  }

  /** Whether output control reduces the requested output: to its cap, or to 0 where the cap is below the minimum output. */
  private isLimitedByOutputControl(k: number): boolean {
    if (!this.isOutputControlled(0, this.outputLimitShare)) return false;
    const { minOutputKw } = this.spec;
    const requestedKw = -this.setpointKwAt(this.trajectory.startMsOf(k));
    const controlledKw = this.outputControlCapKw();
    if (controlledKw < minOutputKw) return minOutputKw / 2 <= requestedKw && 0 < requestedKw;
    return controlledKw - SAME_KW <= requestedKw;
  }
}

const SAME_KW = 1e-9;
