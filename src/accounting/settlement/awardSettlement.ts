import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../base/time.ts";
import { curveIntegral, curveValue } from "../../device/curve/curve.ts";
import { newSegment } from "../../site/components/segment.ts";
import type { Site } from "../../site/site.ts";
import { DISPATCH_OUTCOME, type DispatchTable } from "../../vpp/instructions/instruction.ts";
import type { BatchLedger } from "../meters/batchLedger.ts";
import { type AwardAccount, closeSlot, packCauses } from "./awardAccount.ts";
import { nextPriceChangeMs } from "./awardPrices.ts";
import { CAUSE_INDEX } from "./causeIndex.ts";
import { DeliveryCredit, isDeliveryShared } from "./deliveryCredit.ts";
import { type DeviationIntegrals, integrateDeviation, SegmentSum } from "./segmentSum.ts";
import { causeOfAbsence, causeOfCut, causeOfLimitingFactor, POWER_TOLERANCE_KW } from "./shortfallCause.ts";
import { isAssessedByEnergy } from "./skuRules.ts";
import {
  advanceDelivery,
  baselineUntilMs,
  isSteady,
  NO_SHORTFALL,
  newVaryingMember,
  nextCrossingMs,
  shortfallCodeOf,
  type VaryingMember,
} from "./varyingMember.ts";

/** Receives each settled interval: VPP, start, end, requested kW and delivered kWh, both signed. */
export interface DeliveryListener {
  addDelivery(vpp: number, fromMs: EpochMs, toMs: EpochMs, requestedKw: number, deliveredKwh: number): void;
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
  private readonly deliveryListener: DeliveryListener | null;
  private readonly varyingMembers: VaryingMember[] = [];
  private varyingCount = 0;
  private readonly difference = new SegmentSum();
  private readonly deviationIntegrals: DeviationIntegrals = { shortfallKwh: 0, excessKwh: 0, inBandMs: 0 };
  private readonly currentSegment = newSegment();
  /** Of sites in a batch; `null` where there is no batch. */
  batchLedger: BatchLedger | null = null;
  /** Delivered power of the members in a batch, from `BatchLedger.readDeliveredKw`; NaN for all others. */
  private batchedKw = new Float64Array(256).fill(Number.NaN);
  /** Members with a constant shortfall: member index and layer packed, cause, and kW. */
  private steadyMember = new Int32Array(256);
  private steadyCause = new Int32Array(256);
  private steadyKw = new Float64Array(256);
  private steadyCount = 0;
  /** Hours for which the constant shortfalls have not been added yet. */
  private steadyHours = 0;

  constructor(sites: readonly Site[], deliveryListener: DeliveryListener | null) {
    super();
    this.sites = sites;
    this.deliveryListener = deliveryListener;
  }

  /** Settles the time since the last call, in which no trajectory changed. */
  settle(account: AwardAccount, toMs: EpochMs): void {
    const { prices } = account;
    if (prices === null) return this.settleEnergy(account, toMs);
    while (account.settledMs < toMs) {
      const { settledMs, deliveredKwh, shortfallKwh } = account;
      this.settleEnergy(account, Math.min(toMs, nextPriceChangeMs(prices, settledMs)));
      account.addPricedValue(
        prices,
        settledMs,
        account.deliveredKwh - deliveredKwh,
        account.shortfallKwh - shortfallKwh,
      );
    }
  }

