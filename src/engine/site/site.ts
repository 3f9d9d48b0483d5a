import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import type { RefusalKind } from "../../base/result.ts";
import type { EpochMs } from "../../base/time.ts";
import { LIMITING_FACTOR } from "../device/curve/limitingFactor.ts";
import type { FcrConfig } from "../device/frequency/frequencyResponse.ts";
import type { ResponseWindowRegistry } from "../device/frequency/responseWindow.ts";
import type { Stepper } from "../kernel/stepper.ts";
import { withClientSlots } from "./baseline/clientSlots.ts";
import { createSiteBaseline } from "./baseline/createSiteBaseline.ts";
import { type ClientSlots, knownPlan, type SiteBaseline, slotKwAt } from "./baseline/siteBaseline.ts";
import type { ConstantPowerBattery, LoadTerms } from "./components/capabilities.ts";
import { kindOf } from "./components/registry.ts";
import { newSegment, type Segment, segmentKwAt } from "./components/segment.ts";
import {
  newOperatingConditions,
  newSetpoint,
  type PendingSetpoint,
  PLAN_SETPOINT,
  type Setpoint,
} from "./components/setpoint.ts";
import { applyCompositeSetpoints } from "./composite/applyCompositeSetpoints.ts";
import {
  CompositeFrequencyResponse,
  createFrequencyResponse,
  type ResourceFrequencyResponse,
} from "./composite/compositeFrequencyResponse.ts";
import { type FcrRegisters, ZERO_FCR_REGISTERS } from "./frequency/fcrRegisters.ts";
import { LimitsInForce } from "./limitsInForce.ts";
import { aggregateSetpoint } from "./orders/aggregateSetpoint.ts";
import { checkOrder } from "./orders/checkOrder.ts";
import type { DirectOrder } from "./orders/directOrder.ts";
import { OrderBook } from "./orders/orderBook.ts";
import { findReductionOrder, isActiveReduction, SiteReduction } from "./orders/reductionRules.ts";
import { ScheduleList } from "./orders/scheduleList.ts";
import type { OrderAmount, OrderBookEntry, SiteOrder } from "./orders/siteOrder.ts";
import { NO_MALFUNCTIONS, type SiteMalfunctions } from "./siteMalfunctions.ts";
import { SiteRecord } from "./siteRecord.ts";
import { createResource, type SiteResource } from "./siteResource.ts";
import type { OutputControl, SiteSettings, SiteSnapshot } from "./siteSnapshot.ts";
import type { Period, RunPeriod, SiteSpec } from "./siteSpec.ts";
import type { SiteStatus, SiteStatusEvent } from "./siteStatusMachine.ts";

/**
 * A grid connection point during a run: its orders, its refusals, and the trajectory of its power.
 *
 * A caller that changes it calls `advance` first and `replan` at the end of the instant. In between, the trajectory is not
 * valid.
 */
