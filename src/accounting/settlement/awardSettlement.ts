import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../base/time.ts";
import { curveKw } from "../../engine/device/curve/curve.ts";
import { newSegment } from "../../engine/site/components/segment.ts";
import { TrajectoryCache } from "../../engine/site/sharedTrajectories.ts";
import type { Site } from "../../engine/site/site.ts";
import type { SiteRecord } from "../../engine/site/siteRecord.ts";
import { DISPATCH_OUTCOME, type Instruction, tableOf } from "../../engine/vpp/instructions/instruction.ts";
import { type AwardAccount, closeSlot, FIGURE } from "./awardAccount.ts";
import { meanOver, nextPriceChangeMs } from "./awardPrices.ts";
import { DeliveryCredit, isDeliveryShared } from "./deliveryCredit.ts";
import type { MemberCredits } from "./memberCredits.ts";
import { type DeviationIntegrals, integrateDeviation, SegmentSum } from "./segmentSum.ts";
import type { ShortfallAttribution } from "./shortfallAttribution.ts";
import { causeOfLimitingFactor, POWER_TOLERANCE_KW } from "./shortfallCause.ts";
import { isAssessedByEnergy } from "./skuRules.ts";
import {
  advanceDelivery,
  baselineUntilMs,
  creditedKwh,
  isSteady,
  newVaryingMember,
  nextCrossingMs,
  type VaryingMember,
} from "./varyingMember.ts";

/**
 * A settled piece of one instruction, or one half of a curved piece, in signed kW: its delivery goes straight from `fromKw` to
 * `toKw`.
 */
export interface DeliveryPiece {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
  readonly requestedKw: number;
  readonly fromKw: number;
  readonly toKw: number;
  readonly uncoveredKw: number;
  /** At least 0. */
  readonly shortfallKwh: number;
  /** JPY per kWh of shortfall, 0 without a penalty. */
  readonly penaltyPerKwh: number;
  /** Hours of the whole piece, whose gaps the attribution has. */
  readonly pieceHours: number;
}

/** Receives each settled piece of a VPP's instructions. */
export interface DeliveryListener {
  /** @param attribution  has the gaps of the piece until the call returns; `null` where causes are not recorded */
  addDelivery(vpp: number, piece: DeliveryPiece, attribution: ShortfallAttribution | null): void;
}

/** A settled piece of one instruction as curves, along the request; valid during the call only. */
export interface AwardPiece {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
  /** Constant over the piece, at least 0. */
  readonly requestedKw: number;
  /** Requested − delivered power, from the start of the piece. */
  readonly deviation: SegmentSum;
  /** Has the gaps of the piece; `null` where causes are not recorded. */
  readonly attribution: ShortfallAttribution | null;
}

/** Receives each settled piece of an instruction. */
export interface AwardPieceListener {
  addPiece(instruction: Instruction, piece: AwardPiece): void;
}

/** Listeners of the settled pieces; `null` or empty: none. */
export interface PieceListeners {
  readonly delivery: DeliveryListener | null;
  readonly awards: readonly AwardPieceListener[];
}

class SharedDelivery extends Copyable {
  trajectoryNumber = 0;
  fromMs: EpochMs = Number.NaN;
  toMs: EpochMs = Number.NaN;
  deliveredKw = Number.NaN;
}

/**
 * Settles running instructions: integrates what their members deliver against the request, and attributes the
 * shortfall.
 *
 * An interval is a time in which no trajectory changes. Members with a constant delivery over it are summed once. The
 * others are divided into pieces, from one change of their curve to the next. @see docs/model/accounting.md#attribution
 */
export class AwardSettlement extends Copyable {
  private readonly sites: readonly Site[];
  private readonly records: readonly SiteRecord[];
  private readonly listeners: PieceListeners;
  private readonly varyingMembers: VaryingMember[] = [];
  private varyingCount = 0;
  private readonly difference = new SegmentSum();
  private readonly creditSum = new SegmentSum();
  private readonly deviationIntegrals: DeviationIntegrals = { shortfallKwh: 0, excessKwh: 0, inBandMs: 0 };
  private readonly opposedIntegrals: DeviationIntegrals = { shortfallKwh: 0, excessKwh: 0, inBandMs: 0 };
  private readonly currentSegment = newSegment();
  /** Deliveries of the shared trajectories that were read last. */
  private readonly sharedDeliveries = new TrajectoryCache(() => new SharedDelivery());

