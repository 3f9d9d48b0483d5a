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

/** Executes instructions at the members' sites: who takes part, how much each is told, who refuses. */
export class Dispatcher extends Copyable {
  private readonly siteAccess: SiteAccess;
  private readonly memberMachine: Stepper<MemberState, MemberEvent>;
  /** Those who take part at hand, and what they are to be told. */
  private readonly participantLists = new ParticipantLists();
  private readonly allocator: InstructionAllocator;
  /** Of sites that a bank keeps. */
  private readonly compatibility: CompatibilityCache;
  /** Tables of instructions that are over: a year of awards needs tens of thousands in turn. */
  private readonly tablePool = new DispatchTablePool();
  /** Filled anew for each delivery. */
  private readonly orderAmount = { deltaKw: 0, fcrCapacityKw: 0, setpointCeilingKw: 0 };

  constructor(field: SiteAccess, member: Stepper<MemberState, MemberEvent>) {
    super();
    this.siteAccess = field;
    this.memberMachine = member;
    this.allocator = new InstructionAllocator(field, this.participantLists);
    this.compatibility = new CompatibilityCache(field.sites);
  }

  /** The first dispatch: reads status, weights and capability as they are now. */
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
    this.allocateAndDispatch(instruction, table, this.gatherParticipants(instruction, table), options);
    instruction.uncoveredAtStartTenths = instruction.uncoveredTenths;
    instruction.fcrUncoveredAtStartTenths = instruction.fcrUncoveredTenths;
  }

  /** Kept sites are in service; mostly all sites are. */
  private markOutOfService(sites: Int32Array, table: DispatchTable): void {
    const { batch: bank, sites: all } = this.siteAccess;
    for (let i = nextUnbatched(sites, bank, 0); i < sites.length; i = nextUnbatched(sites, bank, i + 1)) {
      if (all[sites[i]].isInService) continue;
      table.status[i] = DISPATCH_OUTCOME.outOfService;
      table.setMemberState(i, this.memberMachine.nextState(table.memberStates[i], "notice_out"));
    }
  }

  /**
   * What an execution would do if it came now and no other instruction held anything: what a schedule shows until its
   * start (docs/model/overlap.md#coexisting, docs/model/allocation.md#planned-maintenance, docs/model/allocation.md#planned-values). Nobody is told.
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
    const count = this.gatherParticipants(instruction, table);
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
   * What an evaluation sees: members that went out lose the instruction, members that came back are noted.
   *
   * @returns whether anything changed, in which case a re-dispatch is due
   */
  evaluate(instruction: Instruction, noticed: (site: Site, isOut: boolean) => void): boolean {
    const { siteIndices: sites, weights } = instruction.membership;
    const { table } = instruction;
    assert(table !== null, "only what runs is evaluated");
    const { batch: bank } = this.siteAccess;
    let changed = false;
    // Kept sites have been in service since the execution.
    for (let i = nextUnbatched(sites, bank, 0); i < sites.length; i = nextUnbatched(sites, bank, i + 1)) {
      const site = this.siteAccess.sites[sites[i]];
      const isAway = table.memberStates[i] === "away";
      if (site.isInService !== isAway) continue;
      table.setMemberState(
        i,
        this.memberMachine.nextState(table.memberStates[i], isAway ? "notice_back" : "notice_out"),
      );
      const ineligible = ineligibilityOutcome(site, weights[i], table.baselineKw[i], instruction);
      if (ineligible !== null) {
        // Left out for good, but it shows, and lacks, as away until somebody sees it back.
        table.status[i] = isAway ? ineligible : DISPATCH_OUTCOME.outOfService;
        continue;
      }
      changed = true;
      noticed(site, !isAway);
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

  /** Shares anew over the members in service that were eligible at the execution (docs/model/allocation.md#re-dispatch). */
  redispatch(instruction: Instruction, options: VppOptions): void {
    const { table } = instruction;
    assert(table !== null, "only what runs is dispatched again");
    this.allocateAndDispatch(instruction, table, this.gatherParticipants(instruction, table), options);
  }

  /** Splits the request over those who take part, the first `count` of `sharers`, and tells them. */
  private allocateAndDispatch(
    instruction: Instruction,
    table: DispatchTable,
    count: number,
    options: VppOptions,
  ): void {
    const { fcrCapacities: widths } = table;
    const { batch: bank, isLossless: allDeliver } = this.siteAccess;
    const { batchedBatteryCount: batteryCount } = this.participantLists;
    const partners = this.allocator.splitDelta(instruction, table, count, options);
    if (bank !== null && batteryCount > 0 && allDeliver)
      dispatchBatteries(bank, instruction, table, this.participantLists, count);
    if (!allDeliver || batteryCount < count) {
      this.allocator.recordDelta(instruction, table, partners, options);
      if (widths !== null) this.allocator.allocateFcrCapacity(instruction, table, widths, count, options);
      this.dispatchOthers(instruction, table, count, allDeliver);
    }
    if (widths === null) return;
    let heldTenths = 0;
    for (const tenths of widths.capacityTenths) heldTenths += tenths;
    // One that could not be told to hold less makes up more than its share.
    instruction.fcrUncoveredTenths = Math.max(0, (instruction.fcrCapacityTenths ?? 0) - heldTenths);
  }

  /** Tells the sharers, those with batteries in a bank only where messages may be lost. */
  private dispatchOthers(
    instruction: Instruction,
    table: DispatchTable,
    count: number,
    areBatteriesTold: boolean,
  ): void {
    const { siteIndices: sites } = instruction.membership;
    const { fcrCapacities: widths, capabilityLimit: cutBy } = table;
    const { batch: bank, sites: all } = this.siteAccess;
    const {
      participants: sharers,
      participation: marks,
      deltaLimits: cuts,
      fcrCapacityLimits: widthCuts,
    } = this.participantLists;
    for (let k = 0; k < count; k++) {
      const i = sharers[k];
      if (areBatteriesTold && marks[i] === PARTICIPATION.batchedBattery) continue;
      const index = sites[i];
      const isTold =
        bank !== null && bank.batched[index] === 1
          ? this.sendBatchedSetpoint(bank, instruction, table, k)
          : this.sendSetpoint(instruction, table, k, all[index]);
      // One that keeps its old amount keeps what cut that one.
      if (!isTold || bank !== null) continue;
      cutBy[i] = cuts[k];
      if (widths !== null) widths.capabilityLimit[i] = widthCuts[k];
    }
  }

  /** The members that take part now, in order of registration. @returns how many */
  private gatherParticipants(instruction: Instruction, table: DispatchTable): number {
    const { siteIndices: sites, weights } = instruction.membership;
    const { participantLists: lists } = this;
    lists.ensureSize(sites.length);
    const bank = this.siteAccess.batch?.canExecute(instruction) ? this.siteAccess.batch : null;
    const asked = { siteIndices: sites, weights, baselineKw: table.baselineKw };
    lists.batchedBatteryCount = bank === null ? 0 : bank.markBatteries(instruction, asked, lists.participation);
    if (lists.batchedBatteryCount < sites.length) this.gatherOthers(instruction, table, bank);
    if (bank !== null && bank.closingCount > 0) this.siteAccess.beginBatchChange(bank.closingSites, bank.closingCount);
    return bank === null || lists.batchedBatteryCount === 0
      ? lists.listParticipants(instruction.membership)
      : bank.batteries.listParticipants(asked, instruction.deltaTenths > 0, lists);
  }

  /** Marks the other members that take part. */
  private gatherOthers(instruction: Instruction, table: DispatchTable, bank: SiteBatch | null): void {
    const { siteIndices: sites, weights } = instruction.membership;
    const { sites: all } = this.siteAccess;
    const { participation: marks, batchedBatteryCount: batteryCount } = this.participantLists;
    const { memberStates: seen, baselineKw, status } = table;
    const compatible = bank === null ? null : this.compatibility.compatibleSites(instruction);
    for (let i = 0; i < sites.length; i++) {
      if (batteryCount > 0 && marks[i] === PARTICIPATION.batchedBattery) continue;
      marks[i] = PARTICIPATION.none;
      if (seen[i] === "away") continue;
      const index = sites[i];
      if (
        bank !== null &&
        compatible !== null &&
        bank.batched[index] === 1 &&
        bank.isAvailableFor(index, instruction)
      ) {
        // It is in service, and no dispatchable plant.
        const ineligible = exclusionOutcome(weights[i], baselineKw[i], compatible[index] === 1);
        if (ineligible !== null) status[i] = ineligible;
        else {
          bank.addToClosing(index);
          marks[i] = PARTICIPATION.other;
        }
        continue;
      }
      const site = all[index];
      if (site.isInService && this.isParticipating(instruction, table, i, site)) marks[i] = PARTICIPATION.other;
    }
  }

  /** Whether a member in service takes part; its site is brought to now, or its status says why not. */
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
   * Delivers the amount of one sharer, by its place; a member that has it already hears nothing. Where the message is lost or the site says
   * no, what was in force there stays in force (docs/model/allocation.md#re-dispatch).
   *
   * @returns whether the amount is in force
   */
  private sendSetpoint(instruction: Instruction, table: DispatchTable, k: number, site: Site): boolean {
    const { fcrCapacities: widths } = table;
    const i = this.participantLists.participants[k];
    const deltaTenths = this.participantLists.deltaTenths[k];
    const widthTenths = widths === null ? 0 : this.participantLists.fcrCapacityTenths[k];
    const inForce = table.status[i] === DISPATCH_OUTCOME.dispatched && site.hasOrder(instruction);
    const isSame =
      table.deltaTenths[i] === deltaTenths && (widths === null || widths.capacityTenths[i] === widthTenths);
    if (
      inForce &&
      isSame &&
      site.setpointCeilingKw(instruction) === this.participantLists.setpointCeilingTenths[k] / 10
    )
      return true;
    if (!this.siteAccess.sendMessage(site)) {
      if (!inForce) table.status[i] = DISPATCH_OUTCOME.failed;
      return false;
    }
    this.orderAmount.deltaKw = deltaTenths / 10;
    this.orderAmount.fcrCapacityKw = widthTenths / 10;
    this.orderAmount.setpointCeilingKw = this.participantLists.setpointCeilingTenths[k] / 10;
    const refusal = site.applyOrder(instruction, this.orderAmount, table.baselineKw[i], this.siteAccess.nowMs);
    if (refusal !== null) {
      if (!inForce) table.status[i] = DISPATCH_OUTCOME.refused;
      table.recordRefusal(i, refusal);
      return false;
    }
    table.status[i] = DISPATCH_OUTCOME.dispatched;
    table.recordRefusal(i, null);
    setMemberDelta(instruction, table, i, deltaTenths);
    if (widths !== null) widths.capacityTenths[i] = widthTenths;
    return true;
  }

  /** The same for a site that the bank keeps: a battery refuses nothing that `gather` has let it share. */
  private sendBatchedSetpoint(bank: SiteBatch, instruction: Instruction, table: DispatchTable, k: number): boolean {
    const i = this.participantLists.participants[k];
    const index = instruction.membership.siteIndices[i];
    const deltaTenths = this.participantLists.deltaTenths[k];
    const inForce = bank.isExecuting(index, instruction);
    if (bank.batchedBatteries[index] === 0) {
      this.orderAmount.deltaKw = deltaTenths / 10;
      this.orderAmount.setpointCeilingKw = this.participantLists.setpointCeilingTenths[k] / 10;
      if (!bank.canApply(index, instruction, this.orderAmount)) {
        const site = this.siteAccess.sites[index];
        this.siteAccess.evictFromBatch(site);
        return this.sendSetpoint(instruction, table, k, site);
      }
    }
    if (inForce && table.deltaTenths[i] === deltaTenths) return true;
    if (!this.siteAccess.isLossless && !this.siteAccess.sendMessage(this.siteAccess.sites[index])) {
      if (!inForce) table.status[i] = DISPATCH_OUTCOME.failed;
      return false;
    }
    bank.applyOrder(index, instruction, deltaTenths / 10, table.baselineKw[i]);
    table.status[i] = DISPATCH_OUTCOME.dispatched;
    setMemberDelta(instruction, table, i, deltaTenths);
    return true;
  }

  /** Takes the instruction from all sites that have it. */
  end(instruction: Instruction): void {
    const { siteIndices: sites } = instruction.membership;
    const { nowMs, sites: all, batch: bank } = this.siteAccess;
    if (bank !== null) this.endBatched(bank, instruction);
    for (let i = nextUnbatched(sites, bank, 0); i < sites.length; i = nextUnbatched(sites, bank, i + 1)) {
      const site = all[sites[i]];
      if (!site.hasOrder(instruction)) continue;
      this.siteAccess.beginSiteChange(site);
      site.releaseOrder(instruction, nowMs);
    }
  }

  /** The same for the sites that the bank keeps. */
  private endBatched(bank: SiteBatch, instruction: Instruction): void {
    bank.listExecutingSites(instruction.membership.siteIndices, instruction);
    if (bank.closingCount > 0) this.siteAccess.beginBatchChange(bank.closingSites, bank.closingCount);
    bank.releaseOrder(instruction);
  }

  /** Takes back the table of an instruction that is over, for another one. */
  recycleTable(instruction: Instruction): void {
    if (instruction.table !== null) this.tablePool.release(instruction.table);
    instruction.table = null;
  }
}

/** The first of some sites, from a place on, that no bank keeps. */
const nextUnbatched = (sites: Int32Array, bank: SiteBatch | null, from: number): number =>
  bank === null ? from : bank.nextUnbatched(sites, from);

/** A member carries another amount from now on. */
function setMemberDelta(instruction: Instruction, { deltaTenths }: DispatchTable, i: number, tenths: number): void {
  instruction.uncoveredTenths += deltaTenths[i] - tenths;
  deltaTenths[i] = tenths;
}
