import { Copyable } from "../../base/copyState.ts";
import { Slab } from "../../base/slab.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";
import { type ChangingPrices, meanOver } from "./awardPrices.ts";
import { addInProportion } from "./causeIndex.ts";
import { CAUSES } from "./causes.ts";

const NO_CAUSES = new Float64Array(CAUSES.length);

let sharedCodes = new Int32Array(0);
/** For accounts that keep no causes, one for all: what is written there says nothing. */
function sharedCodesOf(count: number): Int32Array {
  if (sharedCodes.length < count) sharedCodes = new Int32Array(count);
  return sharedCodes;
}

/** What the frequency response of one executed piece of an award moved, over all its members. */
export interface FcrTotals {
  activatedUpKwh: number;
  activatedDownKwh: number;
  atBoundMs: number;
}

const slab = new Slab();

/** Zeros, one per cause. */
const newCauseTotals = (): Float64Array => slab.allocate(CAUSES.length);

/** What one instruction asked, got and lacked so far, from its execution on. One that is closed may serve another. */
export class AwardAccount extends Copyable {
  instruction!: Instruction;
  /** Where the award stands among the figures of its run. */
  awardIndex = -1;
  /** Assessment of the power band begins here (docs/model/accounting.md#kpis). */
  assessFromMs: EpochMs = Number.NaN;
  settledMs: EpochMs = Number.NaN;
  requestedKwh = 0;
  /** Along the request: positive when power flows the way that was asked. */
  deliveredKwh = 0;
  shortfallKwh = 0;
  excessKwh = 0;
  uncoveredKwh = 0;
  assessedMs = 0;
  inBandMs = 0;
  /** What has been settled so far is worth, at prices that change; `null`: they do not, and the three sums stay 0. */
  prices: ChangingPrices | null = null;
  /** For each kW that is covered. */
  capacityJpyPerKw = 0;
  /** For all that was delivered. */
  deliveredJpy = 0;
  /** The prices of a delivered kWh so far. */
  lowestJpyPerKwh = Number.POSITIVE_INFINITY;
  highestJpyPerKwh = Number.NEGATIVE_INFINITY;
  penaltyJpy = 0;
  /** The row of the award keeps these three. */
  shortfallByCauseKwh: Float64Array = NO_CAUSES;
  uncoveredByCauseKw: Float64Array = NO_CAUSES;
  /** The width that nobody held at the execution, by cause; of use with frequency response alone. */
  fcrUncoveredByCauseKw: Float64Array = NO_CAUSES;
  /** What the response moved, read when the account is closed; `null` without one. */
  fcr: FcrTotals | null = null;
  /** kWh of each member by cause, member-major; `null` until somebody lacks something. */
  memberShortfallKwh: Float64Array | null = null;
  /** The memory for it. */
  private memberShortfallBuffer: Float64Array | null = null;
  /** kWh delivered along the request, asked, and ms gone by, in the present 30-minute slot. */
  slotDeliveredKwh = 0;
  slotRequestedKwh = 0;
  slotMs = 0;
  /** How each member lacked at the end of the last piece: its causes as one number. */
  readonly shortfallCodes: Int32Array;
  private intervalShortfallKwh = 0;
  /** kWh lacked in the piece at hand: by cause, and by member and layer. */
  private readonly intervalShortfallByCauseKwh: Float64Array;
  private readonly intervalShortfallByMemberKwh: Float64Array;
  readonly memberCount: number;
  /** Whether the gap is put down to causes and members; without them all of that stays empty. */
  readonly hasCauses: boolean;

  constructor(memberCount: number, keepsCauses: boolean) {
    super();
    this.memberCount = memberCount;
    this.hasCauses = keepsCauses;
    this.intervalShortfallByCauseKwh = keepsCauses ? new Float64Array(CAUSES.length) : NO_CAUSES;
    this.intervalShortfallByMemberKwh = keepsCauses ? new Float64Array(2 * memberCount) : NO_CAUSES;
    this.shortfallCodes = keepsCauses ? new Int32Array(memberCount) : sharedCodesOf(memberCount);
  }

