import { Copyable } from "../../../base/copyState.ts";
import { floorToTenths } from "../../../base/rounding.ts";
import { MS_PER_HOUR } from "../../../base/time.ts";
import { CAPABILITY_LIMIT } from "../../site/components/capabilities.ts";
import type { Site } from "../../site/site.ts";
import type { SiteAccess } from "../dispatch/siteAccess.ts";
import { type DispatchTable, type FcrCapacityTable, type Instruction, SERVICE } from "../instructions/instruction.ts";
import type { VppOptions } from "../vppSpec.ts";
import { fcrCapabilityKw, fcrCapabilityLimit, headroomKw } from "./capability.ts";
import { PARTICIPATION, type ParticipantLists } from "./participantLists.ts";
import { fillByWeight, splitByWeight } from "./splitByWeight.ts";

/** Computes the amounts of an instruction's participants; sends no set-points. */
export class InstructionAllocator extends Copyable {
  /** Whether power reserved by other instructions is ignored. */
  isStandalone = false;
  private readonly siteAccess: SiteAccess;
  private readonly lists: ParticipantLists;

  /** @param lists  input: the first `count` of its `participants`; output: their amounts */
  constructor(siteAccess: SiteAccess, lists: ParticipantLists) {
    super();
    this.siteAccess = siteAccess;
    this.lists = lists;
  }

  /** Computes the participants' deltas: one split by weight, cut to the capabilities, or redistributed if the VPP does so. */
  allocateDelta(instruction: Instruction, table: DispatchTable, count: number, options: VppOptions): void {
    const deltaCount = this.splitDelta(instruction, table, count, options);
    this.recordShares(instruction, table, deltaCount, options);
  }

  /** Computes shares of the delta and capabilities. @returns the number of participants in the delta */
  private splitDelta(instruction: Instruction, table: DispatchTable, count: number, options: VppOptions): number {
    const { fcrCapacities } = table;
    const deltaCount = fcrCapacities === null ? count : this.selectDeltaParticipants(fcrCapacities, count);
    this.computeCapabilities(instruction, table, this.participantPositions(table), deltaCount, options);
    if (deltaCount > 0) this.splitTotal(Math.abs(instruction.deltaTenths), deltaCount, options);
    return deltaCount;
  }

  /** Indices in `participants` of the participants in the delta. */
  private participantPositions({ fcrCapacities }: DispatchTable): Int32Array {
    return fcrCapacities === null ? this.lists.identityPositions : this.lists.positions;
  }

  /**
   * Records for each participant in the delta its amount, the share cut to the capability; its set-point ceiling, the uncut share for
   * PV plants that follow the available power, else the amount; and what limits the capability where it cuts the share.
   */
  private recordShares(instruction: Instruction, table: DispatchTable, deltaCount: number, options: VppOptions): void {
    const { direction, membership } = instruction;
    const { baselineKw, capabilityTenths } = table;
    const { sites: allSites, recordsLimits } = this.siteAccess;
    const positions = this.participantPositions(table);
    const hours = this.hoursToHold(instruction, options);
    const follows = options.pvSetpoint === "follow";
    const { participants, deltaTenths, setpointCeilingTenths, deltaLimits } = this.lists;
    const { capabilityTenths: capsTenths, sharesTenths } = this.lists;
    for (let s = 0; s < deltaCount; s++) {
      const k = positions[s];
      const i = participants[k];
      const capTenths = capsTenths[s];
      const shareTenths = sharesTenths[s];
      const tenths = direction * Math.min(shareTenths, capTenths);
      capabilityTenths[i] = capTenths;
      deltaTenths[k] = tenths;
      const isCut = capTenths < shareTenths;
      const isFollowing = isCut && follows && allSites[membership.siteIndices[i]].resource.isSolar;
      setpointCeilingTenths[k] = isFollowing ? direction * shareTenths : tenths;
      // A capability equal to the rounded share is limiting too: rounding may have reduced the share.
      deltaLimits[k] =
        recordsLimits && capTenths <= shareTenths && direction !== 0
          ? this.capabilityLimitOf(instruction, i, baselineKw[i], capTenths, hours)
          : CAPABILITY_LIMIT.none;
    }
  }

  /** Lists the participants in the delta with their weights; the others get a delta of 0. @returns their number */
  private selectDeltaParticipants({ services }: FcrCapacityTable, count: number): number {
    const { participants, positions, weights, deltaTenths, setpointCeilingTenths, deltaLimits } = this.lists;
    let deltaCount = 0;
    for (let k = 0; k < count; k++) {
      if ((services[participants[k]] & SERVICE.delta) !== 0) {
        weights[deltaCount] = weights[k];
        positions[deltaCount++] = k;
        continue;
      }
      deltaTenths[k] = 0;
      setpointCeilingTenths[k] = 0;
      deltaLimits[k] = CAPABILITY_LIMIT.none;
    }
    return deltaCount;
  }

