import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { Instruction } from "../../engine/vpp/instructions/instruction.ts";
import { type AwardPrices, meanOver } from "./awardPrices.ts";
import type { ShortfallAttribution } from "./shortfallAttribution.ts";

/** Frequency response of one executed piece of an award, summed over its members. */
export interface FcrTotals {
  activatedUpKwh: number;
  activatedDownKwh: number;
  atBoundMs: number;
}

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
  /** The uncovered delta (of FCR alone the uncovered capacity) that was largest in magnitude, and its first instant. */
  uncoveredPeakTenths = 0;
  uncoveredPeakMs: EpochMs = Number.NaN;
  assessedMs = 0;
  inBandMs = 0;
  /** `null`: the award has no price, and the sums below stay 0. */
  prices: AwardPrices | null = null;
  /** Delivered energy up to the request of each instant, at least 0: what a price of award energy applies to. */
  creditedKwh = 0;
  /** Per held kW. */
  capacityJpyPerKw = 0;
  /** Of `creditedKwh`, at the price of award energy and at the market price. */
  creditedJpy = 0;
  creditedMarketJpy = 0;
  penaltyJpy = 0;
  /** Read when the account is closed; `null` without frequency response. */
  fcr: FcrTotals | null = null;
  /** Energy delivered along the request, energy requested and elapsed time of the current 30-minute slot. */
  slotDeliveredKwh = 0;
  slotRequestedKwh = 0;
  slotMs = 0;
  readonly memberCount: number;
  /** Causes of the shortfall; `null` where they are not recorded. */
  readonly attribution: ShortfallAttribution | null;

  constructor(memberCount: number, attribution: ShortfallAttribution | null) {
    super();
    this.memberCount = memberCount;
    this.attribution = attribution;
  }

  /** Opens the account of an instruction at its execution; its membership must have `memberCount` members. */
  open(
    instruction: Instruction,
    awardIndex: number,
    atMs: EpochMs,
    assessFromMs: EpochMs,
    prices: AwardPrices | null,
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
    this.uncoveredPeakTenths = 0;
    this.recordUncoveredPower();
    this.assessedMs = 0;
    this.inBandMs = 0;
    this.prices = prices;
    this.capacityJpyPerKw = 0;
    this.creditedKwh = 0;
    this.creditedJpy = 0;
    this.creditedMarketJpy = 0;
    this.penaltyJpy = 0;
    this.fcr = null;
    this.slotDeliveredKwh = 0;
    this.slotRequestedKwh = 0;
    this.slotMs = 0;
    this.attribution?.open(instruction);
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
    { capacityPerKwHour, energyPerKwh, penaltyPerKwh, marketPerKwh }: AwardPrices,
    fromMs: EpochMs,
    creditedKwh: number,
    shortfallKwh: number,
  ): void {
    const toMs = this.settledMs;
    this.capacityJpyPerKw += (meanOver(capacityPerKwHour, fromMs, toMs) * (toMs - fromMs)) / MS_PER_HOUR;
    this.creditedJpy += meanOver(energyPerKwh, fromMs, toMs) * creditedKwh;
    this.creditedMarketJpy += meanOver(marketPerKwh, fromMs, toMs) * creditedKwh;
    this.penaltyJpy += meanOver(penaltyPerKwh, fromMs, toMs) * shortfallKwh;
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
