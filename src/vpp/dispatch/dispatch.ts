import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import type { Stepper } from "../../kernel/step.ts";
import type { PlainBank } from "../../site/batch/plainBank.ts";
import type { Site } from "../../site/site.ts";
import { Compatibility } from "../allocation/compatibility.ts";
import { eligibility, exclusion, ineligibility, partsOf } from "../allocation/eligibility.ts";
import { MARK, ShareLists } from "../allocation/shareLists.ts";
import { Sharing } from "../allocation/sharing.ts";
import { DISPATCH, DispatchTable, type Instruction, type Membership, NO_MEMBERS } from "../instructions/instruction.ts";
import type { MemberEvent, MemberState } from "../memberMachine.ts";
import type { VppOptions } from "../vppSpec.ts";
import type { Field } from "./field.ts";
import { SpareTables } from "./spareTables.ts";
import { tellBatteries } from "./tellBatteries.ts";

/** Executes instructions at the members' sites: who takes part, how much each is told, who refuses. */
export class Dispatcher extends Copyable {
  private readonly field: Field;
  private readonly member: Stepper<MemberState, MemberEvent>;
  /** Those who take part at hand, and what they are to be told. */
  private readonly lists = new ShareLists();
  private readonly sharing: Sharing;
  /** Of sites that a bank keeps. */
  private readonly compatibility: Compatibility;
  /** Tables of instructions that are over: a year of awards needs tens of thousands in turn. */
  private readonly spare = new SpareTables();
  /** Filled anew for each delivery. */
  private readonly amount = { deltaKw: 0, fcrKw: 0, reachKw: 0 };

  constructor(field: Field, member: Stepper<MemberState, MemberEvent>) {
    super();
    this.field = field;
    this.member = member;
    this.sharing = new Sharing(field, this.lists);
    this.compatibility = new Compatibility(field.sites);
  }

  /** The first dispatch: reads status, weights and capability as they are now. */
  execute(instruction: Instruction, options: VppOptions): void {
    const { sites } = instruction.membership;
    const table = this.spare.take(sites.length, this.member.initial, instruction.fcrTenths !== null);
    instruction.table = table;
    instruction.executedMs = this.field.nowMs;
    instruction.uncoveredTenths = instruction.deltaTenths;
    table.open(sites, instruction.baselinesKw, this.member.initial);
    this.noteThoseOut(sites, table);
    this.share(instruction, table, this.gather(instruction, table), options);
    instruction.uncoveredAtStartTenths = instruction.uncoveredTenths;
    instruction.fcrUncoveredAtStartTenths = instruction.fcrUncoveredTenths;
  }

  /** Kept sites are in service; mostly all sites are. */
  private noteThoseOut(sites: Int32Array, table: DispatchTable): void {
    const { bank, sites: all } = this.field;
    for (let i = nextNotKept(sites, bank, 0); i < sites.length; i = nextNotKept(sites, bank, i + 1)) {
      if (all[sites[i]].inService) continue;
      table.status[i] = DISPATCH.outOfService;
      table.see(i, this.member.next(table.seen[i], "notice_out"));
    }
  }

  /**
   * What an execution would do if it came now and no other instruction held anything: what a schedule shows until its
   * start (decisions.md 43, 72, 73). Nobody is told.
   */
  plan(instruction: Instruction, membership: Membership, options: VppOptions): void {
    const { sites, weights } = membership;
    const table = new DispatchTable(sites.length, this.member.initial, instruction.fcrTenths !== null);
    for (let i = 0; i < sites.length; i++) {
      table.baselineKw[i] = instruction.baselinesKw[sites[i]];
      table.status[i] = eligibility(this.field.sites[sites[i]], weights[i], table.baselineKw[i], instruction);
    }
    instruction.membership = membership;
    this.sharing.alone = true;
    const count = this.gather(instruction, table);
    this.sharing.planDelta(instruction, table, count, options);
    if (table.widths !== null) this.sharing.planWidths(instruction, table, table.widths, count, options);
    this.sharing.alone = false;
    instruction.membership = NO_MEMBERS;
    let uncoveredTenths = instruction.deltaTenths;
    let fcrUncoveredTenths = instruction.fcrTenths ?? 0;
    for (let k = 0; k < count; k++) {
      const i = this.lists.sharers[k];
      table.deltaTenths[i] = this.lists.deltas[k];
      uncoveredTenths -= this.lists.deltas[k];
      if (table.widths === null) continue;
      table.widths.tenths[i] = this.lists.widths[k];
      fcrUncoveredTenths -= this.lists.widths[k];
    }
    instruction.plan = { membership, table, uncoveredTenths, fcrUncoveredTenths };
  }

