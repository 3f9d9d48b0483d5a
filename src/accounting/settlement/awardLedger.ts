import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import { append, removeItem } from "../../base/lists.ts";
import type { RefusalKind } from "../../base/result.ts";
import { toTenths } from "../../base/rounding.ts";
import { type EpochMs, MS_PER_HOUR, MS_PER_MINUTE } from "../../base/time.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { Site } from "../../engine/site/site.ts";
import type { Instruction } from "../../engine/vpp/instructions/instruction.ts";
import type { InstructionOrigin } from "../../engine/vpp/instructions/instructionSpec.ts";
import type { AwardRow, AwardState, SiteShortfall } from "../runRecord.ts";
import { AwardAccount, closeSlot } from "./awardAccount.ts";
import { AwardFigures } from "./awardFigures.ts";
import { meanOver, pricesOf, valueOver } from "./awardPrices.ts";
import {
  type AwardRowDraft,
  awardPeriod,
  emptyAwardRow,
  requestedKwOf,
  singleCause,
  uncoveredAwardRow,
} from "./awardRows.ts";
import { AwardSettlement, type PieceListeners } from "./awardSettlement.ts";
import { CAUSE_INDEX, CAUSES } from "./causes.ts";
import { ContiguousRuns } from "./contiguousRuns.ts";
import { fcrFiguresOf, readFcrTotals } from "./fcrFigures.ts";
import { settledCopy } from "./settledCopy.ts";
import { ShortfallAttribution } from "./shortfallAttribution.ts";
import { SiteShortfalls } from "./siteShortfalls.ts";
import { responseTimeMs } from "./skuRules.ts";
import { topContributors } from "./topContributors.ts";
import { type AwardTotals, NO_TOTALS } from "./totalsUntil.ts";

/** What is recorded beside the figures. */
interface AwardLedgerOptions {
  /** Whether shortfall and uncovered power are attributed to causes and members. */
  readonly causes: boolean;
  /** Whether a row is made for each award. */
  readonly rows: boolean;
}

/** Accounts for every award and instruction of a run, from its registration to its end. */
export class AwardLedger extends Copyable {
  readonly figures: AwardFigures;
  private readonly spec: WorldSpec;
  private readonly sites: readonly Site[];
  private readonly settlement: AwardSettlement;
  private readonly hasCauses: boolean;
  /** By award index; `null` where no rows are wanted. */
  private readonly rows: (AwardRow | undefined)[] | null;
  private readonly siteShortfalls: SiteShortfalls | null;
  /** Accounts of running instructions, in order of execution. */
  private readonly accounts: AwardAccount[] = [];
  /** Closed accounts, for reuse. */
  private readonly freeAccounts: AwardAccount[] = [];
  /**
   * By award index: executed pieces of an award that another award interrupted, and the id of the first one that did.
   */
  private readonly executedPieces = new Map<number, readonly AwardAccount[]>();
  private readonly overwrittenBy = new Map<number, string>();
  /** Reused list for an award with only one piece. */
  private readonly singlePiece: AwardAccount[] = [];
  /** Of the executed awards: one received by the API continues those of the scenario, and the other way round. */
  private readonly executedRuns = new ContiguousRuns();
  /** Cumulative kWh uncovered by each VPP's ended awards; running and refused ones are added on reading. */
  private readonly uncoveredKwh: Float64Array;
  private readonly unexecutedAwards: {
    readonly vpp: number;
    readonly startMs: EpochMs;
    readonly endMs: EpochMs;
    readonly kw: number;
  }[] = [];

  constructor(spec: WorldSpec, sites: readonly Site[], options: AwardLedgerOptions, listeners: PieceListeners) {
    super();
    this.figures = new AwardFigures(spec);
    this.spec = spec;
    this.hasCauses = options.causes;
    this.rows = options.rows ? [] : null;
    this.siteShortfalls = options.rows && options.causes ? new SiteShortfalls(sites) : null;
    this.sites = sites;
    this.settlement = new AwardSettlement(sites, listeners);
    this.uncoveredKwh = new Float64Array(spec.vpps.length);
  }

  registered(instruction: Instruction): void {
    instruction.figuresIndex = this.figures.register(instruction.origin);
  }

  private awardIndexOf({ figuresIndex: index }: Instruction): number {
    assert(0 <= index, "an instruction is registered before its events are recorded");
    return index;
  }

  overwritten(instruction: Instruction, byInstruction: Instruction): void {
    const index = this.awardIndexOf(instruction);
    if (!this.overwrittenBy.has(index)) this.overwrittenBy.set(index, byInstruction.awardId);
  }

