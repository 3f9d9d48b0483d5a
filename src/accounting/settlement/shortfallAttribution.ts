import { Copyable } from "../../base/copyState.ts";
import type { Site } from "../../engine/site/site.ts";
import { type Instruction, SERVICE, tableOf } from "../../engine/vpp/instructions/instruction.ts";
import { dispatchCauseOf, type ReferenceSplit, referenceSplit, splitAllocationGap } from "./allocationGap.ts";
import { CAUSE_INDEX, CAUSES, type Cause } from "./causes.ts";
import { causeOfCapabilityLimit, POWER_TOLERANCE_KW } from "./shortfallCause.ts";

/** Of an award without a shortfall; never written. */
const NO_CAUSES = new Float64Array(CAUSES.length);

/** No cause in one of a member's two gaps. */
const NONE = 0;
/** No delivery gap, because the delta in force is 0, of a member that is out of service. */
const AWAY_WITHOUT_GAP = CAUSES.length + 1;

/** Position of a member's allocation gap and of its delivery gap; the next member's follow. */
const ALLOCATION = 0;
const DELIVERY = 1;

/** One gap of a piece of a settled interval: power that is missing for one cause. */
export interface ShortfallGap {
  readonly stage: "allocation" | "delivery";
  readonly cause: Cause;
  /** Index of the member's site; `null`: no member accounts for it. */
  readonly site: number | null;
  /** Mean over the piece, above 0. */
  readonly kw: number;
  /** At the start and at the end of the piece. */
  readonly fromKw: number;
  readonly toKw: number;
}

/**
 * Attributes the shortfall of one executed piece of an award to causes and members
 * (docs/model/accounting.md#attribution).
 *
 * The gaps of the members are added up until a cause changes; then the shortfall of that time is divided in proportion
 * to them.
 */
export class ShortfallAttribution extends Copyable {
  /** kWh by cause, and kW of the uncovered delta and FCR capacity at the execution; retained by the row of the award. */
  shortfallByCauseKwh: Float64Array = NO_CAUSES;
  uncoveredByCauseKw: Float64Array = NO_CAUSES;
  fcrUncoveredByCauseKw: Float64Array = NO_CAUSES;
  readonly memberCount: number;
  private readonly sites: readonly Site[];
  private instruction!: Instruction;
  /** `null` until it is needed. */
  private referenceShares: ReferenceSplit | null = null;
  /** Allocation gap of each member in kW reserved, as of the last dispatch, and the cause that `dispatchCauseOf` gives. */
  private readonly allocationGapKw: Float64Array;
  private readonly dispatchCauses: Int8Array;
  private hasAllocationGap = false;
  /** Cause + 1 of each gap of each member, or `NONE`. The last entry is the gap that no member accounts for. */
  private readonly causes: Uint8Array;
  /** Gaps that are constant, in kW, and all gaps since the last change of a cause, in kWh; entries as in `causes`. */
  private readonly constantKw: Float64Array;
  private readonly gapKwh: Float64Array;
  /** Gaps of the present piece that are not constant, in kWh; entries as in `causes`. */
  private readonly pieceGapKwh: Float64Array;
  /** The same in kW at the start and the end of the piece, by member; without meaning where the gap is constant. */
  private readonly pieceFromKw: Float64Array;
  private readonly pieceToKw: Float64Array;
  /** Whether an entry of `constantKw`, or of `pieceGapKwh`, may differ from 0. */
  private hasConstantGaps = false;
  private hasPieceGaps = false;
  /** Time for which the constant gaps have not been added. */
  private pendingHours = 0;
  private shortfallKwh = 0;
  private penaltyJpy = 0;
  /** Whether an entry of `gapKwh` may be above 0. */
  private hasGaps = false;
  private hasShortfall = false;
  /** kWh of each member by cause, member-major; without meaning until there is a shortfall. */
  private readonly memberShortfallKwh: Float64Array;
  /** The causes of each member that have a shortfall, as bits. */
  private readonly memberCauses: Uint16Array;
  /** Each member's share of the penalties, as of the shortfall. */
  readonly memberPenaltyJpy: Float64Array;

