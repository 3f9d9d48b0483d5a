import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import { append, removeItem } from "../../base/lists.ts";
import type { RefusalKind } from "../../base/result.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { Observer } from "../../engine/simulation/observer.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { Site } from "../../engine/site/site.ts";
import type { Instruction } from "../../engine/vpp/instructions/instruction.ts";
import type { InstructionOrigin } from "../../engine/vpp/instructions/instructionSpec.ts";
import { SiteMoney } from "../ledger/siteMoney.ts";
import type { SiteShortfall } from "../runRecord.ts";
import {
  AwardAccount,
  BEFORE_EXECUTION,
  closeSlot,
  FIGURE,
  type Figures,
  type PricedParts,
  readFcrRegisters,
  sumPieces,
} from "./awardAccount.ts";
import { AwardFigures, awardPeriod, FIGURE_COUNT, figuresOf, requestedKwOf, uncoveredFigures } from "./awardFigures.ts";
import { meanOver, pricesOf, valueOver } from "./awardPrices.ts";
import { type AwardRow, type AwardRowDraft, type AwardState, awardRow, uncoveredAwardRow } from "./awardRows.ts";
import { AwardSettlement, type PieceListeners } from "./awardSettlement.ts";
import { CAUSE_INDEX, CAUSES } from "./causes.ts";
import { SiteShortfalls, topContributors } from "./memberShortfalls.ts";
import { settledCopy } from "./settledCopy.ts";
import { ShortfallAttribution } from "./shortfallAttribution.ts";

import { ContiguousRuns, responseTimeMs } from "./skuRules.ts";
import { type AwardTotals, NO_TOTALS } from "./totalsUntil.ts";

/** What is recorded beside the figures. */
interface AwardLedgerOptions {
  /** Whether shortfall and uncovered power are attributed to causes and members. */
  readonly causes: boolean;
  /** Whether a row is made for each award. */
  readonly rows: boolean;
}