  /**
   * What an evaluation sees: members that went out lose the instruction, members that came back are noted.
   *
   * @returns whether anything changed, in which case a re-dispatch is due
   */
  evaluate(instruction: Instruction, noticed: (site: Site, isOut: boolean) => void): boolean {
    const { sites, weights } = instruction.membership;
    const { table } = instruction;
    assert(table !== null, "only what runs is evaluated");
    const { bank } = this.field;
    let changed = false;
    // Kept sites have been in service since the execution.
    for (let i = nextNotKept(sites, bank, 0); i < sites.length; i = nextNotKept(sites, bank, i + 1)) {
      const site = this.field.sites[sites[i]];
      const isAway = table.seen[i] === "away";
      if (site.inService !== isAway) continue;
      table.see(i, this.member.next(table.seen[i], isAway ? "notice_back" : "notice_out"));
      const ineligible = ineligibility(site, weights[i], table.baselineKw[i], instruction);
      if (ineligible !== null) {
        // Left out for good, but it shows, and lacks, as away until somebody sees it back.
        table.status[i] = isAway ? ineligible : DISPATCH.outOfService;
        continue;
      }
      changed = true;
      noticed(site, !isAway);
      if (!isAway) this.withdraw(instruction, table, i, site);
    }
    return changed;
  }

  private withdraw(instruction: Instruction, table: DispatchTable, i: number, site: Site): void {
    this.field.touch(site);
    site.release(instruction, site.outSinceMs);
    carry(instruction, table, i, 0);
    table.status[i] = DISPATCH.outOfService;
    if (table.widths === null) return;
    instruction.fcrUncoveredTenths += table.widths.tenths[i];
    table.widths.tenths[i] = 0;
  }

  /** Shares anew over the members in service that were eligible at the execution (decisions.md 33, 106). */
  redispatch(instruction: Instruction, options: VppOptions): void {
    const { table } = instruction;
    assert(table !== null, "only what runs is dispatched again");
    this.share(instruction, table, this.gather(instruction, table), options);
  }

  /** Splits the request over those who take part, the first `count` of `sharers`, and tells them. */
  private share(instruction: Instruction, table: DispatchTable, count: number, options: VppOptions): void {
    const { widths } = table;
    const { bank, allDeliver } = this.field;
    const { batteryCount } = this.lists;
    const partners = this.sharing.splitDelta(instruction, table, count, options);
    if (bank !== null && batteryCount > 0 && allDeliver) tellBatteries(bank, instruction, table, this.lists, count);
    if (!allDeliver || batteryCount < count) {
      this.sharing.noteDelta(instruction, table, partners, options);
      if (widths !== null) this.sharing.planWidths(instruction, table, widths, count, options);
      this.tellOthers(instruction, table, count, allDeliver);
    }
    if (widths === null) return;
    let heldTenths = 0;
    for (const tenths of widths.tenths) heldTenths += tenths;
    // One that could not be told to hold less makes up more than its share.
    instruction.fcrUncoveredTenths = Math.max(0, (instruction.fcrTenths ?? 0) - heldTenths);
  }