  /** A deleted award in pieces continues with those that are executed or still wait. */
  deleted(instruction: Instruction): void {
    const index = this.awardIndexOf(instruction);
    const rows = this.rows;
    if (rows === null || rows[index] !== undefined || this.overwrittenBy.has(index)) return;
    const row = this.unexecutedRow(index);
    row.state = "deleted";
    rows[index] = row;
  }

  executed(instruction: Instruction, atMs: EpochMs): void {
    const index = this.awardIndexOf(instruction);
    const memberCount = instruction.membership.siteIndices.length;
    const reusable = this.freeAccounts.pop();
    const account = reusable?.memberCount === memberCount ? reusable : this.newAccount(memberCount);
    account.open(
      instruction,
      index,
      atMs,
      this.assessedFromMs(index, atMs),
      pricesOf(instruction.origin, this.spec.energyPriceJpyPerKwh),
    );
    append(this.accounts, account);
  }

  private newAccount(memberCount: number): AwardAccount {
    return new AwardAccount(memberCount, this.hasCauses ? new ShortfallAttribution(memberCount, this.sites) : null);
  }

  private assessedFromMs(index: number, atMs: EpochMs): EpochMs {
    const origin = this.figures.origins[index];
    if ("atMs" in origin) return atMs + responseTimeMs(origin);
    return Math.min(this.figures.assessFromMs(index), this.executedRuns.assessFromMs(origin));
  }

  /** @returns -1 for an instruction that does not run */
  private accountIndexOf(instruction: Instruction): number {
    const accounts = this.accounts;
    let k = accounts.length - 1;
    while (0 <= k && accounts[k].instruction !== instruction) k--;
    return k;
  }

  settle(instruction: Instruction, atMs: EpochMs): void {
    const k = this.accountIndexOf(instruction);
    if (0 <= k) this.settlement.settle(this.accounts[k], atMs);
  }

  redispatched(instruction: Instruction): void {
    const k = this.accountIndexOf(instruction);
    if (0 <= k) this.accounts[k].attribution?.redispatched();
  }

  ended(instruction: Instruction, byInstruction: Instruction | null): void {
    const accounts = this.accounts;
    const k = this.accountIndexOf(instruction);
    if (k < 0) return;
    const account = accounts[k];
    this.closeAccount(account, instruction.state as AwardState, byInstruction);
    this.uncoveredKwh[instruction.vpp] += account.uncoveredKwh;
    removeItem(accounts, account);
  }

  refused(origin: InstructionOrigin, errorType: RefusalKind): void {
    const { startMs, endMs } = awardPeriod(origin);
    this.unexecutedAwards.push({ vpp: origin.vpp, startMs, endMs, kw: Math.abs(deltaKwOf(origin)) });
    const index = this.figures.indexOf(origin);
    if (index < 0) return;
    const { reservedKwh, assessedMs } = this.refusedFigures(index, this.spec.endMs);
    this.recordUncovered(index, origin);
    const { columns, isRefused } = this.figures;
    isRefused[index] = 1;
    columns.uncoveredKwh[index] = reservedKwh;
    columns.assessedMs[index] = assessedMs;
    if (origin.sku !== "fcr") {
      const { requestedKwh, shortfallKwh, penaltyJpy } = this.refusedTotals(index, this.spec.endMs);
      columns.requestedKwh[index] = requestedKwh;
      columns.shortfallKwh[index] = shortfallKwh;
      columns.penaltyJpy[index] = penaltyJpy;
    }
    if (this.rows !== null) this.rows[index] = this.refusedRow(index, errorType, this.spec.endMs);
  }

  /** Requested energy, shortfall and penalty of a refused award until an instant. */
  refusedTotals(index: number, untilMs: EpochMs): AwardTotals {
    const origin = this.figures.origins[index];
    const { kwh, executedMs } = this.refusedFigures(index, untilMs);
    const totals = { ...NO_TOTALS, requestedKwh: kwh, shortfallKwh: kwh };
    if ("atMs" in origin) return totals;
    const { startMs, penaltyJpyPerKwh, activation } = origin;
    const jpyPerKw = valueOver(penaltyJpyPerKwh, activation, startMs, startMs + executedMs);
    return { ...totals, penaltyJpy: Math.abs(deltaKwOf(origin)) * jpyPerKw };
  }

