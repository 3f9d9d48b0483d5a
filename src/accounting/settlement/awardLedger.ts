import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../base/time.ts";
import { curveIntegral, curveValue } from "../../device/curve/curve.ts";
import { newStretch } from "../../site/components/stretch.ts";
import type { Site } from "../../site/site.ts";
import { DISPATCH, type DispatchTable } from "../../vpp/instructions/instruction.ts";
import type { BankBook } from "../meters/bankBook.ts";
import { type AwardAccount, causeCode, closeSlot } from "./awardAccount.ts";
import { nextPriceMs } from "./awardPrices.ts";
import { Credit, isShared } from "./credit.ts";
import { foldGap, type GapIntegrals, PieceSum } from "./gap.ts";
import { causeOfAbsence, causeOfBinding, causeOfCut, SAME_KW } from "./lack.ts";
import { CAUSE } from "./shortfall.ts";
import { isAssessedByEnergy } from "./skuRules.ts";
import {
  advanceCurve,
  baselineUntilMs,
  codeOf,
  isSteady,
  NOTHING_LACKED,
  newVarying,
  nextCrossingMs,
  type Varying,
} from "./varying.ts";

/** Told of every stretch of time: VPP, start, end, kW asked and kWh delivered, both signed. */
export interface DeliveryListener {
  add(vpp: number, fromMs: EpochMs, toMs: EpochMs, askedKw: number, deliveredKwh: number): void;
}

/**
 * Settles running instructions: integrates what their members deliver against what was asked, and attributes the gap.
 *
 * A segment is a time in which no law changes. Members whose delivery is constant over it are summed once; the others
 * are walked from one change of their curve to the next. @see accounting.md §1
 */
export class AwardLedger extends Copyable {
  private readonly sites: readonly Site[];
  private readonly delivered: DeliveryListener | null;
  private readonly varying: Varying[] = [];
  private varyingCount = 0;
  private readonly difference = new PieceSum();
  private readonly gap: GapIntegrals = { shortfallKwh: 0, excessKwh: 0, inBandMs: 0 };
  private readonly stretch = newStretch();
  /** Of sites that stand in a bank; `null` where none do. */
  bankBook: BankBook | null = null;
  /** What members in a bank deliver, as `BankBook.deliveredKw` tells it; NaN for all others. */
  private keptKw = new Float64Array(256).fill(Number.NaN);
  /** Members that lack a constant power: position, layer and cause packed, and kW. */
  private steadyMember = new Int32Array(256);
  private steadyCause = new Int32Array(256);
  private steadyKw = new Float64Array(256);
  private steadyCount = 0;
  /** Time for which the steady members' lack has not been added yet. */
  private steadyHours = 0;

  constructor(sites: readonly Site[], delivered: DeliveryListener | null) {
    super();
    this.sites = sites;
    this.delivered = delivered;
  }

  /** Folds the time since the last call; between the two no law changed. */
  settle(account: AwardAccount, toMs: EpochMs): void {
    const { prices } = account;
    if (prices === null) return this.settleEnergy(account, toMs);
    while (account.settledMs < toMs) {
      const { settledMs, deliveredKwh, shortfallKwh } = account;
      this.settleEnergy(account, Math.min(toMs, nextPriceMs(prices, settledMs)));
      account.addValue(prices, settledMs, account.deliveredKwh - deliveredKwh, account.shortfallKwh - shortfallKwh);
    }
  }

  private settleEnergy(account: AwardAccount, toMs: EpochMs): void {
    if (toMs <= account.settledMs) return;
    // Frequency response alone asks for no energy: its sites keep registers of what it moves.
    if (!account.instruction.hasDelta) {
      account.settledMs = toMs;
      return;
    }
    if (!isAssessedByEnergy(account.instruction.sku)) return this.segment(account, toMs);
    while (account.settledMs < toMs) {
      const slotEndMs = (Math.floor(account.settledMs / MS_PER_HALF_HOUR) + 1) * MS_PER_HALF_HOUR;
      this.segment(account, Math.min(slotEndMs, toMs));
      if (account.settledMs === slotEndMs) closeSlot(account);
    }
  }