export class Site extends Copyable {
  readonly index: number;
  readonly spec: SiteSpec;
  readonly resource: SiteResource;
  /** Of the connection point, at the present instant. */
  readonly limits: LimitsInForce;
  /** The baseline of the scenario, until a client registers slots. */
  baseline: SiteBaseline;
  /** The FCR configuration of the scenario, until a client sets another. */
  fcr: FcrConfig;
  /** `null` until a client changes a setting. */
  clientSettings: SiteSettings | null = null;
  private readonly scenarioSettings: SiteSettings;
  /** Periods of ended load reductions, oldest first; `null` in a run without API clients (docs/model/baselines.md#locked-slots). */
  pastReductions: Period[] | null = null;
  private serviceStatus: SiteStatus;
  /** Start of the current outage, or NaN. */
  outageStartMs = Number.NaN;
  readonly orderBook: OrderBook;
  readonly record: SiteRecord;
  /** Direct schedules of its owner that have not ended; maintained by `DirectOrders`. */
  readonly directSchedules = new ScheduleList<DirectOrder>();
  private controls: readonly OutputControl[] = [];
  private partialFaults: SiteMalfunctions = NO_MALFUNCTIONS;
  /** Number of simultaneous outages (docs/model/connection-point.md#overlapping-outages). */
  activeOutageCount = 0;
  activeWarningCount = 0;
  activeLinkFaultCount = 0;
  /** Number of simultaneous FCR faults; with at least one, the device does not respond. */
  activeFcrFaultCount = 0;
  /** When the trajectory must be planned again; `Infinity` if never. */
  nextReplanMs: EpochMs = Number.POSITIVE_INFINITY;
  scheduledReplanMs: EpochMs = Number.NaN;
  scheduledEffectMs: EpochMs = Number.NaN;
  /** Number of simultaneous planned outages. */
  activeMaintenanceCount = 0;
  readonly reduction = new SiteReduction();
  private readonly runPeriod: Period;
  private readonly setpointDelayMs: number;
  /** Whether the site has a single component and set-points take effect at once. */
  readonly isUndelayed: boolean;
  readonly soleLoad: LoadTerms | null;
  /** The battery of a site without other components and delays, if its power is constant between two events; else `null`. */
  readonly constantPowerBattery: ConstantPowerBattery | null;
  /** The set-point of the only order, reused for each. */
  private readonly soleSetpoint = newSetpoint();
  private readonly statusMachine: Stepper<SiteStatus, SiteStatusEvent>;
  private readonly pendingSetpoints: PendingSetpoint[] = [];
  /** The set-point in effect, and the one sent last. */
  private effectiveSetpoint: Setpoint = PLAN_SETPOINT;
  private setpoint: Setpoint = PLAN_SETPOINT;
  /** Reused for each trajectory. */
  private readonly operatingConditions = newOperatingConditions();
  private readonly segment = newSegment();
  private readonly frequencyResponses: ResponseWindowRegistry;
  /** Created with the first FCR set-point. */
  private frequencyResponse: ResourceFrequencyResponse | null = null;

  constructor(
    index: number,
    spec: SiteSpec,
    period: RunPeriod,
    status: Stepper<SiteStatus, SiteStatusEvent>,
    responses: ResponseWindowRegistry,
  ) {
    super();
    this.frequencyResponses = responses;
    this.index = index;
    this.spec = spec;
    this.statusMachine = status;
    this.serviceStatus = status.initialState;
    this.runPeriod = period;
    this.limits = new LimitsInForce(spec.constraints, spec.components, period.startMs);
    this.baseline = createSiteBaseline(spec, period);
    this.fcr = spec.fcr;
    this.scenarioSettings = { baseline: this.baseline, fcr: spec.fcr };
    const component = spec.components[0];
    const isComposite = spec.components.length > 1;
    // The components of a composite apply their own delays.
    const delayMs = spec.link.latencyMs + kindOf(component).operation.responseDelayMs(component);
    this.setpointDelayMs = isComposite ? 0 : delayMs;
    this.isUndelayed = !isComposite && delayMs === 0;
    this.soleLoad = isComposite ? null : kindOf(component).operation.loadTerms(component);
    this.resource = createResource(spec, { limits: this.limits, baseline: this.baseline, period });
    this.constantPowerBattery = this.isUndelayed ? this.resource.constantPowerBattery : null;
    this.record = new SiteRecord(spec.capability.reverseFlowAllowed, this.constantPowerBattery?.store ?? null);
    this.record.isInService = this.status === "in_service";
    this.orderBook = new OrderBook(this.record);
  }

  get status(): SiteStatus {
    return this.serviceStatus;
  }

  private set status(status: SiteStatus) {
    this.serviceStatus = status;
    this.record.isInService = status === "in_service";
  }

  get advancedToMs(): EpochMs {
    return this.record.advancedToMs;
  }

  get isReplanDue(): boolean {
    return this.record.isReplanDue;
  }

  /** Output controls in force, oldest first. */
  get outputControls(): readonly OutputControl[] {
    return this.controls;
  }

