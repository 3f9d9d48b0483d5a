import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import { hexId } from "../../base/ids.ts";
import { accepted, type RefusalKind, type Result, refused } from "../../base/result.ts";
import { roundKw } from "../../base/rounding.ts";
import { type EpochMs, MS_PER_MINUTE, MS_PER_SECOND } from "../../base/time.ts";
import type { LoadTerms } from "../site/components/capabilities.ts";
import { findTargetConsumer } from "../site/orders/checkOrder.ts";
import { DirectOrder, type DirectRequest, toOrderAmount } from "../site/orders/directOrder.ts";
import {
  checkRemainingPieces,
  type OverlapPlan,
  resolveOverlap,
  schedulesAtEnds,
} from "../site/orders/scheduleOverlap.ts";
import { areMutuallyExclusive, type SiteOrder } from "../site/orders/siteOrder.ts";
import type { Site } from "../site/site.ts";
import type { Instruction } from "../vpp/instructions/instruction.ts";
import type { EndedSchedule, Vpp } from "../vpp/vpp.ts";
import { EVENT_KIND, RANK } from "./ranks.ts";
import type { WorldContext } from "./worldContext.ts";
import type { ScenarioEvent } from "./worldSpec.ts";

/** The change that a new schedule makes to an existing direct schedule; a deleted one is listed with its former times. */
interface AffectedDirectOrder {
  readonly order: DirectOrder;
  readonly action: "created" | "split" | "deleted";
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** A refusal by the site itself; the caller adds the message. */
interface SiteRefusal {
  readonly ok: false;
  readonly kind: RefusalKind;
  /** End of the reduction whose cooldown is the reason, if it is. */
  readonly endMs: PlannedReductionRefusal["endMs"];
}

export interface AcceptedDirectOrder {
  readonly order: DirectOrder;
  /** Whether it took over the id of a schedule with the same period. */
  readonly hasInheritedId: boolean;
  readonly affected: readonly AffectedDirectOrder[];
}

/**
 * Orders that owners send to their own sites, bypassing the VPP. At the site the latest registration takes precedence; the
 * VPP is not notified (docs/model/overlap.md#direct-calls).
 */
export class DirectOrders extends Copyable {
  private readonly context: WorldContext;
  private readonly seed: number;
  /** Indexed by the `subject` of their events. */
  private readonly orders: DirectOrder[] = [];
  /** Number of accepted orders by site index; ids are derived from it. */
  private readonly serials = new Map<number, number>();
  /** Ended schedules by site index and id, except those that never started. */
  private readonly endedSchedules = new Map<number, Map<string, DirectOrder>>();

  constructor(context: WorldContext, seed: number) {
    super();
    this.context = context;
    this.seed = seed;
  }

  /** Whether any direct order was ever registered. */
  get hasOrders(): boolean {
    return this.orders.length > 0;
  }

  /** Registers a schedule of a scenario event. A schedule whose period has begun starts at once; one that is over is ignored. */
  register(event: ScenarioEvent & { readonly kind: "direct_schedule" }): void {
    const startMs = Math.max(event.startMs, this.context.nowMs);
    if (event.endMs <= startMs) return;
    const request = { ...SCENARIO_REQUEST_DEFAULTS, startMs, endMs: event.endMs, deltaKw: roundKw(event.deltaKw) };
    this.addPending(this.createOrder(this.context.sites[event.site], request, null));
  }

  /**
   * Registers a schedule and resolves its overlap with the site's other direct schedules, all or nothing
   * (docs/model/overlap.md#shortest-piece, docs/model/overlap.md#resolution). Reasons that would make the site refuse its
   * start are reported now, as far as they can be determined.
   */
  registerSchedule(site: Site, request: DirectRequest): Result<AcceptedDirectOrder> | SiteRefusal {
    const planned = checkPlannedReduction(site, request);
    if (planned !== null) return { ok: false, ...planned };
    const added = { ...request, componentId: componentOf(site, request) };
    const overlap = resolveOverlap(site.directSchedules.overlapping(added.startMs, added.endMs), added);
    if (!overlap.ok) return overlap;
    const ofVpps = memberSchedulesAtEnds(this.context.vpps, site, added);
    const pieceRefusal = checkRemainingPieces([...ofVpps, ...schedulesAtEnds(site.directSchedules, added)], added);
    if (pieceRefusal !== null) return refused(pieceRefusal);
    const { inheritedFrom } = overlap.value;
    const order = this.createOrder(site, request, inheritedFrom?.scheduleId ?? null);
    const affected = this.applyOverlap(site, overlap.value);
    this.addPending(
      order,
      affected.map((change) => change.order),
    );
    return accepted({ order, hasInheritedId: inheritedFrom !== null, affected });
  }