  /** What is missing from a refused award until an instant; energies at least 0. */
  private refusedFigures(
    index: number,
    untilMs: EpochMs,
  ): { reservedKwh: number; kwh: number; executedMs: number; assessedMs: number } {
    const origin = this.figures.origins[index];
    const { startMs, endMs } = awardPeriod(origin);
    const executedMs = Math.max(0, Math.min(endMs, untilMs) - startMs);
    const reservedKwh = (Math.abs(deltaKwOf(origin)) * executedMs) / MS_PER_HOUR;
    const activation = "atMs" in origin ? 1 : meanOver(origin.activation, startMs, startMs + executedMs);
    const assessFromMs = "atMs" in origin ? startMs + responseTimeMs(origin) : this.figures.assessFromMs(index);
    const assessedMs = Math.max(0, startMs + executedMs - Math.max(startMs, assessFromMs));
    return {
      reservedKwh,
      kwh: reservedKwh * activation,
      executedMs,
      assessedMs: origin.sku === "fcr" ? 0 : assessedMs,
    };
  }

  private refusedRow(index: number, errorType: RefusalKind | null, untilMs: EpochMs): AwardRow {
    const origin = this.figures.origins[index];
    const row = uncoveredAwardRow(origin, this.vppNameOf(origin), CAUSE_INDEX.refused);
    row.state = "refused";
    row.errorType = errorType;
    if (row.isFcr) return row;
    const { kwh, assessedMs } = this.refusedFigures(index, untilMs);
    row.requestedKwh = Math.sign(row.requestedKw) * kwh;
    row.deliveredKwh = 0;
    row.shortfallKwh = kwh;
    row.excessKwh = 0;
    row.compliancePct = assessedMs > 0 ? 0 : null;
    row.shortfallByCauseKwh = singleCause(CAUSE_INDEX.refused, kwh);
    return row;
  }

  /** Accounts of the running instructions, in order of execution. */
  get runningAccounts(): readonly AwardAccount[] {
    return this.accounts;
  }

  /**
   * The row that an award would have if the run ended at an instant that the present trajectories reach. Changes nothing.
   *
   * @returns `null` if no award has the id, or where no rows are made
   */
  rowAt(awardId: string, atMs: EpochMs): AwardRow | null {
    if (this.rows === null) return null;
    const index = this.figures.origins.findLastIndex((origin) => origin.awardId === awardId);
    if (index < 0) return null;
    const running = this.accounts.find((account) => account.awardIndex === index);
    if (running !== undefined) return this.runningRow(settledCopy(running, atMs, this.sites), atMs);
    const row = this.rows[index] ?? this.unexecutedRow(index);
    return row.state === "refused" ? this.refusedRow(index, row.errorType, atMs) : row;
  }

  /** The row of a running award. @param account  a copy, settled to the instant */
  private runningRow(account: AwardAccount, atMs: EpochMs): AwardRow {
    const { awardIndex: index, instruction } = account;
    account.attribution?.close();
    closeSlot(account);
    if (instruction.fcrCapacityTenths !== null) account.fcr = readFcrTotals(account, this.sites);
    const pieces = [...(this.executedPieces.get(index) ?? []), account];
    const overwrittenBy = this.overwrittenBy.get(index) ?? null;
    const before = this.figures.figuresAt(index);
    this.sumPieces(index, pieces);
    const state = instruction.endMs <= atMs ? "completed" : "running";
    const row = this.createRow(
      index,
      pieces,
      overwrittenBy === null || state === "running" ? state : "overwritten",
      overwrittenBy,
    );
    this.figures.setFigures(index, before);
    return row;
  }

  voided(instruction: Instruction, byInstruction: Instruction): void {
    const index = this.awardIndexOf(instruction);
    const { origin } = instruction;
    this.recordUncovered(index, origin);
    if (this.rows === null) return;
    const row = uncoveredAwardRow(origin, this.vppNameOf(origin), CAUSE_INDEX.other_award);
    row.state = "overwritten";
    row.overwrittenBy = byInstruction.awardId;
    this.rows[index] = row;
  }

  /** Records the whole request as uncovered. */
  private recordUncovered(index: number, origin: InstructionOrigin): void {
    const { columns } = this.figures;
    const requestedKw = requestedKwOf(origin);
    columns.uncoveredKw[index] = requestedKw;
    columns.uncoveredKwPeak[index] = requestedKw;
    columns.uncoveredPeakMs[index] = awardPeriod(origin).startMs;
    if (origin.fcrResponseKw !== null) columns.fcrUncoveredKw[index] = toTenths(origin.fcrResponseKw) / 10;
  }