  /** Opens the account of an instruction that is executed now; its membership has `memberCount` members. */
  open(
    instruction: Instruction,
    place: number,
    atMs: EpochMs,
    assessFromMs: EpochMs,
    prices: ChangingPrices | null,
  ): void {
    this.instruction = instruction;
    this.awardIndex = place;
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
   * Values a time that has been settled: exactly where no price changes within, as within a step; at the mean of what
   * moves straight.
   */
  addPricedValue(
    { capacityPriceJpyPerKwHour: priceJpyPerKwH, priceJpyPerKwh, penaltyJpyPerKwh }: ChangingPrices,
    fromMs: EpochMs,
    deliveredKwh: number,
    shortfallKwh: number,
  ): void {
    const toMs = this.settledMs;
    this.capacityJpyPerKw += (meanOver(priceJpyPerKwH, fromMs, toMs) * (toMs - fromMs)) / MS_PER_HOUR;
    const jpyPerKwh = meanOver(priceJpyPerKwh, fromMs, toMs);
    this.deliveredJpy += jpyPerKwh * deliveredKwh;
    this.lowestJpyPerKwh = Math.min(this.lowestJpyPerKwh, jpyPerKwh);
    this.highestJpyPerKwh = Math.max(this.highestJpyPerKwh, jpyPerKwh);
    this.penaltyJpy += meanOver(penaltyJpyPerKwh, fromMs, toMs) * shortfallKwh;
  }

  /** Adds to the gap of the piece at hand. */
  addShortfall(kwh: number): void {
    this.intervalShortfallKwh += kwh;
  }

  /** Adds what a member lacks in the piece at hand. @param layer 0: cut at the dispatch or absent; 1: what binds now */
  addMemberShortfall(member: number, layer: 0 | 1, cause: number, kwh: number): void {
    this.intervalShortfallByCauseKwh[cause] += kwh;
    this.intervalShortfallByMemberKwh[2 * member + layer] += kwh;
  }

  /** Nobody is registered with weight: what is asked is lacked by nobody. */
  addUnassignedShortfall(cause: number, kwh: number): void {
    this.intervalShortfallByCauseKwh[cause] += kwh;
  }

  /**
   * Ends the piece in which no member's status, dispatch or cause changed: its gap goes to the causes in proportion to
   * what they lacked (docs/model/accounting.md#attribution, step 4).
   */
  closeInterval(): void {
    if (!this.hasCauses) return;
    const gapKwh = this.intervalShortfallKwh;
    this.intervalShortfallKwh = 0;
    if (gapKwh > 0) {
      addInProportion(gapKwh, this.intervalShortfallByCauseKwh, this.shortfallByCauseKwh);
      this.attributeToMembers(gapKwh);
    }
    this.intervalShortfallByCauseKwh.fill(0);
    this.intervalShortfallByMemberKwh.fill(0);
  }

  private attributeToMembers(gapKwh: number): void {
    let lacked = 0;
    for (const kwh of this.intervalShortfallByCauseKwh) lacked += kwh;
    if (lacked <= 0) return;
    if (this.memberShortfallKwh === null) {
      this.memberShortfallBuffer ??= new Float64Array(this.memberCount * CAUSES.length);
      this.memberShortfallKwh = this.memberShortfallBuffer.fill(0);
    }
    const share = gapKwh / lacked;
    for (let i = 0; i < this.memberCount; i++)
      for (let layer = 0; layer < 2; layer++) {
        const kwh = this.intervalShortfallByMemberKwh[2 * i + layer];
        if (kwh > 0)
          this.memberShortfallKwh[i * CAUSES.length + unpackCause(this.shortfallCodes[i], layer)] += kwh * share;
      }
  }
}

/** A slot that is over is in band for the whole of its time, or not at all. */
export function closeSlot(account: AwardAccount): void {
  account.assessedMs += account.slotMs;
  const differenceKwh = Math.abs(account.slotDeliveredKwh - account.slotRequestedKwh);
  if (account.slotMs > 0 && differenceKwh <= 0.1 * account.slotRequestedKwh + 1e-9) account.inBandMs += account.slotMs;
  account.slotDeliveredKwh = 0;
  account.slotRequestedKwh = 0;
  account.slotMs = 0;
}

/** A member's causes as one number: a cause per layer, or none. */
export const packCauses = (cutCause: number, bindingCause: number): number => (cutCause + 1) * 32 + (bindingCause + 1);

const unpackCause = (code: number, layer: number): number => (layer === 0 ? code >> 5 : code & 31) - 1;
