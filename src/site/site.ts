import { assert } from "../base/assert.ts";
import { Copyable } from "../base/copyState.ts";
import type { RefusalKind } from "../base/result.ts";
import { type EpochMs, floorToHalfHour } from "../base/time.ts";
import type { FcrConfig } from "../device/frequency/frequencyResponse.ts";
import type { ResponsePath } from "../device/frequency/responsePath.ts";
import type { FrequencyResponses } from "../device/frequency/responseWindow.ts";
import type { Stepper } from "../kernel/step.ts";
import { Series } from "../series/model/series.ts";
import { withPostedSlots } from "./baseline/postedSlots.ts";
import { type PostedSlots, planValueAt, type SiteBaseline, siteBaseline, slotSeries } from "./baseline/siteBaseline.ts";
import type { Stretch } from "./components/stretch.ts";
import { OWN_PLAN, type PendingChange, type Target } from "./components/target.ts";
import { NOBODY, ownTargets } from "./composite/componentOrders.ts";
import { type AnyResponse, CompositeResponse, newResponse } from "./composite/compositeResponse.ts";
import type { CompositeUnit } from "./composite/compositeUnit.ts";
import { createUnit } from "./createUnit.ts";
import { type FcrRegisters, NO_FCR } from "./frequency/fcrRegisters.ts";
import { isReduction, reducingOrder, refusesReduction } from "./orders/demandResponse.ts";
import type { DirectOrder } from "./orders/directOrder.ts";
import { HeldOrders } from "./orders/heldOrders.ts";
import { isNews } from "./orders/isNews.ts";
import type { HeldOrder, OrderAmount, SiteOrder } from "./orders/siteOrder.ts";
import { SiteReduction } from "./orders/siteReduction.ts";
import { hasSlots, refusesOrder } from "./orders/siteRefusals.ts";
import { Telling } from "./orders/telling.ts";
import type { OutputControl, SiteMoment } from "./siteMoment.ts";
import type { SiteSettings } from "./siteSettings.ts";
import type { Period, SiteSpec } from "./siteSpec.ts";
import type { SiteStatus, SiteStatusEvent } from "./siteStatusMachine.ts";
import type { Unit } from "./unit.ts";

/**
 * One grid connection point while the world runs: what it is told, what it refuses, and the law its power follows.
 *
 * Whoever changes it calls `advance` first and `settle` at the end of the instant; in between only the state counts.
 */
export class Site extends Copyable {
  readonly index: number;
  readonly spec: SiteSpec;
  readonly unit: Unit;
  /** The scenario's, until a client registers slots. */
  baseline: SiteBaseline;
  /** The scenario's, until a client sets another. */
  fcr: FcrConfig;
  /** What clients have set; `null`: nothing. */
  settings: SiteSettings | null = null;
  private readonly own: SiteSettings;
  /** Times of load reductions that are over, oldest first; kept where somebody can ask (decisions.md 30). */
  reductions: Period[] | null = null;
  status: SiteStatus;
  /** Start of the present outage, or NaN. */
  outSinceMs = Number.NaN;
  private readonly orders = new HeldOrders();
  /** Schedules of its owner, past the VPP, that are not over; whoever takes them keeps this list. */
  readonly ownSchedules: DirectOrder[] = [];
  /** Output controls in force, oldest first. */
  outputControls: readonly OutputControl[] = [];
  /** Reasons for being out of service that hold at once (decisions.md 92). */
  outageCount = 0;
  warningCount = 0;
  linkDownCount = 0;
  /** Faults of its frequency response that hold at once; while there is one the device does not respond. */
  fcrFaultCount = 0;
  /** Up to here the law has been folded and the state is known. */
  advancedMs: EpochMs = Number.NEGATIVE_INFINITY;
  /** Set while the site waits for the end of the instant. */
  unsettled = false;
  /** Instants the world has to come back at; `Infinity` when there is none. */
  replanMs: EpochMs = Number.POSITIVE_INFINITY;
  scheduledReplanMs: EpochMs = Number.NaN;
  scheduledEffectMs: EpochMs = Number.NaN;
  /** Of the reasons for being out of service, those that were planned. */
  maintenanceCount = 0;
  readonly reduction = new SiteReduction();
  private readonly period: Period;
  private readonly delayMs: number;
  /** Whether the plant follows at once what its site is told, and keeps nothing of it. */
  readonly isPrompt: boolean;
  private readonly telling: Telling;
  private readonly statusMachine: Stepper<SiteStatus, SiteStatusEvent>;
  private readonly pending: PendingChange[] = [];
  /** What the plant follows now, and what it was told last. */
  private effective: Target = OWN_PLAN;
  private told: Target = OWN_PLAN;
  /** Filled anew for each law. */
  private readonly around: { inService: boolean; outputLimit: number; response: ResponsePath | null } = {
    inService: true,
    outputLimit: 1,
    response: null,
  };
  private readonly responses: FrequencyResponses;
  /** Made when the site is first told to respond. */
  private response: AnyResponse | null = null;

