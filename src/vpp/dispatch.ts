import { assert } from "../base/assert.ts";
import { Copyable } from "../base/copyState.ts";
import { floorToTenths } from "../base/rounding.ts";
import type { EpochMs } from "../base/time.ts";
import type { Stepper } from "../kernel/step.ts";
import type { BatteryBank } from "../site/batteryBank.ts";
import type { Site } from "../site/site.ts";
import { fillByWeight, splitByWeight } from "./allocate.ts";
import { headroomKw } from "./capability.ts";
import { isEmptied } from "./compositeCapability.ts";
import { eligibility, ineligibility, partsOf } from "./eligibility.ts";
import {
  CUT_BY,
  DISPATCH,
  DispatchTable,
  type Instruction,
  type Membership,
  NO_MEMBERS,
  PART,
  type WidthTable,
} from "./instruction.ts";
import type { MemberEvent, MemberState } from "./memberMachine.ts";
import { ShareLists } from "./shareLists.ts";
import { SpareTables } from "./spareTables.ts";
import type { VppOptions } from "./vppSpec.ts";
import { widthCapabilityKw, widthCutBy } from "./widthCapability.ts";

/** The sites as a VPP reaches them. */
export interface Field {
  readonly nowMs: EpochMs;
  readonly sites: readonly Site[];
  /** To be called before anything of a site is changed: brings it to now and has it settled at the end of the instant. */
  touch(site: Site): void;
  /** Plain batteries at work; `null` where none are kept so. */
  readonly bank: BatteryBank | null;
  /** As `touch`, for the sites of the first `count` of these batteries, which the bank keeps. */
  touchKept(indices: Int32Array, count: number): void;
  /** Sends one message over a site's link, with three more attempts; false when all were lost. */
  delivers(site: Site): boolean;
  /** Whether no message to anybody is lost now. */
  readonly allDeliver: boolean;
}

/** Executes instructions at the members' sites: who takes part, how much each is told, who refuses. */
export class Dispatcher extends Copyable {
  private readonly field: Field;
  private readonly member: Stepper<MemberState, MemberEvent>;
  /** Those who take part at hand. */
  private readonly lists = new ShareLists();
  /** Whether what other instructions hold is left out of account. */
  private alone = false;
  /** Tables of instructions that are over: a year of awards needs tens of thousands in turn. */
  private readonly spare = new SpareTables();
  /** Filled anew for each delivery. */
  private readonly amount = { deltaKw: 0, fcrKw: 0, reachKw: 0 };

  constructor(field: Field, member: Stepper<MemberState, MemberEvent>) {
    super();
    this.field = field;
    this.member = member;
  }