  set outputControls(controls: readonly OutputControl[]) {
    this.controls = controls;
    this.updateRestriction();
  }

  get malfunctions(): SiteMalfunctions {
    return this.partialFaults;
  }

  /** Changes the partial malfunctions. Call `advance` before and `replan` after. */
  setMalfunctions(malfunctions: SiteMalfunctions, atMs: EpochMs): void {
    const { derateShare, irradianceShare } = this.partialFaults;
    this.partialFaults = malfunctions;
    this.limits.derateShare = malfunctions.derateShare;
    if (malfunctions.irradianceShare !== irradianceShare) this.resource.shadeTo(malfunctions.irradianceShare);
    if (malfunctions.derateShare !== derateShare) this.applyLimits(atMs);
    this.updateRestriction();
  }

  private updateRestriction(): void {
    const hasLessPower = Math.min(this.partialFaults.derateShare, this.partialFaults.irradianceShare) < 1;
    this.record.isRestricted = this.controls.length > 0 || hasLessPower || this.frequencyResponse !== null;
  }

  get isInService(): boolean {
    return this.record.isInService;
  }

  /** Share of the rated output that may be exported, 0..1. */
  get outputLimitShare(): number {
    let limit = 1;
    for (const control of this.outputControls) limit = Math.min(limit, control.limitPct / 100);
    return limit;
  }

  /** Whether a set-point has been sent and has not taken effect. */
  get hasPendingChange(): boolean {
    return this.pendingSetpoints.length > 0 || this.resource.hasPendingChange;
  }

  /** When the next pending set-point takes effect; `Infinity` if there is none. */
  get nextEffectMs(): EpochMs {
    return this.pendingSetpoints.length > 0 ? this.pendingSetpoints[0].effectMs : Number.POSITIVE_INFINITY;
  }

  /** Integrates the state up to an instant. */
  advance(atMs: EpochMs): void {
    const { record } = this;
    if (record.advancedToMs === atMs) return;
    if (record.store?.hasFlow && !record.isRestricted) record.store.advanceFlow(atMs);
    else {
      this.frequencyResponse?.close(atMs);
      this.resource.advance(atMs);
    }
    record.advancedToMs = atMs;
  }

  beginOutage(atMs: EpochMs): void {
    this.activeOutageCount++;
    if (this.activeOutageCount > 1) return;
    this.status = this.statusMachine.nextState(this.status, "go_out");
    this.outageStartMs = atMs;
  }

  endOutage(): void {
    assert(this.activeOutageCount > 0, "an outage must have begun before it ends");
    this.activeOutageCount--;
    if (this.activeOutageCount > 0) return;
    this.status = this.statusMachine.nextState(this.status, "come_back");
    this.outageStartMs = Number.NaN;
  }

  /**
   * Begins an order of a VPP or a direct order, or changes its amount.
   *
   * @returns the reason for a refusal, in which case nothing has changed, or `null`
   */
  applyOrder(order: SiteOrder, amount: OrderAmount, baselineKw: number, atMs: EpochMs): RefusalKind | null {
    if (this.orderBook.isRevoked(order)) {
      this.orderBook.put(order, amount, baselineKw);
      return null;
    }
    const refusal = checkOrder(this, order, amount, atMs);
    if (refusal !== null) return refusal;
    this.orderBook.put(order, amount, baselineKw);
    return null;
  }

  /**
   * FCR registers of one order at an instant of the current trajectory. They are cumulative from the start of the order and
   * readable at least until its end.
   */
  fcrRegisters(order: SiteOrder, atMs: EpochMs): Readonly<FcrRegisters> {
    return this.frequencyResponse === null ? ZERO_FCR_REGISTERS : this.frequencyResponse.readRegisters(order, atMs);
  }

  /** Whether the plant responds to the frequency now. */
  get isResponding(): boolean {
    return (this.effectiveSetpoint.fcr !== null || this.resource.hasComponentFcr) && this.canRespond;
  }

  private get canRespond(): boolean {
    return this.isInService && this.activeFcrFaultCount === 0;
  }

