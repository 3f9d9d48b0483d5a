import { type EpochMs, MS_PER_DAY, MS_PER_HOUR } from "../../../../base/time.ts";
import {
  exportCapabilityKw,
  exportEnergyAvailableKwh,
  importCapabilityKw,
  importEnergyAvailableKwh,
  STORAGE_BOUND_TOLERANCE_KWH,
  storedMaxKwh,
  storedMinKwh,
  sustainableKw,
  taperedExportKw,
  taperedImportKw,
} from "../../../device/battery/batteryCapability.ts";
import type { BatterySpec } from "../../../device/battery/batterySpec.ts";
import {
  type ConstantPowerFlow,
  type ConstantPowerRatings,
  constantPowerRatings,
} from "../../../device/battery/constantPowerBattery.ts";
import { planBattery } from "../../../device/battery/planBattery.ts";
import { LIMITING_FACTOR, type LimitingFactor } from "../../../device/curve/limitingFactor.ts";
import { findPowerCap } from "../../../device/curve/powerCap.ts";
import { Trajectory } from "../../../device/curve/trajectory.ts";
import type { Series } from "../../../series/model/series.ts";
import type { PowerLimits } from "../../siteConstraints.ts";
import type { ResourceSnapshot } from "../../siteSnapshot.ts";
import type { ConstantPowerBattery, FcrCapabilityQuery, ResourceSite, Storage } from "../capabilities.ts";
import type { CapabilityDrift, StoragePart } from "../parts.ts";
import { PlanFollowingComponent } from "../planFollowingComponent.ts";
import type { Segment } from "../segment.ts";
import type { OperatingConditions, ReplanMs, Setpoint } from "../setpoint.ts";
import { BatteryAgeing } from "./batteryAgeing.ts";
import { BatteryStore } from "./batteryStore.ts";

/** A battery at its site: stored energy, present trajectory, and the plan that it follows without an instruction. */
export class BatteryComponent extends PlanFollowingComponent implements ConstantPowerBattery, StoragePart {
  readonly kind = "battery";
  /** As the scenario gives it. */
  readonly ratedSpec: BatterySpec;
  /** With the present capacity. */
  spec: BatterySpec;
  /** `null`: the capacity does not change. */
  readonly ageing: BatteryAgeing | null;
  readonly store = new BatteryStore();
  private readonly segments = new Trajectory();
  /** Whether `segments` has the present trajectory; a flow is written there when it is read as segments. */
  private areSegmentsCurrent = true;
  /** `null` with taper, ramp or self-discharge. */
  private ratings: ConstantPowerRatings | null;

  constructor(spec: BatterySpec, limits: PowerLimits, plan: Series | number) {
    super(limits, plan);
    this.ratedSpec = spec;
    this.ageing = spec.ageing === undefined ? null : new BatteryAgeing(spec, spec.ageing);
    this.spec = this.ageing === null ? spec : { ...spec, ratedCapKwh: this.ageing.capacityKwh };
    this.ratings = constantPowerRatings(this.spec);
    this.store.currentKwh = (spec.initialSocPct / 100) * this.spec.ratedCapKwh;
    this.applyLimits();
  }

  override applyLimits(): void {
    const { store, spec } = this;
    store.fullKwh = storedMaxKwh(spec);
    store.emptyKwh = storedMinKwh(spec);
    store.importCapKw = Math.min(spec.importMaxKw, this.importLimitKw);
    store.exportCapKw = Math.min(spec.exportMaxKw, this.gridExportKw);
  }

  /** Stored energy at the start of the present trajectory or at the last `advance`. */
  get storedKwh(): number {
    return this.store.currentKwh;
  }

  /** The present trajectory where it is at constant power until full or empty; `null` where `trajectory` has another form. */
  get flow(): ConstantPowerFlow | null {
    return this.store.hasFlow ? this.store : null;
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
    return (100 * this.plannedStoredKwhAt(atMs)) / this.spec.ratedCapKwh;
  }

  /** The present trajectory as segments, planned by the last `planTrajectory`. */
  get trajectory(): Trajectory {
    if (!this.areSegmentsCurrent) this.store.writeTo(this.segments);
    this.areSegmentsCurrent = true;
    return this.segments;
  }

  override get hasUncontrolledLoad(): boolean {
    return this.spec.auxiliaryKw > 0;
  }

  override get constantPowerBattery(): ConstantPowerBattery | null {
    return this.ratings === null || this.ageing !== null ? null : this;
  }