  private settleEnergy(account: AwardAccount, toMs: EpochMs): void {
    if (toMs <= account.settledMs) return;
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
    const steadyKw = this.classifyMembers(account, fromMs, toMs, requestedKw);
    const deliveredBeforeKwh = account.deliveredKwh;
    if (this.varyingCount === 0) {
      this.difference.clear();
      this.difference.kw = requestedKw - steadyKw;
      this.integrateDeviation(account, fromMs, toMs, requestedKw);
    } else this.settleVarying(account, fromMs, toMs, requestedKw, steadyKw);
    this.flushSteadyShortfall(account);
    const hours = (toMs - fromMs) / MS_PER_HOUR;
    account.requestedKwh += requestedKw * hours;
    account.uncoveredKwh += (Math.abs(instruction.uncoveredTenths) / 10) * hours;
    const sign = instruction.direction;
    const deliveredKwh = account.deliveredKwh - deliveredBeforeKwh;
    if (isAssessedByEnergy(instruction.sku)) {
      account.slotDeliveredKwh += deliveredKwh;
      account.slotRequestedKwh += requestedKw * hours;
      account.slotMs += toMs - fromMs;
    } else account.assessedMs += Math.max(0, toMs - Math.max(fromMs, account.assessFromMs));
    this.deliveryListener?.addDelivery(instruction.vpp, fromMs, toMs, sign * requestedKw, sign * deliveredKwh);
  }

  /**
   * Divides the members into those whose delivery or shortfall is constant over the interval and those that vary.
   *
   * @returns kW that the former deliver along the request
   */
  private classifyMembers(account: AwardAccount, fromMs: EpochMs, toMs: EpochMs, requestedKw: number): number {
    const { instruction, shortfallCodes: codes } = account;
    const { siteIndices: sites, weights, weightSum } = instruction.membership;
    const table = instruction.table as DispatchTable;
    const sign = instruction.direction;
    this.varyingCount = 0;
    this.steadyCount = 0;
    this.reserveSteadyMembers(2 * sites.length + 1);
    const { batchedKw } = this;
    const batchSumKw = this.batchLedger?.readDeliveredKw(instruction, fromMs, toMs, batchedKw) ?? Number.NaN;
    // Mostly all members are in the batch, with unchanged trajectories.
    if (Math.abs(batchSumKw) < Number.POSITIVE_INFINITY && sites.length > 0 && !account.hasCauses)
      return sign * batchSumKw;
    let steadyKw = 0;
    let changed = false;
    for (let i = 0; i < sites.length; i++) {
      if (batchedKw[i] < Number.POSITIVE_INFINITY) {
        steadyKw += sign * batchedKw[i];
        continue;
      }
      const site = this.sites[sites[i]];
      const shareKw = weightSum === 0 ? 0 : (requestedKw * weights[i]) / weightSum;
      const setpointKw = (Math.abs(table.deltaTenths[i]) / 10) * instruction.activation;
      if (batchedKw[i] === Number.POSITIVE_INFINITY) {
        this.addVaryingMember(i, site, shareKw, setpointKw, -1, null);
        continue;
      }
      if (!account.hasCauses && table.deltaStatus(i) !== DISPATCH_OUTCOME.dispatched) continue;
      const absenceCause = causeOfAbsence(site, table.deltaStatus(i), site.isOrderActive(instruction));
      if (0 <= absenceCause && !account.hasCauses) continue;
      let code = -1;
      if (absenceCause >= 0) {
        if (shareKw > POWER_TOLERANCE_KW) {
          this.addSteadyMember(i, 0, absenceCause, shareKw);
          code = packCauses(absenceCause, -1);
        }
      } else {
        if (!account.hasCauses && site.activeOrders.length === 1 && site.hasOrderBaseline) {
          const kw = site.constantKw(fromMs, toMs);
          if (!Number.isNaN(kw)) {
            steadyKw += sign * (kw - site.activeOrders[0].baselineKw);
            continue;
          }
        }
        const segment = this.currentSegment;
        site.segmentWithoutFcrAt(fromMs, segment);
        const baselineKw = site.reportedBaselineKw(fromMs);
        const untilMs = Math.min(segment.endMs, baselineUntilMs(site, fromMs));
        const credit = isDeliveryShared(site.activeOrders) ? new DeliveryCredit(site.activeOrders, instruction) : null;
        if (untilMs < toMs || segment.kwPerMs !== 0 || segment.kwPerMs2 !== 0) {
          this.addVaryingMember(i, site, shareKw, setpointKw, causeOfCut(table.capabilityLimit[i]), credit);
          continue;
        }
        const deliveredKw = segment.kw - baselineKw;
        const kw = sign * (credit === null ? deliveredKw : credit.creditedKw(deliveredKw));
        steadyKw += kw;
        if (!account.hasCauses) continue;
        code = this.addSteadyShortfalls(
          i,
          shareKw,
          setpointKw,
          kw,
          causeOfCut(table.capabilityLimit[i]),
          causeOfLimitingFactor(site, segment, sign),
        );
      }
      if (code !== codes[i]) {
        if (!changed) account.closeInterval();
        changed = true;
        codes[i] = code;
      }
    }
    if (weightSum === 0) this.addSteadyMember(-1, 0, CAUSE_INDEX.no_member, requestedKw);
    return steadyKw;
  }