  constructor(sites: readonly Site[], listeners: PieceListeners) {
    super();
    this.sites = sites;
    this.records = sites.map(({ record }) => record);
    this.listeners = listeners;
  }

  /** Settles the time since the last call, in which no trajectory changed. */
  settle(account: AwardAccount, toMs: EpochMs): void {
    const { prices } = account;
    if (prices === null) return this.settleEnergy(account, toMs);
    while (account.settledMs < toMs) {
      const { settledMs, sums } = account;
      const [withinKwh, deliveredKwh, shortfallKwh] = [
        sums[FIGURE.withinKwh],
        sums[FIGURE.deliveredKwh],
        sums[FIGURE.shortfallKwh],
      ];
      const untilMs = Math.min(toMs, nextPriceChangeMs(prices, settledMs));
      account.penaltyPerKwh = meanOver(prices.penaltyPerKwh, settledMs, untilMs);
      this.settleEnergy(account, untilMs);
      account.addPricedValue(prices, settledMs, {
        withinKwh: sums[FIGURE.withinKwh] - withinKwh,
        deliveredKwh: sums[FIGURE.deliveredKwh] - deliveredKwh,
        shortfallKwh: sums[FIGURE.shortfallKwh] - shortfallKwh,
      });
    }
  }

  private settleEnergy(account: AwardAccount, toMs: EpochMs): void {
    if (toMs <= account.settledMs) return;
    account.recordUncoveredPower();
    // Frequency response alone requests no energy; the sites' registers integrate its response.
    if (!account.instruction.hasDelta) {
      account.settledMs = toMs;
      return;
    }
    if (!isAssessedByEnergy(account.instruction.sku)) return this.settleInterval(account, toMs);
    while (account.settledMs < toMs) {
      const slotEndMs = (Math.floor(account.settledMs / MS_PER_HALF_HOUR) + 1) * MS_PER_HALF_HOUR;
      this.settleInterval(account, Math.min(slotEndMs, toMs));
      if (account.settledMs === slotEndMs) closeSlot(account);
    }
  }

  private settleInterval(account: AwardAccount, toMs: EpochMs): void {
    const { instruction } = account;
    const fromMs = account.settledMs;
    account.settledMs = toMs;
    const reservedKw = Math.abs(instruction.deltaTenths) / 10;
    const requestedKw = reservedKw * instruction.activation;
    const { attribution, sums } = account;
    attribution?.beginInterval();
    const steadyKw = this.classifyMembers(account, fromMs, toMs);
    const deliveredBeforeKwh = sums[FIGURE.deliveredKwh];
    if (this.varyingCount === 0) {
      this.difference.clear();
      this.difference.kw = requestedKw - steadyKw;
      this.integrateDeviation(account, fromMs, toMs, requestedKw);
    } else this.settleVarying(account, fromMs, toMs, requestedKw, steadyKw);
    attribution?.endInterval();
    const hours = (toMs - fromMs) / MS_PER_HOUR;
    sums[FIGURE.requestedKwh] += requestedKw * hours;
    sums[FIGURE.uncoveredKwh] += (Math.abs(instruction.uncoveredTenths) / 10) * hours;
    const deliveredKwh = sums[FIGURE.deliveredKwh] - deliveredBeforeKwh;
    if (isAssessedByEnergy(instruction.sku)) {
      account.slotDeliveredKwh += deliveredKwh;
      account.slotRequestedKwh += requestedKw * hours;
      account.slotMs += toMs - fromMs;
    } else sums[FIGURE.assessedMs] += Math.max(0, toMs - Math.max(fromMs, account.assessFromMs));
  }

