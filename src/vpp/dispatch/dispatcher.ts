import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import type { Stepper } from "../../kernel/stepper.ts";
import type { SiteBatch } from "../../site/batch/siteBatch.ts";
import type { Site } from "../../site/site.ts";
import { CompatibilityCache } from "../allocation/compatibilityCache.ts";
import { eligibilityOutcome, exclusionOutcome, ineligibilityOutcome, servicesOf } from "../allocation/eligibility.ts";
import { InstructionAllocator } from "../allocation/instructionAllocator.ts";
import { PARTICIPATION, ParticipantLists } from "../allocation/participantLists.ts";
import {
  DISPATCH_OUTCOME,
  DispatchTable,
  EMPTY_MEMBERSHIP,
  type Instruction,
  type Membership,
} from "../instructions/instruction.ts";
import type { MemberEvent, MemberState } from "../memberMachine.ts";
import type { VppOptions } from "../vppSpec.ts";
import { dispatchBatteries } from "./dispatchBatteries.ts";
import { DispatchTablePool } from "./dispatchTablePool.ts";
import type { SiteAccess } from "./siteAccess.ts";

/** Executes instructions at the members' sites: selects the participants, allocates the request and sends the set-points. */
export class Dispatcher extends Copyable {
  private readonly siteAccess: SiteAccess;
  private readonly memberMachine: Stepper<MemberState, MemberEvent>;
  /** Participants of the current dispatch and their amounts. */
  private readonly participantLists = new ParticipantLists();
  private readonly allocator: InstructionAllocator;
  /** Compatibility of batched sites. */
  private readonly compatibility: CompatibilityCache;
  /** Tables of ended instructions: a year of awards needs tens of thousands. */
  private readonly tablePool = new DispatchTablePool();
  /** Reused for each set-point. */
  private readonly orderAmount = { deltaKw: 0, fcrCapacityKw: 0, setpointCeilingKw: 0 };

  constructor(siteAccess: SiteAccess, memberMachine: Stepper<MemberState, MemberEvent>) {
    super();
    this.siteAccess = siteAccess;
    this.memberMachine = memberMachine;
    this.allocator = new InstructionAllocator(siteAccess, this.participantLists);
    this.compatibility = new CompatibilityCache(siteAccess.sites);
  }

  /** The first dispatch, with the present status, weights and capability. */
  execute(instruction: Instruction, options: VppOptions): void {
    const { siteIndices: sites } = instruction.membership;
    const table = this.tablePool.acquire(
      sites.length,
      this.memberMachine.initialState,
      instruction.fcrCapacityTenths !== null,
    );
    instruction.table = table;
    instruction.executedMs = this.siteAccess.nowMs;
    instruction.uncoveredTenths = instruction.deltaTenths;
    table.reset(sites, instruction.baselinesKw, this.memberMachine.initialState);
    this.markOutOfService(sites, table);
    this.allocateAndDispatch(instruction, table, this.gatherParticipants(instruction, table, options), options);
    instruction.uncoveredAtStartTenths = instruction.uncoveredTenths;
    instruction.fcrUncoveredAtStartTenths = instruction.fcrUncoveredTenths;
  }

  /** Marks the members out of service. Batched sites are always in service. */
  private markOutOfService(sites: Int32Array, table: DispatchTable): void {
    const { batch, sites: allSites } = this.siteAccess;
    for (let i = nextUnbatched(sites, batch, 0); i < sites.length; i = nextUnbatched(sites, batch, i + 1)) {
      if (allSites[sites[i]].isInService) continue;
      table.status[i] = DISPATCH_OUTCOME.outOfService;
      table.setMemberState(i, this.memberMachine.nextState(table.memberStates[i], "notice_out"));
    }
  }

  /**
   * Sets the dispatch plan of a pending schedule: the result of an execution now, without the power that other instructions
   * reserve. No set-points are sent (docs/model/overlap.md#coexisting, docs/model/allocation.md#planned-maintenance,
   * docs/model/allocation.md#planned-values).
   */
  plan(instruction: Instruction, membership: Membership, options: VppOptions): void {
    const { siteIndices: sites, weights } = membership;
    const table = new DispatchTable(
      sites.length,
      this.memberMachine.initialState,
      instruction.fcrCapacityTenths !== null,
    );
    for (let i = 0; i < sites.length; i++) {
      table.baselineKw[i] = instruction.baselinesKw[sites[i]];
      table.status[i] = eligibilityOutcome(
        this.siteAccess.sites[sites[i]],
        weights[i],
        table.baselineKw[i],
        instruction,
      );
    }
    instruction.membership = membership;
    this.allocator.isStandalone = true;
    const count = this.gatherParticipants(instruction, table, options);
    this.allocator.allocateDelta(instruction, table, count, options);
    if (table.fcrCapacities !== null)
      this.allocator.allocateFcrCapacity(instruction, table, table.fcrCapacities, count, options);
    this.allocator.isStandalone = false;
    instruction.membership = EMPTY_MEMBERSHIP;
    let uncoveredTenths = instruction.deltaTenths;
    let fcrUncoveredTenths = instruction.fcrCapacityTenths ?? 0;
    for (let k = 0; k < count; k++) {
      const i = this.participantLists.participants[k];
      table.deltaTenths[i] = this.participantLists.deltaTenths[k];
      uncoveredTenths -= this.participantLists.deltaTenths[k];
      if (table.fcrCapacities === null) continue;
      table.fcrCapacities.capacityTenths[i] = this.participantLists.fcrCapacityTenths[k];
      fcrUncoveredTenths -= this.participantLists.fcrCapacityTenths[k];
    }
    instruction.plan = { membership, table, uncoveredTenths, fcrUncoveredTenths };
  }