  constructor(
    index: number,
    spec: SiteSpec,
    period: { startMs: EpochMs; endMs: EpochMs },
    status: Stepper<SiteStatus, SiteStatusEvent>,
    responses: FrequencyResponses,
  ) {
    super();
    this.responses = responses;
    this.index = index;
    this.spec = spec;
    this.statusMachine = status;
    this.status = status.initial;
    this.period = period;
    this.baseline = siteBaseline(spec, period.startMs, period.endMs);
    this.fcr = spec.fcr;
    this.own = { baseline: this.baseline, fcr: spec.fcr };
    const component = spec.components[0];
    const isComposite = spec.components.length > 1;
    // Each component of several hears what it is told after its own delay.
    const delayMs = spec.link.latencyMs + ("responseDelayMs" in component ? component.responseDelayMs : 0);
    this.delayMs = isComposite ? 0 : delayMs;
    this.isPrompt = !isComposite && delayMs === 0;
    this.telling = new Telling(this.isPrompt);
    this.unit = createUnit(spec, this.baseline, period);
  }

  get inService(): boolean {
    return this.status === "in_service";
  }

  /** Share of the rated output that may be exported, 0..1. */
  get outputLimit(): number {
    let limit = 1;
    for (const control of this.outputControls) limit = Math.min(limit, control.limitPct / 100);
    return limit;
  }

  /** A change is on its way to the plant and has not taken effect. */
  get changePending(): boolean {
    return this.pending.length > 0 || (this.unit.kind === "multi_component" && this.unit.changePending);
  }

  /** When the next change on its way takes effect; `Infinity` when none is. */
  get nextEffectMs(): EpochMs {
    return this.pending.length > 0 ? this.pending[0].effectMs : Number.POSITIVE_INFINITY;
  }

  /** Carries the state to an instant. */
  advance(atMs: EpochMs): void {
    if (this.advancedMs === atMs) return;
    this.response?.close(atMs);
    this.unit.advance(atMs);
    this.advancedMs = atMs;
  }

  goOut(atMs: EpochMs): void {
    this.outageCount++;
    if (this.outageCount > 1) return;
    this.status = this.statusMachine.next(this.status, "go_out");
    this.outSinceMs = atMs;
  }

  comeBack(): void {
    assert(this.outageCount > 0, "a site comes back from an outage it was in");
    this.outageCount--;
    if (this.outageCount > 0) return;
    this.status = this.statusMachine.next(this.status, "come_back");
    this.outSinceMs = Number.NaN;
  }

  /**
   * The one door for instructions, from a VPP or from a direct call: begins an order or amends its amount.
   *
   * @returns why the site refuses, in which case nothing has changed
   */
  take(order: SiteOrder, amount: OrderAmount, baselineKw: number, atMs: EpochMs): RefusalKind | null {
    if (this.orders.disowns(order)) {
      this.orders.put(order, amount, baselineKw);
      return null;
    }
    const refusal = refusesOrder(this, order, amount, atMs);
    if (refusal !== null) return refusal;
    this.orders.put(order, amount, baselineKw);
    return null;
  }

