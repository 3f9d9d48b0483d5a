import { Copyable } from "../base/copyState.ts";
import { hexId } from "../base/ids.ts";
import { accepted, type RefusalKind, type Result, refused } from "../base/result.ts";
import { roundKw } from "../base/rounding.ts";
import { type EpochMs, MS_PER_MINUTE, MS_PER_SECOND } from "../base/time.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { amountOn, DirectOrder, type DirectRequest } from "../site/orders/directOrder.ts";
import { type OverlapPlan, refusesPieces, resolveOverlap } from "../site/orders/overlap.ts";
import { type PlannedRefusal, refusesPlanned } from "../site/orders/plannedReductions.ts";
import type { SiteOrder } from "../site/orders/siteOrder.ts";
import type { Site } from "../site/site.ts";
import type { Vpp } from "../vpp/vpp.ts";
import { memberScheduleEnded, memberSchedules } from "./memberSchedules.ts";
import type { Observer } from "./observer.ts";
import { DUE, RANK } from "./ranks.ts";
import type { ScenarioEvent } from "./worldSpec.ts";

/** What direct calls act on. */
interface Ground {
  readonly nowMs: EpochMs;
  readonly sites: readonly Site[];
  readonly vpps: readonly Vpp[];
  touch(site: Site): void;
  /** The next number in the order of registrations. */
  nextRegistration(): number;
}

/** What a new schedule did to an owner's schedule that was there; a deleted one shows the times it had. */
export interface AffectedOrder {
  readonly order: DirectOrder;
  readonly action: "created" | "split" | "deleted";
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** The site itself says no; the caller has the words. */
export interface SiteRefuses {
  readonly ok: false;
  readonly kind: RefusalKind;
  /** End of the reduction that it has to rest from, where that is why. */
  readonly endMs: PlannedRefusal["endMs"];
}

export interface PostedOrder {
  readonly order: DirectOrder;
  /** Whether it took the id of one with the same period. */
  readonly inherited: boolean;
  readonly affected: readonly AffectedOrder[];
}

/**
 * What owners tell their own sites, past the VPP: at the site the last registration rules, and the VPP does not see it
 * (decisions.md 47, 109).
 */
export class DirectCalls extends Copyable {
  private readonly ground: Ground;
  private readonly kernel: Kernel;
  private readonly observer: Observer;
  private readonly seed: number;
  /** By the number that events carry. */
  private readonly orders: DirectOrder[] = [];
  /** Orders accepted so far at each site, by its index: what ids are made from. */
  private readonly serials = new Map<number, number>();
  /** Schedules that were begun and are over, by site. */
  private readonly ended = new Map<number, DirectOrder[]>();

  constructor(ground: Ground, kernel: Kernel, observer: Observer, seed: number) {
    super();
    this.ground = ground;
    this.kernel = kernel;
    this.observer = observer;
    this.seed = seed;
  }

  /** Whether anybody has ever asked something of a site past its VPP. */
  get hasOrders(): boolean {
    return this.orders.length > 0;
  }

  /** A scenario's event: registers a schedule; one whose time has begun starts at once, one that is over never. */
  register(event: ScenarioEvent & { readonly kind: "direct_schedule" }): void {
    const startMs = Math.max(event.startMs, this.ground.nowMs);
    if (event.endMs <= startMs) return;
    const request = { ...PLAIN, startMs, endMs: event.endMs, deltaKw: roundKw(event.deltaKw) };
    this.await(this.newOrder(this.ground.sites[event.site], request, null));
  }