  /** Tells the sharers, those with batteries in a bank only where messages may be lost. */
  private tellOthers(instruction: Instruction, table: DispatchTable, count: number, areBatteriesTold: boolean): void {
    const { sites } = instruction.membership;
    const { widths, cutBy } = table;
    const { bank, sites: all } = this.field;
    const { sharers, marks, cuts, widthCuts } = this.lists;
    for (let k = 0; k < count; k++) {
      const i = sharers[k];
      if (areBatteriesTold && marks[i] === MARK.battery) continue;
      const index = sites[i];
      const isTold =
        bank !== null && bank.kept[index] === 1
          ? this.tellKept(bank, instruction, table, k)
          : this.tell(instruction, table, k, all[index]);
      // One that keeps its old amount keeps what cut that one.
      if (!isTold || bank !== null) continue;
      cutBy[i] = cuts[k];
      if (widths !== null) widths.cutBy[i] = widthCuts[k];
    }
  }

  /** The members that take part now, in order of registration. @returns how many */
  private gather(instruction: Instruction, table: DispatchTable): number {
    const { sites, weights } = instruction.membership;
    const { lists } = this;
    lists.reserve(sites.length);
    const bank = this.field.bank?.couldTake(instruction) ? this.field.bank : null;
    const asked = { sites, weights, baselineKw: table.baselineKw };
    lists.batteryCount = bank === null ? 0 : bank.markBatteries(instruction, asked, lists.marks);
    if (lists.batteryCount < sites.length) this.gatherOthers(instruction, table, bank);
    if (bank !== null && bank.closingCount > 0) this.field.touchKept(bank.closing, bank.closingCount);
    return bank === null || lists.batteryCount === 0
      ? lists.listMarked(instruction.membership)
      : bank.batteries.listSharers(asked, instruction.deltaTenths > 0, lists);
  }

  /** Marks the other members that take part. */
  private gatherOthers(instruction: Instruction, table: DispatchTable, bank: PlainBank | null): void {
    const { sites, weights } = instruction.membership;
    const { sites: all } = this.field;
    const { marks, batteryCount } = this.lists;
    const { seen, baselineKw, status } = table;
    const compatible = bank === null ? null : this.compatibility.with(instruction);
    for (let i = 0; i < sites.length; i++) {
      if (batteryCount > 0 && marks[i] === MARK.battery) continue;
      marks[i] = MARK.no;
      if (seen[i] === "away") continue;
      const index = sites[i];
      if (bank !== null && compatible !== null && bank.kept[index] === 1 && bank.isFree(index, instruction)) {
        // It is in service, and no dispatchable plant.
        const ineligible = exclusion(weights[i], baselineKw[i], compatible[index] === 1);
        if (ineligible !== null) status[i] = ineligible;
        else {
          bank.closeToo(index);
          marks[i] = MARK.other;
        }
        continue;
      }
      const site = all[index];
      if (site.inService && this.takesPart(instruction, table, i, site)) marks[i] = MARK.other;
    }
  }

  /** Whether a member in service takes part; its site is brought to now, or its status says why not. */
  private takesPart(instruction: Instruction, table: DispatchTable, i: number, site: Site): boolean {
    const baselineKw = table.baselineKw[i];
    const ineligible = ineligibility(site, instruction.membership.weights[i], baselineKw, instruction);
    if (ineligible !== null) {
      table.status[i] = ineligible;
      return false;
    }
    this.field.touch(site);
    if (table.widths !== null) table.widths.parts[i] = partsOf(site, baselineKw, instruction);
    return true;
  }

