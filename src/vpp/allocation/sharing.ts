import { Copyable } from "../../base/copyState.ts";
import { floorToTenths } from "../../base/rounding.ts";
import type { Site } from "../../site/site.ts";
import type { Field } from "../dispatch/field.ts";
import { CUT_BY, type DispatchTable, type Instruction, PART, type WidthTable } from "../instructions/instruction.ts";
import type { VppOptions } from "../vppSpec.ts";
import { fillByWeight, splitByWeight } from "./allocate.ts";
import { headroomKw } from "./capability.ts";
import { isEmptied } from "./compositeCapability.ts";
import { MARK, type ShareLists } from "./shareLists.ts";
import { widthCapabilityKw, widthCutBy } from "./widthCapability.ts";

/** Works out what each of those who take part in an instruction is to be told. Nobody is told here. */
export class Sharing extends Copyable {
  /** Whether what other instructions hold is left out of account. */
  alone = false;
  private readonly field: Field;
  private readonly lists: ShareLists;

  /** @param lists  the first `count` of its `sharers` are asked; filled with what comes of it */
  constructor(field: Field, lists: ShareLists) {
    super();
    this.field = field;
    this.lists = lists;
  }

  /** What each sharer is to change its power by: one pass by weight, cut to what it can, unless the VPP redistributes. */
  planDelta(instruction: Instruction, table: DispatchTable, count: number, options: VppOptions): void {
    this.noteDelta(instruction, table, this.splitDelta(instruction, table, count, options), options);
  }

  /** The shares of the delta, and what each partner can of it. @returns how many partners there are */
  splitDelta(instruction: Instruction, table: DispatchTable, count: number, options: VppOptions): number {
    const { widths } = table;
    const partners = widths === null ? count : this.findPartners(widths, count);
    this.measure(instruction, table, this.placesIn(table), partners);
    if (partners > 0) this.split(Math.abs(instruction.deltaTenths), partners, options);
    return partners;
  }

  /** The places of partners among the sharers. */
  private placesIn({ widths }: DispatchTable): Int32Array {
    return widths === null ? this.lists.inOrder : this.lists.places;
  }

  /** Notes what comes of the shares for each partner. */
  noteDelta(instruction: Instruction, table: DispatchTable, partners: number, options: VppOptions): void {
    const places = this.placesIn(table);
    this.noteDeltas(instruction, table, places, partners);
    // Of batteries in a bank nobody asks more than their amounts, and where there is one nobody asks what cut any.
    if (this.lists.batteryCount < partners) this.noteReaches(instruction, places, partners, options);
    if (this.field.bank === null) this.noteCuts(instruction, places, partners);
  }

  private noteDeltas(instruction: Instruction, table: DispatchTable, places: Int32Array, partners: number): void {
    const { sharers, deltas, capsTenths, sharesTenths } = this.lists;
    const { capabilityTenths } = table;
    const sign = instruction.direction;
    for (let s = 0; s < partners; s++) {
      const k = places[s];
      const capTenths = capsTenths[s];
      capabilityTenths[sharers[k]] = capTenths;
      deltas[k] = sign * Math.min(sharesTenths[s], capTenths);
    }
  }

  /** How far the set-points of arrays may rise above what they are told. */
  private noteReaches(instruction: Instruction, places: Int32Array, partners: number, options: VppOptions): void {
    const { sites } = instruction.membership;
    const { sites: all } = this.field;
    const { sharers, deltas, reaches, sharesTenths } = this.lists;
    const sign = instruction.direction;
    const follows = options.pvSetpoint === "follow";
    for (let s = 0; s < partners; s++) {
      const k = places[s];
      reaches[k] = follows && isArray(all[sites[sharers[k]]]) ? sign * sharesTenths[s] : deltas[k];
    }
  }

  private noteCuts(instruction: Instruction, places: Int32Array, partners: number): void {
    const { sites } = instruction.membership;
    const { sites: all } = this.field;
    const { sharers, cuts, capsTenths, sharesTenths } = this.lists;
    const sign = instruction.direction;
    for (let s = 0; s < partners; s++) {
      const k = places[s];
      const site = all[sites[sharers[k]]];
      // One that cannot take a tenth more lacks by that, also what rounding took from its share.
      cuts[k] =
        capsTenths[s] <= sharesTenths[s] && sign !== 0 ? this.cutBy(instruction, site, sign > 0) : CUT_BY.nothing;
    }
  }

  /** Those of the sharers that take part in the delta, with their weights; the others are told none. @returns how many */
  private findPartners({ parts }: WidthTable, count: number): number {
    const { sharers, places, weights, deltas, reaches, cuts } = this.lists;
    let partners = 0;
    for (let k = 0; k < count; k++) {
      if ((parts[sharers[k]] & PART.delta) !== 0) {
        weights[partners] = weights[k];
        places[partners++] = k;
        continue;
      }
      deltas[k] = 0;
      reaches[k] = 0;
      cuts[k] = CUT_BY.nothing;
    }
    return partners;
  }

  /** What those who share the delta can. @param places  theirs among the sharers */
  private measure(instruction: Instruction, table: DispatchTable, places: Int32Array, partners: number): void {
    const { sites } = instruction.membership;
    const { baselineKw } = table;
    const { sites: all } = this.field;
    const { sharers, marks, batteryCount, capsTenths } = this.lists;
    const up = instruction.deltaTenths > 0;
    // Batteries in a bank share nothing but deltas: what they can was noted when they were listed.
    if (batteryCount === partners) return;
    for (let s = 0; s < partners; s++) {
      const i = sharers[places[s]];
      if (marks[i] === MARK.battery) continue;
      capsTenths[s] = floorToTenths(this.freeKw(instruction, all[sites[i]], baselineKw[i], up));
    }
  }

  private split(totalTenths: number, count: number, options: VppOptions): void {
    if (options.deltaExcess === "redistribute")
      fillByWeight(totalTenths, this.lists.weights, this.lists.capsTenths, count, this.lists.sharesTenths);
    else splitByWeight(totalTenths, this.lists.weights, count, this.lists.sharesTenths);
  }

  /** What width each sharer is to hold: by weight until nothing is left or nobody has room (decisions.md 13). */
  planWidths(
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

  private cutBy(instruction: Instruction, site: Site, up: boolean): number {
    return this.heldKw(instruction, site, up) > 0 ? CUT_BY.otherAward : cutBy(site, up);
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