  private vppNameOf({ vpp }: InstructionOrigin): string {
    return this.spec.vpps[vpp].name;
  }

  /** Cumulative kWh that a VPP's awards left uncovered until an instant. */
  uncoveredKwhUntil(vpp: number, atMs: EpochMs): number {
    let kwh = this.uncoveredKwh[vpp];
    for (const { instruction, uncoveredKwh, settledMs } of this.accounts)
      if (instruction.vpp === vpp)
        kwh += uncoveredKwh + ((Math.abs(instruction.uncoveredTenths) / 10) * (atMs - settledMs)) / MS_PER_HOUR;
    for (const { vpp: awardVpp, startMs, endMs, kw } of this.unexecutedAwards)
      if (awardVpp === vpp && startMs < atMs) kwh += (kw * (Math.min(atMs, endMs) - startMs)) / MS_PER_HOUR;
    return kwh;
  }

  /**
   * Closes the accounts still open at the end of the run. @returns a row per award and instruction, or none where rows
   * are not wanted
   */
  finish(atMs: EpochMs): readonly AwardRow[] {
    for (const account of this.accounts) {
      this.settlement.settle(account, atMs);
      // An award that ends together with the run is completed, although its end event is not processed.
      this.closeAccount(account, account.instruction.endMs <= atMs ? "completed" : "running", null);
    }
    const rows = this.rows;
    return rows === null ? [] : this.figures.origins.map((_, index) => rows[index] ?? this.unexecutedRow(index));
  }

  /** Call after `finish`; empty without rows or causes. */
  shortfallsBySite(): readonly SiteShortfall[] {
    return this.siteShortfalls?.rows() ?? [];
  }

  /** Row of an award of which nothing has been executed. */
  private unexecutedRow(index: number): AwardRowDraft {
    const origin = this.figures.origins[index];
    const row = emptyAwardRow(origin, this.vppNameOf(origin));
    const overwrittenBy = this.overwrittenBy.get(index) ?? null;
    if (overwrittenBy !== null) {
      row.state = "overwritten";
      row.overwrittenBy = overwrittenBy;
    }
    return row;
  }

  private closeAccount(account: AwardAccount, state: AwardState, byInstruction: Instruction | null): void {
    const { instruction, awardIndex: index } = account;
    account.attribution?.close();
    closeSlot(account);
    this.siteShortfalls?.add(account);
    if (instruction.fcrCapacityTenths !== null) account.fcr = readFcrTotals(account, this.sites);
    const overwrittenBy = byInstruction?.awardId ?? this.overwrittenBy.get(index) ?? null;
    // Of an immediate instruction no piece remains.
    if (overwrittenBy === null || instruction.kind === "immediate") {
      this.singlePiece[0] = account;
      const isOverwritten = overwrittenBy !== null && state !== "running";
      this.writeFigures(index, this.singlePiece, isOverwritten ? "overwritten" : state, overwrittenBy);
      append(this.freeAccounts, account);
      return;
    }
    const pieces = [...(this.executedPieces.get(index) ?? []), account];
    this.executedPieces.set(index, pieces);
    this.writeFigures(index, pieces, state === "running" ? state : "overwritten", overwrittenBy);
  }

  private writeFigures(
    index: number,
    pieces: readonly AwardAccount[],
    state: AwardState,
    overwrittenBy: string | null,
  ): void {
    this.sumPieces(index, pieces);
    if (this.rows !== null) this.rows[index] = this.createRow(index, pieces, state, overwrittenBy);
  }