  /**
   * Delivers the amount of one sharer, by its place; a member that has it already hears nothing. Where the message is lost or the site says
   * no, what was in force there stays in force (decisions.md 106).
   *
   * @returns whether the amount is in force
   */
  private tell(instruction: Instruction, table: DispatchTable, k: number, site: Site): boolean {
    const { widths } = table;
    const i = this.lists.sharers[k];
    const deltaTenths = this.lists.deltas[k];
    const widthTenths = widths === null ? 0 : this.lists.widths[k];
    const inForce = table.status[i] === DISPATCH.dispatched && site.holds(instruction);
    const isSame = table.deltaTenths[i] === deltaTenths && (widths === null || widths.tenths[i] === widthTenths);
    if (inForce && isSame && site.reachKw(instruction) === this.lists.reaches[k] / 10) return true;
    if (!this.field.delivers(site)) {
      if (!inForce) table.status[i] = DISPATCH.failed;
      return false;
    }
    this.amount.deltaKw = deltaTenths / 10;
    this.amount.fcrKw = widthTenths / 10;
    this.amount.reachKw = this.lists.reaches[k] / 10;
    const refusal = site.take(instruction, this.amount, table.baselineKw[i], this.field.nowMs);
    if (refusal !== null) {
      if (!inForce) table.status[i] = DISPATCH.refused;
      table.noteAnswer(i, refusal);
      return false;
    }
    table.status[i] = DISPATCH.dispatched;
    table.noteAnswer(i, null);
    carry(instruction, table, i, deltaTenths);
    if (widths !== null) widths.tenths[i] = widthTenths;
    return true;
  }

  /** The same for a site that the bank keeps: a battery refuses nothing that `gather` has let it share. */
  private tellKept(bank: PlainBank, instruction: Instruction, table: DispatchTable, k: number): boolean {
    const i = this.lists.sharers[k];
    const index = instruction.membership.sites[i];
    const deltaTenths = this.lists.deltas[k];
    const inForce = bank.executes(index, instruction);
    if (bank.keptBatteries[index] === 0) {
      this.amount.deltaKw = deltaTenths / 10;
      this.amount.reachKw = this.lists.reaches[k] / 10;
      if (!bank.canCarry(index, instruction, this.amount)) {
        const site = this.field.sites[index];
        this.field.giveBack(site);
        return this.tell(instruction, table, k, site);
      }
    }
    if (inForce && table.deltaTenths[i] === deltaTenths) return true;
    if (!this.field.allDeliver && !this.field.delivers(this.field.sites[index])) {
      if (!inForce) table.status[i] = DISPATCH.failed;
      return false;
    }
    bank.take(index, instruction, deltaTenths / 10, table.baselineKw[i]);
    table.status[i] = DISPATCH.dispatched;
    carry(instruction, table, i, deltaTenths);
    return true;
  }

  /** Takes the instruction from all sites that have it. */
  end(instruction: Instruction): void {
    const { sites } = instruction.membership;
    const { nowMs, sites: all, bank } = this.field;
    if (bank !== null) this.endKept(bank, instruction);
    for (let i = nextNotKept(sites, bank, 0); i < sites.length; i = nextNotKept(sites, bank, i + 1)) {
      const site = all[sites[i]];
      if (!site.holds(instruction)) continue;
      this.field.touch(site);
      site.release(instruction, nowMs);
    }
  }

  /** The same for the sites that the bank keeps. */
  private endKept(bank: PlainBank, instruction: Instruction): void {
    bank.listExecuting(instruction.membership.sites, instruction);
    if (bank.closingCount > 0) this.field.touchKept(bank.closing, bank.closingCount);
    bank.release(instruction);
  }

  /** Takes back the table of an instruction that is over, for another one. */
  retire(instruction: Instruction): void {
    if (instruction.table !== null) this.spare.put(instruction.table);
    instruction.table = null;
  }
}

/** The first of some sites, from a place on, that no bank keeps. */
const nextNotKept = (sites: Int32Array, bank: PlainBank | null, from: number): number =>
  bank === null ? from : bank.nextNotKept(sites, from);

/** A member carries another amount from now on. */
function carry(instruction: Instruction, { deltaTenths }: DispatchTable, i: number, tenths: number): void {
  instruction.uncoveredTenths += deltaTenths[i] - tenths;
  deltaTenths[i] = tenths;
}
