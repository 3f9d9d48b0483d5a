import type { EpochMs } from "../../../base/time.ts";
import {
  STORAGE_BOUND_TOLERANCE_KWH,
  storedMaxKwh,
  storedMinKwh,
  sustainableKw,
  taperedExportKw,
} from "../../../device/battery/batteryCapability.ts";
import type { BatterySpec } from "../../../device/battery/batterySpec.ts";
import { hasConstantPowerModel } from "../../../device/battery/constantPowerBattery.ts";
import {
  exportCapabilityKw,
  exportEnergyAvailableKwh,
  importCapabilityKw,
  importEnergyAvailableKwh,
  planBattery,
  planBatteryWithResponse,
} from "../../../device/battery/planBattery.ts";
import { DEVICE_LIMIT, Trajectory } from "../../../device/curve/trajectory.ts";
import type { ResponseProfile } from "../../../device/frequency/responseProfile.ts";
import type { Series } from "../../../series/model/series.ts";
import type { SiteBaseline } from "../../baseline/siteBaseline.ts";
import type { SiteConstraints } from "../../siteConstraints.ts";
import type { ResourceSnapshot } from "../../siteSnapshot.ts";
import { BaseComponent } from "../baseComponent.ts";
import type { BatchBattery, FcrCapabilityQuery, ResourceSite, Storage } from "../capabilities.ts";
import { LIMITING_FACTOR, type Segment } from "../segment.ts";
import type { OperatingConditions, ReplanMs, Setpoint } from "../setpoint.ts";

/** A battery at its site: stored energy, the present law, and the plan it follows when nobody instructs it. */
export class BatteryComponent extends BaseComponent {
  readonly kind = "battery";
  readonly spec: BatterySpec;
  /** The law from the last `follow` on. */
  readonly trajectory = new Trajectory();
  storedKwh: number;
  private plan: Series | number;
  private readonly constraints: SiteConstraints;
  private flowKw = 0;
  private outputLimit = 1;
  private responseProfile: ResponseProfile | null = null;
  /** Filled anew for each plan: plans are made millions of times. */
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

  constructor(spec: BatterySpec, constraints: SiteConstraints, plan: Series | number) {
    super();
    this.spec = spec;
    this.constraints = constraints;
    this.plan = plan;
    this.storedKwh = (spec.initialSocPct / 100) * spec.ratedCapKwh;
  }

  get role(): "storage" {
    return "storage";
  }

  override get storage(): Storage {
    return this;
  }

  get fullKwh(): number {
    return storedMaxKwh(this.spec);
  }

  get emptyKwh(): number {
    return storedMinKwh(this.spec);
  }

  get midpointKwh(): number {
    const { socOpMinPct, socOpMaxPct, ratedCapKwh } = this.spec;
    return ((socOpMinPct + socOpMaxPct) / 200) * ratedCapKwh;
  }

  override socPctAt(atMs: EpochMs): number {
    return (100 * this.trajectory.storedKwhAt(atMs)) / this.spec.ratedCapKwh;
  }

  override get hasUncontrolledLoad(): boolean {
    return this.spec.auxiliaryKw > 0;
  }

  override get isBatchable(): boolean {
    return hasConstantPowerModel(this.spec);
  }

  override get batchBattery(): BatchBattery {
    return this;
  }

  /** Follows another plan from the next law on. */
  override applyBaseline({ planKw }: SiteBaseline): void {
    this.plan = planKw;
  }

  /** Carries the state forward to an instant; the present law ends there. */
  advance(atMs: EpochMs): void {
    const { trajectory: law } = this;
    if (law.count === 0) return;
    const k = law.indexAt(atMs);
    this.storedKwh = law.storedKwhInSegment(k, atMs);
    this.flowKw = law.kwInSegment(k, atMs) - law.auxiliaryKw;
  }

  /** kW that flowed when the present law began, or at the last `advance`; without auxiliaries. */
  get flowingKw(): number {
    return this.flowKw;
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
    let targetKw = target.baselineKw + target.deltaKw;
    let slopeKwPerMs = target.kwPerMs ?? 0;
    let replanMs = Number.POSITIVE_INFINITY;
    if (!target.isInstructed) {
      if (typeof plan === "number") targetKw = plan;
      else {
        targetKw = plan.valueAt(atMs);
        slopeKwPerMs = plan.slopeAt(plan.indexAt(atMs));
        replanMs = plan.nextChangeMs(atMs);
      }
    }
    const motion = this.planInput;
    motion.startMs = atMs;
    motion.storedKwh = this.storedKwh;
    motion.flowingKw = around.inService ? this.flowKw : 0;
    motion.targetKw = targetKw; // also tells afterwards which way a limit holds the power back
    motion.targetSlopeKwPerMs = slopeKwPerMs;
    motion.inService = around.inService;
    motion.importLimitKw = this.importLimitKw;
    motion.exportLimitKw = this.exportLimitKw();
    this.responseProfile = around.response;
    if (around.response === null) planBattery(this.spec, motion, this.trajectory);
    else planBatteryWithResponse(this.spec, motion, around.response, this.trajectory);
    if (!around.inService) this.flowKw = 0;
    return replanMs;
  }