  /**
   * The site's power without its frequency response, from which deltas are credited
   * (docs/model/frequency-response.md#coexisting). While no limit cuts the response, this is one segment for all frequency
   * values. Without an FCR order it is the segment of the resource.
   */
  segmentWithoutFcrAt(atMs: EpochMs, out: Segment): void {
    if (this.frequencyResponse?.isInForce) this.frequencyResponse.segmentWithoutResponseAt(atMs, out);
    else this.resource.segmentAt(atMs, out);
    if (this.partialFaults.derateShare < 1 && out.limitedBy === LIMITING_FACTOR.ramp) this.attributeToLimit(out);
  }

  /** The power of a derated site follows each step of its limit with a ramp, but the limit holds it (docs/model/sandbox.md#derate). */
  private attributeToLimit(out: Segment): void {
    const { isInstructed, baselineKw, deltaKw } = this.effectiveSetpoint;
    const kw = baselineKw + deltaKw;
    if (!isInstructed || (kw <= this.limits.siteImportMaxKw && -this.limits.siteExportMaxKw <= kw)) return;
    out.limitedBy = LIMITING_FACTOR.powerLimit;
    out.deviationSign = -Math.sign(kw);
  }

  /** Segment of the present trajectory, valid until the next call. */
  segmentAt(atMs: EpochMs): Readonly<Segment> {
    this.resource.segmentAt(atMs, this.segment);
    return this.segment;
  }

  kwAt(atMs: EpochMs): number {
    return segmentKwAt(this.segmentAt(atMs), atMs);
  }

  /** Ends an order if it is in force. @param endMs end of its effect: now, or the start of the outage */
  releaseOrder(order: SiteOrder, endMs: EpochMs): void {
    if (this.pastReductions !== null && isActiveReduction(this.spec, this.activeOrders, order))
      this.pastReductions.push({ startMs: order.startMs, endMs });
    if (this.orderBook.remove(order)) this.reduction.noteRelease(endMs);
  }

  /** Applies client settings; `null` restores the scenario's. Call `advance` before and `replan` after. */
  applySettings(settings: SiteSettings | null): void {
    if (settings === this.clientSettings) return;
    const { baseline, fcr } = settings ?? this.scenarioSettings;
    this.clientSettings = settings;
    this.baseline = baseline;
    this.resource.applyBaseline(baseline, this.runPeriod);
    if (fcr === this.fcr) return;
    this.fcr = fcr;
    this.frequencyResponse?.setWindows(this.frequencyResponses.windowsFor(fcr));
  }

  /** Applies the connection limits of an instant. Call `advance` before and `replan` after. */
  applyLimits(atMs: EpochMs): void {
    this.limits.setTo(atMs);
    this.resource.applyLimits();
  }

  /** From now on sun, wind and load are as planned; without a plan in time, as they are now. Call `advance` before and `replan` after. */
  expectInput(atMs: EpochMs): void {
    this.resource.expectInput(atMs, knownPlan(this.baseline, this.spec));
  }

  /** The scenario's baseline, overridden by slots that a client registered. */
  baselineWithClientSlots(clientSlots: ClientSlots): SiteBaseline {
    return withClientSlots(this.scenarioSettings.baseline, clientSlots, this.runPeriod);
  }

  /** Applies the pending set-points that have become effective. Call `advance` before. */
  activatePending(atMs: EpochMs): void {
    const { pendingSetpoints: pending } = this;
    while (pending.length > 0 && pending[0].effectMs <= atMs) {
      this.effectiveSetpoint = pending[0].setpoint;
      pending.shift();
    }
  }

