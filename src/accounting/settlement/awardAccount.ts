import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR, MS_PER_MINUTE } from "../../base/time.ts";
import type { Site } from "../../engine/site/site.ts";
import { type Instruction, tableOf } from "../../engine/vpp/instructions/instruction.ts";
import { type AwardPrices, meanOver } from "./awardPrices.ts";
import { MemberCredits } from "./memberCredits.ts";
import type { ShortfallAttribution } from "./shortfallAttribution.ts";

/** What is summed while an award is executed; energies positive in the direction of the request. */
const SUMS = {
  requestedKwh: 0,
  deliveredKwh: 0,
  shortfallKwh: 0,
  excessKwh: 0,
  /** Delivered up to the request of each instant, at least 0: what a price of award energy applies to. */
  withinKwh: 0,
  /** Allocated to no member. */
  uncoveredKwh: 0,
  assessedMs: 0,
  inBandMs: 0,
  /** Of priced awards; 0 for all others. Per reserved kW. */
  capacityJpyPerKw: 0,
  /** Award energy at its price, and at the market price. */
  creditedJpy: 0,
  creditedMarketJpy: 0,
  /** All that the award delivered, at the market price. */
  deliveredMarketJpy: 0,
  penaltyJpy: 0,
  /** Response of the members above and below their baselines, and their time at a storage bound; read at the end. */
  fcrUpKwh: 0,
  fcrDownKwh: 0,
  fcrAtBoundMs: 0,
};

/** Figures of an award or instruction before its execution; NaN: no such figure. */
export const BEFORE_EXECUTION = {
  ...SUMS,
  shortfallKwh: Number.NaN,
  fcrUpKwh: Number.NaN,
  fcrDownKwh: Number.NaN,
  fcrAtBoundMs: Number.NaN,
  /** Uncovered delta at execution, signed. */
  uncoveredKw: Number.NaN,
  /** Uncovered FCR capacity. */
  fcrUncoveredKw: Number.NaN,
  /** The uncovered delta of the execution that was largest in magnitude, or of FCR alone the uncovered capacity; 0: none. */
  uncoveredKwPeak: 0,
  /** Its first instant; meaningless for a peak of 0. */
  uncoveredPeakMs: 0,
  executedMinutes: 0,
  /** 1 where the award was refused. */
  isRefused: 0,
};

export type Figures = typeof BEFORE_EXECUTION;

/** What of the awards of a run is priced. */
export interface PricedParts {
  /** Whether energy has a price, of the market or of an award. */
  readonly energy: boolean;
  readonly capacity: boolean;
}

/** Energy of a settled time along the request. */
type PricedEnergy = Pick<Figures, "withinKwh" | "deliveredKwh" | "shortfallKwh">;

export const FIGURE_NAMES = Object.keys(BEFORE_EXECUTION) as readonly (keyof Figures)[];
const SUM_COUNT = Object.keys(SUMS).length;

/**
 * Place of each figure in an array of all, the sums first. Sums over objects by names of figures made a candidate of a study a
 * third slower.
 */
export const FIGURE = Object.fromEntries(FIGURE_NAMES.map((name, k) => [name, k])) as Readonly<
  Record<keyof Figures, number>
>;

/**
 * What one instruction did since its execution. A closed account may be reopened for another instruction.
 */
export class AwardAccount extends Copyable {
  /** By `FIGURE`. */
  readonly sums = new Float64Array(SUM_COUNT);
  instruction!: Instruction;
  /** Index of the award in the figures of the run. */
  awardIndex = -1;
  /** Start of the assessment of the power band (docs/model/accounting.md#kpis). */
  assessFromMs: EpochMs = Number.NaN;
  settledMs: EpochMs = Number.NaN;
  /** The uncovered delta (of FCR alone the uncovered capacity) that was largest in magnitude, and its first instant. */
  uncoveredPeakTenths = 0;
  uncoveredPeakMs: EpochMs = Number.NaN;
  /** `null`: the award has no price. */
  prices: AwardPrices | null = null;
  /** Of the interval that is settled. */
  penaltyPerKwh = 0;
  /** Energy delivered along the request, energy requested and elapsed time of the current 30-minute slot. */
  slotDeliveredKwh = 0;
  slotRequestedKwh = 0;
  slotMs = 0;
  readonly memberCount: number;
  /** Causes of the shortfall; `null` where they are not recorded. */
  readonly attribution: ShortfallAttribution | null;
  /** What the members are credited; `null` where nothing is priced by energy. */
  readonly credits: MemberCredits | null;
  /** Magnitude of each member's delta at the execution (of FCR alone its capacity); empty without capacity prices. */
  readonly executedTenths: Int32Array;

  constructor(memberCount: number, attribution: ShortfallAttribution | null, priced: PricedParts) {
    super();
    this.memberCount = memberCount;
    this.attribution = attribution;
    this.credits = priced.energy ? new MemberCredits(memberCount) : null;
    this.executedTenths = new Int32Array(priced.capacity ? memberCount : 0);
  }

  /** Opens the account of an instruction at its execution; its membership must have `memberCount` members. */
  open(
    instruction: Instruction,
    awardIndex: number,
    atMs: EpochMs,
    assessFromMs: EpochMs,
    prices: AwardPrices | null,
  ): void {
    this.sums.fill(0);
    this.instruction = instruction;
    this.awardIndex = awardIndex;
    this.assessFromMs = assessFromMs;
    this.settledMs = atMs;
    this.uncoveredPeakTenths = 0;
    this.recordUncoveredPower();
    this.prices = prices;
    this.penaltyPerKwh = 0;
    this.credits?.open();
    this.readExecution();
    this.slotDeliveredKwh = 0;
    this.slotRequestedKwh = 0;
    this.slotMs = 0;
    this.attribution?.open(instruction);
  }

