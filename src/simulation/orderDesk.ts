import { Copyable } from "../base/copyState.ts";
import { accepted, type Refusal, type Result, refused } from "../base/result.ts";
import { roundKw } from "../base/rounding.ts";
import type { Sku } from "../base/sku.ts";
import { Slab } from "../base/slab.ts";
import { type EpochMs, MS_PER_MINUTE, MS_PER_SECOND } from "../base/time.ts";
import type { SiteBaseline } from "../site/baseline/siteBaseline.ts";
import { refusesPieces, resolveOverlap } from "../site/orders/overlap.ts";
import type { Site } from "../site/site.ts";
import {
  exportAvailableKw,
  importAvailableKw,
  plantUpAvailableKw,
  reductionAvailableKw,
} from "../vpp/allocation/capability.ts";
import { isFcrCapable } from "../vpp/allocation/eligibility.ts";
import { Instruction, type Membership } from "../vpp/instructions/instruction.ts";
import type { AwardSpec, InstructionSpec } from "../vpp/instructions/orderSpec.ts";
import type { Vpp } from "../vpp/vpp.ts";
import type { Machines } from "./machines.ts";
import type { Observer } from "./observer.ts";
import type { AffectedSchedule, OrderField, Orders } from "./orders.ts";

/** What came of a schedule that was accepted. */
export interface PostedSchedule {
  readonly instruction: Instruction;
  /** The new one apart, in no order. */
  readonly affected: readonly AffectedSchedule[];
}

/** For baselines that are sent: a year of awards needs tens of thousands. */
const slab = new Slab();

/** The baselines that a VPP's members were last sent. */
interface SentBaselines {
  readonly membership: Membership;
  /** `DeskField.settingsCount` then. */
  readonly settingsCount: number;
  /** Sites whose baselines are not the same at all times; together those whose are the same as each other's. */
  readonly moving: readonly (readonly number[])[];
  /** One per site of the world; whoever was sent them keeps them. */
  kw: Float64Array;
}

export interface DeskField extends OrderField {
  /** How often clients have set something at a site. */
  readonly settingsCount: number;
  /** Whether anybody has ever scheduled something at a site past its VPP. */
  readonly hasOwnSchedules: boolean;
  nextRegistration(): number;
}

/**
 * Takes orders for VPPs: awards and instructions of a scenario and the commands of its API go through the same tests in
 * the same order (decisions.md 66). What needs no world (amounts, times, ids) has been tested by whoever asks.
 */
export class OrderDesk extends Copyable {
  private readonly field: DeskField;
  private readonly orders: Orders;
  private readonly observer: Observer;
  private readonly machines: Machines;
  /** Whether the scenario's own awards show a plan too. */
  private readonly plans: boolean;
  /** The baselines last sent for each VPP: they go on while they are the same. */
  private readonly lastBaselines: SentBaselines[] = [];

  constructor(field: DeskField, orders: Orders, observer: Observer, machines: Machines, plans: boolean) {
    super();
    this.plans = plans;
    this.field = field;
    this.orders = orders;
    this.observer = observer;
    this.machines = machines;
  }

  registerAward(award: AwardSpec): void {
    const posted = this.schedule(award, null);
    if (!posted.ok) this.observer.refused(award, posted.refusal.kind, this.field.nowMs);
  }

  instruct(order: InstructionSpec): void {
    const begun = this.immediate(order, null);
    if (!begun.ok) this.observer.refused(order, begun.refusal.kind, this.field.nowMs);
  }

  /** Registers a schedule. @param givenKw baselines, one per site of the world, NaN where none was given; `null`: the members' own */
  schedule(award: AwardSpec, givenKw: Float64Array | null): Result<PostedSchedule> {
    const vpp = this.field.vpps[award.vpp];
    const refusal =
      this.refusesUnasked(vpp, award.sku) ?? (givenKw === null ? null : this.refusesMissing(vpp, givenKw));
    if (refusal !== null) return refused(refusal);
    const overlap = resolveOverlap(vpp.schedulesWithin(award.startMs, award.endMs), award);
    if (!overlap.ok) return overlap;
    const narrow = this.refusesPieces(vpp, award);
    if (narrow !== null) return refused(narrow);
    const instruction = new Instruction({
      origin: award,
      kind: "schedule",
      vpp: vpp.index,
      issuer: vpp,
      serial: vpp.nextSerial("schedule"),
      inherits: overlap.value.inherits,
      startMs: award.startMs,
      endMs: award.endMs,
      registeredMs: this.field.nowMs,
      registration: this.field.nextRegistration(),
      state: this.machines.schedule.initial,
      baselinesKw: givenKw ?? this.ownBaselines(vpp, award.startMs),
    });
    if (this.plans || award.fromOutside) this.orders.plan(instruction);
    const affected = this.orders.makeRoom(overlap.value, instruction);
    this.orders.await(instruction);
    return accepted({ instruction, affected });
  }