  /** Advances the state to an instant, at which the present trajectory ends. */
  advance(atMs: EpochMs): void {
    const { store, ageing } = this;
    if (store.hasFlow) store.advanceFlow(atMs);
    else if (this.segments.count > 0) this.advanceSegments(atMs);
    else return;
    if (ageing?.advance(this.trajectory, atMs) === true)
      this.setSpec({ ...this.ratedSpec, ratedCapKwh: ageing.capacityKwh });
  }

  private advanceSegments(atMs: EpochMs): void {
    const { store, segments: trajectory } = this;
    const k = trajectory.indexAt(atMs);
    store.currentKwh = trajectory.storedKwhInSegment(k, atMs);
    store.currentCellKw = trajectory.kwInSegment(k, atMs) - trajectory.auxiliaryKw;
  }

  private setSpec(spec: BatterySpec): void {
    this.spec = spec;
    this.ratings = constantPowerRatings(spec);
  }

  /** When the capacity changes next; `Infinity` if never. */
  private get nextAgeingMs(): EpochMs {
    return this.ageing === null ? Number.POSITIVE_INFINITY : this.ageing.nextUpdateMs;
  }

  /** Power in kW, without auxiliaries, at the start of the present trajectory or at the last `advance`. */
  get flowingKw(): number {
    return this.store.currentCellKw;
  }

  /** By default the first trajectory starts at the power of the plan, before the limits. */
  startAt(kw: number): void {
    this.store.currentCellKw = kw;
  }

  /** Writes the state at the start of the present trajectory. */
  captureState(out: ResourceSnapshot): void {
    out.storedKwh = this.storedKwh;
    out.flowingKw = this.store.currentCellKw;
    if (this.ageing !== null) out.ownState = this.spec;
  }

  /** Restores the state at the start of a trajectory; `planTrajectory` then reproduces the trajectory. */
  restore({ storedKwh, flowingKw, ownState }: ResourceSnapshot, _atMs: EpochMs): void {
    if (this.ageing !== null) this.setSpec(ownState as BatterySpec);
    this.store.currentKwh = storedKwh;
    this.store.currentCellKw = flowingKw;
  }

  /** Plans a new trajectory. @returns the next change of the capacity, or of the plan where the battery follows it; else `Infinity` */
  planTrajectory(atMs: EpochMs, target: Setpoint, conditions: OperatingConditions): ReplanMs {
    this.outputLimitShare = conditions.outputLimitShare;
    // A run starts without a ramp, at the power of the plan (docs/model/battery.md#run-start).
    if (Number.isNaN(this.store.currentCellKw)) this.store.currentCellKw = this.planKwAt(atMs);
    const replanMs = Math.min(this.nextAgeingMs, this.setTarget(atMs, target));
    const { planInput } = this;
    planInput.startMs = atMs;
    planInput.storedKwh = this.storedKwh;
    planInput.flowingKw = conditions.inService ? this.store.currentCellKw : 0;
    this.store.targetKw = planInput.targetKw;
    planInput.inService = conditions.inService;
    planInput.importLimitKw = this.importLimitKw;
    planInput.exportLimitKw = this.exportLimitKw();
    this.responseProfile = conditions.response;
    const { targetKw, targetSlopeKwPerMs, importLimitKw, exportLimitKw } = planInput;
    const isSteady = conditions.inService && conditions.response === null && targetSlopeKwPerMs === 0;
    if (!isSteady || !this.planFlow(atMs, targetKw, importLimitKw, exportLimitKw)) {
      this.store.hasFlow = false;
      this.areSegmentsCurrent = true;
      planBattery(this.spec, planInput, this.segments, conditions.response);
    }
    if (!conditions.inService) this.store.currentCellKw = 0;
    return replanMs;
  }

  planConstantPower(targetKw: number, atMs: EpochMs): boolean {
    const { importCapKw, exportCapKw } = this.store;
    this.store.targetKw = targetKw;
    this.outputLimitShare = 1;
    this.responseProfile = null;
    return this.planFlow(atMs, targetKw, importCapKw, exportCapKw);
  }

  /** @returns whether constant power applies */
  private planFlow(startMs: EpochMs, targetKw: number, importLimitKw: number, exportLimitKw: number): boolean {
    const { ratings, store } = this;
    if (ratings === null) return false;
    store.startMs = startMs;
    store.storedKwh = store.currentKwh;
    store.hasFlow = store.plan(ratings, targetKw, importLimitKw, exportLimitKw);
    this.areSegmentsCurrent = !store.hasFlow;
    return store.hasFlow;
  }

  /** Import limit of the connection point for the cells, in kW. At a site of several components it changes with its headroom. */
  get importLimitKw(): number {
    return Math.max(0, this.limits.siteImportMaxKw - this.spec.auxiliaryKw);
  }

