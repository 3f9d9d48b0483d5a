import { Copyable } from "../../base/copyState.ts";
import { Slab } from "../../base/slab.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";
import { type ChangingPrices, meanOver } from "./awardPrices.ts";
import { addInProportion } from "./causeIndex.ts";
import { CAUSES } from "./causes.ts";

const NO_CAUSES = new Float64Array(CAUSES.length);

let sharedCodes = new Int32Array(0);
/** Shared by all accounts that record no causes; what is written to it is never read. */
function sharedCodesOf(count: number): Int32Array {
  if (sharedCodes.length < count) sharedCodes = new Int32Array(count);
  return sharedCodes;
}

/** Frequency response of one executed piece of an award, summed over its members. */
export interface FcrTotals {
  activatedUpKwh: number;
  activatedDownKwh: number;
  atBoundMs: number;
}

const slab = new Slab();

/** Zeros, one per cause. */
const newCauseTotals = (): Float64Array => slab.allocate(CAUSES.length);

/**
 * Requested energy, delivered energy and shortfall of one instruction since its execution. A closed account may be
 * reopened for another instruction.
 */
export class AwardAccount extends Copyable {
  instruction!: Instruction;
  /** Index of the award in the figures of the run. */
  awardIndex = -1;
  /** Start of the assessment of the power band (docs/model/accounting.md#kpis). */
  assessFromMs: EpochMs = Number.NaN;
  settledMs: EpochMs = Number.NaN;
  requestedKwh = 0;
  /** Positive in the direction of the request. */
  deliveredKwh = 0;
  shortfallKwh = 0;
  excessKwh = 0;
  uncoveredKwh = 0;
  assessedMs = 0;
  inBandMs = 0;
  /** Prices that vary over time; `null`: none varies, and the sums below stay 0. */
  prices: ChangingPrices | null = null;
  /** Per covered kW. */
  capacityJpyPerKw = 0;
  /** Of all delivered energy. */
  deliveredJpy = 0;
  /** Range of the energy price so far. */
  lowestJpyPerKwh = Number.POSITIVE_INFINITY;
  highestJpyPerKwh = Number.NEGATIVE_INFINITY;
  penaltyJpy = 0;
  /** Reallocated for each award, because the row of an award retains these three. */
  shortfallByCauseKwh: Float64Array = NO_CAUSES;
  uncoveredByCauseKw: Float64Array = NO_CAUSES;
  /** Uncovered FCR capacity at execution, by cause; only with frequency response. */
  fcrUncoveredByCauseKw: Float64Array = NO_CAUSES;
  /** Read when the account is closed; `null` without frequency response. */
  fcr: FcrTotals | null = null;
  /** kWh of each member by cause, member-major; `null` until there is a shortfall. */
  memberShortfallKwh: Float64Array | null = null;
  /** Reused memory of `memberShortfallKwh`. */
  private memberShortfallBuffer: Float64Array | null = null;
  /** Energy delivered along the request, energy requested and elapsed time of the current 30-minute slot. */
  slotDeliveredKwh = 0;
  slotRequestedKwh = 0;
  slotMs = 0;
  /** Causes of each member's shortfall at the end of the last piece, packed by `packCauses`. */
  readonly shortfallCodes: Int32Array;
  private intervalShortfallKwh = 0;
  /** kWh of shortfall in the current interval: by cause, and by member and layer. */
  private readonly intervalShortfallByCauseKwh: Float64Array;
  private readonly intervalShortfallByMemberKwh: Float64Array;
  readonly memberCount: number;
  /** Whether shortfall is attributed to causes and members; otherwise those figures stay empty. */
  readonly hasCauses: boolean;

  constructor(memberCount: number, hasCauses: boolean) {
    super();
    this.memberCount = memberCount;
    this.hasCauses = hasCauses;
    this.intervalShortfallByCauseKwh = hasCauses ? new Float64Array(CAUSES.length) : NO_CAUSES;
    this.intervalShortfallByMemberKwh = hasCauses ? new Float64Array(2 * memberCount) : NO_CAUSES;
    this.shortfallCodes = hasCauses ? new Int32Array(memberCount) : sharedCodesOf(memberCount);
  }

  /** Opens the account of an instruction at its execution; its membership must have `memberCount` members. */
  open(
    instruction: Instruction,
    awardIndex: number,
    atMs: EpochMs,
    assessFromMs: EpochMs,
    prices: ChangingPrices | null,
  ): void {
    this.instruction = instruction;
    this.awardIndex = awardIndex;
    this.assessFromMs = assessFromMs;
    this.settledMs = atMs;
    this.requestedKwh = 0;
    this.deliveredKwh = 0;
    this.shortfallKwh = 0;
    this.excessKwh = 0;
    this.uncoveredKwh = 0;
    this.assessedMs = 0;
    this.inBandMs = 0;
    this.prices = prices;
    this.capacityJpyPerKw = 0;
    this.deliveredJpy = 0;
    this.lowestJpyPerKwh = Number.POSITIVE_INFINITY;
    this.highestJpyPerKwh = Number.NEGATIVE_INFINITY;
    this.penaltyJpy = 0;
    this.fcr = null;
    this.slotDeliveredKwh = 0;
    this.slotRequestedKwh = 0;
    this.slotMs = 0;
    this.intervalShortfallKwh = 0;
    if (!this.hasCauses) return;
    this.shortfallByCauseKwh = newCauseTotals();
    this.uncoveredByCauseKw = newCauseTotals();
    if (instruction.fcrCapacityTenths !== null) this.fcrUncoveredByCauseKw = newCauseTotals();
    else this.fcrUncoveredByCauseKw = NO_CAUSES;
    this.memberShortfallKwh = null;
    this.shortfallCodes.fill(-1);
    this.intervalShortfallByCauseKwh.fill(0);
    this.intervalShortfallByMemberKwh.fill(0);
  }