  /** Begins an immediate instruction, or returns the site's refusal. */
  beginImmediate(site: Site, request: DirectRequest): Result<DirectOrder> | SiteRefusal {
    const order = this.createOrder(site, request, null);
    const refusal = this.applyOrder(site, order);
    if (refusal !== null) return { ok: false, kind: refusal, endMs: site.reduction.endedMs };
    const number = this.assignNumber(order);
    this.context.kernel.schedule(order.endMs, RANK.end, EVENT_KIND.directOrderEnd, number);
    this.reportOrder(order, "starts");
    return accepted(order);
  }

  /**
   * Removes a schedule that starts in 1 minute or later, counted in whole seconds (docs/model/time.md#deletable,
   * docs/model/time.md#floor-to-tenths). Of a VPP's schedule only this site's share is removed; the VPP is not notified
   * (VPP API, "What the service does" 7).
   */
  removeSchedule(site: Site, scheduleId: string): Result<{ readonly scheduleId: string }> {
    const { vpps } = this.context;
    const nowMs = Math.floor(this.context.nowMs / MS_PER_SECOND) * MS_PER_SECOND;
    const own = site.directSchedules.find(scheduleId);
    const found = own ?? findMemberSchedule(vpps, site, scheduleId);
    if (found !== undefined && MS_PER_MINUTE <= found.startMs - nowMs) {
      if (own === undefined) this.revokeSchedule(site, found);
      else {
        site.directSchedules.remove(own);
        this.reportOrder(own, "deleted");
      }
      return accepted({ scheduleId });
    }
    const startMs =
      (found ?? this.endedSchedules.get(site.index)?.get(scheduleId))?.startMs ??
      endedMemberScheduleStartMs(vpps, site, scheduleId);
    if (startMs === undefined) {
      const details = `The EMS has no schedule ${scheduleId}`;
      return refused({ kind: "schedule_not_found", details, scheduleId });
    }
    const state = found === undefined ? "completed" : startMs <= nowMs ? "running" : "within 1 minute of its start";
    return refused({
      kind: "schedule_not_deletable",
      details: `The schedule is ${state}; one that starts in 1 minute or later can be deleted`,
      scheduleId,
      startMs,
      currentMs: nowMs,
    });
  }

  /** A direct schedule of a site that waits, runs or was executed. */
  findSchedule(site: Site, scheduleId: string): DirectOrder | undefined {
    return site.directSchedules.find(scheduleId) ?? this.endedSchedules.get(site.index)?.get(scheduleId);
  }

  /** Direct schedules that started and have ended, by end; also those that another order superseded while they ran. */
  pastSchedules(site: Site): Iterable<DirectOrder> {
    return this.endedSchedules.get(site.index)?.values() ?? [];
  }

  private revokeSchedule(site: Site, order: SiteOrder & { readonly scheduleId: string }): void {
    site.orderBook.revoke(order);
    const text = `${order.scheduleId} of its VPP, deleted`;
    this.context.observer.onRunEvent("direct_schedule", site.spec.name, text, this.context.nowMs, [order.scheduleId]);
  }

  private createOrder(site: Site, request: DirectRequest, inheritedId: string | null): DirectOrder {
    const serial = this.serials.get(site.index) ?? 0;
    this.serials.set(site.index, serial + 1);
    return new DirectOrder(request, {
      site: site.index,
      scheduleId: inheritedId ?? hexId(`${this.seed}:${site.spec.emsId}:direct:${serial}`),
      createdMs: this.context.nowMs,
      registration: this.context.nextRegistration(),
      componentId: componentOf(site, request),
    });
  }

  private assignNumber(order: DirectOrder): number {
    order.orderNumber = this.orders.push(order) - 1;
    return order.orderNumber;
  }

  /** @param affected  other schedules that it changes */
  private addPending(order: DirectOrder, affected: readonly DirectOrder[] = []): void {
    const number = this.assignNumber(order);
    this.context.sites[order.site].directSchedules.add(order);
    this.context.kernel.schedule(order.startMs, RANK.start, EVENT_KIND.directOrderStart, number);
    this.context.kernel.schedule(order.endMs, RANK.end, EVENT_KIND.directOrderEnd, number);
    this.reportOrder(order, "registered", affected);
  }

