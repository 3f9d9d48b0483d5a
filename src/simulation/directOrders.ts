import { assert } from "../base/assert.ts";
import { Copyable } from "../base/copyState.ts";
import { hexId } from "../base/ids.ts";
import { accepted, type RefusalKind, type Result, refused } from "../base/result.ts";
import { roundKw } from "../base/rounding.ts";
import { type EpochMs, MS_PER_MINUTE, MS_PER_SECOND } from "../base/time.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { checkPlannedReduction, type PlannedReductionRefusal } from "../site/orders/checkPlannedReduction.ts";
import { DirectOrder, type DirectRequest, toOrderAmount } from "../site/orders/directOrder.ts";
import {
  checkRemainingPieces,
  type OverlapPlan,
  resolveOverlap,
  schedulesAtEnds,
} from "../site/orders/scheduleOverlap.ts";
import type { SiteOrder } from "../site/orders/siteOrder.ts";
import type { Site } from "../site/site.ts";
import type { Vpp } from "../vpp/vpp.ts";
import { endedMemberScheduleStartMs, findMemberSchedule, memberSchedulesAtEnds } from "./memberSchedules.ts";
import type { Observer } from "./observer.ts";
import { EVENT_KIND, RANK } from "./ranks.ts";
import type { ScenarioEvent } from "./worldSpec.ts";

/** The parts of the world that direct orders act on. */
interface DirectOrderContext {
  readonly nowMs: EpochMs;
  readonly sites: readonly Site[];
  readonly vpps: readonly Vpp[];
  beginSiteChange(site: Site): void;
  /** @returns the next registration number */
  nextRegistration(): number;
}

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
  private readonly context: DirectOrderContext;
  private readonly kernel: Kernel;
  private readonly observer: Observer;
  private readonly seed: number;
  /** Indexed by the `subject` of their events. */
  private readonly orders: DirectOrder[] = [];
  /** Number of accepted orders by site index; ids are derived from it. */
  private readonly serials = new Map<number, number>();
  /** Ended schedules by site index and id, except those that never started. */
  private readonly endedSchedules = new Map<number, Map<string, DirectOrder>>();

  constructor(context: DirectOrderContext, kernel: Kernel, observer: Observer, seed: number) {
    super();
    this.context = context;
    this.kernel = kernel;
    this.observer = observer;
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
    this.kernel.schedule(order.endMs, RANK.end, EVENT_KIND.directOrderEnd, number);
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
    this.observer.onRunEvent("direct_schedule", site.spec.name, text, this.context.nowMs, [order.scheduleId]);
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
    this.kernel.schedule(order.startMs, RANK.start, EVENT_KIND.directOrderStart, number);
    this.kernel.schedule(order.endMs, RANK.end, EVENT_KIND.directOrderEnd, number);
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
      if (front === null) this.kernel.schedule(old.startMs, RANK.start, EVENT_KIND.directOrderStart, number);
      else this.kernel.schedule(old.endMs, RANK.end, EVENT_KIND.directOrderEnd, number);
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
    this.observer.onRunEvent("direct_schedule", name, detail, this.context.nowMs, ids);
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
