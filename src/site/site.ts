import { assert } from "../base/assert.ts";
import { Copyable } from "../base/copyState.ts";
import type { RefusalKind } from "../base/result.ts";
import { type EpochMs, floorToHalfHour } from "../base/time.ts";
import type { FcrConfig } from "../device/frequency/frequencyResponse.ts";
import type { ResponseProfile } from "../device/frequency/responseProfile.ts";
import type { ResponseWindowRegistry } from "../device/frequency/responseWindow.ts";
import type { Stepper } from "../kernel/stepper.ts";
import { Series } from "../series/model/series.ts";
import { withClientSlots } from "./baseline/clientSlots.ts";
import { createSiteBaseline } from "./baseline/createSiteBaseline.ts";
import { type ClientSlots, planKwAt, type SiteBaseline } from "./baseline/siteBaseline.ts";
import { kindOf } from "./components/registry.ts";
import type { Segment } from "./components/segment.ts";
import { type PendingSetpoint, PLAN_SETPOINT, type Setpoint } from "./components/setpoint.ts";
import { componentSetpoints, NO_COMPONENT_SETPOINTS } from "./composite/componentSetpoints.ts";
import {
  CompositeFrequencyResponse,
  createFrequencyResponse,
  type ResourceFrequencyResponse,
} from "./composite/compositeFrequencyResponse.ts";
import type { CompositeResource } from "./composite/compositeResource.ts";
import { createResource } from "./createResource.ts";
import { type FcrRegisters, ZERO_FCR_REGISTERS } from "./frequency/fcrRegisters.ts";
import { checkOrder, hasBaselineSlots } from "./orders/checkOrder.ts";
import type { DirectOrder } from "./orders/directOrder.ts";
import { OrderBook } from "./orders/orderBook.ts";
import { checkReduction, findReductionOrder, isActiveReduction } from "./orders/reductionRules.ts";
import { SetpointAggregation } from "./orders/setpointAggregation.ts";
import type { OrderAmount, OrderBookEntry, SiteOrder } from "./orders/siteOrder.ts";
import { SiteReduction } from "./orders/siteReduction.ts";
import type { SiteResource } from "./siteResource.ts";
import type { SiteSettings } from "./siteSettings.ts";
import type { OutputControl, SiteSnapshot } from "./siteSnapshot.ts";
import type { Period, SiteSpec } from "./siteSpec.ts";
import type { SiteStatus, SiteStatusEvent } from "./siteStatusMachine.ts";

/**
 * One grid connection point while the world runs: what it is told, what it refuses, and the law its power follows.
 *
 * Whoever changes it calls `advance` first and `settle` at the end of the instant; in between only the state counts.
 */