  /**
   * Registers a schedule over those of the same owner; all or nothing (decisions.md 42, 124). What would keep the site from
   * beginning it is told now, as far as it is known.
   */
  schedule(site: Site, request: DirectRequest): Result<PostedOrder> | SiteRefuses {
    const planned = refusesPlanned(site, request);
    if (planned !== null) return { ok: false, ...planned };
    const claim = { ...request, componentId: componentOf(site, request) };
    const overlap = resolveOverlap(site.ownSchedules, claim);
    if (!overlap.ok) return overlap;
    const told = memberSchedules(this.ground.vpps, site);
    const pieces = refusesPieces([...told, ...site.ownSchedules], claim);
    if (pieces !== null) return refused(pieces);
    const { inherits } = overlap.value;
    const order = this.newOrder(site, request, inherits?.scheduleId ?? null);
    const affected = this.makeRoom(site, overlap.value);
    this.await(order);
    return accepted({ order, inherited: inherits !== null, affected });
  }

  /** Begins an immediate instruction, or tells why the site refuses. */
  immediate(site: Site, request: DirectRequest): Result<DirectOrder> | SiteRefuses {
    const order = this.newOrder(site, request, null);
    const refusal = this.take(site, order);
    if (refusal !== null) return { ok: false, kind: refusal, endMs: site.reduction.endedMs };
    const number = this.orders.push(order) - 1;
    this.kernel.schedule(order.endMs, RANK.end, DUE.directEnd, number);
    this.tell(order, "starts");
    return accepted(order);
  }

