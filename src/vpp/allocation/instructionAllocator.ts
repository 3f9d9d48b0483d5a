import { Copyable } from "../../base/copyState.ts";
import { floorToTenths } from "../../base/rounding.ts";
import type { Site } from "../../site/site.ts";
import type { SiteAccess } from "../dispatch/siteAccess.ts";
import {
  CAPABILITY_LIMIT,
  type DispatchTable,
  type FcrCapacityTable,
  type Instruction,
  SERVICE,
} from "../instructions/instruction.ts";
import type { VppOptions } from "../vppSpec.ts";
import { headroomKw } from "./capability.ts";
import { isStorageLimited } from "./compositeCapability.ts";
import { fcrCapabilityKw, fcrCapabilityLimit } from "./fcrCapability.ts";
import { PARTICIPATION, type ParticipantLists } from "./participantLists.ts";
import { fillByWeight, splitByWeight } from "./splitByWeight.ts";

/** Works out what each of those who take part in an instruction is to be told. Nobody is told here. */
export class InstructionAllocator extends Copyable {
  /** Whether what other instructions hold is left out of account. */
  isStandalone = false;
  private readonly siteAccess: SiteAccess;
  private readonly lists: ParticipantLists;

  /** @param lists  the first `count` of its `sharers` are asked; filled with what comes of it */
  constructor(field: SiteAccess, lists: ParticipantLists) {
    super();
    this.siteAccess = field;
    this.lists = lists;
  }

  /** What each sharer is to change its power by: one pass by weight, cut to what it can, unless the VPP redistributes. */
  allocateDelta(instruction: Instruction, table: DispatchTable, count: number, options: VppOptions): void {
    this.recordDelta(instruction, table, this.splitDelta(instruction, table, count, options), options);
  }

  /** The shares of the delta, and what each partner can of it. @returns how many partners there are */
  splitDelta(instruction: Instruction, table: DispatchTable, count: number, options: VppOptions): number {
    const { fcrCapacities: widths } = table;
    const partners = widths === null ? count : this.selectDeltaParticipants(widths, count);
    this.computeCapabilities(instruction, table, this.participantPositions(table), partners);
    if (partners > 0) this.splitTotal(Math.abs(instruction.deltaTenths), partners, options);
    return partners;
  }

  /** The places of partners among the sharers. */
  private participantPositions({ fcrCapacities: widths }: DispatchTable): Int32Array {
    return widths === null ? this.lists.identityPositions : this.lists.positions;
  }

  /** Notes what comes of the shares for each partner. */
  recordDelta(instruction: Instruction, table: DispatchTable, partners: number, options: VppOptions): void {
    const places = this.participantPositions(table);
    this.recordDeltas(instruction, table, places, partners);
    // Of batteries in a bank nobody asks more than their amounts, and where there is one nobody asks what cut any.
    if (this.lists.batchedBatteryCount < partners) this.recordSetpointCeilings(instruction, places, partners, options);
    if (this.siteAccess.batch === null) this.recordCapabilityLimits(instruction, places, partners);
  }