  private applyOverlap(site: Site, { inheritedFrom, deleted, cuts }: OverlapPlan<DirectOrder>): AffectedDirectOrder[] {
    const affected: AffectedDirectOrder[] = [];
    for (const old of inheritedFrom === null ? deleted : [inheritedFrom, ...deleted]) {
      site.directSchedules.remove(old);
      const { startMs, endMs } = old;
      if (old !== inheritedFrom) affected.push({ order: old, action: "deleted", startMs, endMs });
    }
    for (const { schedule: old, front, rear } of cuts) {
      if (front !== null && rear !== null) {
        const rest = this.createRearPiece(site, old, rear);
        this.addPending(rest);
        affected.push({ order: rest, action: "created", ...rear });
      }
      const piece = front ?? rear;
      assert(piece !== null, "a cut leaves at least one piece");
      site.directSchedules.changePeriod(old, piece);
      affected.push({ order: old, action: "split", ...piece });
      const { orderNumber: number } = old;
      if (front === null) this.context.kernel.schedule(old.startMs, RANK.start, EVENT_KIND.directOrderStart, number);
      else this.context.kernel.schedule(old.endMs, RANK.end, EVENT_KIND.directOrderEnd, number);
    }
    return affected;
  }

  /** The part after a cut, as a schedule of its own with the registration number of its parent. */
  private createRearPiece(
    site: Site,
    old: DirectOrder,
    rear: { readonly startMs: EpochMs; readonly endMs: EpochMs },
  ): DirectOrder {
    const { scheduleId } = this.createOrder(site, old.request, null);
    const { createdMs, registration, componentId } = old;
    const given = { site: site.index, scheduleId, createdMs, registration, componentId };
    return new DirectOrder({ ...old.request, ...rear }, given);
  }

  start(number: number): void {
    const order = this.orders[number];
    const site = this.context.sites[order.site];
    // Another schedule may have deleted it or moved its start.
    if (order.startMs !== this.context.nowMs || !site.directSchedules.has(order)) return;
    const refusal = this.applyOrder(site, order);
    // A schedule that the site refused to start is removed.
    if (refusal !== null) site.directSchedules.remove(order);
    this.reportOrder(order, refusal === null ? "starts" : `refused: ${refusal}`);
  }

  private applyOrder(site: Site, order: DirectOrder): RefusalKind | null {
    const { nowMs } = this.context;
    this.context.beginSiteChange(site);
    const slotKw = order.componentId === null ? roundKw(site.baselineSlotKwAt(nowMs)) : 0;
    const baselineKw = order.request.baselineKw ?? slotKw;
    return site.applyOrder(order, toOrderAmount(order.request, baselineKw), baselineKw, nowMs);
  }

  end(number: number): void {
    const order = this.orders[number];
    const site = this.context.sites[order.site];
    const isSchedule = order.request.kind === "schedule";
    if (order.endMs !== this.context.nowMs || (isSchedule && !site.directSchedules.has(order))) return;
    if (isSchedule) {
      site.directSchedules.remove(order);
      const ended = this.endedSchedules.get(site.index);
      if (ended === undefined) this.endedSchedules.set(site.index, new Map([[order.scheduleId, order]]));
      else ended.set(order.scheduleId, order);
    }
    if (!site.orderBook.hasOrder(order)) return;
    this.context.beginSiteChange(site);
    site.releaseOrder(order, this.context.nowMs);
    this.reportOrder(order, "ends");
  }

