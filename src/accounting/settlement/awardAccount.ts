import { Copyable } from "../../base/copyState.ts";
import { Slab } from "../../base/slab.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";
import { type ChangingPrices, meanOver } from "./awardPrices.ts";
import { CAUSES } from "./causes.ts";
import { addInProportion } from "./shortfall.ts";

const NONE = new Float64Array(CAUSES.length);

let noCodesKept = new Int32Array(0);
/** For accounts that keep no causes, one for all: what is written there says nothing. */
function noCodes(count: number): Int32Array {
  if (noCodesKept.length < count) noCodesKept = new Int32Array(count);
  return noCodesKept;
}

/** What the frequency response of one executed piece of an award moved, over all its members. */
export interface FcrTotals {
  upKwh: number;
  downKwh: number;
  atBoundMs: number;
}

const slab = new Slab();

/** Zeros, one per cause. */
const newCauses = (): Float64Array => slab.take(CAUSES.length);

/** What one instruction asked, got and lacked so far, from its execution on. One that is closed may serve another. */
export class AwardAccount extends Copyable {
  instruction!: Instruction;
  /** Where the award stands among the figures of its run. */
  place = -1;
  /** Assessment of the power band begins here (accounting.md §2). */
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
  shortfallByCause: Float64Array = NONE;
  uncoveredByCause: Float64Array = NONE;
  /** The width that nobody held at the execution, by cause; of use with frequency response alone. */
  fcrUncoveredByCause: Float64Array = NONE;
  /** What the response moved, read when the account is closed; `null` without one. */
  fcr: FcrTotals | null = null;
  /** kWh of each member by cause, member-major; `null` until somebody lacks something. */
  memberKwh: Float64Array | null = null;
  /** The memory for it. */
  private keptMemberKwh: Float64Array | null = null;
  /** kWh delivered along the request, asked, and ms gone by, in the present 30-minute slot. */
  slotDeliveredKwh = 0;
  slotAskedKwh = 0;
  slotMs = 0;
  /** How each member lacked at the end of the last piece: its causes as one number. */
  readonly codes: Int32Array;
  private gapKwh = 0;
  /** kWh lacked in the piece at hand: by cause, and by member and layer. */
  private readonly lackByCause: Float64Array;
  private readonly memberLack: Float64Array;
  readonly memberCount: number;
  /** Whether the gap is put down to causes and members; without them all of that stays empty. */
  readonly keepsCauses: boolean;

  constructor(memberCount: number, keepsCauses: boolean) {
    super();
    this.memberCount = memberCount;
    this.keepsCauses = keepsCauses;
    this.lackByCause = keepsCauses ? new Float64Array(CAUSES.length) : NONE;
    this.memberLack = keepsCauses ? new Float64Array(2 * memberCount) : NONE;
    this.codes = keepsCauses ? new Int32Array(memberCount) : noCodes(memberCount);
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
    this.place = place;
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
    this.slotAskedKwh = 0;
    this.slotMs = 0;
    this.gapKwh = 0;
    if (!this.keepsCauses) return;
    this.shortfallByCause = newCauses();
    this.uncoveredByCause = newCauses();
    if (instruction.fcrTenths !== null) this.fcrUncoveredByCause = newCauses();
    else this.fcrUncoveredByCause = NONE;
    this.memberKwh = null;
    this.codes.fill(-1);
    this.lackByCause.fill(0);
    this.memberLack.fill(0);
  }

  /**
   * Values a time that has been settled: exactly where no price changes within, as within a step; at the mean of what
   * moves straight.
   */
  addValue(
    { priceJpyPerKwH, priceJpyPerKwh, penaltyJpyPerKwh }: ChangingPrices,
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
  addGap(kwh: number): void {
    this.gapKwh += kwh;
  }

  /** Adds what a member lacks in the piece at hand. @param layer 0: cut at the dispatch or absent; 1: what binds now */
  addLack(member: number, layer: 0 | 1, cause: number, kwh: number): void {
    this.lackByCause[cause] += kwh;
    this.memberLack[2 * member + layer] += kwh;
  }

  /** Nobody is registered with weight: what is asked is lacked by nobody. */
  addNobodysLack(cause: number, kwh: number): void {
    this.lackByCause[cause] += kwh;
  }

  /**
   * Ends the piece in which no member's status, dispatch or cause changed: its gap goes to the causes in proportion to
   * what they lacked (accounting.md §1, step 4).
   */
  closePiece(): void {
    if (!this.keepsCauses) return;
    const gapKwh = this.gapKwh;
    this.gapKwh = 0;
    if (gapKwh > 0) {
      addInProportion(gapKwh, this.lackByCause, this.shortfallByCause);
      this.blameMembers(gapKwh);
    }
    this.lackByCause.fill(0);
    this.memberLack.fill(0);
  }

  private blameMembers(gapKwh: number): void {
    let lacked = 0;
    for (const kwh of this.lackByCause) lacked += kwh;
    if (lacked <= 0) return;
    if (this.memberKwh === null) {
      this.keptMemberKwh ??= new Float64Array(this.memberCount * CAUSES.length);
      this.memberKwh = this.keptMemberKwh.fill(0);
    }
    const share = gapKwh / lacked;
    for (let i = 0; i < this.memberCount; i++)
      for (let layer = 0; layer < 2; layer++) {
        const kwh = this.memberLack[2 * i + layer];
        if (kwh > 0) this.memberKwh[i * CAUSES.length + causeOfLayer(this.codes[i], layer)] += kwh * share;
      }
  }
}

/** A slot that is over is in band for the whole of its time, or not at all. */
export function closeSlot(account: AwardAccount): void {
  account.assessedMs += account.slotMs;
  const differenceKwh = Math.abs(account.slotDeliveredKwh - account.slotAskedKwh);
  if (account.slotMs > 0 && differenceKwh <= 0.1 * account.slotAskedKwh + 1e-9) account.inBandMs += account.slotMs;
  account.slotDeliveredKwh = 0;
  account.slotAskedKwh = 0;
  account.slotMs = 0;
}

/** A member's causes as one number: a cause per layer, or none. */
export const causeCode = (cutCause: number, bindingCause: number): number => (cutCause + 1) * 32 + (bindingCause + 1);

const causeOfLayer = (code: number, layer: number): number => (layer === 0 ? code >> 5 : code & 31) - 1;