  /** Export limit of the connection point for the cells, in kW; changes as the import limit does. */
  get gridExportKw(): number {
    return Math.max(0, this.limits.siteExportMaxKw + this.spec.auxiliaryKw);
  }

  /** Export limit for the cells under output control, in kW. */
  private exportLimitKw(): number {
    return Math.min(this.gridExportKw, this.spec.exportMaxKw * this.outputLimitShare);
  }

  /** Import power available, in kW. @param storedKwh  by default that of the last `advance` */
  importAvailableKw(storedKwh = this.storedKwh): number {
    return Math.min(importCapabilityKw(this.spec, storedKwh), this.importLimitKw);
  }

  /** Export power available at the connection point, in kW, at least 0. @param outputLimitShare  share of the rated output, 0..1 */
  exportAvailableKw(_atMs: EpochMs, outputLimitShare: number, storedKwh = this.storedKwh): number {
    this.outputLimitShare = outputLimitShare;
    return Math.min(exportCapabilityKw(this.spec, storedKwh), this.exportLimitKw());
  }

  /** Whether output control is the limiting factor of export, rather than rating, taper or connection limit. */
  override isOutputControlled(_atMs: EpochMs, outputLimitShare: number): boolean {
    const otherwiseKw = Math.min(
      exportCapabilityKw(this.spec, this.storedKwh),
      this.limits.siteExportMaxKw + this.spec.auxiliaryKw,
    );
    return this.spec.exportMaxKw * outputLimitShare < otherwiseKw;
  }

  /** Whether the battery is full (`up`) or empty, so that it cannot charge or discharge any further. */
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

  availableAsPartKw(up: boolean, outputLimitShare: number, atMs: EpochMs): number {
    const { spec } = this;
    const storedKwh = this.storedKwhAt(atMs);
    if (up) return importCapabilityKw(spec, storedKwh);
    return Math.min(exportCapabilityKw(spec, storedKwh), spec.exportMaxKw * outputLimitShare);
  }

  capabilityKw(up: boolean): number {
    return up ? importCapabilityKw(this.spec, this.storedKwh) : exportCapabilityKw(this.spec, this.storedKwh);
  }

  taperedKw(up: boolean): number {
    return up ? taperedImportKw(this.spec, this.storedKwh) : taperedExportKw(this.spec, this.storedKwh);
  }

  get hasTaper(): boolean {
    return this.spec.powerTaper !== null;
  }

  capabilityDrift(up: boolean, kw: number): CapabilityDrift {
    const { spec, storedKwh } = this;
    const storedKwhPerMs =
      cellKw(spec, kw) / MS_PER_HOUR - (spec.selfDischargePctPerDay / 100 / MS_PER_DAY) * storedKwh;
    const cap = { interceptKw: 0, slopeKwPerKwh: 0, lowKwh: 0, highKwh: 0 };
    findPowerCap(spec, up, Number.POSITIVE_INFINITY, storedKwh, storedKwhPerMs, cap);
    const fastest = Math.max(cellKw(spec, spec.importMaxKw), -cellKw(spec, -spec.exportMaxKw)) / MS_PER_HOUR;
    const distanceKwh = Math.min(cap.highKwh - storedKwh, storedKwh - cap.lowKwh);
    return { kwPerMs: cap.slopeKwPerKwh * storedKwhPerMs, validMs: distanceKwh / fastest };
  }

  /** A full battery cannot respond to one side, an empty one to the other: neither has any FCR capacity (docs/model/capability.md#fcr-capacity). */
  override get isAtFcrBound(): boolean {
    return this.isAtBound(true) || this.isAtBound(false);
  }

  fcrHeadroomKw(site: ResourceSite, { baselineKw, atMs }: FcrCapabilityQuery, up: boolean): number {
    if (this.isAtFcrBound) return 0;
    return up ? this.importAvailableKw() - baselineKw : this.gridExportAvailableKw(site, atMs) + baselineKw;
  }

  fcrHeadroomAsPartKw(up: boolean, outputLimitShare: number, atMs: EpochMs): number {
    return this.isAtFcrBound ? 0 : this.availableAsPartKw(up, outputLimitShare, atMs);
  }

  get isFcrProvider(): boolean {
    return this.spec.fcrCapable;
  }

  sustainableKw(hours: number): number {
    return sustainableKw(this.spec, this.storedKwh, hours);
  }