  /** What the grid connection lets into the cells. */
  get importLimitKw(): number {
    return Math.max(0, this.constraints.siteImportMaxKw - this.spec.auxiliaryKw);
  }

  /** What it lets out of them. */
  get gridExportKw(): number {
    return Math.max(0, this.constraints.siteExportMaxKw + this.spec.auxiliaryKw);
  }

  /** The same under output control. */
  private exportLimitKw(): number {
    return Math.min(this.gridExportKw, this.spec.exportMaxKw * this.outputLimit);
  }

  /** kW that the grid point could take in through the cells with so much stored: by default as the state was last advanced. */
  importAvailableKw(storedKwh = this.storedKwh): number {
    return Math.min(importCapabilityKw(this.spec, storedKwh), this.importLimitKw);
  }

  /** kW that the grid point could give, at least 0; `outputLimit` 0..1 as it is now. */
  exportAvailableKw(_atMs: EpochMs, outputLimit: number, storedKwh = this.storedKwh): number {
    this.outputLimit = outputLimit;
    return Math.min(exportCapabilityKw(this.spec, storedKwh), this.exportLimitKw());
  }

  /** Whether output control, not rating, taper or grid, limits what may be sent. */
  override isOutputControlled(_atMs: EpochMs, outputLimit: number): boolean {
    const otherwiseKw = Math.min(
      exportCapabilityKw(this.spec, this.storedKwh),
      this.constraints.siteExportMaxKw + this.spec.auxiliaryKw,
    );
    return this.spec.exportMaxKw * outputLimit < otherwiseKw;
  }

  /** Whether the store is full (`up`) or empty, so that power cannot flow that way. */
  override isAtBound(up: boolean): boolean {
    const { spec, storedKwh } = this;
    return up
      ? storedMaxKwh(spec) - STORAGE_BOUND_TOLERANCE_KWH <= storedKwh
      : storedKwh <= storedMinKwh(spec) + STORAGE_BOUND_TOLERANCE_KWH;
  }

  maxSetpointKw(): number {
    return this.importAvailableKw();
  }

  override gridImportAvailableKw(): number {
    return this.importAvailableKw();
  }

  takesDelta(): boolean {
    return true;
  }

  /** kW that it can take in (`up`) or give as one of several components, the connection point left aside. */
  availableAsPartKw(up: boolean, outputLimit: number, atMs: EpochMs): number {
    const { spec, trajectory } = this;
    const storedKwh = trajectory.count === 0 ? this.storedKwh : trajectory.storedKwhAt(atMs);
    if (up) return importCapabilityKw(spec, storedKwh);
    return Math.min(exportCapabilityKw(spec, storedKwh), spec.exportMaxKw * outputLimit);
  }

  /** A full battery cannot respond to one side, an empty one to the other: neither has any FCR capacity (docs/model/capability.md#fcr-capacity). */
  private get isAtEitherBound(): boolean {
    return this.isAtBound(true) || this.isAtBound(false);
  }

  fcrHeadroomKw(site: ResourceSite, { baselineKw, atMs }: FcrCapabilityQuery, up: boolean): number {
    if (this.isAtEitherBound) return 0;
    return up ? this.importAvailableKw() - baselineKw : this.gridExportAvailableKw(site, atMs) + baselineKw;
  }

  /** kW that it can respond to one side as one of several components. */
  fcrHeadroomAsPartKw(up: boolean, outputLimit: number, atMs: EpochMs): number {
    return this.isAtEitherBound ? 0 : this.availableAsPartKw(up, outputLimit, atMs);
  }

  /** Whether it can respond as one of several components. */
  get isFcrProvider(): boolean {
    return this.spec.fcrCapable;
  }

  /** kW that it can take in and give alike for so many hours. */
  sustainableKw(hours: number): number {
    return sustainableKw(this.spec, this.storedKwh, hours);
  }

