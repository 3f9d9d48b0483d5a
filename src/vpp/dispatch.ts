import { assert } from "../base/assert.ts";
import { floorToTenths } from "../base/rounding.ts";
import type { EpochMs } from "../base/time.ts";
import type { Stepper } from "../kernel/step.ts";
import type { Site } from "../site/site.ts";
import { fillByWeight, splitByWeight } from "./allocate.ts";
import { headroomKw } from "./capability.ts";
import { eligibility, ineligibility } from "./eligibility.ts";
import { CUT_BY, DISPATCH, DispatchTable, type Instruction } from "./instruction.ts";
import type { MemberEvent, MemberState } from "./memberMachine.ts";
import type { VppOptions } from "./vppSpec.ts";

/** The sites as a VPP reaches them. */
export interface Field {
  readonly nowMs: EpochMs;
  readonly sites: readonly Site[];
  /** To be called before anything of a site is changed: brings it to now and has it settled at the end of the instant. */
  touch(site: Site): void;
  /** Sends one message over a site's link, with three more attempts; false when all were lost. */
  delivers(site: Site): boolean;
}

/** Executes instructions at the members' sites: who takes part, how much each is told, who refuses. */
export class Dispatcher {
  readonly #field: Field;
  readonly #member: Stepper<MemberState, MemberEvent>;
  /** Sharers of the allocation at hand: position in the table, weight, what they can take, what they get. */
  #sharers = new Int32Array(0);
  #weights = new Float64Array(0);
  #capsTenths = new Int32Array(0);
  #sharesTenths = new Int32Array(0);
  /** Filled anew for each delivery. */
  readonly #amount = { deltaKw: 0, fcrKw: 0 };

  constructor(field: Field, member: Stepper<MemberState, MemberEvent>) {
    this.#field = field;
    this.#member = member;
  }

  /** The first dispatch: reads status, weights and capability as they are now. */
  execute(instruction: Instruction, options: VppOptions): void {
    const { sites, weights } = instruction.membership;
    const table = new DispatchTable(sites.length, this.#member.initial);
    instruction.table = table;
    instruction.executedMs = this.#field.nowMs;
    for (let i = 0; i < sites.length; i++) {
      const site = this.#field.sites[sites[i]];
      table.baselineKw[i] = instruction.baselinesKw[sites[i]];
      table.status[i] = eligibility(site, weights[i], table.baselineKw[i], instruction);
      if (!site.inService) table.seen[i] = this.#member.next(table.seen[i], "notice_out");
    }
    this.#share(instruction, table, options);
    instruction.uncoveredAtStartTenths = instruction.uncoveredTenths;
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
      const site = this.#field.sites[sites[i]];
      const isAway = table.seen[i] === "away";
      if (site.inService !== isAway) continue;
      table.seen[i] = this.#member.next(table.seen[i], isAway ? "notice_back" : "notice_out");
      const ineligible = ineligibility(site, weights[i], table.baselineKw[i], instruction);
      if (ineligible !== null) {
        // Left out for good, but it shows, and lacks, as away until somebody sees it back.
        table.status[i] = isAway ? ineligible : DISPATCH.outOfService;
        continue;
      }
      changed = true;
      noticed(site, !isAway);
      if (!isAway) this.#withdraw(instruction, table, i, site);
    }
    return changed;
  }