  private reportOrder(order: DirectOrder, what: string, affected: readonly DirectOrder[] = []): void {
    const { deltaKw, siteKw, fcrKw } = order.request;
    const parts = [
      ...(deltaKw === null ? [] : [`${deltaKw} kW`]),
      ...(siteKw === null ? [] : [`${siteKw} kW at the site`]),
      ...(fcrKw === null ? [] : [`${fcrKw} kW of FCR capacity`]),
    ];
    const { name } = this.context.sites[order.site].spec;
    const detail = `${parts.join(" and ")}, ${what}`;
    const ids = [order, ...affected].map(({ scheduleId }) => scheduleId);
    this.context.observer.onRunEvent("direct_schedule", name, detail, this.context.nowMs, ids);
  }
}

/** Fields that direct schedules of a scenario cannot set. */
const SCENARIO_REQUEST_DEFAULTS = {
  kind: "schedule",
  sku: null,
  siteKw: null,
  fcrKw: null,
  compoundBreakdown: null,
  baselineKw: null,
  componentId: null,
  overwrites: "colliding",
} as const;

/** The component that a request addresses; `null` at a site with one component. */
const componentOf = ({ spec }: Site, { componentId }: DirectRequest): string | null =>
  spec.components.length > 1 ? componentId : null;

/** The VPP schedules of a site around the start and the end of a new schedule, without those that its owner revoked. */
const memberSchedulesAtEnds = (
  vpps: readonly Vpp[],
  site: Site,
  added: { readonly startMs: EpochMs; readonly endMs: EpochMs },
): Instruction[] =>
  vpps.flatMap((vpp) => schedulesAtEnds(vpp, added).filter((instruction) => isForSite(instruction, vpp, site)));

/** A pending or running VPP schedule of a site, unless its owner revoked it. */
function findMemberSchedule(vpps: readonly Vpp[], site: Site, scheduleId: string): Instruction | undefined {
  for (const vpp of vpps) {
    const found = vpp.findSchedule(scheduleId);
    if (found !== undefined && isForSite(found, vpp, site)) return found;
  }
  return undefined;
}

/** A pending schedule is for the members of the present, a running one for those of its start. */
const isForSite = (instruction: Instruction, vpp: Vpp, site: Site): boolean =>
  !site.orderBook.isRevoked(instruction) &&
  (vpp.pendingSchedules.has(instruction)
    ? vpp.findMember(site.index) !== undefined
    : instruction.membership.siteIndices.includes(site.index));

/** Start of an ended VPP schedule that a site executed; `undefined` if there is none of this id. */
function endedMemberScheduleStartMs(vpps: readonly Vpp[], site: Site, scheduleId: string): EpochMs | undefined {
  const executedHere = (ended: EndedSchedule): boolean =>
    ended.siteIndices.includes(site.index) && !site.orderBook.isRevoked(ended);
  for (const vpp of vpps) {
    const ended = vpp.endedSchedule(scheduleId);
    if (ended !== undefined && executedHere(ended)) return ended.startMs;
  }
  return undefined;
}

/** A reason for which a consumer would refuse the start of a scheduled reduction, as far as it can be determined in advance. */
interface PlannedReductionRefusal {
  readonly kind: Extract<RefusalKind, "dr_duplicate_dispatch" | "dr_cooldown_active">;
  /** End of the conflicting reduction. */
  readonly endMs: EpochMs;
}

/**
 * Checks a consumer's new schedule against its last reduction, the one in force and the registered direct schedules: a
 * reduction for another product at the same time (docs/model/overlap.md#dr-duplicate), or a start within the cooldown.
 * Pending VPP schedules are not checked, because the allocation decides at their start whether the site participates.
 */
function checkPlannedReduction(site: Site, added: DirectRequest): PlannedReductionRefusal | null {
  const consumer = findTargetConsumer(site.spec, added);
  if (consumer === null || !isReduction(site, added)) return null;
  const { minDrCooldownMs } = consumer;
  // A reduction of the same product that ends at its start is continued; excluded ones are cut by it.
  let lastMs = site.reduction.reducing ? Number.NEGATIVE_INFINITY : site.reduction.endedMs;
  let isContinuation = false;
  // Earlier schedules can neither be continued nor lie within the cooldown.
  const fromMs = added.startMs - Math.max(minDrCooldownMs, 1);
  const registered = site.directSchedules.overlapping(fromMs, added.endMs);
  for (const { sku, startMs, endMs } of reductionsOf(site, consumer, registered)) {
    if (added.endMs <= startMs) continue;
    if (added.startMs < endMs && !areMutuallyExclusive(sku, added.sku)) return { kind: "dr_duplicate_dispatch", endMs };
    // The new schedule deletes those that start with it or after it.
    if (added.startMs <= startMs) continue;
    const untilMs = Math.min(endMs, added.startMs);
    if (untilMs === added.startMs && sku === added.sku) isContinuation = true;
    lastMs = Math.max(lastMs, untilMs);
  }
  if (isContinuation || minDrCooldownMs <= added.startMs - lastMs) return null;
  return { kind: "dr_cooldown_active", endMs: lastMs };
}

const isReduction = (site: Site, request: DirectRequest): boolean =>
  toOrderAmount(request, request.baselineKw ?? site.baselineSlotKwAt(request.startMs)).deltaKw < 0;

/** Reductions that address one consumer. Orders for a whole multi-component site are left out: they are divided at their start. */
function reductionsOf(site: Site, consumer: LoadTerms, schedules: readonly DirectOrder[]): ReadonlySet<SiteOrder> {
  const inForce = site.activeOrders.filter(({ deltaKw, order }) => deltaKw * order.activation < 0);
  const registered = schedules.filter(({ request }) => isReduction(site, request));
  const orders = [...inForce.map(({ order }) => order), ...registered];
  return new Set<SiteOrder>(orders.filter((order) => findTargetConsumer(site.spec, order) === consumer));
}