  private segment(account: AwardAccount, toMs: EpochMs): void {
    const { instruction } = account;
    const fromMs = account.settledMs;
    account.settledMs = toMs;
    const reservedKw = Math.abs(instruction.deltaTenths) / 10;
    const askedKw = reservedKw * instruction.activation;
    const steadyKw = this.classify(account, fromMs, toMs, askedKw);
    const before = account.deliveredKwh;
    if (this.varyingCount === 0) {
      this.difference.clear();
      this.difference.kw = askedKw - steadyKw;
      this.fold(account, fromMs, toMs, askedKw);
    } else this.walk(account, fromMs, toMs, askedKw, steadyKw);
    this.addSteadyLack(account);
    const hours = (toMs - fromMs) / MS_PER_HOUR;
    account.requestedKwh += askedKw * hours;
    account.uncoveredKwh += (Math.abs(instruction.uncoveredTenths) / 10) * hours;
    const sign = instruction.direction;
    const deliveredKwh = account.deliveredKwh - before;
    if (isAssessedByEnergy(instruction.sku)) {
      account.slotDeliveredKwh += deliveredKwh;
      account.slotAskedKwh += askedKw * hours;
      account.slotMs += toMs - fromMs;
    } else account.assessedMs += Math.max(0, toMs - Math.max(fromMs, account.assessFromMs));
    this.delivered?.add(instruction.vpp, fromMs, toMs, sign * askedKw, sign * deliveredKwh);
  }

  /**
   * Sorts the members into those that deliver, or lack, a constant power over the segment and those that vary.
   *
   * @returns kW that the former deliver along the request
   */
  private classify(account: AwardAccount, fromMs: EpochMs, toMs: EpochMs, askedKw: number): number {
    const { instruction, codes } = account;
    const { sites, weights, weightSum } = instruction.membership;
    const table = instruction.table as DispatchTable;
    const sign = instruction.direction;
    this.varyingCount = 0;
    this.steadyCount = 0;
    this.reserve(2 * sites.length + 1);
    const { keptKw } = this;
    const allKw = this.bankBook?.deliveredKw(instruction, fromMs, toMs, keptKw) ?? Number.NaN;
    // Mostly everybody is kept and goes on as it does.
    if (Math.abs(allKw) < Number.POSITIVE_INFINITY && sites.length > 0 && !account.keepsCauses) return sign * allKw;
    let steadyKw = 0;
    let changed = false;
    for (let i = 0; i < sites.length; i++) {
      if (keptKw[i] < Number.POSITIVE_INFINITY) {
        steadyKw += sign * keptKw[i];
        continue;
      }
      const site = this.sites[sites[i]];
      const shareKw = weightSum === 0 ? 0 : (askedKw * weights[i]) / weightSum;
      const toldKw = (Math.abs(table.deltaTenths[i]) / 10) * instruction.activation;
      if (keptKw[i] === Number.POSITIVE_INFINITY) {
        this.addVarying(i, site, shareKw, toldKw, -1, null);
        continue;
      }
      if (!account.keepsCauses && table.deltaStatus(i) !== DISPATCH.dispatched) continue;
      const absence = causeOfAbsence(site, table.deltaStatus(i), site.isRuledBy(instruction));
      if (0 <= absence && !account.keepsCauses) continue;
      let code = -1;
      if (absence >= 0) {
        if (shareKw > SAME_KW) {
          this.addSteady(i, 0, absence, shareKw);
          code = causeCode(absence, -1);
        }
      } else {
        if (!account.keepsCauses && site.ruling.length === 1 && site.hasOrderBaseline) {
          const kw = site.steadyKw(fromMs, toMs);
          if (!Number.isNaN(kw)) {
            steadyKw += sign * (kw - site.ruling[0].baselineKw);
            continue;
          }
        }
        const stretch = this.stretch;
        site.stretchWithoutFcrAt(fromMs, stretch);
        const baselineKw = site.reportedBaselineKw(fromMs);
        const untilMs = Math.min(stretch.endMs, baselineUntilMs(site, fromMs));
        const credit = isShared(site.ruling) ? new Credit(site.ruling, instruction) : null;
        if (untilMs < toMs || stretch.kwPerMs !== 0 || stretch.kwPerMs2 !== 0) {
          this.addVarying(i, site, shareKw, toldKw, causeOfCut(table.cutBy[i]), credit);
          continue;
        }
        const deliveredKw = stretch.kw - baselineKw;
        const kw = sign * (credit === null ? deliveredKw : credit.creditedKw(deliveredKw));
        steadyKw += kw;
        if (!account.keepsCauses) continue;
        code = this.addSteadyLacks(
          i,
          shareKw,
          toldKw,
          kw,
          causeOfCut(table.cutBy[i]),
          causeOfBinding(site, stretch, sign),
        );
      }
      if (code !== codes[i]) {
        if (!changed) account.closePiece();
        changed = true;
        codes[i] = code;
      }
    }
    if (weightSum === 0) this.addSteady(-1, 0, CAUSE.no_member, askedKw);
    return steadyKw;
  }