/** Accounts for every award and instruction of a run, from its registration to its end. */
export class AwardLedger extends Copyable implements Partial<Observer> {
  readonly figures: AwardFigures;
  private readonly spec: WorldSpec;
  private readonly sites: readonly Site[];
  private readonly settlement: AwardSettlement;
  private readonly hasCauses: boolean;
  /** By award index; `null` where no rows are wanted. */
  private readonly rows: (AwardRow | undefined)[] | null;
  private readonly siteShortfalls: SiteShortfalls | null;
  private readonly priced: PricedParts;
  readonly siteMoney: SiteMoney;
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
    this.siteMoney = new SiteMoney(sites.length);
    const { hasCapacityPrice, hasEnergyPrice } = this.figures.catalogue;
    this.priced = { energy: hasEnergyPrice || spec.energyPriceJpyPerKwh !== null, capacity: hasCapacityPrice };
    this.settlement = new AwardSettlement(sites, listeners);
    this.uncoveredKwh = new Float64Array(spec.vpps.length);
  }

  onRegistered(instruction: Instruction): void {
    instruction.figuresIndex = this.figures.register(instruction.origin);
  }

  private awardIndexOf({ figuresIndex: index }: Instruction): number {
    assert(0 <= index, "an instruction is registered before its events are recorded");
    return index;
  }

  onOverwritten(instruction: Instruction, byInstruction: Instruction): void {
    const index = this.awardIndexOf(instruction);
    if (!this.overwrittenBy.has(index)) this.overwrittenBy.set(index, byInstruction.awardId);
  }

  /** A deleted award in pieces continues with those that are executed or still wait. */
  onDeleted(instruction: Instruction): void {
    const index = this.awardIndexOf(instruction);
    const rows = this.rows;
    if (rows === null || rows[index] !== undefined || this.overwrittenBy.has(index)) return;
    const row = this.unexecutedRow(index);
    row.state = "deleted";
    rows[index] = row;
  }

  onExecuted(instruction: Instruction, atMs: EpochMs): void {
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
    const attribution = this.hasCauses ? new ShortfallAttribution(memberCount, this.sites) : null;
    return new AwardAccount(memberCount, attribution, this.priced);
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

  onRedispatched(instruction: Instruction): void {
    const k = this.accountIndexOf(instruction);
    if (0 <= k) this.accounts[k].attribution?.redispatched();
  }

  onEnded(instruction: Instruction, _atMs: EpochMs, byInstruction: Instruction | null): void {
    const accounts = this.accounts;
    const k = this.accountIndexOf(instruction);
    if (k < 0) return;
    const account = accounts[k];
    this.closeAccount(account, instruction.state as AwardState, byInstruction);
    this.uncoveredKwh[instruction.vpp] += account.sums[FIGURE.uncoveredKwh];
    removeItem(accounts, account);
  }

  onRefused(origin: InstructionOrigin, errorType: RefusalKind): void {
    const { startMs, endMs } = awardPeriod(origin);
    this.unexecutedAwards.push({
      vpp: origin.vpp,
      startMs,
      endMs,
      kw: origin.sku === "fcr" ? 0 : Math.abs(requestedKwOf(origin)),
    });
    const index = this.figures.indexOf(origin);
    if (index < 0) return;
    const figures = this.refusedFigures(index, this.spec.endMs);
    this.figures.set(index, figures);
    if (this.rows !== null) this.rows[index] = this.refusedRow(index, errorType, figures);
  }

  /** Requested energy, shortfall and penalty of a refused award until an instant. */
  refusedTotals(index: number, untilMs: EpochMs): AwardTotals {
    const { requestedKwh = 0, shortfallKwh = 0, penaltyJpy = 0 } = this.refusedFigures(index, untilMs);
    return { ...NO_TOTALS, requestedKwh, shortfallKwh, penaltyJpy };
  }

  /** What is missing from a refused award until an instant. */
  private refusedFigures(index: number, untilMs: EpochMs): Partial<Figures> {
    const origin = this.figures.origins[index];
    const uncovered = { ...uncoveredFigures(origin), isRefused: 1 };
    if (origin.sku === "fcr") return uncovered;
    const { startMs, endMs } = awardPeriod(origin);
    const executedMs = Math.max(0, Math.min(endMs, untilMs) - startMs);
    const toMs = startMs + executedMs;
    const kw = Math.abs(requestedKwOf(origin));
    const uncoveredKwh = (kw * executedMs) / MS_PER_HOUR;
    const isInstruction = "atMs" in origin;
    const kwh = uncoveredKwh * (isInstruction ? 1 : meanOver(origin.activation, startMs, toMs));
    const assessFromMs = isInstruction ? startMs + responseTimeMs(origin) : this.figures.assessFromMs(index);
    return {
      ...uncovered,
      uncoveredKwh,
      requestedKwh: kwh,
      shortfallKwh: kwh,
      assessedMs: Math.max(0, toMs - Math.max(startMs, assessFromMs)),
      penaltyJpy: isInstruction ? 0 : kw * valueOver(origin.penaltyJpyPerKwh, origin.activation, startMs, toMs),
    };
  }

  private refusedRow(index: number, errorType: RefusalKind | null, figures: Partial<Figures>): AwardRow {
    const origin = this.figures.origins[index];
    const row = uncoveredAwardRow(origin, this.vppNameOf(origin), figures, CAUSE_INDEX.refused);
    row.state = "refused";
    row.errorType = errorType;
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
    return row.state === "refused" ? this.refusedRow(index, row.errorType, this.refusedFigures(index, atMs)) : row;
  }

  /** The row of a running award. @param account  a copy, settled to the instant */
  private runningRow(account: AwardAccount, atMs: EpochMs): AwardRow {
    const { awardIndex: index, instruction } = account;
    account.attribution?.close();
    closeSlot(account);
    readFcrRegisters(account, this.sites);
    const pieces = [...(this.executedPieces.get(index) ?? []), account];
    const overwrittenBy = this.overwrittenBy.get(index) ?? null;
    const state = instruction.endMs <= atMs ? "completed" : "running";
    return this.createRow(
      index,
      pieces,
      figuresOf(sumPieces(pieces, new Float64Array(FIGURE_COUNT))),
      overwrittenBy === null || state === "running" ? state : "overwritten",
      overwrittenBy,
    );
  }

  onVoided(instruction: Instruction, byInstruction: Instruction): void {
    const index = this.awardIndexOf(instruction);
    const { origin } = instruction;
    const figures = uncoveredFigures(origin);
    this.figures.set(index, figures);
    if (this.rows === null) return;
    const row = uncoveredAwardRow(origin, this.vppNameOf(origin), figures, CAUSE_INDEX.other_award);
    row.state = "overwritten";
    row.overwrittenBy = byInstruction.awardId;
    this.rows[index] = row;
  }

  private vppNameOf({ vpp }: InstructionOrigin): string {
    return this.spec.vpps[vpp].name;
  }

  /** Cumulative kWh that a VPP's awards left uncovered until an instant. */
  uncoveredKwhUntil(vpp: number, atMs: EpochMs): number {
    let kwh = this.uncoveredKwh[vpp];
    for (const { instruction, sums, settledMs } of this.accounts)
      if (instruction.vpp === vpp)
        kwh +=
          sums[FIGURE.uncoveredKwh] + ((Math.abs(instruction.uncoveredTenths) / 10) * (atMs - settledMs)) / MS_PER_HOUR;
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
    const row = awardRow(origin, this.vppNameOf(origin), BEFORE_EXECUTION);
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
    readFcrRegisters(account, this.sites);
    const overwrittenBy = byInstruction?.awardId ?? this.overwrittenBy.get(index) ?? null;
    const earlier = this.executedPieces.get(index) ?? [];
    if (account.prices !== null) this.siteMoney.add(account, earlier[0] ?? account);
    // Of an immediate instruction no piece remains.
    if (overwrittenBy === null || instruction.kind === "immediate") {
      this.singlePiece[0] = account;
      const isOverwritten = overwrittenBy !== null && state !== "running";
      this.writeFigures(index, this.singlePiece, isOverwritten ? "overwritten" : state, overwrittenBy);
      append(this.freeAccounts, account);
      return;
    }
    const pieces = [...earlier, account];
    this.executedPieces.set(index, pieces);
    this.writeFigures(index, pieces, state === "running" ? state : "overwritten", overwrittenBy);
  }

  private writeFigures(
    index: number,
    pieces: readonly AwardAccount[],
    state: AwardState,
    overwrittenBy: string | null,
  ): void {
    const at = index * FIGURE_COUNT;
    const figures = sumPieces(pieces, this.figures.values, at);
    if (this.rows !== null)
      this.rows[index] = this.createRow(index, pieces, figuresOf(figures, at), state, overwrittenBy);
  }

  private createRow(
    index: number,
    pieces: readonly AwardAccount[],
    figures: Figures,
    state: AwardState,
    overwrittenBy: string | null,
  ): AwardRow {
    const origin = this.figures.origins[index];
    const [first] = pieces;
    const row = awardRow(origin, this.vppNameOf(origin), figures);
    if (first.attribution !== null) this.addCauses(row, first.attribution, pieces);
    row.state = state;
    row.overwrittenBy = overwrittenBy;
    return row;
  }

  /** Uncovered power at the execution is that of the first piece. */
  private addCauses(row: AwardRowDraft, first: ShortfallAttribution, pieces: readonly AwardAccount[]): void {
    if (row.fcr !== null) row.fcr = { ...row.fcr, uncoveredByCauseKw: first.fcrUncoveredByCauseKw };
    row.uncoveredByCauseKw = row.isFcr ? first.fcrUncoveredByCauseKw : first.uncoveredByCauseKw;
    if (row.isFcr) return;
    row.shortfallByCauseKwh = pieces.length === 1 ? first.shortfallByCauseKwh : sumByCause(pieces);
    row.topContributors = topContributors(pieces, this.sites);
  }
}

function sumByCause(pieces: readonly AwardAccount[]): Float64Array {
  const sum = new Float64Array(CAUSES.length);
  for (const { attribution } of pieces)
    attribution?.shortfallByCauseKwh.forEach((kwh, c) => {
      sum[c] += kwh;
    });
  return sum;
}