export class Site extends Copyable {
  readonly index: number;
  readonly spec: SiteSpec;
  readonly resource: SiteResource;
  /** The scenario's, until a client registers slots. */
  baseline: SiteBaseline;
  /** The scenario's, until a client sets another. */
  fcr: FcrConfig;
  /** What clients have set; `null`: nothing. */
  clientSettings: SiteSettings | null = null;
  private readonly scenarioSettings: SiteSettings;
  /** Times of load reductions that are over, oldest first; kept where somebody can ask (docs/model/baselines.md#locked-slots). */
  pastReductions: Period[] | null = null;
  status: SiteStatus;
  /** Start of the present outage, or NaN. */
  outageStartMs = Number.NaN;
  private readonly orderBook = new OrderBook();
  /** Schedules of its owner, past the VPP, that are not over; whoever takes them keeps this list. */
  readonly directSchedules: DirectOrder[] = [];
  /** Output controls in force, oldest first. */
  outputControls: readonly OutputControl[] = [];
  /** Reasons for being out of service that hold at once (docs/model/connection-point.md#overlapping-outages). */
  activeOutageCount = 0;
  activeWarningCount = 0;
  activeLinkFaultCount = 0;
  /** Faults of its frequency response that hold at once; while there is one the device does not respond. */
  activeFcrFaultCount = 0;
  /** Up to here the law has been folded and the state is known. */
  advancedToMs: EpochMs = Number.NEGATIVE_INFINITY;
  /** Set while the site waits for the end of the instant. */
  isReplanDue = false;
  /** Instants the world has to come back at; `Infinity` when there is none. */
  nextReplanMs: EpochMs = Number.POSITIVE_INFINITY;
  scheduledReplanMs: EpochMs = Number.NaN;
  scheduledEffectMs: EpochMs = Number.NaN;
  /** Of the reasons for being out of service, those that were planned. */
  activeMaintenanceCount = 0;
  readonly reduction = new SiteReduction();
  private readonly runPeriod: Period;
  private readonly setpointDelayMs: number;
  /** Whether the plant follows at once what its site is told, and keeps nothing of it. */
  readonly isUndelayed: boolean;
  private readonly setpointAggregation: SetpointAggregation;
  private readonly statusMachine: Stepper<SiteStatus, SiteStatusEvent>;
  private readonly pendingSetpoints: PendingSetpoint[] = [];
  /** What the plant follows now, and what it was told last. */
  private effectiveSetpoint: Setpoint = PLAN_SETPOINT;
  private setpoint: Setpoint = PLAN_SETPOINT;
  /** Filled anew for each law. */
  private readonly operatingConditions: { inService: boolean; outputLimit: number; response: ResponseProfile | null } =
    {
      inService: true,
      outputLimit: 1,
      response: null,
    };
  private readonly frequencyResponses: ResponseWindowRegistry;
  /** Made when the site is first told to respond. */
  private frequencyResponse: ResourceFrequencyResponse | null = null;

  constructor(
    index: number,
    spec: SiteSpec,
    period: { startMs: EpochMs; endMs: EpochMs },
    status: Stepper<SiteStatus, SiteStatusEvent>,
    responses: ResponseWindowRegistry,
  ) {
    super();
    this.frequencyResponses = responses;
    this.index = index;
    this.spec = spec;
    this.statusMachine = status;
    this.status = status.initialState;
    this.runPeriod = period;
    this.baseline = createSiteBaseline(spec, period.startMs, period.endMs);
    this.fcr = spec.fcr;
    this.scenarioSettings = { baseline: this.baseline, fcr: spec.fcr };
    const component = spec.components[0];
    const isComposite = spec.components.length > 1;
    // Each component of several hears what it is told after its own delay.
    const delayMs = spec.link.latencyMs + kindOf(component).operation.responseDelayMs(component);
    this.setpointDelayMs = isComposite ? 0 : delayMs;
    this.isUndelayed = !isComposite && delayMs === 0;
    this.setpointAggregation = new SetpointAggregation(this.isUndelayed);
    this.resource = createResource(spec, { baseline: this.baseline, period });
  }

  get isInService(): boolean {
    return this.status === "in_service";
  }

  /** Share of the rated output that may be exported, 0..1. */
  get outputLimit(): number {
    let limit = 1;
    for (const control of this.outputControls) limit = Math.min(limit, control.limitPct / 100);
    return limit;
  }

  /** A change is on its way to the plant and has not taken effect. */
  get hasPendingChange(): boolean {
    return this.pendingSetpoints.length > 0 || this.resource.hasPendingChange;
  }

  /** When the next change on its way takes effect; `Infinity` when none is. */
  get nextEffectMs(): EpochMs {
    return this.pendingSetpoints.length > 0 ? this.pendingSetpoints[0].effectMs : Number.POSITIVE_INFINITY;
  }

  /** Carries the state to an instant. */
  advance(atMs: EpochMs): void {
    if (this.advancedToMs === atMs) return;
    this.frequencyResponse?.close(atMs);
    this.resource.advance(atMs);
    this.advancedToMs = atMs;
  }

  beginOutage(atMs: EpochMs): void {
    this.activeOutageCount++;
    if (this.activeOutageCount > 1) return;
    this.status = this.statusMachine.nextState(this.status, "go_out");
    this.outageStartMs = atMs;
  }

  endOutage(): void {
    assert(this.activeOutageCount > 0, "a site comes back from an outage it was in");
    this.activeOutageCount--;
    if (this.activeOutageCount > 0) return;
    this.status = this.statusMachine.nextState(this.status, "come_back");
    this.outageStartMs = Number.NaN;
  }