  private recordDeltas(instruction: Instruction, table: DispatchTable, places: Int32Array, partners: number): void {
    const { participants: sharers, deltaTenths: deltas, capabilityTenths: capsTenths, sharesTenths } = this.lists;
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
  private recordSetpointCeilings(
    instruction: Instruction,
    places: Int32Array,
    partners: number,
    options: VppOptions,
  ): void {
    const { siteIndices: sites } = instruction.membership;
    const { sites: all } = this.siteAccess;
    const { participants: sharers, deltaTenths: deltas, setpointCeilingTenths: reaches, sharesTenths } = this.lists;
    const sign = instruction.direction;
    const follows = options.pvSetpoint === "follow";
    for (let s = 0; s < partners; s++) {
      const k = places[s];
      reaches[k] = follows && isPvPlant(all[sites[sharers[k]]]) ? sign * sharesTenths[s] : deltas[k];
    }
  }

  private recordCapabilityLimits(instruction: Instruction, places: Int32Array, partners: number): void {
    const { siteIndices: sites } = instruction.membership;
    const { sites: all } = this.siteAccess;
    const { participants: sharers, deltaLimits: cuts, capabilityTenths: capsTenths, sharesTenths } = this.lists;
    const sign = instruction.direction;
    for (let s = 0; s < partners; s++) {
      const k = places[s];
      const site = all[sites[sharers[k]]];
      // One that cannot take a tenth more lacks by that, also what rounding took from its share.
      cuts[k] =
        capsTenths[s] <= sharesTenths[s] && sign !== 0
          ? this.capabilityLimitOf(instruction, site, sign > 0)
          : CAPABILITY_LIMIT.none;
    }
  }

  /** Those of the sharers that take part in the delta, with their weights; the others are told none. @returns how many */
  private selectDeltaParticipants({ services: parts }: FcrCapacityTable, count: number): number {
    const {
      participants: sharers,
      positions: places,
      weights,
      deltaTenths: deltas,
      setpointCeilingTenths: reaches,
      deltaLimits: cuts,
    } = this.lists;
    let partners = 0;
    for (let k = 0; k < count; k++) {
      if ((parts[sharers[k]] & SERVICE.delta) !== 0) {
        weights[partners] = weights[k];
        places[partners++] = k;
        continue;
      }
      deltas[k] = 0;
      reaches[k] = 0;
      cuts[k] = CAPABILITY_LIMIT.none;
    }
    return partners;
  }

  /** What those who share the delta can. @param places  theirs among the sharers */
  private computeCapabilities(
    instruction: Instruction,
    table: DispatchTable,
    places: Int32Array,
    partners: number,
  ): void {
    const { siteIndices: sites } = instruction.membership;
    const { baselineKw } = table;
    const { sites: all } = this.siteAccess;
    const {
      participants: sharers,
      participation: marks,
      batchedBatteryCount: batteryCount,
      capabilityTenths: capsTenths,
    } = this.lists;
    const up = instruction.deltaTenths > 0;
    // Batteries in a bank share nothing but deltas: what they can was noted when they were listed.
    if (batteryCount === partners) return;
    for (let s = 0; s < partners; s++) {
      const i = sharers[places[s]];
      if (marks[i] === PARTICIPATION.batchedBattery) continue;
      capsTenths[s] = floorToTenths(this.availableHeadroomKw(instruction, all[sites[i]], baselineKw[i], up));
    }
  }

  private splitTotal(totalTenths: number, count: number, options: VppOptions): void {
    if (options.deltaExcess === "redistribute")
      fillByWeight(totalTenths, this.lists.weights, this.lists.capabilityTenths, count, this.lists.sharesTenths);
    else splitByWeight(totalTenths, this.lists.weights, count, this.lists.sharesTenths);
  }

  /** What width each sharer is to hold: by weight until nothing is left or nobody has room (docs/model/allocation.md#delta-excess). */
  allocateFcrCapacity(
    instruction: Instruction,
    table: DispatchTable,
    widths: FcrCapacityTable,
    count: number,
    { fcrEnergyTestMinutes }: VppOptions,
  ): void {
    const { siteIndices: sites, weights } = instruction.membership;
    let sharing = 0;
    for (let k = 0; k < count; k++) {
      const i = this.lists.participants[k];
      this.lists.fcrCapacityTenths[k] = 0;
      this.lists.fcrCapacityLimits[k] = CAPABILITY_LIMIT.none;
      if ((widths.services[i] & SERVICE.fcr) === 0) continue;
      const site = this.siteAccess.sites[sites[i]];
      const question = {
        baselineKw: table.baselineKw[i],
        atMs: this.siteAccess.nowMs,
        reservedUpKw: this.reservedKw(instruction, site, true),
        reservedDownKw: this.reservedKw(instruction, site, false),
        energyTestMinutes: fcrEnergyTestMinutes,
      };
      this.lists.positions[sharing] = k;
      this.lists.weights[sharing] = weights[i];
      this.lists.capabilityTenths[sharing] = floorToTenths(fcrCapabilityKw(site, question));
      this.lists.fcrCapacityLimits[k] = fcrCapabilityLimit(site, question);
      sharing++;
    }
    const totalTenths = instruction.fcrCapacityTenths ?? 0;
    if (sharing > 0)
      fillByWeight(totalTenths, this.lists.weights, this.lists.capabilityTenths, sharing, this.lists.sharesTenths);
    for (let s = 0; s < sharing; s++) {
      const k = this.lists.positions[s];
      widths.capabilityTenths[this.lists.participants[k]] = this.lists.capabilityTenths[s];
      this.lists.fcrCapacityTenths[k] = this.lists.sharesTenths[s];
    }
  }

  /** Headroom less what other running instructions hold of it (docs/model/capability.md#held-by-others). */
  private availableHeadroomKw(instruction: Instruction, site: Site, baselineKw: number, up: boolean): number {
    return Math.max(
      0,
      headroomKw(site, baselineKw, up, this.siteAccess.nowMs) - this.reservedKw(instruction, site, up),
    );
  }

  private reservedKw(instruction: Instruction, site: Site, up: boolean): number {
    return this.isStandalone ? 0 : site.reservedKw(instruction, up);
  }

  private capabilityLimitOf(instruction: Instruction, site: Site, up: boolean): number {
    return this.reservedKw(instruction, site, up) > 0 ? CAPABILITY_LIMIT.otherAward : findCapabilityLimit(site, up);
  }
}

function findCapabilityLimit(site: Site, up: boolean): number {
  const { resource: unit } = site;
  if (unit.kind === "multi_component")
    return isStorageLimited(unit, up) ? CAPABILITY_LIMIT.energy : CAPABILITY_LIMIT.power;
  if (unit.kind === "consumer" || (!up && !site.spec.capability.reverseFlowAllowed)) return CAPABILITY_LIMIT.power;
  if (unit.kind === "generator")
    return unit.isOutputControlled(site.advancedToMs, site.outputLimit)
      ? CAPABILITY_LIMIT.outputControl
      : CAPABILITY_LIMIT.weather;
  if (unit.isAtBound(up)) return CAPABILITY_LIMIT.energy;
  return !up && unit.isOutputControlled(site.advancedToMs, site.outputLimit)
    ? CAPABILITY_LIMIT.outputControl
    : CAPABILITY_LIMIT.power;
}

const isPvPlant = ({ resource: unit }: Site): boolean => unit.kind === "generator" && unit.spec.generatorKind === "pv";