  /**
   * Values a settled time at the prices of that time. Exact for prices that are constant within it; a linear price
   * counts with its mean.
   */
  addPricedValue(
    { capacityPriceJpyPerKwHour, priceJpyPerKwh, penaltyJpyPerKwh }: ChangingPrices,
    fromMs: EpochMs,
    deliveredKwh: number,
    shortfallKwh: number,
  ): void {
    const toMs = this.settledMs;
    this.capacityJpyPerKw += (meanOver(capacityPriceJpyPerKwHour, fromMs, toMs) * (toMs - fromMs)) / MS_PER_HOUR;
    const jpyPerKwh = meanOver(priceJpyPerKwh, fromMs, toMs);
    this.deliveredJpy += jpyPerKwh * deliveredKwh;
    this.lowestJpyPerKwh = Math.min(this.lowestJpyPerKwh, jpyPerKwh);
    this.highestJpyPerKwh = Math.max(this.highestJpyPerKwh, jpyPerKwh);
    this.penaltyJpy += meanOver(penaltyJpyPerKwh, fromMs, toMs) * shortfallKwh;
  }

  /** Adds to the shortfall of the current interval. */
  addShortfall(kwh: number): void {
    this.intervalShortfallKwh += kwh;
  }

  /**
   * Adds a member's shortfall in the current interval. @param layer 0: cut at the dispatch, or absent; 1: limited
   * during delivery
   */
  addMemberShortfall(member: number, layer: 0 | 1, cause: number, kwh: number): void {
    this.intervalShortfallByCauseKwh[cause] += kwh;
    this.intervalShortfallByMemberKwh[2 * member + layer] += kwh;
  }

  /** Adds a shortfall that no member accounts for, because none has a weight. */
  addUnassignedShortfall(cause: number, kwh: number): void {
    this.intervalShortfallByCauseKwh[cause] += kwh;
  }

  /**
   * Ends the interval in which no member's status, dispatch or cause changed: its shortfall is attributed to the causes
   * in proportion to the members' shortfalls (docs/model/accounting.md#attribution, step 4).
   */
  closeInterval(): void {
    if (!this.hasCauses) return;
    const shortfallKwh = this.intervalShortfallKwh;
    this.intervalShortfallKwh = 0;
    if (shortfallKwh > 0) {
      addInProportion(shortfallKwh, this.intervalShortfallByCauseKwh, this.shortfallByCauseKwh);
      this.attributeToMembers(shortfallKwh);
    }
    this.intervalShortfallByCauseKwh.fill(0);
    this.intervalShortfallByMemberKwh.fill(0);
  }

  private attributeToMembers(shortfallKwh: number): void {
    let memberSumKwh = 0;
    for (const kwh of this.intervalShortfallByCauseKwh) memberSumKwh += kwh;
    if (memberSumKwh <= 0) return;
    if (this.memberShortfallKwh === null) {
      this.memberShortfallBuffer ??= new Float64Array(this.memberCount * CAUSES.length);
      this.memberShortfallKwh = this.memberShortfallBuffer.fill(0);
    }
    const share = shortfallKwh / memberSumKwh;
    for (let i = 0; i < this.memberCount; i++)
      for (let layer = 0; layer < 2; layer++) {
        const kwh = this.intervalShortfallByMemberKwh[2 * i + layer];
        if (kwh > 0)
          this.memberShortfallKwh[i * CAUSES.length + unpackCause(this.shortfallCodes[i], layer)] += kwh * share;
      }
  }
}

/** Assesses a finished slot, which counts as in band for all of its time or for none. */
export function closeSlot(account: AwardAccount): void {
  account.assessedMs += account.slotMs;
  const differenceKwh = Math.abs(account.slotDeliveredKwh - account.slotRequestedKwh);
  if (account.slotMs > 0 && differenceKwh <= 0.1 * account.slotRequestedKwh + 1e-9) account.inBandMs += account.slotMs;
  account.slotDeliveredKwh = 0;
  account.slotRequestedKwh = 0;
  account.slotMs = 0;
}

/** Packs a member's two causes, one per layer, into one number; -1: none. */
export const packCauses = (cutCause: number, deliveryCause: number): number =>
  (cutCause + 1) * 32 + (deliveryCause + 1);

const unpackCause = (code: number, layer: number): number => (layer === 0 ? code >> 5 : code & 31) - 1;