  constructor(memberCount: number, sites: readonly Site[]) {
    super();
    this.memberCount = memberCount;
    this.sites = sites;
    this.allocationGapKw = new Float64Array(memberCount);
    this.dispatchCauses = new Int8Array(memberCount);
    this.causes = new Uint8Array(2 * memberCount + 1);
    this.constantKw = new Float64Array(2 * memberCount + 1);
    this.gapKwh = new Float64Array(2 * memberCount + 1);
    this.pieceGapKwh = new Float64Array(2 * memberCount + 1);
    this.pieceFromKw = new Float64Array(memberCount);
    this.pieceToKw = new Float64Array(memberCount);
    this.memberShortfallKwh = new Float64Array(memberCount * CAUSES.length);
    this.memberCauses = new Uint16Array(memberCount);
    this.memberPenaltyJpy = new Float64Array(memberCount);
  }

  /** Begins with an instruction that has just been executed; its membership must have `memberCount` members. */
  open(instruction: Instruction): void {
    this.instruction = instruction;
    this.shortfallByCauseKwh = NO_CAUSES;
    this.hasShortfall = false;
    this.causes.fill(NONE);
    this.gapKwh.fill(0);
    this.hasGaps = false;
    this.pendingHours = 0;
    this.shortfallKwh = 0;
    this.penaltyJpy = 0;
    this.memberPenaltyJpy.fill(0);
    this.referenceShares = null;
    this.readDispatch();
    this.uncoveredByCauseKw = this.sumAllocationGapByCause();
    this.fcrUncoveredByCauseKw = this.fcrUncoveredByCause();
  }

  /** Call after each re-dispatch. */
  redispatched(): void {
    this.attributePiece();
    this.readDispatch();
  }

  /** Reads the allocation gaps of the members and their causes from the dispatch table. */
  private readDispatch(): void {
    const { instruction, dispatchCauses, memberCount } = this;
    const table = tableOf(instruction);
    const uncoveredKw = Math.max(0, (instruction.direction * instruction.uncoveredTenths) / 10);
    this.hasAllocationGap = uncoveredKw > 0;
    if (this.hasAllocationGap) {
      const requestedKw = Math.abs(instruction.deltaTenths) / 10;
      splitAllocationGap(this.referenceSplit(), { requestedKw, uncoveredKw }, table.deltaTenths, this.allocationGapKw);
    } else for (let i = 0; i < memberCount; i++) this.causes[2 * i + ALLOCATION] = NONE;
    if (this.hasAllocationGap || table.fcrCapacities !== null)
      for (let i = 0; i < memberCount; i++)
        dispatchCauses[i] = dispatchCauseOf(table.status[i], table.setpointOutcome[i]);
  }

  /** Depends on nothing that changes while the instruction runs; most instructions have no allocation gap and need none. */
  private referenceSplit(): ReferenceSplit {
    this.referenceShares ??= referenceSplit(this.instruction, this.sites, SERVICE.delta);
    return this.referenceShares;
  }

  private allocationCause(i: number, capabilityLimit: Uint8Array): number {
    if (this.dispatchCauses[i] >= 0) return this.dispatchCauses[i];
    const { instruction } = this;
    const site = this.sites[instruction.membership.siteIndices[i]];
    return site.orderBook.isActive(instruction)
      ? causeOfCapabilityLimit(capabilityLimit[i])
      : CAUSE_INDEX.direct_control;
  }

  private sumAllocationGapByCause(): Float64Array {
    const { instruction, allocationGapKw } = this;
    if (!this.hasAllocationGap) return NO_CAUSES;
    const byCauseKw = new Float64Array(CAUSES.length);
    const { soleCause } = this.referenceSplit();
    if (soleCause >= 0) byCauseKw[soleCause] = Math.abs(instruction.uncoveredTenths) / 10;
    const { capabilityLimit } = tableOf(instruction);
    for (let i = 0; i < this.memberCount; i++)
      if (allocationGapKw[i] > 0) byCauseKw[this.allocationCause(i, capabilityLimit)] += allocationGapKw[i];
    return byCauseKw;
  }

  /** The same of the FCR capacity. */
  private fcrUncoveredByCause(): Float64Array {
    const { instruction } = this;
    const { fcrCapacities } = tableOf(instruction);
    const uncoveredKw = instruction.fcrUncoveredTenths / 10;
    if (fcrCapacities === null || uncoveredKw === 0) return NO_CAUSES;
    const byCauseKw = new Float64Array(CAUSES.length);
    const split = referenceSplit(instruction, this.sites, SERVICE.fcr);
    if (split.soleCause >= 0) byCauseKw[split.soleCause] = uncoveredKw;
    const requestedKw = (instruction.fcrCapacityTenths ?? 0) / 10;
    const gapKw = new Float64Array(this.memberCount);
    splitAllocationGap(split, { requestedKw, uncoveredKw }, fcrCapacities.capacityTenths, gapKw);
    for (let i = 0; i < this.memberCount; i++)
      if (gapKw[i] > 0) byCauseKw[this.allocationCause(i, fcrCapacities.capabilityLimit)] += gapKw[i];
    return byCauseKw;
  }