  /**
   * What one order's frequency response has moved here, at an instant of the present law: cumulative from its first
   * taking on, so that a span is the difference of two readings. Kept after its release, to its end at least.
   */
  fcrRegisters(order: SiteOrder, atMs: EpochMs): Readonly<FcrRegisters> {
    return this.response === null ? NO_FCR : this.response.registers(order, atMs);
  }

  /** Whether an order has the plant respond to the frequency now, which it can. */
  get isResponding(): boolean {
    return (this.effective.fcr !== null || this.partResponds) && this.canRespond;
  }

  private get partResponds(): boolean {
    return this.unit.kind === "multi_component" && this.unit.hasOwnResponse;
  }

  private get canRespond(): boolean {
    return this.inService && this.fcrFaultCount === 0;
  }

  /**
   * The site's power without what its frequency response moves: what deltas are credited from (decisions.md 121). Where
   * nothing cuts the response it is one long stretch, however the frequency moves. Without an order that responds it
   * is the unit's own stretch.
   */
  stretchWithoutFcrAt(atMs: EpochMs, out: Stretch): void {
    if (this.response?.isInForce) this.response.stretchWithoutAt(atMs, out);
    else this.unit.stretchAt(atMs, out);
  }

  /**
   * One power of a battery over the whole of a period of its law, in kW; NaN where it changes, or where `stretchWithoutFcrAt`
   * has to be asked.
   */
  steadyKw(fromMs: EpochMs, toMs: EpochMs): number {
    const { unit } = this;
    return unit.kind === "battery" && this.response === null ? unit.steadyKw(fromMs, toMs) : Number.NaN;
  }

  /** Ends an order here if it is the one in force. @param endMs when what it did ended: now, or the start of the outage */
  release(order: SiteOrder, endMs: EpochMs): void {
    if (this.reductions !== null && isReduction(this.spec, this.ruling, order))
      this.reductions.push({ startMs: order.startMs, endMs });
    if (this.orders.remove(order)) this.reduction.released(endMs);
  }

  /** Takes over what clients have set, or nothing; `advance` first, `settle` after. */
  use(settings: SiteSettings | null): void {
    if (settings === this.settings) return;
    const { unit } = this;
    const { baseline, fcr } = settings ?? this.own;
    this.settings = settings;
    this.baseline = baseline;
    if (unit.kind === "consumer") unit.slotsKw = slotSeries(baseline, this.period);
    else if (unit.kind === "multi_component") unit.plan = baseline.plan;
    else if (unit.kind !== "generator") unit.usePlan(baseline.plan);
    if (fcr === this.fcr) return;
    this.fcr = fcr;
    this.response?.useWindows(this.responses.of(fcr));
  }

  /** The scenario's baseline with slots that clients registered. */
  baselineWith(posted: PostedSlots): SiteBaseline {
    return withPostedSlots(this.own.baseline, posted, this.period);
  }

  /** Takes what has become effective off the queue; `advance` first. */
  takeEffect(atMs: EpochMs): void {
    while (this.pending.length > 0 && this.pending[0].effectMs <= atMs) this.effective = this.pending.shift()!.target;
  }

  /** At the end of an instant: passes on what the site is told now and begins the new law. */
  settle(atMs: EpochMs): void {
    const { unit } = this;
    const told = this.telling.now(this.orders.ofSite, this.told, this.response !== null);
    if (unit.kind === "multi_component") this.tellParts(unit, told, atMs);
    const newReduction =
      unit.kind === "consumer" && this.reduction.settle(unit, told.deltaKw < 0, this.reducingOrder?.sku ?? null, atMs);
    if (newReduction || isNews(told, this.told, unit.kind)) this.pass(told, newReduction, atMs);
    this.replanMs = this.follow(atMs);
    this.unsettled = false;
  }