  private readExecution(): void {
    const { executedTenths, instruction } = this;
    const table = tableOf(instruction);
    const tenths = instruction.hasDelta ? table.deltaTenths : table.fcrCapacities?.capacityTenths;
    for (let i = 0; i < executedTenths.length; i++) executedTenths[i] = Math.abs(tenths?.[i] ?? 0);
  }

  /** Updates the peak by the power that is uncovered from `settledMs` on. */
  recordUncoveredPower(): void {
    const { hasDelta, uncoveredTenths, fcrUncoveredTenths } = this.instruction;
    const tenths = hasDelta ? uncoveredTenths : fcrUncoveredTenths;
    if (Math.abs(tenths) <= Math.abs(this.uncoveredPeakTenths)) return;
    this.uncoveredPeakTenths = tenths;
    this.uncoveredPeakMs = this.settledMs;
  }

  /**
   * Values a settled time at the prices of that time. Exact for prices that are constant within it; a linear price
   * counts with its mean.
   */
  addPricedValue(
    { capacityPerKwHour, energyPerKwh, marketPerKwh }: AwardPrices,
    fromMs: EpochMs,
    { withinKwh, deliveredKwh, shortfallKwh }: PricedEnergy,
  ): void {
    const toMs = this.settledMs;
    const { sums } = this;
    const marketPrice = meanOver(marketPerKwh, fromMs, toMs);
    const energyPrice = meanOver(energyPerKwh, fromMs, toMs);
    sums[FIGURE.capacityJpyPerKw] += (meanOver(capacityPerKwHour, fromMs, toMs) * (toMs - fromMs)) / MS_PER_HOUR;
    sums[FIGURE.creditedJpy] += energyPrice * withinKwh;
    if (energyPerKwh !== null) sums[FIGURE.creditedMarketJpy] += marketPrice * withinKwh;
    sums[FIGURE.deliveredMarketJpy] += marketPrice * deliveredKwh;
    sums[FIGURE.penaltyJpy] += this.penaltyPerKwh * shortfallKwh;
    this.credits?.addPricedValue(marketPrice, energyPerKwh === null ? null : energyPrice);
  }
}

/** Assesses a finished slot, which counts as in band for all of its time or for none. */
export function closeSlot(account: AwardAccount): void {
  account.sums[FIGURE.assessedMs] += account.slotMs;
  const differenceKwh = Math.abs(account.slotDeliveredKwh - account.slotRequestedKwh);
  if (account.slotMs > 0 && differenceKwh <= 0.1 * account.slotRequestedKwh + 1e-9)
    account.sums[FIGURE.inBandMs] += account.slotMs;
  account.slotDeliveredKwh = 0;
  account.slotRequestedKwh = 0;
  account.slotMs = 0;
}

/** Reads the members' registers of frequency response; the sites must have been advanced to `settledMs`. */
export function readFcrRegisters(account: AwardAccount, sites: readonly Site[]): void {
  const { instruction, settledMs, sums } = account;
  if (instruction.fcrCapacityTenths === null) return;
  for (const index of instruction.membership.siteIndices) {
    const { upKwh, downKwh, atBoundMs } = sites[index].fcrRegisters(instruction, settledMs);
    sums[FIGURE.fcrUpKwh] += upKwh;
    sums[FIGURE.fcrDownKwh] += downKwh;
    sums[FIGURE.fcrAtBoundMs] += atBoundMs;
  }
}

/**
 * Fills the figures of an award, which are at `at` and by `FIGURE`, from its executed pieces; uncovered power at execution is that
 * of the first one.
 */
export function sumPieces(pieces: readonly AwardAccount[], figures: Float64Array, at = 0): Float64Array {
  const [first] = pieces;
  for (let k = 0; k < FIGURE_NAMES.length; k++) figures[at + k] = k < SUM_COUNT ? first.sums[k] : 0;
  let executedMs = 0;
  let peakTenths = 0;
  for (const { sums, settledMs, instruction, uncoveredPeakTenths, uncoveredPeakMs } of pieces) {
    for (let k = 0; k < SUM_COUNT && sums !== first.sums; k++) figures[at + k] += sums[k];
    executedMs += settledMs - instruction.executedMs;
    if (Math.abs(uncoveredPeakTenths) <= Math.abs(peakTenths)) continue;
    peakTenths = uncoveredPeakTenths;
    figures[at + FIGURE.uncoveredPeakMs] = uncoveredPeakMs;
  }
  const { hasDelta, fcrCapacityTenths, uncoveredAtStartTenths, fcrUncoveredAtStartTenths } = first.instruction;
  figures[at + FIGURE.uncoveredKw] = (hasDelta ? uncoveredAtStartTenths : fcrUncoveredAtStartTenths) / 10 || 0;
  figures[at + FIGURE.fcrUncoveredKw] = fcrCapacityTenths === null ? Number.NaN : fcrUncoveredAtStartTenths / 10;
  figures[at + FIGURE.uncoveredKwPeak] = peakTenths / 10;
  figures[at + FIGURE.executedMinutes] = executedMs / MS_PER_MINUTE;
  // Frequency response alone requests no energy.
  if (!hasDelta) figures[at + FIGURE.shortfallKwh] = Number.NaN;
  return figures;
}