  /** Begins an immediate instruction. @param givenKw as of a schedule */
  immediate(order: InstructionSpec, givenKw: Float64Array | null): Result<Instruction> {
    const vpp = this.field.vpps[order.vpp];
    const { nowMs } = this.field;
    const refusal =
      this.refusesUnasked(vpp, order.sku) ??
      (givenKw === null ? null : this.refusesMissing(vpp, givenKw)) ??
      this.refusesRange(vpp, order);
    if (refusal !== null) return refused(refusal);
    const instruction = new Instruction({
      origin: order,
      kind: "immediate",
      vpp: vpp.index,
      issuer: vpp,
      serial: vpp.nextSerial("immediate"),
      inherits: null,
      startMs: nowMs,
      endMs: nowMs + order.durationMs,
      registeredMs: nowMs,
      registration: this.field.nextRegistration(),
      state: this.machines.immediate.initial,
      baselinesKw: givenKw ?? this.ownBaselines(vpp, nowMs),
    });
    this.orders.begin(instruction);
    return accepted(instruction);
  }

  /** Takes back a schedule that starts in a minute or later, by the whole second (decisions.md 35, 50, 113). */
  remove(vpp: Vpp, scheduleId: string): Result<Instruction> {
    const nowMs = Math.floor(this.field.nowMs / MS_PER_SECOND) * MS_PER_SECOND;
    const found = vpp.schedules.concat(vpp.pending).find((instruction) => instruction.scheduleId === scheduleId);
    if (found !== undefined && MS_PER_MINUTE <= found.startMs - nowMs) {
      this.orders.remove(found);
      return accepted(found);
    }
    const isOver = found === undefined && vpp.endedSchedule(scheduleId) !== undefined;
    if (found === undefined && !isOver) {
      return refused({
        kind: "schedule_not_found",
        details: `The VPP has no schedule ${scheduleId}`,
        parameter: "schedule_id",
        receivedValue: scheduleId,
        scheduleId,
      });
    }
    const state =
      found === undefined ? "completed" : found.startMs <= nowMs ? "running" : "within 1 minute of its start";
    return refused({
      kind: "schedule_not_deletable",
      details: `The schedule is ${state}; one that starts in 1 minute or later can be deleted`,
      parameter: "schedule_id",
      receivedValue: scheduleId,
      scheduleId,
      ...(isOver ? {} : { requiredAction: "Overwrite it with another schedule" }),
    });
  }

  /** The baselines a client would send: each registered member's own slot at the first instant. */
  private ownBaselines(vpp: Vpp, atMs: EpochMs): Float64Array {
    const { sites, settingsCount } = this.field;
    const { membership } = vpp;
    let last = this.lastBaselines[vpp.index];
    if (last === undefined || last.membership !== membership || last.settingsCount !== settingsCount) {
      const kw = slab.take(sites.length).fill(Number.NaN);
      for (const index of membership.sites) kw[index] = roundKw(sites[index].slotKwAt(atMs));
      last = { membership, settingsCount, moving: movingOf(membership, sites), kw };
      this.lastBaselines[vpp.index] = last;
    }
    let { kw } = last;
    for (const alike of last.moving) {
      const first = alike[0];
      const slotKw = roundKw(sites[first].slotKwAt(atMs));
      if (kw[first] === slotKw) continue;
      // Those who were sent the last ones keep them.
      if (kw === last.kw) {
        kw = slab.take(kw.length);
        kw.set(last.kw);
      }
      for (const index of alike) kw[index] = slotKw;
    }
    last.kw = kw;
    return kw;
  }