  /** Computes the capabilities for the delta. @param positions  indices in `participants` */
  private computeCapabilities(
    instruction: Instruction,
    table: DispatchTable,
    positions: Int32Array,
    deltaCount: number,
    options: VppOptions,
  ): void {
    const { siteIndices: sites } = instruction.membership;
    const { baselineKw } = table;
    const hours = this.hoursToHold(instruction, options);
    const { sites: allSites, records } = this.siteAccess;
    const { participants, participation, capabilityTenths: capsTenths } = this.lists;
    const up = instruction.deltaTenths > 0;
    for (let s = 0; s < deltaCount; s++) {
      const i = participants[positions[s]];
      const index = sites[i];
      const { store, mayExport } = records[index];
      const kw =
        store !== null && participation[i] === PARTICIPATION.soleBattery
          ? store.headroomKw(baselineKw[i], up, mayExport)
          : this.availableHeadroomKw(instruction, allSites[index], baselineKw[i], hours);
      capsTenths[s] = floorToTenths(kw);
    }
  }

  private splitTotal(totalTenths: number, count: number, options: VppOptions): void {
    if (options.deltaExcess === "redistribute" || options.isEnergyAware === true)
      fillByWeight(
        totalTenths,
        this.lists.weights,
        this.lists.capabilityTenths,
        count,
        this.lists.sharesTenths,
        this.lists,
      );
    else splitByWeight(totalTenths, this.lists.weights, count, this.lists.sharesTenths, this.lists);
  }

  /** Computes the participants' FCR capacities: split by weight within capabilities (docs/model/allocation.md#fcr-shares). */
  allocateFcrCapacity(
    instruction: Instruction,
    table: DispatchTable,
    fcrCapacities: FcrCapacityTable,
    count: number,
    { fcrEnergyTestMinutes }: VppOptions,
  ): void {
    const { siteIndices: sites, weights } = instruction.membership;
    let fcrCount = 0;
    for (let k = 0; k < count; k++) {
      const i = this.lists.participants[k];
      this.lists.fcrCapacityTenths[k] = 0;
      this.lists.fcrCapacityLimits[k] = CAPABILITY_LIMIT.none;
      if ((fcrCapacities.services[i] & SERVICE.fcr) === 0) continue;
      const site = this.siteAccess.sites[sites[i]];
      const request = {
        baselineKw: table.baselineKw[i],
        atMs: this.siteAccess.nowMs,
        reservedUpKw: this.reservedKw(instruction, site, true),
        reservedDownKw: this.reservedKw(instruction, site, false),
        energyTestMinutes: fcrEnergyTestMinutes,
      };
      this.lists.positions[fcrCount] = k;
      this.lists.weights[fcrCount] = weights[i];
      const capabilityTenths = floorToTenths(fcrCapabilityKw(site, request));
      this.lists.capabilityTenths[fcrCount] = capabilityTenths;
      this.lists.fcrCapacityLimits[k] = fcrCapabilityLimit(site, request, capabilityTenths);
      fcrCount++;
    }
    const totalTenths = instruction.fcrCapacityTenths ?? 0;
    if (fcrCount > 0)
      fillByWeight(
        totalTenths,
        this.lists.weights,
        this.lists.capabilityTenths,
        fcrCount,
        this.lists.sharesTenths,
        this.lists,
      );
    for (let s = 0; s < fcrCount; s++) {
      const k = this.lists.positions[s];
      fcrCapacities.capabilityTenths[this.lists.participants[k]] = this.lists.capabilityTenths[s];
      this.lists.fcrCapacityTenths[k] = this.lists.sharesTenths[s];
      if (this.lists.sharesTenths[s] < this.lists.capabilityTenths[s])
        this.lists.fcrCapacityLimits[k] = CAPABILITY_LIMIT.none;
    }
  }

  /** Headroom minus the power reserved by other running instructions (docs/model/capability.md#held-by-others). */
  private availableHeadroomKw(instruction: Instruction, site: Site, baselineKw: number, hours: number): number {
    const up = instruction.deltaTenths > 0;
    return Math.max(
      0,
      headroomKw(site, baselineKw, up, this.siteAccess.nowMs, hours) - this.reservedKw(instruction, site, up),
    );
  }

  /** Rest of an award for which an energy-aware VPP holds its power; 0 in other VPPs (docs/model/allocation.md#energy-aware). */
  private hoursToHold({ startMs, endMs }: Instruction, { isEnergyAware }: VppOptions): number {
    return isEnergyAware === true ? Math.max(0, endMs - Math.max(startMs, this.siteAccess.nowMs)) / MS_PER_HOUR : 0;
  }

  private reservedKw(instruction: Instruction, site: Site, up: boolean): number {
    return this.isStandalone ? 0 : site.orderBook.reservedKw(instruction, up);
  }

  /** What limits the capability of member `i` for the delta: an entry of `CAPABILITY_LIMIT` (docs/model/capability.md#limiting-factor). */
  private capabilityLimitOf(
    instruction: Instruction,
    i: number,
    baselineKw: number,
    capabilityTenths: number,
    hours: number,
  ): number {
    const site = this.siteAccess.sites[instruction.membership.siteIndices[i]];
    const up = instruction.direction > 0;
    const limit = site.resource.capabilityLimit(site, up, baselineKw);
    if (hours > 0 && capabilityTenths < floorToTenths(this.availableHeadroomKw(instruction, site, baselineKw, 0)))
      return CAPABILITY_LIMIT.energy;
    if (limit === CAPABILITY_LIMIT.energy || this.reservedKw(instruction, site, up) === 0) return limit;
    const unreservedTenths = floorToTenths(headroomKw(site, baselineKw, up, this.siteAccess.nowMs));
    return capabilityTenths < unreservedTenths ? CAPABILITY_LIMIT.otherAward : limit;
  }
}
