import type { EpochMs } from "../base/time.ts";
import type { Instruction } from "../vpp/instruction.ts";
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

/** What one instruction asked, got and lacked so far, from its execution on. */
export class AwardAccount {
  readonly instruction: Instruction;
  /** Where the award stands among the figures of its run. */
  readonly place: number;
  /** Assessment of the power band begins here (accounting.md §2). */
  readonly assessFromMs: EpochMs;
  settledMs: EpochMs = Number.NaN;
  requestedKwh = 0;
  /** Along the request: positive when power flows the way that was asked. */
  deliveredKwh = 0;
  shortfallKwh = 0;
  excessKwh = 0;
  uncoveredKwh = 0;
  assessedMs = 0;
  inBandMs = 0;
  readonly shortfallByCause: Float64Array;
  readonly uncoveredByCause: Float64Array;
  /** The width that nobody held at the execution, by cause; of use with frequency response alone. */
  readonly fcrUncoveredByCause: Float64Array;
  /** What the response moved, read when the account is closed; `null` without one. */
  fcr: FcrTotals | null = null;
  /** kWh of each member by cause, member-major; made when somebody first lacks something. */
  memberKwh: Float64Array | null = null;
  /** kWh delivered along the request, asked, and ms gone by, in the present 30-minute slot. */
  slotDeliveredKwh = 0;
  slotAskedKwh = 0;
  slotMs = 0;
  /** How each member lacked at the end of the last piece: its causes as one number. */
  readonly codes: Int32Array;
  #gapKwh = 0;
  /** kWh lacked in the piece at hand: by cause, and by member and layer. */
  readonly #lackByCause: Float64Array;
  readonly #memberLack: Float64Array;
  /** Whether the gap is put down to causes and members; without them all of that stays empty. */
  readonly keepsCauses: boolean;

  constructor(instruction: Instruction, place: number, assessFromMs: EpochMs, keepsCauses: boolean) {
    this.keepsCauses = keepsCauses;
    this.place = place;
    const count = instruction.membership.sites.length;
    this.instruction = instruction;
    this.assessFromMs = assessFromMs;
    if (!keepsCauses) {
      this.shortfallByCause = NONE;
      this.uncoveredByCause = NONE;
      this.fcrUncoveredByCause = NONE;
      this.#lackByCause = NONE;
      this.#memberLack = NONE;
      this.codes = noCodes(count);
      return;
    }
    // Two pieces of memory rather than five: what the award's row keeps, and what is needed while it runs.
    const kept = new Float64Array(2 * CAUSES.length);
    this.shortfallByCause = kept.subarray(0, CAUSES.length);
    this.uncoveredByCause = kept.subarray(CAUSES.length);
    this.fcrUncoveredByCause = instruction.fcrTenths === null ? NONE : new Float64Array(CAUSES.length);
    const needed = new Float64Array(CAUSES.length + 2 * count + Math.ceil(count / 2));
    this.#lackByCause = needed.subarray(0, CAUSES.length);
    this.#memberLack = needed.subarray(CAUSES.length, CAUSES.length + 2 * count);
    this.codes = new Int32Array(needed.buffer, 8 * (CAUSES.length + 2 * count), count).fill(-1);
  }

  get memberCount(): number {
    return this.codes.length;
  }

  /** Adds to the gap of the piece at hand. */
  addGap(kwh: number): void {
    this.#gapKwh += kwh;
  }

  /** Adds what a member lacks in the piece at hand. @param layer 0: cut at the dispatch or absent; 1: what binds now */
  addLack(member: number, layer: 0 | 1, cause: number, kwh: number): void {
    this.#lackByCause[cause] += kwh;
    this.#memberLack[2 * member + layer] += kwh;
  }

  /** Nobody is registered with weight: what is asked is lacked by nobody. */
  addNobodysLack(cause: number, kwh: number): void {
    this.#lackByCause[cause] += kwh;
  }

  /**
   * Ends the piece in which no member's status, dispatch or cause changed: its gap goes to the causes in proportion to
   * what they lacked (accounting.md §1, step 4).
   */
  closePiece(): void {
    if (!this.keepsCauses) return;
    const gapKwh = this.#gapKwh;
    this.#gapKwh = 0;
    if (gapKwh > 0) {
      addInProportion(gapKwh, this.#lackByCause, this.shortfallByCause);
      this.#blameMembers(gapKwh);
    }
    this.#lackByCause.fill(0);
    this.#memberLack.fill(0);
  }

  #blameMembers(gapKwh: number): void {
    let lacked = 0;
    for (const kwh of this.#lackByCause) lacked += kwh;
    if (lacked <= 0) return;
    this.memberKwh ??= new Float64Array(this.memberCount * CAUSES.length);
    const share = gapKwh / lacked;
    for (let i = 0; i < this.memberCount; i++)
      for (let layer = 0; layer < 2; layer++) {
        const kwh = this.#memberLack[2 * i + layer];
        if (kwh > 0) this.memberKwh[i * CAUSES.length + causeOfLayer(this.codes[i], layer)] += kwh * share;
      }
  }
}

/** A member's causes as one number: a cause per layer, or none. */
export const causeCode = (cutCause: number, bindingCause: number): number => (cutCause + 1) * 32 + (bindingCause + 1);

const causeOfLayer = (code: number, layer: number): number => (layer === 0 ? code >> 5 : code & 31) - 1;