  /** Adds both layers of the shortfall of a member with constant delivery. @returns its packed causes */
  private addSteadyShortfalls(
    member: number,
    shareKw: number,
    setpointKw: number,
    kw: number,
    cutCause: number,
    deliveryCause: number,
  ): number {
    const shortfallKw = shareKw - kw;
    if (shortfallKw <= POWER_TOLERANCE_KW) return packCauses(-1, -1);
    const cutKw = Math.min(shortfallKw, Math.max(0, shareKw - setpointKw));
    const deliveryLayerKw = shortfallKw - cutKw;
    if (cutKw > POWER_TOLERANCE_KW) this.addSteadyMember(member, 0, cutCause, cutKw);
    if (deliveryLayerKw > POWER_TOLERANCE_KW) this.addSteadyMember(member, 1, deliveryCause, deliveryLayerKw);
    return packCauses(
      cutKw > POWER_TOLERANCE_KW ? cutCause : -1,
      deliveryLayerKw > POWER_TOLERANCE_KW ? deliveryCause : -1,
    );
  }

  private addSteadyMember(member: number, layer: 0 | 1, cause: number, kw: number): void {
    const k = this.steadyCount++;
    this.steadyMember[k] = 2 * member + layer;
    this.steadyCause[k] = cause;
    this.steadyKw[k] = kw;
  }

  private reserveSteadyMembers(count: number): void {
    if (count <= this.steadyKw.length) return;
    this.steadyMember = new Int32Array(count);
    this.steadyCause = new Int32Array(count);
    this.steadyKw = new Float64Array(count);
    this.batchedKw = new Float64Array(count).fill(Number.NaN);
  }

  private addVaryingMember(
    member: number,
    site: Site,
    shareKw: number,
    setpointKw: number,
    cutCause: number,
    credit: DeliveryCredit | null,
  ): void {
    const varying = (this.varyingMembers[this.varyingCount] ??= newVaryingMember(site));
    varying.memberIndex = member;
    varying.site = site;
    varying.shareKw = shareKw;
    varying.setpointKw = Math.min(shareKw, setpointKw);
    varying.cutCause = cutCause;
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
    const { index } = site;
    const { batchLedger } = this;
    if (batchLedger?.batch.batched[index] === 1) {
      const { batchedBatteries, batteries, startMs } = batchLedger.batch;
      if (batchedBatteries[index] === 1) batteries.batteries[index].segmentAt(startMs[index], atMs, segment);
      else site.resource.segmentAt(atMs, segment);
      varying.baselineKw = batchLedger.baselineKw(site, atMs);
      varying.untilMs = Math.min(segment.endMs, batchLedger.baselineUntilMs(site, atMs));
      return;
    }
    site.segmentWithoutFcrAt(atMs, segment);
    varying.baselineKw = site.reportedBaselineKw(atMs);
    varying.untilMs = Math.min(segment.endMs, baselineUntilMs(site, atMs));
  }

