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
  /** Those who take part at hand: position in the table, what they are to be told, and what cut it. */
  private sharers = new Int32Array(0);
  private deltas = new Int32Array(0);
  /** Sites of kept batteries whose laws end here. */
  private closing = new Int32Array(0);
  private cuts = new Uint8Array(0);
  /** How far the set-point of an array may rise above what it is told, in tenths, signed; the delta itself where it may not. */
  private reaches = new Int32Array(0);
  private widths = new Int32Array(0);
  private widthCuts = new Uint8Array(0);
  /** Sharers of one part: their place among the above, weight, what they can take, what they get. */
  private places = new Int32Array(0);
  private weights = new Float64Array(0);
  private capsTenths = new Int32Array(0);
  private sharesTenths = new Int32Array(0);
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
      table.seen[i] = this.member.next(table.seen[i], "notice_out");
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
      const i = this.sharers[k];
      table.deltaTenths[i] = this.deltas[k];
      uncoveredTenths -= this.deltas[k];
      if (table.widths === null) continue;
      table.widths.tenths[i] = this.widths[k];
      fcrUncoveredTenths -= this.widths[k];
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
      table.seen[i] = this.member.next(table.seen[i], isAway ? "notice_back" : "notice_out");
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
      const i = this.sharers[k];
      const isTold =
        bank?.kept[sites[i]] === 1
          ? this.tellKept(bank, instruction, table, k)
          : this.tell(instruction, table, k, this.field.sites[sites[i]]);
      // One that keeps its old amount keeps what cut that one.
      if (!isTold) continue;
      table.cutBy[i] = this.cuts[k];
      if (widths !== null) widths.cutBy[i] = this.widthCuts[k];
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
    this.reserve(sites.length);
    const { closing, sharers } = this;
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
    const { sites, weights } = instruction.membership;
    const { widths } = table;
    const up = instruction.deltaTenths > 0;
    const sign = instruction.direction;
    const follows = options.pvSetpoint === "follow";
    const { bank } = this.field;
    let sharing = 0;
    for (let k = 0; k < count; k++) {
      const i = this.sharers[k];
      this.deltas[k] = 0;
      this.reaches[k] = 0;
      this.cuts[k] = CUT_BY.nothing;
      if (widths !== null && (widths.parts[i] & PART.delta) === 0) continue;
      const freeKw =
        bank?.kept[sites[i]] === 1
          ? bank.headroomKw(sites[i], table.baselineKw[i], up)
          : this.freeKw(instruction, this.field.sites[sites[i]], table.baselineKw[i], up);
      this.places[sharing] = k;
      this.weights[sharing] = weights[i];
      this.capsTenths[sharing] = floorToTenths(freeKw);
      sharing++;
    }
    if (sharing > 0) this.split(Math.abs(instruction.deltaTenths), sharing, options);
    for (let s = 0; s < sharing; s++) {
      const k = this.places[s];
      const i = this.sharers[k];
      const capTenths = this.capsTenths[s];
      table.capabilityTenths[i] = capTenths;
      this.deltas[k] = sign * Math.min(this.sharesTenths[s], capTenths);
      const rises = follows && isArray(this.field.sites[sites[i]]);
      this.reaches[k] = rises ? sign * this.sharesTenths[s] : this.deltas[k];
      // One that cannot take a tenth more lacks by that, also what rounding took from its share.
      if (capTenths <= this.sharesTenths[s] && sign !== 0) this.cuts[k] = this.cutBy(instruction, sites[i], up);
    }
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
      const i = this.sharers[k];
      this.widths[k] = 0;
      this.widthCuts[k] = CUT_BY.nothing;
      if ((widths.parts[i] & PART.fcr) === 0) continue;
      const site = this.field.sites[sites[i]];
      const question = {
        baselineKw: table.baselineKw[i],
        atMs: this.field.nowMs,
        heldUpKw: this.heldKw(instruction, site, true),
        heldDownKw: this.heldKw(instruction, site, false),
        testMinutes: fcrEnergyTestMinutes,
      };
      this.places[sharing] = k;
      this.weights[sharing] = weights[i];
      this.capsTenths[sharing] = floorToTenths(widthCapabilityKw(site, question));
      this.widthCuts[k] = widthCutBy(site, question);
      sharing++;
    }
    const totalTenths = instruction.fcrTenths ?? 0;
    if (sharing > 0) fillByWeight(totalTenths, this.weights, this.capsTenths, sharing, this.sharesTenths);
    for (let s = 0; s < sharing; s++) {
      const k = this.places[s];
      widths.capabilityTenths[this.sharers[k]] = this.capsTenths[s];
      this.widths[k] = this.sharesTenths[s];
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
    if (bank?.kept[index] === 1) return bank.isAtBound(index, up) ? CUT_BY.energy : CUT_BY.power;
    const site = sites[index];
    return this.heldKw(instruction, site, up) > 0 ? CUT_BY.otherAward : cutBy(site, up);
  }

  private split(totalTenths: number, count: number, options: VppOptions): void {
    if (options.deltaExcess === "redistribute")
      fillByWeight(totalTenths, this.weights, this.capsTenths, count, this.sharesTenths);
    else splitByWeight(totalTenths, this.weights, count, this.sharesTenths);
  }

  /**
   * Delivers the amount of one sharer, by its place; a member that has it already hears nothing. Where the message is lost or the site says
   * no, what was in force there stays in force (decisions.md 106).
   *
   * @returns whether the amount is in force
   */
  private tell(instruction: Instruction, table: DispatchTable, k: number, site: Site): boolean {
    const { widths } = table;
    const i = this.sharers[k];
    const deltaTenths = this.deltas[k];
    const widthTenths = widths === null ? 0 : this.widths[k];
    const inForce = table.status[i] === DISPATCH.dispatched && site.holds(instruction);
    const isSame = table.deltaTenths[i] === deltaTenths && (widths === null || widths.tenths[i] === widthTenths);
    if (inForce && isSame && site.reachKw(instruction) === this.reaches[k] / 10) return true;
    if (!this.field.delivers(site)) {
      if (!inForce) table.status[i] = DISPATCH.failed;
      return false;
    }
    this.amount.deltaKw = deltaTenths / 10;
    this.amount.fcrKw = widthTenths / 10;
    this.amount.reachKw = this.reaches[k] / 10;
    const refusal = site.take(instruction, this.amount, table.baselineKw[i], this.field.nowMs);
    if (refusal !== null) {
      if (!inForce) table.status[i] = DISPATCH.refused;
      table.refusals[i] = refusal;
      return false;
    }
    table.status[i] = DISPATCH.dispatched;
    table.refusals[i] = null;
    table.deltaTenths[i] = deltaTenths;
    if (widths !== null) widths.tenths[i] = widthTenths;
    return true;
  }

  /** The same for a battery that the bank keeps: it refuses nothing that `gather` has let it share. */
  private tellKept(bank: BatteryBank, instruction: Instruction, table: DispatchTable, k: number): boolean {
    const i = this.sharers[k];
    const index = instruction.membership.sites[i];
    const deltaTenths = this.deltas[k];
    const inForce = bank.orders[index] === instruction;
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
    this.reserve(sites.length);
    const { closing } = this;
    const { orders } = bank;
    let count = 0;
    for (let i = 0; i < sites.length; i++) if (orders[sites[i]] === instruction) closing[count++] = sites[i];
    if (count === 0) return;
    this.field.touchKept(closing, count);
    for (let k = 0; k < count; k++) bank.release(closing[k]);
  }

  /** Takes back the table of an instruction that is over, for another one. */
  retire(instruction: Instruction): void {
    if (instruction.table !== null) this.spare.put(instruction.table);
    instruction.table = null;
  }

  private reserve(count: number): void {
    if (count <= this.sharers.length) return;
    this.sharers = new Int32Array(count);
    this.closing = new Int32Array(count);
    this.deltas = new Int32Array(count);
    this.cuts = new Uint8Array(count);
    this.reaches = new Int32Array(count);
    this.widths = new Int32Array(count);
    this.widthCuts = new Uint8Array(count);
    this.places = new Int32Array(count);
    this.weights = new Float64Array(count);
    this.capsTenths = new Int32Array(count);
    this.sharesTenths = new Int32Array(count);
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