  /** The two layers of a member that delivers a constant power. @returns its cause code */
  private addSteadyLacks(
    member: number,
    shareKw: number,
    toldKw: number,
    kw: number,
    cutCause: number,
    bindingCause: number,
  ): number {
    const lackKw = shareKw - kw;
    if (lackKw <= SAME_KW) return causeCode(-1, -1);
    const cutKw = Math.min(lackKw, Math.max(0, shareKw - toldKw));
    const bindingKw = lackKw - cutKw;
    if (cutKw > SAME_KW) this.addSteady(member, 0, cutCause, cutKw);
    if (bindingKw > SAME_KW) this.addSteady(member, 1, bindingCause, bindingKw);
    return causeCode(cutKw > SAME_KW ? cutCause : -1, bindingKw > SAME_KW ? bindingCause : -1);
  }

  private addSteady(member: number, layer: 0 | 1, cause: number, kw: number): void {
    const k = this.steadyCount++;
    this.steadyMember[k] = 2 * member + layer;
    this.steadyCause[k] = cause;
    this.steadyKw[k] = kw;
  }

  private reserve(count: number): void {
    if (count <= this.steadyKw.length) return;
    this.steadyMember = new Int32Array(count);
    this.steadyCause = new Int32Array(count);
    this.steadyKw = new Float64Array(count);
    this.keptKw = new Float64Array(count).fill(Number.NaN);
  }

  private addVarying(
    member: number,
    site: Site,
    shareKw: number,
    toldKw: number,
    cutCause: number,
    credit: Credit | null,
  ): void {
    const varying = (this.varying[this.varyingCount] ??= newVarying(site));
    varying.member = member;
    varying.site = site;
    varying.shareKw = shareKw;
    varying.toldKw = Math.min(shareKw, toldKw);
    varying.cutCause = cutCause;
    varying.credit = credit;
    varying.untilMs = Number.NEGATIVE_INFINITY;
    this.varyingCount++;
  }

  /** From one change of a varying member to the next. */
  private walk(account: AwardAccount, fromMs: EpochMs, toMs: EpochMs, askedKw: number, steadyKw: number): void {
    const sign = account.instruction.direction;
    let atMs = fromMs;
    while (atMs < toMs) {
      let untilMs = toMs;
      for (let k = 0; k < this.varyingCount; k++) {
        const varying = this.varying[k];
        const goesOn = atMs < varying.untilMs;
        if (!goesOn) this.refresh(varying, atMs);
        // One that stays where it is is where it was.
        if (!goesOn || !isSteady(varying.stretch)) {
          advanceCurve(varying, sign, atMs);
          varying.crossingMs = nextCrossingMs(varying, atMs);
        }
        untilMs = Math.min(untilMs, varying.untilMs, varying.crossingMs);
      }
      this.piece(account, atMs, untilMs, askedKw, steadyKw);
      atMs = untilMs;
    }
  }

  private refresh(varying: Varying, atMs: EpochMs): void {
    const { site, stretch } = varying;
    const { index } = site;
    const { bankBook } = this;
    if (bankBook?.bank.kept[index] === 1) {
      const { keptBatteries, batteries, startMs } = bankBook.bank;
      if (keptBatteries[index] === 1) batteries.each[index].stretchAt(startMs[index], atMs, stretch);
      else site.unit.stretchAt(atMs, stretch);
      varying.baselineKw = bankBook.baselineKw(site, atMs);
      varying.untilMs = Math.min(stretch.endMs, bankBook.baselineUntilMs(site, atMs));
      return;
    }
    site.stretchWithoutFcrAt(atMs, stretch);
    varying.baselineKw = site.reportedBaselineKw(atMs);
    varying.untilMs = Math.min(stretch.endMs, baselineUntilMs(site, atMs));
  }

