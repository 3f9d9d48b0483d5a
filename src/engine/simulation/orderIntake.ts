import { Copyable } from "../../base/copyState.ts";
import { accepted, type Refusal, type Result, refused } from "../../base/result.ts";
import { roundKw } from "../../base/rounding.ts";
import type { Sku } from "../../base/sku.ts";
import { Slab } from "../../base/slab.ts";
import { type EpochMs, MS_PER_MINUTE, MS_PER_SECOND } from "../../base/time.ts";
import type { SiteBaseline } from "../site/baseline/siteBaseline.ts";
import { checkRemainingPieces, resolveOverlap, schedulesAtEnds } from "../site/orders/scheduleOverlap.ts";
import type { Site } from "../site/site.ts";
import {
  dispatchableUpAvailableKw,
  exportAvailableKw,
  importAvailableKw,
  reductionAvailableKw,
} from "../vpp/allocation/capability.ts";
import { isFcrCapable } from "../vpp/allocation/eligibility.ts";
import { Instruction, type Membership } from "../vpp/instructions/instruction.ts";
import type { AwardSpec, InstructionSpec } from "../vpp/instructions/instructionSpec.ts";
import type { Vpp } from "../vpp/vpp.ts";
import type { AffectedSchedule, InstructionLifecycle } from "./instructionLifecycle.ts";
import type { WorldContext } from "./worldContext.ts";

/** An accepted schedule and its effect on others. */
export interface AcceptedSchedule {
  readonly instruction: Instruction;
  /** Other schedules that it changed, in no particular order. */
  readonly affected: readonly AffectedSchedule[];
}

/** The baselines last sent to a VPP's members. */
interface SentBaselines {
  readonly membership: Membership;
  /** `WorldContext.settingsRevision` when they were sent. */
  readonly settingsRevision: number;
  /** Sites whose baselines vary with time, grouped by equal baselines. */
  readonly varyingGroups: readonly (readonly number[])[];
  /** One per site of the world. Instructions share this array, so it is replaced instead of changed. */
  baselineKw: Float64Array;
}

/**
 * Registers orders for VPPs. Awards and instructions of a scenario and requests of the API pass the same checks in the same
 * order (docs/model/apis.md#control-order). The caller has checked amounts, times and ids, which need no world.
 */
export class OrderIntake extends Copyable {
  private readonly context: WorldContext;
  private readonly lifecycle: InstructionLifecycle;
  /** Whether awards of the scenario get a dispatch plan, as API requests do. */
  private readonly hasDispatchPlans: boolean;
  /** Memory for sent baselines: a year of awards needs tens of thousands of arrays. */
  private readonly slab = new Slab();
  /** By VPP index; reused while the baselines are equal. */
  private readonly lastBaselines: SentBaselines[] = [];

  constructor(context: WorldContext, lifecycle: InstructionLifecycle, hasDispatchPlans: boolean) {
    super();
    this.hasDispatchPlans = hasDispatchPlans;
    this.context = context;
    this.lifecycle = lifecycle;
  }

  registerAward(award: AwardSpec): void {
    const result = this.registerSchedule(award, null);
    if (!result.ok) this.context.observer.onRefused(award, result.refusal.kind, this.context.nowMs);
  }

  registerInstruction(order: InstructionSpec): void {
    const result = this.beginImmediate(order, null);
    if (!result.ok) this.context.observer.onRefused(order, result.refusal.kind, this.context.nowMs);
  }