  private follow(atMs: EpochMs): EpochMs {
    this.around.inService = this.inService;
    this.around.outputLimit = this.outputLimit;
    const knownMs = this.respond(atMs);
    const replanMs = this.unit.follow(atMs, this.effective, this.around);
    if (this.response instanceof CompositeResponse) this.response.begun();
    return Math.min(replanMs, knownMs);
  }

  /** What the plant follows; `null` where it is what the site is told. */
  get followed(): Target | null {
    return this.effective === this.told ? null : this.effective;
  }

  /**
   * Makes this site what it was when one of its laws began, and plans that law again. Only for a site that stands for
   * the past of another one: no world runs it.
   */
  recall(moment: SiteMoment): void {
    this.use(moment.settings);
    this.status = moment.inService ? "in_service" : "out_of_service";
    this.outputControls = moment.outputControls;
    this.fcrFaultCount = moment.fcrFault ? 1 : 0;
    this.reduction.reducing = moment.reducing;
    this.orders.recall(moment.ruling);
    this.effective = moment.followed ?? this.telling.now(this.orders.ofSite, this.told, true);
    this.unit.recall(moment.origin, moment.atMs);
    this.follow(moment.atMs);
    this.advancedMs = moment.atMs;
  }

  /** The one order that the site executes while nothing else bears on its plant; `null` where that is not so. */
  get plainOrder(): HeldOrder | null {
    if (!this.inService || this.response !== null || this.outputControls.length > 0) return null;
    const { only } = this.orders;
    return only !== null && only.fcrKw === 0 && only.order.activation === 1 ? only : null;
  }

  /** Leaves its order to a bank of plain sites; nobody asks the site what it executes before `resume`. */
  suspend({ order }: HeldOrder): void {
    this.orders.remove(order);
  }

  /**
   * Goes on where a bank of plain sites kept it: with the order that it executes and the law that began with `storedKwh`,
   * where it has a store, or between two laws.
   */
  resume(held: HeldOrder | null, storedKwh: number, lawBeganMs: EpochMs, isUnsettled: boolean): void {
    if (held !== null) this.orders.put(held.order, held, held.baselineKw);
    if (this.unit.kind === "battery") this.unit.storedKwh = storedKwh;
    this.advancedMs = lawBeganMs;
    this.unsettled = isUnsettled;
    this.told = isUnsettled ? OWN_PLAN : this.telling.now(this.orders.ofSite, this.told, false);
    this.effective = this.told;
    if (!isUnsettled) this.follow(lawBeganMs);
  }

  /** Finds what the frequency asks from now on. @returns until when that is known */
  private respond(atMs: EpochMs): EpochMs {
    if (this.response === null && this.effective.fcr === null && !this.partResponds) return Number.POSITIVE_INFINITY;
    this.response ??= newResponse(this.unit, this.orders, this.responses.of(this.fcr), this.spec.components);
    if (this.response instanceof CompositeResponse) return this.response.begin(atMs, this.canRespond);
    this.around.response = this.response.begin(atMs, this.effective, this.canRespond);
    return this.around.response?.untilMs ?? Number.POSITIVE_INFINITY;
  }

  /** A site of several components passes on itself what it is told, as a whole and for single ones. */
  private tellParts(unit: CompositeUnit, told: Target, atMs: EpochMs): void {
    unit.outputLimit = this.outputLimit;
    const { ruling, ofSite, hasParts } = this.orders;
    const order = reducingOrder(ofSite, this.spec);
    const reduces = unit.tell(told, hasParts ? ownTargets(ruling) : NOBODY, {
      isMarketed: ofSite.some((held) => held.order.sku !== null),
      atMs,
      admits: (load, reductionKw) => {
        if (order === null) return null;
        const found = { reductionKw, atMs, hasSlots: hasSlots(this, order), reducedBy: null };
        return refusesReduction(load.spec, this.reduction, order, found);
      },
    });
    this.reduction.settle(unit, reduces, this.reducingOrder?.sku ?? null, atMs);
  }