  /** A piece in which every member's power is one curve on one side of what it is to deliver. */
  private piece(account: AwardAccount, fromMs: EpochMs, toMs: EpochMs, askedKw: number, steadyKw: number): void {
    const difference = this.difference;
    const middleMs = 0.5 * (toMs - fromMs);
    difference.clear();
    difference.kw = askedKw - steadyKw;
    let changed = false;
    for (let k = 0; k < this.varyingCount; k++) {
      const varying = this.varying[k];
      difference.add(-1, varying.kw, varying.kwPerMs, varying.kwPerMs2, varying.stretch.ratePerMs);
      if (!account.keepsCauses) continue;
      const kw = curveValue(varying.kw, varying.kwPerMs, varying.kwPerMs2, varying.stretch.ratePerMs, middleMs);
      const code = codeOf(varying, kw, account.instruction.direction);
      if (code === account.codes[varying.member]) continue;
      if (!changed) {
        this.addSteadyLack(account);
        account.closePiece();
      }
      changed = true;
      account.codes[varying.member] = code;
    }
    if (account.keepsCauses)
      for (let k = 0; k < this.varyingCount; k++) this.addVaryingLack(account, this.varying[k], toMs - fromMs);
    this.fold(account, fromMs, toMs, askedKw);
  }

  private addVaryingLack(account: AwardAccount, varying: Varying, spanMs: number): void {
    const code = account.codes[varying.member];
    if (code === NOTHING_LACKED) return;
    const deliveredKwh =
      curveIntegral(varying.kw, varying.kwPerMs, varying.kwPerMs2, varying.stretch.ratePerMs, spanMs) / MS_PER_HOUR;
    const hours = spanMs / MS_PER_HOUR;
    const lackKwh = varying.shareKw * hours - deliveredKwh;
    const bindingKwh = (code & 31) === 0 ? 0 : Math.max(0, varying.toldKw * hours - deliveredKwh);
    const cutKwh = lackKwh - bindingKwh;
    if (cutKwh > 0 && code >> 5 !== 0) account.addLack(varying.member, 0, (code >> 5) - 1, cutKwh);
    if (bindingKwh > 0) account.addLack(varying.member, 1, (code & 31) - 1, bindingKwh);
  }

  /** Adds the piece whose difference stands in `difference`. */
  private fold(account: AwardAccount, fromMs: EpochMs, toMs: EpochMs, askedKw: number): void {
    const spanMs = toMs - fromMs;
    const gap = this.gap;
    const bandKw = 0.1 * askedKw;
    const hours = spanMs / MS_PER_HOUR;
    foldGap(this.difference, spanMs, bandKw, gap);
    account.shortfallKwh += gap.shortfallKwh;
    account.excessKwh += gap.excessKwh;
    account.deliveredKwh += askedKw * hours - gap.shortfallKwh + gap.excessKwh;
    account.addGap(gap.shortfallKwh);
    this.steadyHours += hours;
    this.assess(account, fromMs, toMs, bandKw, gap.inBandMs);
  }

  /** Adds what the steady members lacked since this was last done. */
  private addSteadyLack(account: AwardAccount): void {
    const hours = this.steadyHours;
    this.steadyHours = 0;
    if (!account.keepsCauses) return;
    for (let k = 0; k < this.steadyCount; k++) {
      const member = this.steadyMember[k] >> 1;
      const layer = this.steadyMember[k] & 1 ? 1 : 0;
      if (member < 0) account.addNobodysLack(this.steadyCause[k], this.steadyKw[k] * hours);
      else account.addLack(member, layer, this.steadyCause[k], this.steadyKw[k] * hours);
    }
  }

  private assess(account: AwardAccount, fromMs: EpochMs, toMs: EpochMs, bandKw: number, inBandMs: number): void {
    if (isAssessedByEnergy(account.instruction.sku) || toMs <= account.assessFromMs) return;
    if (account.assessFromMs <= fromMs) {
      account.inBandMs += inBandMs;
      return;
    }
    // The assessment begins inside the piece: only the rest of it counts.
    const skipMs = account.assessFromMs - fromMs;
    const head: GapIntegrals = { shortfallKwh: 0, excessKwh: 0, inBandMs: 0 };
    foldGap(this.difference, skipMs, bandKw, head);
    account.inBandMs += inBandMs - head.inBandMs;
  }
}