  /**
   * Compares the members' status with the last evaluation. Members that went out of service release the instruction.
   *
   * @returns whether an eligible member went out or came back, so that a re-dispatch is due
   */
  evaluate(instruction: Instruction, onStatusChange: (site: Site, isOut: boolean) => void): boolean {
    const { siteIndices: sites, weights } = instruction.membership;
    const { table } = instruction;
    assert(table !== null, "only a running instruction is evaluated");
    const { batch } = this.siteAccess;
    let changed = false;
    // Batched sites have been in service since the execution.
    for (let i = nextUnbatched(sites, batch, 0); i < sites.length; i = nextUnbatched(sites, batch, i + 1)) {
      const site = this.siteAccess.sites[sites[i]];
      const isAway = table.memberStates[i] === "away";
      if (site.isInService !== isAway) continue;
      table.setMemberState(
        i,
        this.memberMachine.nextState(table.memberStates[i], isAway ? "notice_back" : "notice_out"),
      );
      const ineligible = ineligibilityOutcome(site, weights[i], table.baselineKw[i], instruction);
      if (ineligible !== null) {
        // Excluded for the rest of the instruction. Its status is "out of service" until an evaluation finds it back.
        table.status[i] = isAway ? ineligible : DISPATCH_OUTCOME.outOfService;
        continue;
      }
      changed = true;
      onStatusChange(site, !isAway);
      if (!isAway) this.withdraw(instruction, table, i, site);
    }
    return changed;
  }

  private withdraw(instruction: Instruction, table: DispatchTable, i: number, site: Site): void {
    this.siteAccess.beginSiteChange(site);
    site.releaseOrder(instruction, site.outageStartMs);
    setMemberDelta(instruction, table, i, 0);
    table.status[i] = DISPATCH_OUTCOME.outOfService;
    if (table.fcrCapacities === null) return;
    instruction.fcrUncoveredTenths += table.fcrCapacities.capacityTenths[i];
    table.fcrCapacities.capacityTenths[i] = 0;
  }

  /** Allocates the request again to the members in service that were eligible at the execution (docs/model/allocation.md#re-dispatch). */
  redispatch(instruction: Instruction, options: VppOptions): void {
    const { table } = instruction;
    assert(table !== null, "only a running instruction is re-dispatched");
    this.allocateAndDispatch(instruction, table, this.gatherParticipants(instruction, table, options), options);
  }

  /** Allocates the request to the first `count` participants and sends their set-points. */
  private allocateAndDispatch(
    instruction: Instruction,
    table: DispatchTable,
    count: number,
    options: VppOptions,
  ): void {
    const { fcrCapacities } = table;
    const { batch, isLossless } = this.siteAccess;
    const { batchedBatteryCount } = this.participantLists;
    const deltaCount = this.allocator.splitDelta(instruction, table, count, options);
    if (batch !== null && batchedBatteryCount > 0 && isLossless)
      dispatchBatteries(batch, instruction, table, this.participantLists, count);
    if (!isLossless || batchedBatteryCount < count) {
      this.allocator.recordDelta(instruction, table, deltaCount, options);
      if (fcrCapacities !== null) this.allocator.allocateFcrCapacity(instruction, table, fcrCapacities, count, options);
      this.dispatchOthers(instruction, table, count, isLossless);
    }
    if (fcrCapacities === null) return;
    let allocatedTenths = 0;
    for (const tenths of fcrCapacities.capacityTenths) allocatedTenths += tenths;
    // A member that the reduced amount did not reach may provide more than its share.
    instruction.fcrUncoveredTenths = Math.max(0, (instruction.fcrCapacityTenths ?? 0) - allocatedTenths);
  }