  /** At the end of an instant: sends a changed set-point and plans the new trajectory. */
  replan(atMs: EpochMs): void {
    this.record.isReplanDue = false;
    if (this.isUndelayed && this.frequencyResponse === null) {
      const entry = this.orderBook.soleOrder;
      if (entry === null ? this.orderBook.isEmpty : entry.fcrCapacityKw === 0) return this.replanUndelayed(entry, atMs);
    }
    const { resource } = this;
    const setpoint = aggregateSetpoint(this.orderBook.siteLevelOrders);
    const { composite, load } = resource;
    if (composite !== null) applyCompositeSetpoints(this, composite, setpoint, atMs);
    const reductionReplaced =
      load !== null && this.reduction.update(load, setpoint.deltaKw < 0, this.reductionOrder?.sku ?? null, atMs);
    if (reductionReplaced || resource.isSetpointChange(setpoint, this.setpoint))
      this.applySetpoint(setpoint, reductionReplaced, atMs);
    this.nextReplanMs = this.planTrajectory(atMs);
  }

  /** `replan` for a battery of constant power with one order. @returns whether it applies */
  replanSoleBattery(atMs: EpochMs): boolean {
    const { constantPowerBattery, soleSetpoint, record } = this;
    const { order } = record;
    if (constantPowerBattery === null || order === null || !record.isInService || record.isRestricted) return false;
    const deltaKw = record.deltaKw * order.activation;
    if (!constantPowerBattery.planConstantPower(record.baselineKw + deltaKw, atMs)) return false;
    record.isReplanDue = false;
    soleSetpoint.baselineKw = record.baselineKw;
    soleSetpoint.deltaKw = deltaKw;
    this.setpoint = soleSetpoint;
    this.effectiveSetpoint = soleSetpoint;
    this.nextReplanMs = Number.POSITIVE_INFINITY;
    return true;
  }

  /** `replan` for the usual case: one component, at most one order, no frequency response and no delay. */
  private replanUndelayed(entry: OrderBookEntry | null, atMs: EpochMs): void {
    const { resource, soleSetpoint, operatingConditions } = this;
    const { load } = resource;
    if (entry !== null) {
      soleSetpoint.baselineKw = entry.baselineKw;
      soleSetpoint.deltaKw = entry.setpointCeilingKw * entry.order.activation;
    }
    if (load !== null) {
      const isReduction = entry !== null && soleSetpoint.deltaKw < 0;
      this.reduction.update(load, isReduction, this.reductionOrder?.sku ?? null, atMs);
    }
    const setpoint = entry === null ? PLAN_SETPOINT : soleSetpoint;
    this.setpoint = setpoint;
    this.effectiveSetpoint = setpoint;
    operatingConditions.inService = this.isInService;
    operatingConditions.outputLimitShare = this.outputLimitShare;
    this.nextReplanMs = resource.planTrajectory(atMs, setpoint, operatingConditions);
  }

  private planTrajectory(atMs: EpochMs): EpochMs {
    this.operatingConditions.inService = this.isInService;
    this.operatingConditions.outputLimitShare = this.outputLimitShare;
    const responseReplanMs = this.updateFrequencyResponse(atMs);
    const replanMs = this.resource.planTrajectory(atMs, this.effectiveSetpoint, this.operatingConditions);
    if (this.frequencyResponse instanceof CompositeFrequencyResponse) this.frequencyResponse.updateSetpoints();
    return Math.min(replanMs, responseReplanMs);
  }

  /** The set-point in effect while a newer one is pending; `null` otherwise. */
  get outdatedSetpoint(): Setpoint | null {
    return this.effectiveSetpoint === this.setpoint ? null : this.effectiveSetpoint;
  }

  /**
   * Restores the state at the start of an earlier trajectory, and plans that trajectory again. Only for a copy of a site that
   * no world runs.
   */
  restore(snapshot: SiteSnapshot): void {
    this.applySettings(snapshot.clientSettings);
    this.setMalfunctions(snapshot.malfunctions, snapshot.atMs);
    if (this.limits.isVariable) this.applyLimits(snapshot.atMs);
    this.status = snapshot.isInService ? "in_service" : "out_of_service";
    this.outputControls = snapshot.outputControls;
    this.activeFcrFaultCount = snapshot.hasFcrFault ? 1 : 0;
    this.reduction.reducing = snapshot.isReducing;
    this.orderBook.restore(snapshot.activeOrders);
    this.effectiveSetpoint = snapshot.outdatedSetpoint ?? aggregateSetpoint(this.orderBook.siteLevelOrders);
    this.resource.restore(snapshot.resource, snapshot.atMs);
    this.planTrajectory(snapshot.atMs);
    this.record.advancedToMs = snapshot.atMs;
  }