  /** The first dispatch: reads status, weights and capability as they are now. */
  execute(instruction: Instruction, options: VppOptions): void {
    const { sites } = instruction.membership;
    const table = this.spare.take(sites.length, this.member.initial, instruction.fcrTenths !== null);
    instruction.table = table;
    instruction.executedMs = this.field.nowMs;
    table.open(sites, instruction.baselinesKw, this.member.initial);
    const { bank, sites: all } = this.field;
    for (let i = 0; i < sites.length; i++) {
      if (bank?.kept[sites[i]] === 1 || all[sites[i]].inService) continue;
      table.status[i] = DISPATCH.outOfService;
      table.see(i, this.member.next(table.seen[i], "notice_out"));
    }
    this.share(instruction, table, this.gather(instruction, table), options);
    instruction.uncoveredAtStartTenths = instruction.uncoveredTenths;
    instruction.fcrUncoveredAtStartTenths = instruction.fcrUncoveredTenths;
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
    this.alone = true;
    const count = this.gather(instruction, table);
    this.planDelta(instruction, table, count, options);
    if (table.widths !== null) this.planWidths(instruction, table, table.widths, count, options);
    this.alone = false;
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
    let changed = false;
    for (let i = 0; i < sites.length; i++) {
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
    instruction.uncoveredTenths += table.deltaTenths[i];
    table.deltaTenths[i] = 0;
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
    const { sites } = instruction.membership;
    const { widths } = table;
    this.planDelta(instruction, table, count, options);
    if (widths !== null) this.planWidths(instruction, table, widths, count, options);
    const { bank } = this.field;
    for (let k = 0; k < count; k++) {
      const i = this.lists.sharers[k];
      const isTold =
        bank?.kept[sites[i]] === 1
          ? this.tellKept(bank, instruction, table, k)
          : this.tell(instruction, table, k, this.field.sites[sites[i]]);
      // One that keeps its old amount keeps what cut that one.
      if (!isTold) continue;
      table.cutBy[i] = this.lists.cuts[k];
      if (widths !== null) widths.cutBy[i] = this.lists.widthCuts[k];
    }
    let coveredTenths = 0;
    for (let i = 0; i < sites.length; i++) coveredTenths += table.deltaTenths[i];
    instruction.uncoveredTenths = instruction.deltaTenths - coveredTenths;
    if (widths === null) return;
    let heldTenths = 0;
    for (const tenths of widths.tenths) heldTenths += tenths;
    // One that could not be told to hold less makes up more than its share.
    instruction.fcrUncoveredTenths = Math.max(0, (instruction.fcrTenths ?? 0) - heldTenths);
  }

  /** The members that take part now, in order of registration. @returns how many */
  private gather(instruction: Instruction, table: DispatchTable): number {
    const { sites, weights } = instruction.membership;
    const { sites: all } = this.field;
    const bank = this.field.bank?.couldTake(instruction) ? this.field.bank : null;
    this.lists.reserve(sites.length);
    const { closing, sharers } = this.lists;
    const { seen, baselineKw } = table;
    let count = 0;
    let keptCount = 0;
    for (let i = 0; i < sites.length; i++) {
      if (seen[i] === "away") continue;
      const index = sites[i];
      const isAsked = weights[i] !== 0 && !Number.isNaN(baselineKw[i]);
      if (isAsked && bank?.kept[index] === 1 && bank.isFree(index, instruction)) {
        if (bank.unsettled[index] === 0) closing[keptCount++] = index;
        sharers[count++] = i;
        continue;
      }
      const site = all[index];
      if (site.inService && this.takesPart(instruction, table, i, site)) sharers[count++] = i;
    }
    if (keptCount > 0) this.field.touchKept(closing, keptCount);
    return count;
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

  /** What each sharer is to change its power by: one pass by weight, cut to what it can, unless the VPP redistributes. */
  private planDelta(instruction: Instruction, table: DispatchTable, count: number, options: VppOptions): void {
    const { sites } = instruction.membership;
    const sign = instruction.direction;
    const { sites: all } = this.field;
    const { sharers, deltas, reaches, cuts, places, capsTenths, sharesTenths } = this.lists;
    const partners = this.findPartners(instruction, table, count);
    if (partners > 0) this.split(Math.abs(instruction.deltaTenths), partners, options);
    const { capabilityTenths } = table;
    const follows = options.pvSetpoint === "follow";
    for (let s = 0; s < partners; s++) {
      const k = places[s];
      const i = sharers[k];
      const capTenths = capsTenths[s];
      const deltaTenths = sign * Math.min(sharesTenths[s], capTenths);
      capabilityTenths[i] = capTenths;
      deltas[k] = deltaTenths;
      reaches[k] = follows && isArray(all[sites[i]]) ? sign * sharesTenths[s] : deltaTenths;
      // One that cannot take a tenth more lacks by that, also what rounding took from its share.
      cuts[k] =
        capTenths <= sharesTenths[s] && sign !== 0 ? this.cutBy(instruction, sites[i], sign > 0) : CUT_BY.nothing;
    }
  }

  /** Those of the sharers that take part in the delta, their weights and what they can. @returns how many */
  private findPartners(instruction: Instruction, table: DispatchTable, count: number): number {
    const { sites, weights } = instruction.membership;
    const { widths, baselineKw } = table;
    const { bank, sites: all } = this.field;
    const { sharers, places, capsTenths, weights: sharing } = this.lists;
    const up = instruction.deltaTenths > 0;
    if (bank !== null) bank.headroomsTenths({ sites, places: sharers, count, baselineKw, up }, capsTenths);
    let partners = 0;
    for (let k = 0; k < count; k++) {
      const i = sharers[k];
      if (widths !== null && (widths.parts[i] & PART.delta) === 0) {
        this.lists.deltas[k] = 0;
        this.lists.reaches[k] = 0;
        this.lists.cuts[k] = CUT_BY.nothing;
        continue;
      }
      const index = sites[i];
      // What kept batteries can stands there already: they share nothing but deltas.
      if (bank === null || bank.kept[index] === 0)
        capsTenths[partners] = floorToTenths(this.freeKw(instruction, all[index], baselineKw[i], up));
      places[partners] = k;
      sharing[partners] = weights[i];
      partners++;
    }
    return partners;
  }

  /** What width each sharer is to hold: by weight until nothing is left or nobody has room (decisions.md 13). */
  private planWidths(
    instruction: Instruction,
    table: DispatchTable,
    widths: WidthTable,
    count: number,
    { fcrEnergyTestMinutes }: VppOptions,
  ): void {
    const { sites, weights } = instruction.membership;
    let sharing = 0;
    for (let k = 0; k < count; k++) {
      const i = this.lists.sharers[k];
      this.lists.widths[k] = 0;
      this.lists.widthCuts[k] = CUT_BY.nothing;
      if ((widths.parts[i] & PART.fcr) === 0) continue;
      const site = this.field.sites[sites[i]];
      const question = {
        baselineKw: table.baselineKw[i],
        atMs: this.field.nowMs,
        heldUpKw: this.heldKw(instruction, site, true),
        heldDownKw: this.heldKw(instruction, site, false),
        testMinutes: fcrEnergyTestMinutes,
      };
      this.lists.places[sharing] = k;
      this.lists.weights[sharing] = weights[i];
      this.lists.capsTenths[sharing] = floorToTenths(widthCapabilityKw(site, question));
      this.lists.widthCuts[k] = widthCutBy(site, question);
      sharing++;
    }
    const totalTenths = instruction.fcrTenths ?? 0;
    if (sharing > 0)
      fillByWeight(totalTenths, this.lists.weights, this.lists.capsTenths, sharing, this.lists.sharesTenths);
    for (let s = 0; s < sharing; s++) {
      const k = this.lists.places[s];
      widths.capabilityTenths[this.lists.sharers[k]] = this.lists.capsTenths[s];
      this.lists.widths[k] = this.lists.sharesTenths[s];
    }
  }

  /** Headroom less what other running instructions hold of it (decisions.md 121). */
  private freeKw(instruction: Instruction, site: Site, baselineKw: number, up: boolean): number {
    return Math.max(0, headroomKw(site, baselineKw, up, this.field.nowMs) - this.heldKw(instruction, site, up));
  }

  private heldKw(instruction: Instruction, site: Site, up: boolean): number {
    return this.alone ? 0 : site.heldKw(instruction, up);
  }

  private cutBy(instruction: Instruction, index: number, up: boolean): number {
    const { bank, sites } = this.field;
    const site = sites[index];
    if (bank?.kept[index] === 1) {
      const mayFlow = up || site.spec.capability.reverseFlowAllowed;
      return mayFlow && bank.isAtBound(index, up) ? CUT_BY.energy : CUT_BY.power;
    }
    return this.heldKw(instruction, site, up) > 0 ? CUT_BY.otherAward : cutBy(site, up);
  }

  private split(totalTenths: number, count: number, options: VppOptions): void {
    if (options.deltaExcess === "redistribute")
      fillByWeight(totalTenths, this.lists.weights, this.lists.capsTenths, count, this.lists.sharesTenths);
    else splitByWeight(totalTenths, this.lists.weights, count, this.lists.sharesTenths);
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
    table.deltaTenths[i] = deltaTenths;
    if (widths !== null) widths.tenths[i] = widthTenths;
    return true;
  }

  /** The same for a battery that the bank keeps: it refuses nothing that `gather` has let it share. */
  private tellKept(bank: BatteryBank, instruction: Instruction, table: DispatchTable, k: number): boolean {
    const i = this.lists.sharers[k];
    const index = instruction.membership.sites[i];
    const deltaTenths = this.lists.deltas[k];
    const inForce = bank.executes(index, instruction);
    if (inForce && table.deltaTenths[i] === deltaTenths) return true;
    if (!this.field.allDeliver && !this.field.delivers(this.field.sites[index])) {
      if (!inForce) table.status[i] = DISPATCH.failed;
      return false;
    }
    bank.take(index, instruction, deltaTenths / 10, table.baselineKw[i]);
    table.status[i] = DISPATCH.dispatched;
    table.deltaTenths[i] = deltaTenths;
    return true;
  }

  /** Takes the instruction from all sites that have it. */
  end(instruction: Instruction): void {
    const { sites } = instruction.membership;
    const { nowMs, sites: all, bank } = this.field;
    if (bank !== null) this.endKept(bank, instruction);
    for (let i = 0; i < sites.length; i++) {
      if (bank?.kept[sites[i]] === 1) continue;
      const site = all[sites[i]];
      if (!site.holds(instruction)) continue;
      this.field.touch(site);
      site.release(instruction, nowMs);
    }
  }

  /** The same for the batteries that the bank keeps. */
  private endKept(bank: BatteryBank, instruction: Instruction): void {
    const { sites } = instruction.membership;
    this.lists.reserve(sites.length);
    const { closing } = this.lists;
    const count = bank.executing(sites, instruction, closing);
    this.field.touchKept(closing, count);
    bank.release(closing, count, instruction);
  }

  /** Takes back the table of an instruction that is over, for another one. */
  retire(instruction: Instruction): void {
    if (instruction.table !== null) this.spare.put(instruction.table);
    instruction.table = null;
  }
}

function cutBy(site: Site, up: boolean): number {
  const { unit } = site;
  if (unit.kind === "multi_component") return isEmptied(unit, up) ? CUT_BY.energy : CUT_BY.power;
  if (unit.kind === "consumer" || (!up && !site.spec.capability.reverseFlowAllowed)) return CUT_BY.power;
  if (unit.kind === "generator")
    return unit.isOutputControlled(site.advancedMs, site.outputLimit) ? CUT_BY.outputControl : CUT_BY.weather;
  if (unit.isAtBound(up)) return CUT_BY.energy;
  return !up && unit.isOutputControlled(site.advancedMs, site.outputLimit) ? CUT_BY.outputControl : CUT_BY.power;
}

const isArray = ({ unit }: Site): boolean => unit.kind === "generator" && unit.spec.generatorKind === "pv";