  /** Sends set-points to the participants, except to batched batteries that `dispatchBatteries` has dispatched. */
  private dispatchOthers(
    instruction: Instruction,
    table: DispatchTable,
    count: number,
    areBatteriesDispatched: boolean,
  ): void {
    const { siteIndices: sites } = instruction.membership;
    const { fcrCapacities, capabilityLimit } = table;
    const { batch, sites: allSites } = this.siteAccess;
    const { participants, participation, deltaLimits, fcrCapacityLimits } = this.participantLists;
    for (let k = 0; k < count; k++) {
      const i = participants[k];
      if (areBatteriesDispatched && participation[i] === PARTICIPATION.batchedBattery) continue;
      const index = sites[i];
      const isInForce =
        batch !== null && batch.batched[index] === 1
          ? this.sendBatchedSetpoint(batch, instruction, table, k)
          : this.sendSetpoint(instruction, table, k, allSites[index]);
      // A member that keeps its old amount keeps the limiting factor of that amount.
      if (!isInForce || batch !== null) continue;
      capabilityLimit[i] = deltaLimits[k];
      if (fcrCapacities !== null) fcrCapacities.capabilityLimit[i] = fcrCapacityLimits[k];
    }
  }

  /** Lists the participants in order of registration. @returns their number */
  private gatherParticipants(instruction: Instruction, table: DispatchTable, options: VppOptions): number {
    const { siteIndices: sites, weights } = instruction.membership;
    const { participantLists: lists } = this;
    lists.ensureSize(sites.length);
    // The batch computes capabilities of batteries by power alone.
    const canBatch = options.isEnergyAware !== true && this.siteAccess.batch?.canExecute(instruction) === true;
    const batch = canBatch ? this.siteAccess.batch : null;
    const members = { siteIndices: sites, weights, baselineKw: table.baselineKw };
    lists.batchedBatteryCount = batch === null ? 0 : batch.markBatteries(instruction, members, lists.participation);
    if (lists.batchedBatteryCount < sites.length) this.gatherOthers(instruction, table, batch);
    if (batch !== null && batch.closingCount > 0)
      this.siteAccess.beginBatchChange(batch.closingSites, batch.closingCount);
    return batch === null || lists.batchedBatteryCount === 0
      ? lists.listParticipants(instruction.membership)
      : batch.batteries.listParticipants(members, instruction.deltaTenths > 0, lists);
  }

  /** Marks the participants that are no batched batteries. */
  private gatherOthers(instruction: Instruction, table: DispatchTable, batch: SiteBatch | null): void {
    const { siteIndices: sites, weights } = instruction.membership;
    const { sites: allSites } = this.siteAccess;
    const { participation, batchedBatteryCount } = this.participantLists;
    const { memberStates, baselineKw, status } = table;
    const compatible = batch === null ? null : this.compatibility.compatibleSites(instruction);
    for (let i = 0; i < sites.length; i++) {
      if (batchedBatteryCount > 0 && participation[i] === PARTICIPATION.batchedBattery) continue;
      participation[i] = PARTICIPATION.none;
      if (memberStates[i] === "away") continue;
      const index = sites[i];
      if (
        batch !== null &&
        compatible !== null &&
        batch.batched[index] === 1 &&
        batch.isAvailableFor(index, instruction)
      ) {
        // A batched site is in service and no dispatchable plant.
        const ineligible = exclusionOutcome(weights[i], baselineKw[i], compatible[index] === 1);
        if (ineligible !== null) status[i] = ineligible;
        else {
          batch.addToClosing(index);
          participation[i] = PARTICIPATION.other;
        }
        continue;
      }
      const site = allSites[index];
      if (site.isInService && this.isParticipating(instruction, table, i, site)) participation[i] = PARTICIPATION.other;
    }
  }

  /** Whether a member in service takes part. If so, its site is advanced to now; if not, its status is set to the reason. */
  private isParticipating(instruction: Instruction, table: DispatchTable, i: number, site: Site): boolean {
    const baselineKw = table.baselineKw[i];
    const ineligible = ineligibilityOutcome(site, instruction.membership.weights[i], baselineKw, instruction);
    if (ineligible !== null) {
      table.status[i] = ineligible;
      return false;
    }
    this.siteAccess.beginSiteChange(site);
    if (table.fcrCapacities !== null) table.fcrCapacities.services[i] = servicesOf(site, baselineKw, instruction);
    return true;
  }