  override lastingKw(up: boolean, hours: number, atMs: EpochMs): number {
    if (hours === 0) return Number.POSITIVE_INFINITY;
    const { chargeEfficiency, dischargeEfficiency } = this.spec;
    const storedKwh = this.storedKwhAt(atMs);
    const kwh = up
      ? this.importEnergyAvailableKwh(storedKwh) / chargeEfficiency
      : this.exportEnergyAvailableKwh(storedKwh) * dischargeEfficiency;
    return kwh / hours;
  }

  private storedKwhAt(atMs: EpochMs): number {
    return !this.store.hasFlow && this.segments.count === 0 ? this.storedKwh : this.plannedStoredKwhAt(atMs);
  }

  private plannedStoredKwhAt(atMs: EpochMs): number {
    return this.store.hasFlow ? this.store.storedKwhAt(atMs) : this.segments.storedKwhAt(atMs);
  }

  override fcrSustainableKw({ energyTestMinutes }: FcrCapabilityQuery): number {
    return energyTestMinutes === 0 ? Number.POSITIVE_INFINITY : this.sustainableKw(energyTestMinutes / 60);
  }

  importEnergyAvailableKwh(storedKwh = this.storedKwh): number {
    return importEnergyAvailableKwh(this.spec, storedKwh);
  }

  exportEnergyAvailableKwh(storedKwh = this.storedKwh): number {
    return exportEnergyAvailableKwh(this.spec, storedKwh);
  }

  segmentAt(atMs: EpochMs, out: Segment): void {
    const { trajectory } = this;
    const k = trajectory.indexAt(atMs);
    trajectory.readSegment(k, out);
    out.limitedBy = this.limitingFactorOf(k);
    const isLimited =
      trajectory.limitedByOf(k) === LIMITING_FACTOR.socBound ||
      trajectory.limitedByOf(k) === LIMITING_FACTOR.powerLimit;
    out.deviationSign = isLimited ? -Math.sign(this.setpointKwAt(trajectory.startMsOf(k))) : 0;
  }

  /** Set-point of the cells in kW; a ramping set-point counts with its value at the start of the trajectory. */
  private setpointKwAt(atMs: EpochMs): number {
    const { targetKw } = this.store;
    return this.responseProfile === null ? targetKw : targetKw + this.responseProfile.kwAt(atMs);
  }

  private limitingFactorOf(k: number): LimitingFactor {
    const { trajectory, spec } = this;
    const limitedBy = trajectory.limitedByOf(k);
    // A taper can reduce the power to 0 before the stored energy reaches its bound: a power limit.
    if (limitedBy === LIMITING_FACTOR.socBound)
      return isAtBound(spec, trajectory.storedKwhOf(k)) ? limitedBy : LIMITING_FACTOR.powerLimit;
    if (limitedBy !== LIMITING_FACTOR.powerLimit) return limitedBy;
    if (this.outputLimitShare >= 1 || this.setpointKwAt(trajectory.startMsOf(k)) >= 0)
      return LIMITING_FACTOR.powerLimit;
    const isSteady = trajectory.slopeKwPerMsOf(k) === 0 && trajectory.expKwOf(k) === 0;
    const controlledKw = spec.exportMaxKw * this.outputLimitShare;
    const atControl = isSteady && controlledKw - SAME_KW <= trajectory.auxiliaryKw - trajectory.constKwOf(k);
    return atControl && controlledKw + SAME_KW < this.uncontrolledKw(k)
      ? LIMITING_FACTOR.outputControl
      : LIMITING_FACTOR.powerLimit;
  }

  /** Export limit in kW by taper and connection within segment k. Read inside the segment, so that on a tie taper and connection precede output control. */
  private uncontrolledKw(k: number): number {
    const { trajectory, spec, gridExportKw } = this;
    const spanMs = trajectory.endMsOf(k) - trajectory.startMsOf(k);
    const storedKwh = trajectory.storedKwhOf(k) + trajectory.storedKwhPerMsOf(k) * Math.min(spanMs / 2, 1000);
    return Math.min(gridExportKw, taperedExportKw(spec, storedKwh));
  }
}

const SAME_KW = 1e-9;

const cellKw = ({ chargeEfficiency, dischargeEfficiency }: BatterySpec, kw: number): number =>
  kw > 0 ? kw * chargeEfficiency : kw / dischargeEfficiency;

function isAtBound(spec: BatterySpec, storedKwh: number): boolean {
  return (
    storedKwh <= storedMinKwh(spec) + STORAGE_BOUND_TOLERANCE_KWH ||
    storedMaxKwh(spec) - STORAGE_BOUND_TOLERANCE_KWH <= storedKwh
  );
}
