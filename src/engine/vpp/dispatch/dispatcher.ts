import { assert } from "../../../base/assert.ts";
import { Copyable } from "../../../base/copyState.ts";
import type { Sku } from "../../../base/sku.ts";
import type { Stepper } from "../../kernel/stepper.ts";
import { isMarketable } from "../../site/orders/checkOrder.ts";
import type { Site } from "../../site/site.ts";
import type { SiteRecord } from "../../site/siteRecord.ts";
import { eligibilityOutcome, ineligibilityOutcome, servicesOf } from "../allocation/eligibility.ts";
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
import type { SiteAccess } from "./siteAccess.ts";

/** Executes instructions at the members' sites: selects the participants, allocates the request and sends the set-points. */
export class Dispatcher extends Copyable {
  private readonly siteAccess: SiteAccess;
  private readonly memberMachine: Stepper<MemberState, MemberEvent>;
  /** Participants of the current dispatch and their amounts. */
  private readonly participantLists = new ParticipantLists();
  private readonly allocator: InstructionAllocator;
  /** Tables of ended instructions: a year of awards needs tens of thousands. */
  private readonly tablePool = new DispatchTablePool();
  private readonly marketableSites: MarketableSites;
  /** Reused for each set-point. */
  private readonly orderAmount = { deltaKw: 0, fcrCapacityKw: 0, setpointCeilingKw: 0 };

  constructor(siteAccess: SiteAccess, memberMachine: Stepper<MemberState, MemberEvent>) {
    super();
    this.siteAccess = siteAccess;
    this.memberMachine = memberMachine;
    this.marketableSites = new MarketableSites(siteAccess.sites);
    this.allocator = new InstructionAllocator(siteAccess, this.participantLists);
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
    const count = this.gatherParticipants(instruction, table, options, true);
    this.allocateAndDispatch(instruction, table, count, options);
    instruction.uncoveredAtStartTenths = instruction.uncoveredTenths;
    instruction.fcrUncoveredAtStartTenths = instruction.fcrUncoveredTenths;
  }