  /** Begins the frequency response from now on. @returns until when its profile is known */
  private updateFrequencyResponse(atMs: EpochMs): EpochMs {
    if (this.frequencyResponse === null && this.effectiveSetpoint.fcr === null && !this.resource.hasComponentFcr)
      return Number.POSITIVE_INFINITY;
    this.record.isRestricted = true;
    this.frequencyResponse ??= createFrequencyResponse(
      this.resource,
      this.orderBook,
      this.frequencyResponses.windowsFor(this.fcr),
      this.spec.components,
    );
    if (this.frequencyResponse instanceof CompositeFrequencyResponse)
      return this.frequencyResponse.begin(atMs, this.canRespond);
    this.operatingConditions.response = this.frequencyResponse.begin(atMs, this.effectiveSetpoint, this.canRespond);
    return this.operatingConditions.response?.untilMs ?? Number.POSITIVE_INFINITY;
  }

  private applySetpoint(setpoint: Setpoint, reductionReplaced: boolean, atMs: EpochMs): void {
    this.setpoint = setpoint;
    const endsReduction = this.resource.load !== null && (reductionReplaced || setpoint.deltaKw >= 0);
    if (endsReduction) {
      this.pendingSetpoints.length = 0;
      // A reduction ends without delay; an FCR set-point in effect continues.
      this.effectiveSetpoint =
        setpoint.fcr === null ? PLAN_SETPOINT : { ...setpoint, deltaKw: 0, fcr: this.effectiveSetpoint.fcr };
    }
    if (this.setpointDelayMs === 0) this.effectiveSetpoint = setpoint;
    else if (!endsReduction || setpoint.deltaKw < 0 || setpoint.fcr !== null)
      this.pendingSetpoints.push({ effectMs: atMs + Math.ceil(this.setpointDelayMs), setpoint: setpoint });
  }

  /** The order whose reduction is in force; at most one product (docs/model/consumer.md#dr-products). */
  get reductionOrder(): SiteOrder | null {
    return findReductionOrder(this.orderBook.activeOrders, this.spec);
  }

  get isLoadReduced(): boolean {
    return this.reductionOrder !== null;
  }

  /** The orders executed now, oldest registration first. */
  get activeOrders(): readonly OrderBookEntry[] {
    return this.orderBook.activeOrders;
  }

  /** Sum of the active deltas in kW; `null` if there is none: FCR alone has no delta (docs/model/members.md#delta-fields). */
  get dispatchedDeltaKw(): number | null {
    return this.orderBook.activeDeltaKw;
  }

  /** Whether the reported baseline comes from an order instead of a slot. */
  get hasOrderBaseline(): boolean {
    return (this.record.order !== null || this.orderBook.siteLevelOrders.length > 0) && this.resource.load === null;
  }

  /** The baseline of the oldest order for the whole site; baselines of component orders are not reported. */
  get orderBaselineKw(): number {
    if (this.record.order !== null) return this.record.baselineKw;
    return (this.orderBook.soleOrder ?? this.orderBook.siteLevelOrders[0]).baselineKw;
  }

  /** The reported baseline: a consumer's slot, else the baseline of the order in force, else the slot of the plan (docs/model/baselines.md#reported-baseline). */
  reportedBaselineKw(atMs: EpochMs): number {
    return this.hasOrderBaseline ? this.orderBaselineKw : this.baselineSlotKwAt(atMs);
  }

  /** The registered slot or the slot of the service plan at an instant, in kW; 0 if there is none. */
  baselineSlotKwAt(atMs: EpochMs): number {
    return slotKwAt(this.baseline, atMs);
  }
}