  /** A piece in which every member's power is one curve, on one side of its share and of its dispatched power. */
  private settlePiece(
    account: AwardAccount,
    fromMs: EpochMs,
    toMs: EpochMs,
    requestedKw: number,
    steadyKw: number,
  ): void {
    const difference = this.difference;
    const middleMs = 0.5 * (toMs - fromMs);
    difference.clear();
    difference.kw = requestedKw - steadyKw;
    let changed = false;
    for (let k = 0; k < this.varyingCount; k++) {
      const varying = this.varyingMembers[k];
      difference.add(
        -1,
        varying.creditedKw,
        varying.creditedKwPerMs,
        varying.creditedKwPerMs2,
        varying.segment.ratePerMs,
      );
      if (!account.hasCauses) continue;
      const kw = curveValue(
        varying.creditedKw,
        varying.creditedKwPerMs,
        varying.creditedKwPerMs2,
        varying.segment.ratePerMs,
        middleMs,
      );
      const code = shortfallCodeOf(varying, kw, account.instruction.direction);
      if (code === account.shortfallCodes[varying.memberIndex]) continue;
      if (!changed) {
        this.flushSteadyShortfall(account);
        account.closeInterval();
      }
      changed = true;
      account.shortfallCodes[varying.memberIndex] = code;
    }
    if (account.hasCauses)
      for (let k = 0; k < this.varyingCount; k++)
        this.addVaryingShortfall(account, this.varyingMembers[k], toMs - fromMs);
    this.integrateDeviation(account, fromMs, toMs, requestedKw);
  }

  private addVaryingShortfall(account: AwardAccount, varying: VaryingMember, spanMs: number): void {
    const code = account.shortfallCodes[varying.memberIndex];
    if (code === NO_SHORTFALL) return;
    const deliveredKwh =
      curveIntegral(
        varying.creditedKw,
        varying.creditedKwPerMs,
        varying.creditedKwPerMs2,
        varying.segment.ratePerMs,
        spanMs,
      ) / MS_PER_HOUR;
    const hours = spanMs / MS_PER_HOUR;
    const shortfallKwh = varying.shareKw * hours - deliveredKwh;
    const deliveryLayerKwh = (code & 31) === 0 ? 0 : Math.max(0, varying.setpointKw * hours - deliveredKwh);
    const cutKwh = shortfallKwh - deliveryLayerKwh;
    if (cutKwh > 0 && code >> 5 !== 0) account.addMemberShortfall(varying.memberIndex, 0, (code >> 5) - 1, cutKwh);
    if (deliveryLayerKwh > 0) account.addMemberShortfall(varying.memberIndex, 1, (code & 31) - 1, deliveryLayerKwh);
  }

  /** Adds the deviation integrals of a piece, whose deviation is in `difference`. */
  private integrateDeviation(account: AwardAccount, fromMs: EpochMs, toMs: EpochMs, requestedKw: number): void {
    const spanMs = toMs - fromMs;
    const deviation = this.deviationIntegrals;
    const bandKw = 0.1 * requestedKw;
    const hours = spanMs / MS_PER_HOUR;
    integrateDeviation(this.difference, spanMs, bandKw, deviation);
    account.shortfallKwh += deviation.shortfallKwh;
    account.excessKwh += deviation.excessKwh;
    account.deliveredKwh += requestedKw * hours - deviation.shortfallKwh + deviation.excessKwh;
    account.addShortfall(deviation.shortfallKwh);
    this.steadyHours += hours;
    this.assessCompliance(account, fromMs, toMs, bandKw, deviation.inBandMs);
  }

  /** Adds the constant shortfalls of the time since the last call. */
  private flushSteadyShortfall(account: AwardAccount): void {
    const hours = this.steadyHours;
    this.steadyHours = 0;
    if (!account.hasCauses) return;
    for (let k = 0; k < this.steadyCount; k++) {
      const member = this.steadyMember[k] >> 1;
      const layer = this.steadyMember[k] & 1 ? 1 : 0;
      if (member < 0) account.addUnassignedShortfall(this.steadyCause[k], this.steadyKw[k] * hours);
      else account.addMemberShortfall(member, layer, this.steadyCause[k], this.steadyKw[k] * hours);
    }
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
      account.inBandMs += inBandMs;
      return;
    }
    // The assessment begins inside the piece: only the time after it counts.
    const skipMs = account.assessFromMs - fromMs;
    const head: DeviationIntegrals = { shortfallKwh: 0, excessKwh: 0, inBandMs: 0 };
    integrateDeviation(this.difference, skipMs, bandKw, head);
    account.inBandMs += inBandMs - head.inBandMs;
  }
}