  /**
   * Takes back a schedule that starts in a minute or later, by the whole second (decisions.md 35, 113). Of a VPP's schedule
   * the site's part goes; the VPP does not notice (VPP API, "What the service does" 7).
   */
  remove(site: Site, scheduleId: string): Result<{ readonly scheduleId: string }> {
    const { vpps } = this.ground;
    const nowMs = Math.floor(this.ground.nowMs / MS_PER_SECOND) * MS_PER_SECOND;
    const own = site.ownSchedules.find((order) => order.scheduleId === scheduleId);
    const found = own ?? memberSchedules(vpps, site).find((order) => order.scheduleId === scheduleId);
    if (found !== undefined && MS_PER_MINUTE <= found.startMs - nowMs) {
      if (own === undefined) this.disown(site, found);
      else {
        takeOut(site.ownSchedules, own);
        this.tell(own, "deleted");
      }
      return accepted({ scheduleId });
    }
    const startMs =
      (found ?? this.past(site).find((order) => order.scheduleId === scheduleId))?.startMs ??
      memberScheduleEnded(vpps, site, scheduleId);
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

  /** An owner's schedules that are over and were begun, be it behind another one that ruled, in the order of their ends. */
  past(site: Site): readonly DirectOrder[] {
    return this.ended.get(site.index) ?? [];
  }

  private disown(site: Site, order: SiteOrder & { readonly scheduleId: string }): void {
    site.disown(order);
    const text = `${order.scheduleId} of its VPP, deleted`;
    this.observer.happened("direct_schedule", site.spec.name, text, this.ground.nowMs);
  }

  private newOrder(site: Site, request: DirectRequest, inheritedId: string | null): DirectOrder {
    const serial = this.serials.get(site.index) ?? 0;
    this.serials.set(site.index, serial + 1);
    return new DirectOrder(request, {
      site: site.index,
      scheduleId: inheritedId ?? hexId(`${this.seed}:${site.spec.emsId}:direct:${serial}`),
      createdMs: this.ground.nowMs,
      registration: this.ground.nextRegistration(),
      componentId: componentOf(site, request),
    });
  }

  private await(order: DirectOrder): void {
    const number = this.orders.push(order) - 1;
    this.ground.sites[order.site].ownSchedules.push(order);
    this.kernel.schedule(order.startMs, RANK.start, DUE.directStart, number);
    this.kernel.schedule(order.endMs, RANK.end, DUE.directEnd, number);
    this.tell(order, "registered");
  }

  private makeRoom(site: Site, { inherits, deleted, cuts }: OverlapPlan<DirectOrder>): AffectedOrder[] {
    const affected: AffectedOrder[] = [];
    for (const old of inherits === null ? deleted : [inherits, ...deleted]) {
      takeOut(site.ownSchedules, old);
      const { startMs, endMs } = old;
      if (old !== inherits) affected.push({ order: old, action: "deleted", startMs, endMs });
    }
    for (const { of: old, front, rear } of cuts) {
      if (front !== null && rear !== null) {
        const rest = this.restOf(site, old, rear);
        this.await(rest);
        affected.push({ order: rest, action: "created", ...rear });
      }
      const piece = front ?? rear!;
      old.startMs = piece.startMs;
      old.endMs = piece.endMs;
      affected.push({ order: old, action: "split", ...piece });
      const number = this.orders.indexOf(old);
      if (front === null) this.kernel.schedule(old.startMs, RANK.start, DUE.directStart, number);
      else this.kernel.schedule(old.endMs, RANK.end, DUE.directEnd, number);
    }
    return affected;
  }

  /** The rear piece that another schedule leaves: its own entry, as old as its parent. */
  private restOf(
    site: Site,
    old: DirectOrder,
    rear: { readonly startMs: EpochMs; readonly endMs: EpochMs },
  ): DirectOrder {
    const { scheduleId } = this.newOrder(site, old.request, null);
    const { createdMs, registration, componentId } = old;
    const given = { site: site.index, scheduleId, createdMs, registration, componentId };
    return new DirectOrder({ ...old.request, ...rear }, given);
  }

  start(number: number): void {
    const order = this.orders[number];
    const site = this.ground.sites[order.site];
    // Another schedule may have taken it away or moved its start.
    if (order.startMs !== this.ground.nowMs || !site.ownSchedules.includes(order)) return;
    const refusal = this.take(site, order);
    // What the site never began is no schedule of it any more.
    if (refusal !== null) takeOut(site.ownSchedules, order);
    this.tell(order, refusal === null ? "starts" : `refused: ${refusal}`);
  }

  private take(site: Site, order: DirectOrder): RefusalKind | null {
    const { nowMs } = this.ground;
    this.ground.touch(site);
    const slotKw = order.componentId === null ? roundKw(site.slotKwAt(nowMs)) : 0;
    const baselineKw = order.request.baselineKw ?? slotKw;
    return site.take(order, amountOn(order.request, baselineKw), baselineKw, nowMs);
  }

  end(number: number): void {
    const order = this.orders[number];
    const site = this.ground.sites[order.site];
    const isSchedule = order.request.kind === "schedule";
    if (order.endMs !== this.ground.nowMs || (isSchedule && !site.ownSchedules.includes(order))) return;
    if (isSchedule) {
      takeOut(site.ownSchedules, order);
      const ended = this.ended.get(site.index);
      if (ended === undefined) this.ended.set(site.index, [order]);
      else ended.push(order);
    }
    if (!site.holds(order)) return;
    this.ground.touch(site);
    site.release(order, this.ground.nowMs);
    this.tell(order, "ends");
  }

  private tell({ site, request: { deltaKw, siteKw, fcrKw } }: DirectOrder, what: string): void {
    const parts = [
      ...(deltaKw === null ? [] : [`${deltaKw} kW`]),
      ...(siteKw === null ? [] : [`${siteKw} kW at the site`]),
      ...(fcrKw === null ? [] : [`${fcrKw} kW of width`]),
    ];
    const { name } = this.ground.sites[site].spec;
    this.observer.happened("direct_schedule", name, `${parts.join(" and ")}, ${what}`, this.ground.nowMs);
  }
}

/** What a scenario's own direct schedules do not say. */
const PLAIN = {
  kind: "schedule",
  sku: null,
  siteKw: null,
  fcrKw: null,
  compoundBreakdown: null,
  baselineKw: null,
  componentId: null,
} as const;

/** The component of several that a request is for. */
const componentOf = ({ spec }: Site, { componentId }: DirectRequest): string | null =>
  spec.components.length > 1 ? componentId : null;

function takeOut<T>(list: T[], item: T): void {
  list.splice(list.indexOf(item), 1);
}