  /**
   * Begins an interval in which the activation and the states of the members do not change. Afterwards
   * `setDeliveryGap` must be called for each member.
   */
  beginInterval(): void {
    if (this.hasConstantGaps) this.constantKw.fill(0);
    if (this.hasPieceGaps) this.pieceGapKwh.fill(0);
    this.hasConstantGaps = false;
    this.hasPieceGaps = false;
    if (!this.hasAllocationGap) return;
    const { instruction, memberCount } = this;
    const { activation } = instruction;
    const { capabilityLimit } = tableOf(instruction);
    for (let i = 0; i < memberCount; i++) {
      const kw = this.allocationGapKw[i] * activation;
      const hasGap = kw > POWER_TOLERANCE_KW;
      this.setGap(2 * i + ALLOCATION, hasGap ? this.allocationCause(i, capabilityLimit) + 1 : NONE, hasGap ? kw : 0);
    }
    const { soleCause } = this.referenceSplit();
    if (soleCause >= 0)
      this.setGap(2 * memberCount, soleCause + 1, (Math.abs(instruction.uncoveredTenths) / 10) * activation);
  }

  /** Sets the gap between a member's delta in force and what it delivers. @param kw 0 if the gap is not constant */
  setDeliveryGap(member: number, cause: number, kw: number): void {
    this.setGap(2 * member + DELIVERY, cause + 1, kw);
  }

  /** A member delivers its delta, or has none. */
  clearDeliveryGap(member: number): void {
    const entry = 2 * member + DELIVERY;
    // Entries without a cause are 0.
    if (this.causes[entry] !== NONE) this.setGap(entry, NONE, 0);
  }

  /** A member with a delta in force is out of service. */
  setOutOfService(member: number, setpointKw: number): void {
    if (setpointKw > POWER_TOLERANCE_KW) this.setDeliveryGap(member, CAUSE_INDEX.out_of_service, setpointKw);
    else this.setGap(2 * member + DELIVERY, AWAY_WITHOUT_GAP, 0);
  }

  /** A member with a delta in force follows a direct order. */
  setDirectlyControlled(member: number, setpointKw: number): void {
    if (setpointKw > POWER_TOLERANCE_KW) this.setDeliveryGap(member, CAUSE_INDEX.direct_control, setpointKw);
    else this.clearDeliveryGap(member);
  }

  private setGap(entry: number, cause: number, kw: number): void {
    if (this.causes[entry] !== cause) {
      this.attributePiece();
      this.causes[entry] = cause;
    }
    this.constantKw[entry] = kw;
    if (kw !== 0) this.hasConstantGaps = true;
    this.pieceGapKwh[entry] = 0;
  }

  /** Adds the energy of a delivery gap that is not constant; its cause has been set. @param fromKw  at the start of the piece @param toKw  at its end */
  addDeliveryGap(member: number, kwh: number, fromKw: number, toKw: number): void {
    this.hasGaps = true;
    this.gapKwh[2 * member + DELIVERY] += kwh;
    this.pieceGapKwh[2 * member + DELIVERY] = kwh;
    this.pieceFromKw[member] = fromKw;
    this.pieceToKw[member] = toKw;
    this.hasPieceGaps = true;
  }

  /** Adds the gaps of the present piece by cause, in kWh. @returns their sum */
  addPieceGaps(hours: number, byCauseKwh: Float64Array): number {
    const { causes, constantKw, pieceGapKwh } = this;
    let sumKwh = 0;
    for (let e = 0; e < causes.length; e++) {
      const kwh = constantKw[e] * hours + pieceGapKwh[e];
      if (kwh <= 0) continue;
      byCauseKwh[causes[e] - 1] += kwh;
      sumKwh += kwh;
    }
    return sumKwh;
  }