  /**
   * Divides the members into those whose delivery is constant over the interval and those that vary.
   *
   * @returns kW that the former deliver along the request
   */
  private classifyMembers(account: AwardAccount, fromMs: EpochMs, toMs: EpochMs): number {
    const { instruction, attribution, credits } = account;
    const { direction, activation } = instruction;
    const { siteIndices: sites } = instruction.membership;
    const { deltaTenths } = tableOf(instruction);
    const { records } = this;
    this.varyingCount = 0;
    let steadyKw = 0;
    for (let i = 0; i < sites.length; i++) {
      const record = records[sites[i]];
      const { store } = record;
      let kw = Number.NaN;
      if (record.order === instruction && record.isInService) {
        if (store?.hasFlow) kw = direction * (store.constantKw(fromMs, toMs) - record.baselineKw);
        else if (record.trajectoryNumber > 0) kw = direction * this.sharedDeliveryKw(sites[i], fromMs, toMs);
      }
      const hasGap = attribution !== null && (Math.abs(deltaTenths[i]) / 10) * activation - kw > POWER_TOLERANCE_KW;
      if (Number.isNaN(kw) || hasGap) kw = this.classifyMember(account, i, fromMs, toMs);
      else attribution?.clearDeliveryGap(i);
      const constantKw = Number.isNaN(kw) ? 0 : kw;
      steadyKw += constantKw;
      if (credits !== null) credits.steadyKw[i] = constantKw;
    }
    return steadyKw;
  }

  /** Constant power in kW that a site on a shared trajectory delivers over a period; NaN where it varies. */
  private sharedDeliveryKw(index: number, fromMs: EpochMs, toMs: EpochMs): number {
    const site = this.sites[index];
    const { trajectoryNumber } = site.record;
    const shared = this.sharedDeliveries.slotOf(trajectoryNumber);
    if (shared.trajectoryNumber === trajectoryNumber && shared.fromMs === fromMs && shared.toMs === toMs)
      return shared.deliveredKw;
    const segment = this.currentSegment;
    site.resource.segmentAt(fromMs, segment);
    const untilMs = Math.min(segment.endMs, baselineUntilMs(site, fromMs));
    shared.trajectoryNumber = trajectoryNumber;
    shared.fromMs = fromMs;
    shared.toMs = toMs;
    shared.deliveredKw =
      untilMs < toMs || !isSteady(segment) ? Number.NaN : segment.kw - site.reportedBaselineKw(fromMs);
    return shared.deliveredKw;
  }

  /** @returns kW that a member delivers along the request; NaN where they vary */
  private classifyMember(
    { instruction, attribution }: AwardAccount,
    i: number,
    fromMs: EpochMs,
    toMs: EpochMs,
  ): number {
    if (tableOf(instruction).deltaStatus(i) !== DISPATCH_OUTCOME.dispatched) {
      attribution?.clearDeliveryGap(i);
      return 0;
    }
    const site = this.sites[instruction.membership.siteIndices[i]];
    if (!site.isInService) {
      attribution?.setOutOfService(i, setpointKwOf(instruction, i));
      return 0;
    }
    if (!site.orderBook.isActive(instruction)) {
      attribution?.setDirectlyControlled(i, setpointKwOf(instruction, i));
      return 0;
    }
    const sign = instruction.direction;
    const segment = this.currentSegment;
    site.segmentWithoutFcrAt(fromMs, segment);
    const baselineKw = site.reportedBaselineKw(fromMs);
    const untilMs = Math.min(segment.endMs, baselineUntilMs(site, fromMs));
    const credit = isDeliveryShared(site.activeOrders) ? new DeliveryCredit(site.activeOrders, instruction) : null;
    if (untilMs < toMs || !isSteady(segment)) {
      this.addVaryingMember(instruction, i, credit);
      return Number.NaN;
    }
    const deliveredKw = segment.kw - baselineKw;
    const kw = sign * (credit === null ? deliveredKw : credit.creditedKw(deliveredKw));
    if (attribution === null) return kw;
    const gapKw = setpointKwOf(instruction, i) - kw;
    if (gapKw > POWER_TOLERANCE_KW)
      attribution.setDeliveryGap(i, causeOfLimitingFactor(site, segment, sign, credit), gapKw);
    else attribution.clearDeliveryGap(i);
    return kw;
  }

  private addVaryingMember(instruction: Instruction, memberIndex: number, credit: DeliveryCredit | null): void {
    const site = this.sites[instruction.membership.siteIndices[memberIndex]];
    const varying = (this.varyingMembers[this.varyingCount] ??= newVaryingMember(site));
    varying.memberIndex = memberIndex;
    varying.site = site;
    varying.setpointKw = setpointKwOf(instruction, memberIndex);
    varying.credit = credit;
    varying.untilMs = Number.NEGATIVE_INFINITY;
    this.varyingCount++;
  }