  /** Whether a piece under a minute would be left of what a member was told past the VPP, or of what that cut (decisions.md 42). */
  private refusesPieces(vpp: Vpp, award: AwardSpec): Refusal | null {
    if (!this.field.hasOwnSchedules) return null;
    for (const { site: index } of vpp.members) {
      const { ownSchedules, spec } = this.field.sites[index];
      if (ownSchedules.length === 0) continue;
      const refusal = refusesPieces([...vpp.pending, ...vpp.schedules, ...ownSchedules], award);
      if (refusal !== null) return { ...refusal, emsId: spec.emsId };
    }
    return null;
  }

  /** For frequency response alone only members count that are capable of it (decisions.md 16). */
  private refusesUnasked({ membership: { sites: members, weights } }: Vpp, sku: Sku | null): Refusal | null {
    const { sites } = this.field;
    for (let i = 0; i < members.length; i++) if (weights[i] > 0 && isAsked(sites[members[i]], sku)) return null;
    const which = sku === "fcr" ? "fcr_capable member" : "member";
    return {
      kind: "no_dispatchable_members",
      details: `No ${which} is in service with an allocation_weight above 0`,
      requiredAction: `Try again when a ${which} is in service, or raise a weight above 0`,
      retryAfterS: RETRY_AFTER_S,
    };
  }

  /** Members out of service need no baseline. */
  private refusesMissing({ membership }: Vpp, baselinesKw: Float64Array): Refusal | null {
    const { sites } = this.field;
    const missing = membership.sites.find((site) => Number.isNaN(baselinesKw[site]) && sites[site].inService);
    if (missing === undefined) return null;
    const { emsId } = sites[missing].spec;
    return {
      kind: "member_baselines_incomplete",
      details: `Every member in service needs a baseline; ${emsId} has none`,
      parameter: "member_baselines",
      emsId,
      requiredAction: "Give the baseline of every member in service",
    };
  }

  /**
   * Whether an immediate request lies within what the VPP can do now; a width is cut instead (decisions.md 5, 18, 20,
   * 120, 148).
   */
  private refusesRange(vpp: Vpp, { sku, deltaKw: receivedKw }: InstructionSpec): Refusal | null {
    if (receivedKw === null) return null;
    const deltaKw = roundKw(receivedKw);
    let upKw = 0;
    let downKw = 0;
    for (const member of vpp.members) {
      const site = this.field.sites[member.site];
      if (!site.inService) continue;
      this.field.touch(site);
      upKw += roundKw(importAvailableKw(site));
      downKw += roundKw(exportAvailableKw(site, this.field.nowMs));
      if (vpp.options.strictAvailabilityCheck) continue;
      upKw += roundKw(plantUpAvailableKw(site, this.field.nowMs));
      downKw += roundKw(reductionAvailableKw(site, sku, this.field.nowMs));
    }
    const [minKw, maxKw] = [roundKw(-downKw), roundKw(upKw)];
    if (minKw <= deltaKw && deltaKw <= maxKw) return null;
    return {
      kind: "invalid_parameter",
      details: "delta_kw is beyond the total power available from the members in service",
      parameter: "delta_kw",
      receivedValue: receivedKw,
      validRange: `${minKw.toFixed(1)} to ${maxKw.toFixed(1)}`,
    };
  }
}

/** @see SentBaselines.moving */
function movingOf(membership: Membership, sites: readonly Site[]): number[][] {
  const bySlots = new Map<SiteBaseline["slots"] | Site, number[]>();
  for (const index of membership.sites) {
    const site = sites[index];
    if (hasOneSlot(site)) continue;
    // Slots that clients registered are a site's own.
    const key = site.baseline.posted === undefined ? site.baseline.slots : site;
    const known = bySlots.get(key);
    if (known === undefined) bySlots.set(key, [index]);
    else known.push(index);
  }
  return [...bySlots.values()];
}

/** Whether all half hours of a site's baseline are the same. */
const hasOneSlot = ({ baseline }: Site): boolean => typeof baseline.slots === "number" && baseline.posted === undefined;

const isAsked = (site: Site, sku: Sku | null): boolean => site.inService && (sku !== "fcr" || isFcrCapable(site));

/** Status is evaluated once a minute. */
const RETRY_AFTER_S = 60;