  /** Sums the executed pieces of an award; uncovered power at execution is that of the first piece. */
  private sumPieces(index: number, pieces: readonly AwardAccount[]): void {
    const { columns } = this.figures;
    const [{ instruction }] = pieces;
    let requestedKwh = 0;
    let deliveredKwh = 0;
    let shortfallKwh = 0;
    let excessKwh = 0;
    let uncoveredKwh = 0;
    let assessedMs = 0;
    let inBandMs = 0;
    let executedMs = 0;
    let peakTenths = 0;
    let peakMs = 0;
    let capacityJpyPerKw = 0;
    let creditedJpy = 0;
    let creditedMarketJpy = 0;
    let penaltyJpy = 0;
    for (const piece of pieces) {
      requestedKwh += piece.requestedKwh;
      deliveredKwh += piece.deliveredKwh;
      shortfallKwh += piece.shortfallKwh;
      excessKwh += piece.excessKwh;
      uncoveredKwh += piece.uncoveredKwh;
      assessedMs += piece.assessedMs;
      inBandMs += piece.inBandMs;
      executedMs += piece.settledMs - piece.instruction.executedMs;
      if (Math.abs(peakTenths) < Math.abs(piece.uncoveredPeakTenths)) {
        peakTenths = piece.uncoveredPeakTenths;
        peakMs = piece.uncoveredPeakMs;
      }
      capacityJpyPerKw += piece.capacityJpyPerKw;
      creditedJpy += piece.creditedJpy;
      creditedMarketJpy += piece.creditedMarketJpy;
      penaltyJpy += piece.penaltyJpy;
    }
    const { hasDelta, fcrCapacityTenths, uncoveredAtStartTenths, fcrUncoveredAtStartTenths } = instruction;
    columns.uncoveredKw[index] = (hasDelta ? uncoveredAtStartTenths : fcrUncoveredAtStartTenths) / 10 || 0;
    if (fcrCapacityTenths !== null) columns.fcrUncoveredKw[index] = fcrUncoveredAtStartTenths / 10;
    columns.uncoveredKwPeak[index] = peakTenths / 10;
    columns.uncoveredPeakMs[index] = peakMs;
    columns.executedMinutes[index] = executedMs / MS_PER_MINUTE;
    columns.deliveredKwh[index] = deliveredKwh;
    columns.uncoveredKwh[index] = uncoveredKwh;
    columns.assessedMs[index] = assessedMs;
    columns.inBandMs[index] = inBandMs;
    columns.capacityJpyPerKw[index] = capacityJpyPerKw;
    columns.creditedJpy[index] = creditedJpy;
    columns.creditedMarketJpy[index] = creditedMarketJpy;
    columns.penaltyJpy[index] = penaltyJpy;
    if (hasDelta) {
      columns.requestedKwh[index] = requestedKwh;
      columns.shortfallKwh[index] = shortfallKwh;
      columns.excessKwh[index] = excessKwh;
    }
  }

  /** Row of an award whose figures have been written. */
  private createRow(
    index: number,
    pieces: readonly AwardAccount[],
    state: AwardState,
    overwrittenBy: string | null,
  ): AwardRow {
    const { columns, origins } = this.figures;
    const [first] = pieces;
    const sign = first.instruction.direction;
    const row = emptyAwardRow(origins[index], this.vppNameOf(origins[index]));
    row.executedMinutes = columns.executedMinutes[index];
    row.fcr = fcrFiguresOf(pieces, row.executedMinutes);
    row.uncoveredKw = columns.uncoveredKw[index];
    row.uncoveredKwPeak = columns.uncoveredKwPeak[index];
    row.uncoveredPeakMs = row.uncoveredKwPeak === 0 ? null : columns.uncoveredPeakMs[index];
    if (!row.isFcr) {
      const assessedMs = columns.assessedMs[index];
      row.requestedKwh = sign * columns.requestedKwh[index];
      row.deliveredKwh = sign * columns.deliveredKwh[index];
      row.shortfallKwh = columns.shortfallKwh[index];
      row.excessKwh = columns.excessKwh[index];
      row.compliancePct = assessedMs > 0 ? (100 * columns.inBandMs[index]) / assessedMs : null;
    }
    if (first.attribution !== null) this.addCauses(row, first.attribution, pieces);
    row.state = state;
    row.overwrittenBy = overwrittenBy;
    return row;
  }

  /** Uncovered power at the execution is that of the first piece. */
  private addCauses(row: AwardRowDraft, first: ShortfallAttribution, pieces: readonly AwardAccount[]): void {
    row.uncoveredByCauseKw = row.isFcr ? first.fcrUncoveredByCauseKw : first.uncoveredByCauseKw;
    if (row.isFcr) return;
    row.shortfallByCauseKwh = pieces.length === 1 ? first.shortfallByCauseKwh : sumByCause(pieces);
    row.topContributors = topContributors(pieces, this.sites);
  }
}

/** Requested delta in kW; FCR capacity is no energy. */
const deltaKwOf = (origin: InstructionOrigin): number => (origin.sku === "fcr" ? 0 : requestedKwOf(origin));

function sumByCause(pieces: readonly AwardAccount[]): Float64Array {
  const sum = new Float64Array(CAUSES.length);
  for (const { attribution } of pieces)
    attribution?.shortfallByCauseKwh.forEach((kwh, c) => {
      sum[c] += kwh;
    });
  return sum;
}