  #withdraw(instruction: Instruction, table: DispatchTable, i: number, site: Site): void {
    this.#field.touch(site);
    site.release(instruction, site.outSinceMs);
    instruction.uncoveredTenths += table.deltaTenths[i];
    table.deltaTenths[i] = 0;
    table.status[i] = DISPATCH.outOfService;
  }

  /** Shares anew over the members in service that were eligible at the execution (decisions.md 33, 106). */
  redispatch(instruction: Instruction, options: VppOptions): void {
    const { table } = instruction;
    assert(table !== null, "only what runs is dispatched again");
    this.#share(instruction, table, options);
  }

  #share(instruction: Instruction, table: DispatchTable, options: VppOptions): void {
    const { sites, weights } = instruction.membership;
    this.#reserve(sites.length);
    const up = instruction.deltaTenths > 0;
    const sign = instruction.direction;
    let count = 0;
    for (let i = 0; i < sites.length; i++) {
      const site = this.#field.sites[sites[i]];
      if (table.seen[i] === "away" || !site.inService) continue;
      const ineligible = ineligibility(site, weights[i], table.baselineKw[i], instruction);
      if (ineligible !== null) {
        table.status[i] = ineligible;
        continue;
      }
      this.#field.touch(site);
      this.#sharers[count] = i;
      this.#weights[count] = weights[i];
      this.#capsTenths[count] = floorToTenths(this.#freeKw(instruction, site, table.baselineKw[i], up));
      count++;
    }
    if (count > 0) this.#split(Math.abs(instruction.deltaTenths), count, options);
    for (let k = 0; k < count; k++) {
      const i = this.#sharers[k];
      const capTenths = this.#capsTenths[k];
      const shareTenths = Math.min(this.#sharesTenths[k], capTenths);
      table.capabilityTenths[i] = capTenths;
      const site = this.#field.sites[sites[i]];
      // One that cannot take a tenth more lacks by that, also what rounding took from its share.
      const isBound = capTenths <= this.#sharesTenths[k];
      const cutBy = isBound && sign !== 0 ? this.#cutBy(instruction, site, up) : CUT_BY.nothing;
      // One that keeps its old delta keeps what cut that one.
      if (this.#tell(instruction, table, i, site, sign * shareTenths)) table.cutBy[i] = cutBy;
    }
    let coveredTenths = 0;
    for (let i = 0; i < sites.length; i++) coveredTenths += table.deltaTenths[i];
    instruction.uncoveredTenths = instruction.deltaTenths - coveredTenths;
  }

  /** Headroom less what other running instructions hold of it (decisions.md 121). */
  #freeKw(instruction: Instruction, site: Site, baselineKw: number, up: boolean): number {
    return Math.max(0, headroomKw(site, baselineKw, up, this.#field.nowMs) - site.heldKw(instruction, up));
  }

  #cutBy(instruction: Instruction, site: Site, up: boolean): number {
    return site.heldKw(instruction, up) > 0 ? CUT_BY.otherAward : cutBy(site, up);
  }

  #split(totalTenths: number, count: number, options: VppOptions): void {
    if (options.deltaExcess === "redistribute")
      fillByWeight(totalTenths, this.#weights, this.#capsTenths, count, this.#sharesTenths);
    else splitByWeight(totalTenths, this.#weights, count, this.#sharesTenths);
  }

  /**
   * Delivers one member's amount; a member that has it already hears nothing. Where the message is lost or the site says
   * no, what was in force there stays in force (decisions.md 106).
   *
   * @returns whether the amount is in force
   */
  #tell(instruction: Instruction, table: DispatchTable, i: number, site: Site, deltaTenths: number): boolean {
    const inForce = table.status[i] === DISPATCH.dispatched && site.holds(instruction);
    if (inForce && table.deltaTenths[i] === deltaTenths) return true;
    if (!this.#field.delivers(site)) {
      if (!inForce) table.status[i] = DISPATCH.failed;
      return false;
    }
    this.#amount.deltaKw = deltaTenths / 10;
    const refusal = site.take(instruction, this.#amount, table.baselineKw[i], this.#field.nowMs);
    if (refusal !== null) {
      if (!inForce) table.status[i] = DISPATCH.refused;
      table.refusals[i] = refusal;
      return false;
    }
    table.status[i] = DISPATCH.dispatched;
    table.refusals[i] = null;
    table.deltaTenths[i] = deltaTenths || 0;
    return true;
  }

  /** Takes the instruction from all sites that have it. */
  end(instruction: Instruction): void {
    const { sites } = instruction.membership;
    for (let i = 0; i < sites.length; i++) {
      const site = this.#field.sites[sites[i]];
      if (!site.holds(instruction)) continue;
      this.#field.touch(site);
      site.release(instruction, this.#field.nowMs);
    }
  }

  #reserve(count: number): void {
    if (count <= this.#sharers.length) return;
    this.#sharers = new Int32Array(count);
    this.#weights = new Float64Array(count);
    this.#capsTenths = new Int32Array(count);
    this.#sharesTenths = new Int32Array(count);
  }
}

function cutBy(site: Site, up: boolean): number {
  const { unit } = site;
  if (unit.kind === "consumer" || (!up && !site.spec.capability.reverseFlowAllowed)) return CUT_BY.power;
  if (unit.kind === "generator")
    return unit.isOutputControlled(site.advancedMs, site.outputLimit) ? CUT_BY.outputControl : CUT_BY.weather;
  if (unit.isAtBound(up)) return CUT_BY.energy;
  return !up && unit.isOutputControlled(site.advancedMs, site.outputLimit) ? CUT_BY.outputControl : CUT_BY.power;
}