  /**
   * The one door for instructions, from a VPP or from a direct call: begins an order or amends its amount.
   *
   * @returns why the site refuses, in which case nothing has changed
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
   * What one order's frequency response has moved here, at an instant of the present law: cumulative from its first
   * taking on, so that a span is the difference of two readings. Kept after its release, to its end at least.
   */
  fcrRegisters(order: SiteOrder, atMs: EpochMs): Readonly<FcrRegisters> {
    return this.frequencyResponse === null ? ZERO_FCR_REGISTERS : this.frequencyResponse.readRegisters(order, atMs);
  }

  /** Whether an order has the plant respond to the frequency now, which it can. */
  get isResponding(): boolean {
    return (this.effectiveSetpoint.fcr !== null || this.resource.hasComponentFcr) && this.canRespond;
  }

  private get canRespond(): boolean {
    return this.isInService && this.activeFcrFaultCount === 0;
  }

  /**
   * The site's power without what its frequency response moves: what deltas are credited from (docs/model/frequency-response.md#coexisting). Where
   * nothing cuts the response it is one long stretch, however the frequency moves. Without an order that responds it
   * is the unit's own stretch.
   */
  segmentWithoutFcrAt(atMs: EpochMs, out: Segment): void {
    if (this.frequencyResponse?.isInForce) this.frequencyResponse.segmentWithoutResponseAt(atMs, out);
    else this.resource.segmentAt(atMs, out);
  }

  /**
   * One power of a battery over the whole of a period of its law, in kW; NaN where it changes, or where `segmentWithoutFcrAt`
   * has to be asked.
   */
  constantKw(fromMs: EpochMs, toMs: EpochMs): number {
    return this.frequencyResponse === null ? this.resource.constantKw(fromMs, toMs) : Number.NaN;
  }

  /** Ends an order here if it is the one in force. @param endMs when what it did ended: now, or the start of the outage */
  releaseOrder(order: SiteOrder, endMs: EpochMs): void {
    if (this.pastReductions !== null && isActiveReduction(this.spec, this.activeOrders, order))
      this.pastReductions.push({ startMs: order.startMs, endMs });
    if (this.orderBook.remove(order)) this.reduction.noteRelease(endMs);
  }

  /** Takes over what clients have set, or nothing; `advance` first, `settle` after. */
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

  /** The scenario's baseline with slots that clients registered. */
  baselineWithClientSlots(posted: ClientSlots): SiteBaseline {
    return withClientSlots(this.scenarioSettings.baseline, posted, this.runPeriod);
  }

  /** Takes what has become effective off the queue; `advance` first. */
  activatePending(atMs: EpochMs): void {
    while (this.pendingSetpoints.length > 0 && this.pendingSetpoints[0].effectMs <= atMs)
      this.effectiveSetpoint = this.pendingSetpoints.shift()!.setpoint;
  }

  /** At the end of an instant: passes on what the site is told now and begins the new law. */
  replan(atMs: EpochMs): void {
    const { resource: unit } = this;
    const told = this.setpointAggregation.aggregate(
      this.orderBook.siteLevelOrders,
      this.setpoint,
      this.frequencyResponse !== null,
    );
    const { composite, load } = unit;
    if (composite !== null) this.applyComponentSetpoints(composite, told, atMs);
    const newReduction =
      load !== null && this.reduction.update(load, told.deltaKw < 0, this.reductionOrder?.sku ?? null, atMs);
    if (newReduction || unit.isSetpointChange(told, this.setpoint)) this.applySetpoint(told, newReduction, atMs);
    this.nextReplanMs = this.planTrajectory(atMs);
    this.isReplanDue = false;
  }

  private planTrajectory(atMs: EpochMs): EpochMs {
    this.operatingConditions.inService = this.isInService;
    this.operatingConditions.outputLimit = this.outputLimit;
    const knownMs = this.updateFrequencyResponse(atMs);
    const replanMs = this.resource.planTrajectory(atMs, this.effectiveSetpoint, this.operatingConditions);
    if (this.frequencyResponse instanceof CompositeFrequencyResponse) this.frequencyResponse.updateSetpoints();
    return Math.min(replanMs, knownMs);
  }