  /** Settles an interval piece by piece: a piece ends where the curve of a varying member changes. */
  private settleVarying(
    account: AwardAccount,
    fromMs: EpochMs,
    toMs: EpochMs,
    requestedKw: number,
    steadyKw: number,
  ): void {
    const sign = account.instruction.direction;
    let atMs = fromMs;
    while (atMs < toMs) {
      let untilMs = toMs;
      for (let k = 0; k < this.varyingCount; k++) {
        const varying = this.varyingMembers[k];
        const isCurrent = atMs < varying.untilMs;
        if (!isCurrent) this.refreshVarying(varying, atMs);
        // A constant delivery needs no update.
        if (!isCurrent || !isSteady(varying.segment)) {
          advanceDelivery(varying, sign, atMs);
          varying.crossingMs = nextCrossingMs(varying, atMs);
        }
        untilMs = Math.min(untilMs, varying.untilMs, varying.crossingMs);
      }
      this.settlePiece(account, atMs, untilMs, requestedKw, steadyKw);
      atMs = untilMs;
    }
  }

  private refreshVarying(varying: VaryingMember, atMs: EpochMs): void {
    const { site, segment } = varying;
    site.segmentWithoutFcrAt(atMs, segment);
    varying.baselineKw = site.reportedBaselineKw(atMs);
    varying.untilMs = Math.min(segment.endMs, baselineUntilMs(site, atMs));
  }

  /** A piece in which every member's power is one curve, on one side of its set-point. */
  private settlePiece(
    account: AwardAccount,
    fromMs: EpochMs,
    toMs: EpochMs,
    requestedKw: number,
    steadyKw: number,
  ): void {
    const difference = this.difference;
    difference.clear();
    difference.kw = requestedKw - steadyKw;
    for (let k = 0; k < this.varyingCount; k++) {
      difference.add(-1, this.varyingMembers[k].credited);
    }
    if (account.attribution !== null) this.addVaryingGaps(account.instruction, account.attribution, toMs - fromMs);
    this.integrateDeviation(account, fromMs, toMs, requestedKw);
  }

  /** Adds the delivery gaps of the varying members in a piece. All causes are set before the first gap is added. */
  private addVaryingGaps({ direction }: Instruction, attribution: ShortfallAttribution, spanMs: number): void {
    for (let k = 0; k < this.varyingCount; k++) {
      const varying = this.varyingMembers[k];
      varying.hasGap = varying.setpointKw - curveKw(varying.credited, 0.5 * spanMs) > POWER_TOLERANCE_KW;
      if (varying.hasGap)
        attribution.setDeliveryGap(
          varying.memberIndex,
          causeOfLimitingFactor(varying.site, varying.segment, direction, varying.credit),
          0,
        );
      else attribution.clearDeliveryGap(varying.memberIndex);
    }
    for (let k = 0; k < this.varyingCount; k++) {
      const varying = this.varyingMembers[k];
      if (!varying.hasGap) continue;
      const gapKwh = (varying.setpointKw * spanMs) / MS_PER_HOUR - creditedKwh(varying, spanMs);
      const { memberIndex, setpointKw, credited } = varying;
      const [fromKw, toKw] = [setpointKw - credited.kw, setpointKw - curveKw(credited, spanMs)];
      attribution.addDeliveryGap(memberIndex, Math.max(0, gapKwh), fromKw, toKw);
    }
  }

  /** Adds the deviation integrals of a piece, whose deviation is in `difference`. */
  private integrateDeviation(account: AwardAccount, fromMs: EpochMs, toMs: EpochMs, requestedKw: number): void {
    const spanMs = toMs - fromMs;
    const deviation = this.deviationIntegrals;
    const bandKw = 0.1 * requestedKw;
    const hours = spanMs / MS_PER_HOUR;
    integrateDeviation(this.difference, spanMs, bandKw, deviation);
    const { sums } = account;
    sums[FIGURE.shortfallKwh] += deviation.shortfallKwh;
    sums[FIGURE.excessKwh] += deviation.excessKwh;
    sums[FIGURE.deliveredKwh] += requestedKw * hours - deviation.shortfallKwh + deviation.excessKwh;
    const withinKwh = requestedKw * hours - deviation.shortfallKwh + this.opposedKwh(requestedKw, spanMs);
    sums[FIGURE.withinKwh] += withinKwh;
    if (account.credits !== null) this.addCredits(account.credits, spanMs, withinKwh);
    const { shortfallKwh } = deviation;
    account.attribution?.addShortfall(hours, shortfallKwh, account.penaltyPerKwh * shortfallKwh);
    this.assessCompliance(account, fromMs, toMs, bandKw, deviation.inBandMs);
    const { delivery, awards } = this.listeners;
    if (delivery !== null) this.reportDelivery(delivery, account, fromMs, toMs, requestedKw);
    const { instruction, attribution } = account;
    for (const listener of awards)
      listener.addPiece(instruction, { fromMs, toMs, requestedKw, deviation: this.difference, attribution });
  }