  /**
   * Sends the set-point of participant `k`, unless it has not changed. If the message is lost or the site refuses, the previous
   * amount stays in force (docs/model/allocation.md#re-dispatch).
   *
   * @returns whether the amount is in force
   */
  private sendSetpoint(instruction: Instruction, table: DispatchTable, k: number, site: Site): boolean {
    const { fcrCapacities } = table;
    const i = this.participantLists.participants[k];
    const deltaTenths = this.participantLists.deltaTenths[k];
    const fcrCapacityTenths = fcrCapacities === null ? 0 : this.participantLists.fcrCapacityTenths[k];
    const inForce = table.status[i] === DISPATCH_OUTCOME.dispatched && site.hasOrder(instruction);
    const isSame =
      table.deltaTenths[i] === deltaTenths &&
      (fcrCapacities === null || fcrCapacities.capacityTenths[i] === fcrCapacityTenths);
    if (
      inForce &&
      isSame &&
      site.orderBook.setpointCeilingKw(instruction) === this.participantLists.setpointCeilingTenths[k] / 10
    ) {
      table.setpointOutcome[i] = DISPATCH_OUTCOME.dispatched;
      return true;
    }
    if (!this.siteAccess.sendMessage(site)) {
      table.recordFailure(i, DISPATCH_OUTCOME.failed, inForce);
      return false;
    }
    this.orderAmount.deltaKw = deltaTenths / 10;
    this.orderAmount.fcrCapacityKw = fcrCapacityTenths / 10;
    this.orderAmount.setpointCeilingKw = this.participantLists.setpointCeilingTenths[k] / 10;
    const refusal = site.applyOrder(instruction, this.orderAmount, table.baselineKw[i], this.siteAccess.nowMs);
    if (refusal !== null) {
      table.recordFailure(i, DISPATCH_OUTCOME.refused, inForce);
      table.recordRefusal(i, refusal);
      return false;
    }
    table.status[i] = DISPATCH_OUTCOME.dispatched;
    table.setpointOutcome[i] = DISPATCH_OUTCOME.dispatched;
    table.recordRefusal(i, null);
    setMemberDelta(instruction, table, i, deltaTenths);
    if (fcrCapacities !== null) fcrCapacities.capacityTenths[i] = fcrCapacityTenths;
    return true;
  }

  /** As `sendSetpoint` for a batched site. A battery that `gatherParticipants` selected accepts any amount. */
  private sendBatchedSetpoint(batch: SiteBatch, instruction: Instruction, table: DispatchTable, k: number): boolean {
    const i = this.participantLists.participants[k];
    const index = instruction.membership.siteIndices[i];
    const deltaTenths = this.participantLists.deltaTenths[k];
    const inForce = batch.isExecuting(index, instruction);
    if (batch.batchedBatteries[index] === 0) {
      this.orderAmount.deltaKw = deltaTenths / 10;
      this.orderAmount.setpointCeilingKw = this.participantLists.setpointCeilingTenths[k] / 10;
      if (!batch.canApply(index, instruction, this.orderAmount)) {
        const site = this.siteAccess.sites[index];
        this.siteAccess.evictFromBatch(site);
        return this.sendSetpoint(instruction, table, k, site);
      }
    }
    if (inForce && table.deltaTenths[i] === deltaTenths) return true;
    if (!this.siteAccess.isLossless && !this.siteAccess.sendMessage(this.siteAccess.sites[index])) {
      table.recordFailure(i, DISPATCH_OUTCOME.failed, inForce);
      return false;
    }
    batch.applyOrder(index, instruction, deltaTenths / 10, table.baselineKw[i]);
    table.status[i] = DISPATCH_OUTCOME.dispatched;
    setMemberDelta(instruction, table, i, deltaTenths);
    return true;
  }

  /** Releases the instruction at all sites that execute it. */
  end(instruction: Instruction): void {
    const { siteIndices: sites } = instruction.membership;
    const { nowMs, sites: allSites, batch } = this.siteAccess;
    if (batch !== null) this.endBatched(batch, instruction);
    for (let i = nextUnbatched(sites, batch, 0); i < sites.length; i = nextUnbatched(sites, batch, i + 1)) {
      const site = allSites[sites[i]];
      if (!site.hasOrder(instruction)) continue;
      this.siteAccess.beginSiteChange(site);
      site.releaseOrder(instruction, nowMs);
    }
  }

  /** As `end` for batched sites. */
  private endBatched(batch: SiteBatch, instruction: Instruction): void {
    batch.listExecutingSites(instruction.membership.siteIndices, instruction);
    if (batch.closingCount > 0) this.siteAccess.beginBatchChange(batch.closingSites, batch.closingCount);
    batch.releaseOrder(instruction);
  }

  /** Returns the table of an ended instruction to the pool. */
  recycleTable(instruction: Instruction): void {
    if (instruction.table !== null) this.tablePool.release(instruction.table);
    instruction.table = null;
  }
}

/** The first position at or after `from` whose site is not batched. */
const nextUnbatched = (sites: Int32Array, batch: SiteBatch | null, from: number): number =>
  batch === null ? from : batch.nextUnbatched(sites, from);

/** Sets a member's amount and updates the uncovered power. */
function setMemberDelta(instruction: Instruction, { deltaTenths }: DispatchTable, i: number, tenths: number): void {
  instruction.uncoveredTenths += deltaTenths[i] - tenths;
  deltaTenths[i] = tenths;
}