  private pass(told: Target, newReduction: boolean, atMs: EpochMs): void {
    this.told = told;
    const releases = this.unit.kind === "consumer" && (newReduction || told.deltaKw >= 0);
    if (releases) {
      this.pending.length = 0;
      // A reduction ends at once, a response that goes on goes on as it was.
      this.effective = told.fcr === null ? OWN_PLAN : { ...told, deltaKw: 0, fcr: this.effective.fcr };
    }
    if (this.delayMs === 0) this.effective = told;
    else if (!releases || told.deltaKw < 0 || told.fcr !== null)
      this.pending.push({ effectMs: atMs + Math.ceil(this.delayMs), target: told });
  }

  /** The order whose reduction rules; there is one product at most (decisions.md 162). */
  get reducingOrder(): SiteOrder | null {
    return reducingOrder(this.orders.ruling, this.spec);
  }

  /** Whether an order in force reduces the load. */
  get isReduced(): boolean {
    return this.reducingOrder !== null;
  }

  /** What the site executes, oldest registration first. */
  get ruling(): readonly HeldOrder[] {
    return this.orders.ruling;
  }

  /** Whether an order is in force here, ruling or not. */
  holds(order: SiteOrder): boolean {
    return this.orders.holds(order);
  }

  /** The owner takes back a schedule that somebody else registered here and that has not begun. */
  disown(order: SiteOrder): void {
    this.orders.disown(order);
  }

  /** Registrations of what the owner took back, in that order. */
  get disowned(): readonly number[] {
    return this.orders.disowned;
  }

  disowns(order: Pick<SiteOrder, "registration">): boolean {
    return this.orders.disowns(order);
  }

  /** How far an order in force here may take the plant, in kW, signed; NaN where it is not in force. */
  reachKw(order: SiteOrder): number {
    return this.orders.reachKw(order);
  }

  /** Whether an order is in force here and no later one excludes it. */
  isRuledBy(order: SiteOrder): boolean {
    return this.orders.rules(order);
  }

  /** kW that orders besides one hold in a direction. */
  heldKw(except: SiteOrder, up: boolean): number {
    return this.orders.heldKw(except, up);
  }

  /** Sum of the deltas that rule, in kW; `null` without one: frequency response alone has none (decisions.md 57). */
  get dispatchedDeltaKw(): number | null {
    let toldKw: number | null = null;
    for (const { order, deltaKw } of this.orders.ruling) if (order.sku !== "fcr") toldKw = (toldKw ?? 0) + deltaKw;
    return toldKw;
  }

  /** Whether the reported baseline is that of an order, not of a slot. */
  get hasOrderBaseline(): boolean {
    return this.unit.kind !== "consumer" && this.orders.ofSite.length > 0;
  }

  /** The baseline of the oldest order for the site as a whole; of a component nobody reports one. */
  get orderBaselineKw(): number {
    return this.orders.ofSite[0].baselineKw;
  }

  /** The baseline the site reports: a consumer's slot, else that of the order in force, else its plan's slot (decisions.md 27). */
  reportedBaselineKw(atMs: EpochMs): number {
    return this.hasOrderBaseline ? this.orderBaselineKw : this.slotKwAt(atMs);
  }

  /** The registered slot or the service plan's slot at an instant; 0 where there is none. */
  slotKwAt(atMs: EpochMs): number {
    const { slots, posted } = this.baseline;
    if (posted !== undefined) {
      const slot = posted.get(floorToHalfHour(atMs));
      if (slot !== undefined) return slot.kw;
    }
    // An award that starts after the run may start after the data.
    return slots instanceof Series && slots.untilMs < atMs ? 0 : planValueAt(slots, atMs);
  }
}