  /** What the plant follows; `null` where it is what the site is told. */
  get outdatedSetpoint(): Setpoint | null {
    return this.effectiveSetpoint === this.setpoint ? null : this.effectiveSetpoint;
  }

  /**
   * Makes this site what it was when one of its laws began, and plans that law again. Only for a site that stands for
   * the past of another one: no world runs it.
   */
  restore(moment: SiteSnapshot): void {
    this.applySettings(moment.clientSettings);
    this.status = moment.isInService ? "in_service" : "out_of_service";
    this.outputControls = moment.outputControls;
    this.activeFcrFaultCount = moment.hasFcrFault ? 1 : 0;
    this.reduction.reducing = moment.isReducing;
    this.orderBook.restore(moment.activeOrders);
    this.effectiveSetpoint =
      moment.outdatedSetpoint ??
      this.setpointAggregation.aggregate(this.orderBook.siteLevelOrders, this.setpoint, true);
    this.resource.restore(moment.resource, moment.atMs);
    this.planTrajectory(moment.atMs);
    this.advancedToMs = moment.atMs;
  }

  /** The one order that the site executes while nothing else bears on its plant; `null` where that is not so. */
  get batchableOrder(): OrderBookEntry | null {
    if (!this.isInService || this.frequencyResponse !== null || this.outputControls.length > 0) return null;
    const { soleOrder: only } = this.orderBook;
    return only !== null && only.fcrCapacityKw === 0 && only.order.activation === 1 ? only : null;
  }

  /** Leaves its order to a bank of plain sites; nobody asks the site what it executes before `resume`. */
  handOverToBatch({ order }: OrderBookEntry): void {
    this.orderBook.remove(order);
  }

  /**
   * Goes on where a bank of plain sites kept it: with the order that it executes and the law that began with `storedKwh`,
   * where it has a store, or between two laws.
   */
  resumeFromBatch(held: OrderBookEntry | null, storedKwh: number, lawBeganMs: EpochMs, isUnsettled: boolean): void {
    if (held !== null) this.orderBook.put(held.order, held, held.baselineKw);
    const { batchBattery } = this.resource;
    if (batchBattery !== null) batchBattery.storedKwh = storedKwh;
    this.advancedToMs = lawBeganMs;
    this.isReplanDue = isUnsettled;
    this.setpoint = isUnsettled
      ? PLAN_SETPOINT
      : this.setpointAggregation.aggregate(this.orderBook.siteLevelOrders, this.setpoint, false);
    this.effectiveSetpoint = this.setpoint;
    if (!isUnsettled) this.planTrajectory(lawBeganMs);
  }