  private markOutOfService(table: DispatchTable, i: number): void {
    table.status[i] = DISPATCH_OUTCOME.outOfService;
    table.setMemberState(i, this.memberMachine.nextState(table.memberStates[i], "notice_out"));
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
    const count = this.gatherParticipants(instruction, table, options, false);
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
    let changed = false;
    for (let i = 0; i < sites.length; i++) {
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
    const count = this.gatherParticipants(instruction, table, options, false);
    this.allocateAndDispatch(instruction, table, count, options);
  }

  /** Allocates the request to the first `count` participants and sends their set-points. */
  private allocateAndDispatch(
    instruction: Instruction,
    table: DispatchTable,
    count: number,
    options: VppOptions,
  ): void {
    const { fcrCapacities } = table;
    this.allocator.allocateDelta(instruction, table, count, options);
    if (fcrCapacities !== null) this.allocator.allocateFcrCapacity(instruction, table, fcrCapacities, count, options);
    this.sendSetpoints(instruction, table, count);
    if (fcrCapacities === null) return;
    let allocatedTenths = 0;
    for (const tenths of fcrCapacities.capacityTenths) allocatedTenths += tenths;
    // A member that the reduced amount did not reach may provide more than its share.
    instruction.fcrUncoveredTenths = Math.max(0, (instruction.fcrCapacityTenths ?? 0) - allocatedTenths);
  }

  private sendSetpoints(instruction: Instruction, table: DispatchTable, count: number): void {
    const { siteIndices: sites } = instruction.membership;
    const { fcrCapacities, capabilityLimit } = table;
    const { sites: allSites, records, isLossless } = this.siteAccess;
    const { participants, participation, deltaLimits, fcrCapacityLimits } = this.participantLists;
    for (let k = 0; k < count; k++) {
      const i = participants[k];
      const index = sites[i];
      if (isLossless && participation[i] === PARTICIPATION.soleBattery)
        this.setBatteryDelta(instruction, table, k, records[index]);
      // A member that keeps its old amount keeps the limiting factor of that amount.
      else if (!this.sendSetpoint(instruction, table, k, allSites[index])) continue;
      capabilityLimit[i] = deltaLimits[k];
      if (fcrCapacities !== null) fcrCapacities.capabilityLimit[i] = fcrCapacityLimits[k];
    }
  }

  /** `sendSetpoint` over a lossless link to a battery without another order, which accepts any amount. */
  private setBatteryDelta(instruction: Instruction, table: DispatchTable, k: number, record: SiteRecord): void {
    const i = this.participantLists.participants[k];
    const deltaTenths = this.participantLists.deltaTenths[k];
    table.setpointOutcome[i] = DISPATCH_OUTCOME.dispatched;
    if (record.order !== null && table.deltaTenths[i] === deltaTenths) return;
    record.order = instruction;
    record.deltaKw = deltaTenths / 10;
    record.baselineKw = table.baselineKw[i];
    table.status[i] = DISPATCH_OUTCOME.dispatched;
    table.recordRefusal(i, null);
    setMemberDelta(instruction, table, i, deltaTenths);
  }

  /**
   * Lists the participants in order of registration and advances their sites to now.
   *
   * @param noticesOutages  whether members out of service are noticed
   * @returns their number
   */
  private gatherParticipants(
    instruction: Instruction,
    table: DispatchTable,
    options: VppOptions,
    noticesOutages: boolean,
  ): number {
    const { siteIndices: sites, weights } = instruction.membership;
    const { sites: allSites, records } = this.siteAccess;
    const { participantLists: lists } = this;
    lists.ensureSize(sites.length);
    const { participation, participants, weights: participantWeights } = lists;
    const { memberStates, baselineKw, status } = table;
    // The short way computes capabilities by power alone.
    const isPlain = table.fcrCapacities === null && options.isEnergyAware !== true;
    const sellsSku = this.marketableSites.of(instruction.sku);
    let count = 0;
    for (let i = 0; i < sites.length; i++) {
      const index = sites[i];
      const record = records[index];
      participation[i] = PARTICIPATION.none;
      if (memberStates[i] === "away") continue;
      if (!record.isInService) {
        if (noticesOutages) this.markOutOfService(table, i);
        continue;
      }
      const isSoleBattery =
        record.store !== null &&
        isPlain &&
        record.isFreeFor(instruction) &&
        !record.isRestricted &&
        sellsSku[index] === 1 &&
        weights[i] !== 0 &&
        !Number.isNaN(baselineKw[i]);
      // Such a battery is compatible with every delta.
      const ineligible = isSoleBattery
        ? null
        : ineligibilityOutcome(allSites[index], weights[i], baselineKw[i], instruction);
      if (ineligible !== null) {
        status[i] = ineligible;
        continue;
      }
      participation[i] = isSoleBattery ? PARTICIPATION.soleBattery : PARTICIPATION.other;
      if (!record.isReplanDue) this.siteAccess.beginSiteChange(allSites[index]);
      participantWeights[count] = weights[i];
      participants[count++] = i;
    }
    if (table.fcrCapacities !== null)
      for (let k = 0; k < count; k++) {
        const i = participants[k];
        table.fcrCapacities.services[i] = servicesOf(allSites[sites[i]], baselineKw[i], instruction);
      }
    return count;
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
    const inForce = table.status[i] === DISPATCH_OUTCOME.dispatched && site.orderBook.hasOrder(instruction);
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

  /** Releases the instruction at all sites that execute it. */
  end(instruction: Instruction): void {
    const { siteIndices: sites } = instruction.membership;
    const { nowMs, sites: allSites, records } = this.siteAccess;
    for (let i = 0; i < sites.length; i++) {
      const index = sites[i];
      const record = records[index];
      if (record.order !== instruction && !(record.hasListedOrders && allSites[index].orderBook.hasOrder(instruction)))
        continue;
      if (!record.isReplanDue) this.siteAccess.beginSiteChange(allSites[index]);
      if (record.store !== null && record.order === instruction) record.order = null;
      else allSites[index].releaseOrder(instruction, nowMs);
    }
  }

  /** Returns the table of an ended instruction to the pool. */
  recycleTable(instruction: Instruction): void {
    if (instruction.table !== null) this.tablePool.release(instruction.table);
    instruction.table = null;
  }
}

/** Sets a member's amount and updates the uncovered power. */
function setMemberDelta(instruction: Instruction, { deltaTenths }: DispatchTable, i: number, tenths: number): void {
  instruction.uncoveredTenths += deltaTenths[i] - tenths;
  deltaTenths[i] = tenths;
}

/** The sites that may sell a product, computed once per product. */
class MarketableSites extends Copyable {
  private readonly sites: readonly Site[];
  private readonly bySku = new Map<Sku | null, Uint8Array<ArrayBuffer>>();
  /** Consecutive orders usually have the same product. */
  private lastSku: Sku | null | undefined = undefined;
  private last = new Uint8Array(0);

  constructor(sites: readonly Site[]) {
    super();
    this.sites = sites;
  }

  /** By site index: 1 if the product is marketable at the site; without a product, everywhere. */
  of(sku: Sku | null): Uint8Array {
    if (sku === this.lastSku) return this.last;
    let flags = this.bySku.get(sku);
    if (flags === undefined) {
      flags = Uint8Array.from(this.sites, ({ spec }) =>
        isMarketable(spec.capability.marketable, { sku, compoundBreakdown: null }, DELTA) ? 1 : 0,
      );
      this.bySku.set(sku, flags);
    }
    this.lastSku = sku;
    this.last = flags;
    return flags;
  }
}

/** An amount without frequency response. */
const DELTA = { deltaKw: 0, fcrCapacityKw: 0 };

/** Dispatch tables of ended instructions for reuse, by member count and presence of FCR columns. */
class DispatchTablePool extends Copyable {
  private readonly tables = new Map<number, DispatchTable[]>();
  /** The table released last; usually the only one. */
  private last: DispatchTable | null = null;

  release(table: DispatchTable): void {
    const { last } = this;
    this.last = table;
    if (last === null) return;
    const key = keyOf(last.memberCount, last.fcrCapacities !== null);
    const pool = this.tables.get(key);
    if (pool === undefined) this.tables.set(key, [last]);
    else pool.push(last);
  }

  /** A table for `count` members, reused or new. Call `reset` before use: a reused table has the values of another instruction. */
  acquire(count: number, memberState: MemberState, hasFcr: boolean): DispatchTable {
    const { last } = this;
    if (last !== null && last.memberCount === count && (last.fcrCapacities !== null) === hasFcr) {
      this.last = null;
      return last;
    }
    return this.tables.get(keyOf(count, hasFcr))?.pop() ?? new DispatchTable(count, memberState, hasFcr);
  }
}

const keyOf = (count: number, hasFcr: boolean): number => 2 * count + (hasFcr ? 1 : 0);