  private addCredits(credits: MemberCredits, spanMs: number, withinKwh: number): void {
    credits.beginPiece(spanMs / MS_PER_HOUR);
    for (let k = 0; k < this.varyingCount; k++) {
      const varying = this.varyingMembers[k];
      credits.setMember(varying.memberIndex, creditedKwh(varying, spanMs), this.alongKwh(varying, spanMs));
    }
    credits.endPiece(withinKwh);
  }

  /** kWh of a member's credit along the request in a piece; at least 0. */
  private alongKwh({ credited }: VaryingMember, spanMs: number): number {
    const { creditSum } = this;
    creditSum.clear();
    creditSum.add(1, credited);
    integrateDeviation(creditSum, spanMs, 0, this.opposedIntegrals);
    return this.opposedIntegrals.shortfallKwh;
  }

  /** Halves a curved piece: straight lines are drawn. */
  private reportDelivery(
    listener: DeliveryListener,
    { instruction, attribution, penaltyPerKwh }: AwardAccount,
    fromMs: EpochMs,
    toMs: EpochMs,
    requestedKw: number,
  ): void {
    const { difference, deviationIntegrals } = this;
    const { vpp, direction: sign, uncoveredTenths } = instruction;
    const parts = difference.curvatureTermCount === 0 ? 1 : 2;
    const partMs = (toMs - fromMs) / parts;
    for (let k = 0; k < parts; k++)
      listener.addDelivery(
        vpp,
        {
          fromMs: fromMs + k * partMs,
          toMs: fromMs + (k + 1) * partMs,
          requestedKw: sign * requestedKw,
          fromKw: sign * (requestedKw - difference.valueAt(k * partMs)),
          toKw: sign * (requestedKw - difference.valueAt((k + 1) * partMs)),
          uncoveredKw: uncoveredTenths / 10,
          shortfallKwh: deviationIntegrals.shortfallKwh / parts,
          penaltyPerKwh,
          pieceHours: (toMs - fromMs) / MS_PER_HOUR,
        },
        attribution,
      );
  }

  /** kWh delivered against the direction of the request in a piece, whose deviation is in `difference`; at least 0. */
  private opposedKwh(requestedKw: number, spanMs: number): number {
    const { difference } = this;
    const { kw } = difference;
    // Between its ends a curve is at most this far from the straight line.
    const sagKw = (difference.maxCurvature(0, spanMs) * spanMs * spanMs) / 8;
    if (Math.max(kw, difference.valueAt(spanMs)) + sagKw <= requestedKw) return 0;
    difference.kw = kw - requestedKw;
    integrateDeviation(difference, spanMs, 0, this.opposedIntegrals);
    difference.kw = kw;
    return this.opposedIntegrals.shortfallKwh;
  }

  private assessCompliance(
    account: AwardAccount,
    fromMs: EpochMs,
    toMs: EpochMs,
    bandKw: number,
    inBandMs: number,
  ): void {
    if (isAssessedByEnergy(account.instruction.sku) || toMs <= account.assessFromMs) return;
    if (account.assessFromMs <= fromMs) {
      account.sums[FIGURE.inBandMs] += inBandMs;
      return;
    }
    // The assessment begins inside the piece: only the time after it counts.
    const skipMs = account.assessFromMs - fromMs;
    const head: DeviationIntegrals = { shortfallKwh: 0, excessKwh: 0, inBandMs: 0 };
    integrateDeviation(this.difference, skipMs, bandKw, head);
    account.sums[FIGURE.inBandMs] += inBandMs - head.inBandMs;
  }
}

/** The delta in force of a member times the activation, in kW along the request. */
const setpointKwOf = (instruction: Instruction, i: number): number =>
  (Math.abs(tableOf(instruction).deltaTenths[i]) / 10) * instruction.activation;