  /** Finds what the frequency asks from now on. @returns until when that is known */
  private updateFrequencyResponse(atMs: EpochMs): EpochMs {
    if (this.frequencyResponse === null && this.effectiveSetpoint.fcr === null && !this.resource.hasComponentFcr)
      return Number.POSITIVE_INFINITY;
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

  /** A site of several components passes on itself what it is told, as a whole and for single ones. */
  private applyComponentSetpoints(unit: CompositeResource, told: Setpoint, atMs: EpochMs): void {
    unit.outputLimit = this.outputLimit;
    const { activeOrders: ruling, siteLevelOrders: ofSite, hasActiveComponentOrders: hasParts } = this.orderBook;
    const order = findReductionOrder(ofSite, this.spec);
    const reduces = unit.applySetpoint(told, hasParts ? componentSetpoints(ruling) : NO_COMPONENT_SETPOINTS, {
      isMarketed: ofSite.some((held) => held.order.sku !== null),
      atMs,
      checkReduction: (load, reductionKw) => {
        if (order === null) return null;
        const found = {
          reductionKw,
          atMs,
          hasBaselineSlots: hasBaselineSlots(this, order),
          activeReductionOrder: null,
        };
        return checkReduction(load.spec, this.reduction, order, found);
      },
    });
    this.reduction.update(unit, reduces, this.reductionOrder?.sku ?? null, atMs);
  }

  private applySetpoint(told: Setpoint, newReduction: boolean, atMs: EpochMs): void {
    this.setpoint = told;
    const releases = this.resource.load !== null && (newReduction || told.deltaKw >= 0);
    if (releases) {
      this.pendingSetpoints.length = 0;
      // A reduction ends at once, a response that goes on goes on as it was.
      this.effectiveSetpoint =
        told.fcr === null ? PLAN_SETPOINT : { ...told, deltaKw: 0, fcr: this.effectiveSetpoint.fcr };
    }
    if (this.setpointDelayMs === 0) this.effectiveSetpoint = told;
    else if (!releases || told.deltaKw < 0 || told.fcr !== null)
      this.pendingSetpoints.push({ effectMs: atMs + Math.ceil(this.setpointDelayMs), setpoint: told });
  }

  /** The order whose reduction rules; there is one product at most (docs/model/consumer.md#dr-products). */
  get reductionOrder(): SiteOrder | null {
    return findReductionOrder(this.orderBook.activeOrders, this.spec);
  }

  /** Whether an order in force reduces the load. */
  get isLoadReduced(): boolean {
    return this.reductionOrder !== null;
  }

  /** What the site executes, oldest registration first. */
  get activeOrders(): readonly OrderBookEntry[] {
    return this.orderBook.activeOrders;
  }

  /** Whether an order is in force here, ruling or not. */
  hasOrder(order: SiteOrder): boolean {
    return this.orderBook.hasOrder(order);
  }

  /** The owner takes back a schedule that somebody else registered here and that has not begun. */
  revokeOrder(order: SiteOrder): void {
    this.orderBook.revoke(order);
  }

  /** Registrations of what the owner took back, in that order. */
  get revokedRegistrations(): readonly number[] {
    return this.orderBook.revokedRegistrations;
  }

  isRevoked(order: Pick<SiteOrder, "registration">): boolean {
    return this.orderBook.isRevoked(order);
  }

  /** How far an order in force here may take the plant, in kW, signed; NaN where it is not in force. */
  setpointCeilingKw(order: SiteOrder): number {
    return this.orderBook.setpointCeilingKw(order);
  }

  /** Whether an order is in force here and no later one excludes it. */
  isOrderActive(order: SiteOrder): boolean {
    return this.orderBook.isActive(order);
  }

  /** kW that orders besides one hold in a direction. */
  reservedKw(except: SiteOrder, up: boolean): number {
    return this.orderBook.reservedKw(except, up);
  }

  /** Sum of the deltas that rule, in kW; `null` without one: frequency response alone has none (docs/model/members.md#delta-fields). */
  get dispatchedDeltaKw(): number | null {
    let toldKw: number | null = null;
    for (const { order, deltaKw } of this.orderBook.activeOrders)
      if (order.sku !== "fcr") toldKw = (toldKw ?? 0) + deltaKw;
    return toldKw;
  }

  /** Whether the reported baseline is that of an order, not of a slot. */
  get hasOrderBaseline(): boolean {
    return this.resource.load === null && this.orderBook.siteLevelOrders.length > 0;
  }

  /** The baseline of the oldest order for the site as a whole; of a component nobody reports one. */
  get orderBaselineKw(): number {
    return this.orderBook.siteLevelOrders[0].baselineKw;
  }

  /** The baseline the site reports: a consumer's slot, else that of the order in force, else its plan's slot (docs/model/baselines.md#reported-baseline). */
  reportedBaselineKw(atMs: EpochMs): number {
    return this.hasOrderBaseline ? this.orderBaselineKw : this.baselineSlotKwAt(atMs);
  }

  /** The registered slot or the service plan's slot at an instant; 0 where there is none. */
  baselineSlotKwAt(atMs: EpochMs): number {
    const { slotsKw: slots, clientSlots: posted } = this.baseline;
    if (posted !== undefined) {
      const slot = posted.get(floorToHalfHour(atMs));
      if (slot !== undefined) return slot.kw;
    }
    // An award that starts after the run may start after the data.
    return slots instanceof Series && slots.untilMs < atMs ? 0 : planKwAt(slots, atMs);
  }
}