  /** The gaps of the present piece. */
  pieceGaps(hours: number): readonly ShortfallGap[] {
    const { causes, constantKw, pieceGapKwh, memberCount } = this;
    const { siteIndices } = this.instruction.membership;
    const gaps: ShortfallGap[] = [];
    for (let e = 0; e < causes.length; e++) {
      const kw = constantKw[e] + pieceGapKwh[e] / hours;
      if (kw <= 0) continue;
      const isMember = e < 2 * memberCount;
      const isConstant = pieceGapKwh[e] === 0;
      gaps.push({
        stage: isMember && e % 2 === DELIVERY ? "delivery" : "allocation",
        cause: CAUSES[causes[e] - 1],
        site: isMember ? siteIndices[e >> 1] : null,
        kw,
        fromKw: isConstant ? kw : this.pieceFromKw[e >> 1],
        toKw: isConstant ? kw : this.pieceToKw[e >> 1],
      });
    }
    return gaps;
  }

  /** Adds the shortfall of the next part of the interval, and the penalty for it. */
  addShortfall(hours: number, shortfallKwh: number, penaltyJpy: number): void {
    this.pendingHours += hours;
    this.shortfallKwh += shortfallKwh;
    this.penaltyJpy += penaltyJpy;
  }

  /** Ends an interval: adds its constant gaps. */
  endInterval(): void {
    const { pendingHours: hours, constantKw, gapKwh } = this;
    this.pendingHours = 0;
    if (hours <= 0 || !this.hasConstantGaps) return;
    this.hasGaps = true;
    for (let e = 0; e < gapKwh.length; e++) gapKwh[e] += constantKw[e] * hours;
  }

  /** Ends the attribution: the shortfall so far is divided. */
  close(): void {
    this.attributePiece();
  }

  /** Divides the shortfall since the last change of a cause in proportion to the gaps. */
  private attributePiece(): void {
    this.endInterval();
    const { shortfallKwh, penaltyJpy, gapKwh } = this;
    this.shortfallKwh = 0;
    this.penaltyJpy = 0;
    // Of the causes that change at one instant, the first has divided everything.
    if (!this.hasGaps) return;
    this.hasGaps = false;
    if (shortfallKwh > 0) {
      let sumKwh = 0;
      for (let e = 0; e < gapKwh.length; e++) sumKwh += gapKwh[e];
      if (sumKwh > 0) this.addInProportion(shortfallKwh / sumKwh, penaltyJpy / sumKwh);
    }
    gapKwh.fill(0);
  }

  private addInProportion(share: number, penaltyShare: number): void {
    const { gapKwh, causes, memberCount } = this;
    // Most awards have no shortfall.
    if (!this.hasShortfall) {
      this.shortfallByCauseKwh = new Float64Array(CAUSES.length);
      this.memberCauses.fill(0);
    }
    this.hasShortfall = true;
    const { shortfallByCauseKwh, memberShortfallKwh, memberCauses } = this;
    for (let e = 0; e < gapKwh.length; e++) {
      if (gapKwh[e] <= 0) continue;
      const kwh = gapKwh[e] * share;
      const cause = causes[e] - 1;
      shortfallByCauseKwh[cause] += kwh;
      if (2 * memberCount <= e) continue;
      const member = e >> 1;
      this.memberPenaltyJpy[member] += gapKwh[e] * penaltyShare;
      const k = member * CAUSES.length + cause;
      const bit = 1 << cause;
      memberShortfallKwh[k] = (memberCauses[member] & bit) === 0 ? kwh : memberShortfallKwh[k] + kwh;
      memberCauses[member] |= bit;
    }
  }

  /** Shortfall of a member by one cause so far, in kWh. */
  memberShortfallKwhOf(member: number, cause: number): number {
    const hasCause = this.hasShortfall && (this.memberCauses[member] & (1 << cause)) !== 0;
    return hasCause ? this.memberShortfallKwh[member * CAUSES.length + cause] : 0;
  }

  /** Calls `visit` for each member and cause with a shortfall, in order. */
  forEachMemberShortfall(visit: (member: number, cause: number, kwh: number) => void): void {
    if (!this.hasShortfall) return;
    for (let member = 0; member < this.memberCount; member++)
      for (let bits = this.memberCauses[member]; bits !== 0; bits &= bits - 1) {
        const cause = 31 - Math.clz32(bits & -bits);
        const kwh = this.memberShortfallKwh[member * CAUSES.length + cause];
        if (kwh > 0) visit(member, cause, kwh);
      }
  }
}