  override fcrSustainableKw({ energyTestMinutes }: FcrCapabilityQuery): number {
    return energyTestMinutes === 0 ? Number.POSITIVE_INFINITY : this.sustainableKw(energyTestMinutes / 60);
  }

  override isFcrEnergyLimited(query: FcrCapabilityQuery, upKw: number, downKw: number): boolean {
    return this.isAtEitherBound || this.fcrSustainableKw(query) < Math.min(upKw, downKw);
  }

  importEnergyAvailableKwh(storedKwh = this.storedKwh): number {
    return importEnergyAvailableKwh(this.spec, storedKwh);
  }

  exportEnergyAvailableKwh(storedKwh = this.storedKwh): number {
    return exportEnergyAvailableKwh(this.spec, storedKwh);
  }

  /** The one power of a period of the present law, in kW; NaN where it changes. */
  override constantKw(fromMs: EpochMs, toMs: EpochMs): number {
    const { trajectory: law } = this;
    const k = law.indexAt(fromMs);
    if (k + 1 < law.count && law.startMs[k + 1] < toMs) return Number.NaN;
    return law.slopeKwPerMs[k] === 0 && law.expKw[k] === 0 ? law.constKw[k] : Number.NaN;
  }

  segmentAt(atMs: EpochMs, out: Segment): void {
    const { trajectory: law } = this;
    const k = law.indexAt(atMs);
    out.originMs = law.startMs[k];
    out.endMs = k + 1 < law.count ? law.startMs[k + 1] : Number.POSITIVE_INFINITY;
    const rate = law.ratePerMs[k];
    const expKw = law.expKw[k];
    out.kw = law.constKw[k] + expKw;
    out.kwPerMs = law.slopeKwPerMs[k] - rate * expKw;
    out.kwPerMs2 = rate * rate * expKw;
    out.ratePerMs = rate;
    out.limitedBy = this.limitingFactorOf(k);
    const isLimited = law.limitedBy[k] === DEVICE_LIMIT.socBound || law.limitedBy[k] === DEVICE_LIMIT.powerLimit;
    out.deviationSign = isLimited ? -Math.sign(this.setpointKwAt(law.startMs[k])) : 0;
  }

  /** What the cells were to do; a target that moves counts as it was at the law's start. */
  private setpointKwAt(atMs: EpochMs): number {
    const { targetKw } = this.planInput;
    return this.responseProfile === null ? targetKw : targetKw + this.responseProfile.kwAt(atMs);
  }

  private limitingFactorOf(k: number): number {
    const { trajectory: law, spec } = this;
    const binding = law.limitedBy[k];
    if (binding === DEVICE_LIMIT.ramp) return LIMITING_FACTOR.ramp;
    if (binding === DEVICE_LIMIT.none) return LIMITING_FACTOR.none;
    // A taper can leave nothing where the store is not at its bound: that is a limit of power.
    if (binding === DEVICE_LIMIT.socBound)
      return isAtBound(spec, law.storedKwh[k]) ? LIMITING_FACTOR.socBound : LIMITING_FACTOR.powerLimit;
    if (this.outputLimit >= 1 || this.setpointKwAt(law.startMs[k]) >= 0) return LIMITING_FACTOR.powerLimit;
    const isSteady = law.slopeKwPerMs[k] === 0 && law.expKw[k] === 0;
    const controlledKw = spec.exportMaxKw * this.outputLimit;
    const atControl = isSteady && controlledKw - SAME_KW <= law.auxiliaryKw - law.constKw[k];
    return atControl && controlledKw + SAME_KW < this.uncontrolledKw(k)
      ? LIMITING_FACTOR.outputControl
      : LIMITING_FACTOR.powerLimit;
  }

  /** kW that taper and grid would let out under a law, told from within it: where two limits meet, taper and grid come first. */
  private uncontrolledKw(k: number): number {
    const { trajectory: law, spec, gridExportKw } = this;
    const spanMs = k + 1 < law.count ? law.startMs[k + 1] - law.startMs[k] : Number.POSITIVE_INFINITY;
    const storedKwh = law.storedKwh[k] + law.storedKwhPerMs[k] * Math.min(spanMs / 2, 1000);
    return Math.min(gridExportKw, taperedExportKw(spec, storedKwh));
  }
}

const SAME_KW = 1e-9;

function isAtBound(spec: BatterySpec, storedKwh: number): boolean {
  return (
    storedKwh <= storedMinKwh(spec) + STORAGE_BOUND_TOLERANCE_KWH ||
    storedMaxKwh(spec) - STORAGE_BOUND_TOLERANCE_KWH <= storedKwh
  );
}