  /**
   * Registers a schedule.
   *
   * @param givenKw baselines, one per site of the world, NaN where the request gives none; `null`: the members' own baselines
   */
  registerSchedule(award: AwardSpec, givenKw: Float64Array | null): Result<AcceptedSchedule> {
    const vpp = this.context.vpps[award.vpp];
    const refusal =
      this.checkMembersAvailable(vpp, award.sku) ??
      (givenKw === null ? null : this.checkBaselinesComplete(vpp, givenKw));
    if (refusal !== null) return refused(refusal);
    const overlap = resolveOverlap(vpp.overlapping(award.startMs, award.endMs), award);
    if (!overlap.ok) return overlap;
    const pieceRefusal = this.checkRemainingPieces(vpp, award);
    if (pieceRefusal !== null) return refused(pieceRefusal);
    const instruction = new Instruction({
      origin: award,
      kind: "schedule",
      vpp: vpp.index,
      issuer: vpp,
      serial: vpp.nextSerial("schedule"),
      inheritedFrom: overlap.value.inheritedFrom,
      startMs: award.startMs,
      endMs: award.endMs,
      registeredMs: this.context.nowMs,
      registration: this.context.nextRegistration(),
      state: this.context.machines.schedule.initialState,
      baselinesKw: givenKw ?? this.memberBaselines(vpp, award.startMs),
    });
    if (this.hasDispatchPlans || award.isFromApi) this.lifecycle.planDispatch(instruction);
    const affected = this.lifecycle.applyOverlap(overlap.value, instruction);
    this.lifecycle.addPending(instruction);
    return accepted({ instruction, affected });
  }

  /** Begins an immediate instruction. @param givenKw as for `registerSchedule` */
  beginImmediate(order: InstructionSpec, givenKw: Float64Array | null): Result<Instruction> {
    const vpp = this.context.vpps[order.vpp];
    const { nowMs } = this.context;
    const refusal =
      this.checkMembersAvailable(vpp, order.sku) ??
      (givenKw === null ? null : this.checkBaselinesComplete(vpp, givenKw)) ??
      this.checkDeltaRange(vpp, order);
    if (refusal !== null) return refused(refusal);
    const instruction = new Instruction({
      origin: order,
      kind: "immediate",
      vpp: vpp.index,
      issuer: vpp,
      serial: vpp.nextSerial("immediate"),
      inheritedFrom: null,
      startMs: nowMs,
      endMs: nowMs + order.durationMs,
      registeredMs: nowMs,
      registration: this.context.nextRegistration(),
      state: this.context.machines.immediate.initialState,
      baselinesKw: givenKw ?? this.memberBaselines(vpp, nowMs),
    });
    this.lifecycle.begin(instruction);
    return accepted(instruction);
  }

  /**
   * Removes a schedule that starts in 1 minute or later, counted in whole seconds (docs/model/time.md#deletable,
   * docs/model/overlap.md#deletion, docs/model/time.md#floor-to-tenths).
   */
  removeSchedule(vpp: Vpp, scheduleId: string): Result<Instruction> {
    const nowMs = Math.floor(this.context.nowMs / MS_PER_SECOND) * MS_PER_SECOND;
    const found = vpp.findSchedule(scheduleId);
    if (found !== undefined && MS_PER_MINUTE <= found.startMs - nowMs) {
      this.lifecycle.removePending(found);
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

  /** Each registered member's own baseline slot at the start, in kW, one per site of the world; NaN for sites that are no members. */
  private memberBaselines(vpp: Vpp, atMs: EpochMs): Float64Array {
    const { sites, settingsRevision } = this.context;
    const { membership } = vpp;
    let last = this.lastBaselines[vpp.index];
    if (last === undefined || last.membership !== membership || last.settingsRevision !== settingsRevision) {
      const baselineKw = this.slab.allocate(sites.length).fill(Number.NaN);
      for (const index of membership.siteIndices) baselineKw[index] = roundKw(sites[index].baselineSlotKwAt(atMs));
      last = {
        membership,
        settingsRevision,
        varyingGroups: groupVaryingBaselines(membership, sites),
        baselineKw,
      };
      this.lastBaselines[vpp.index] = last;
    }
    let { baselineKw } = last;
    for (const group of last.varyingGroups) {
      const first = group[0];
      const slotKw = roundKw(sites[first].baselineSlotKwAt(atMs));
      if (baselineKw[first] === slotKw) continue;
      // Earlier instructions share the last array.
      if (baselineKw === last.baselineKw) {
        baselineKw = this.slab.allocate(baselineKw.length);
        baselineKw.set(last.baselineKw);
      }
      for (const index of group) baselineKw[index] = slotKw;
    }
    last.baselineKw = baselineKw;
    return baselineKw;
  }

  /**
   * Refuses a schedule that would leave less than 1 minute of a member's direct schedule, or of a schedule that a direct
   * schedule has cut (docs/model/overlap.md#shortest-piece).
   */
  private checkRemainingPieces(vpp: Vpp, award: AwardSpec): Refusal | null {
    if (!this.context.hasDirectOrders) return null;
    const ofVpp = schedulesAtEnds(vpp, award);
    for (const { site: index } of vpp.members) {
      const { directSchedules, spec } = this.context.sites[index];
      if (directSchedules.size === 0) continue;
      const refusal = checkRemainingPieces([...ofVpp, ...schedulesAtEnds(directSchedules, award)], award);
      if (refusal !== null) return { ...refusal, emsId: spec.emsId };
    }
    return null;
  }

  /** For `sku: fcr` only FCR-capable members count (docs/model/allocation.md#no-dispatchable-members). */
  private checkMembersAvailable(
    { membership: { siteIndices: members, weights } }: Vpp,
    sku: Sku | null,
  ): Refusal | null {
    const { sites } = this.context;
    for (let i = 0; i < members.length; i++) if (weights[i] > 0 && isDispatchable(sites[members[i]], sku)) return null;
    const which = sku === "fcr" ? "fcr_capable member" : "member";
    return {
      kind: "no_dispatchable_members",
      details: `No ${which} is in service with an allocation_weight above 0`,
      requiredAction: `Try again when a ${which} is in service, or raise a weight above 0`,
      retryAfterS: RETRY_AFTER_S,
    };
  }

  /** Members out of service need no baseline. */
  private checkBaselinesComplete({ membership }: Vpp, baselinesKw: Float64Array): Refusal | null {
    const { sites } = this.context;
    const missing = membership.siteIndices.find((site) => Number.isNaN(baselinesKw[site]) && sites[site].isInService);
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
   * Refuses an immediate request beyond the power that the VPP can provide now. An FCR capacity is not checked: the allocation
   * limits it (docs/model/capability.md#immediate-range, docs/model/allocation.md#fcr-shares, docs/model/allocation.md#activation).
   */
  private checkDeltaRange(vpp: Vpp, { sku, deltaKw: receivedKw }: InstructionSpec): Refusal | null {
    if (receivedKw === null) return null;
    const deltaKw = roundKw(receivedKw);
    let upKw = 0;
    let downKw = 0;
    for (const member of vpp.members) {
      const site = this.context.sites[member.site];
      if (!site.isInService) continue;
      this.context.beginSiteChange(site);
      upKw += roundKw(importAvailableKw(site));
      downKw += roundKw(exportAvailableKw(site, this.context.nowMs));
      if (vpp.options.strictAvailabilityCheck) continue;
      upKw += roundKw(dispatchableUpAvailableKw(site, this.context.nowMs));
      downKw += roundKw(reductionAvailableKw(site, sku, this.context.nowMs));
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

/** @see SentBaselines.varyingGroups */
function groupVaryingBaselines(membership: Membership, sites: readonly Site[]): number[][] {
  const bySlots = new Map<SiteBaseline["slotsKw"] | Site, number[]>();
  for (const index of membership.siteIndices) {
    const site = sites[index];
    if (hasOneSlot(site)) continue;
    // Client slots belong to one site.
    const key = site.baseline.clientSlots === undefined ? site.baseline.slotsKw : site;
    const group = bySlots.get(key);
    if (group === undefined) bySlots.set(key, [index]);
    else group.push(index);
  }
  return [...bySlots.values()];
}

/** Whether all half hours of a site's baseline are the same. */
const hasOneSlot = ({ baseline }: Site): boolean =>
  typeof baseline.slotsKw === "number" && baseline.clientSlots === undefined;

const isDispatchable = (site: Site, sku: Sku | null): boolean =>
  site.isInService && (sku !== "fcr" || isFcrCapable(site));

/** Status is evaluated once a minute. */
const RETRY_AFTER_S = 60;
