import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import { append, removeItem } from "../../base/lists.ts";
import type { RefusalKind } from "../../base/result.ts";
import { toTenths } from "../../base/rounding.ts";
import { type EpochMs, MS_PER_HOUR, MS_PER_MINUTE } from "../../base/time.ts";
import { Series } from "../../series/model/series.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import type { Site } from "../../site/site.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";
import type { InstructionOrigin } from "../../vpp/instructions/instructionSpec.ts";
import type { BatchLedger } from "../meters/batchLedger.ts";
import type { AwardRow, AwardState } from "../runRecord.ts";
import { attributeUncovered } from "./attributeUncovered.ts";
import { AwardAccount, closeSlot } from "./awardAccount.ts";
import { AwardFigures, vppProductKey } from "./awardFigures.ts";
import { changingPricesOf, meanOver, valueOver } from "./awardPrices.ts";
import {
  type AwardRowDraft,
  awardPeriod,
  emptyAwardRow,
  requestedKwOf,
  singleCause,
  uncoveredAwardRow,
} from "./awardRows.ts";
import { AwardSettlement, type DeliveryListener } from "./awardSettlement.ts";
import { CAUSE_INDEX } from "./causeIndex.ts";
import { CAUSES } from "./causes.ts";
import { fcrFiguresOf, readFcrTotals } from "./fcrFigures.ts";
import { responseTimeMs } from "./skuRules.ts";
import { topContributors } from "./topContributors.ts";

/** What is kept of awards beside the figures. */
export interface AwardLedgerOptions {
  /** Whether gaps are put down to causes and members. */
  readonly causes: boolean;
  /** Whether each award has a row in the end. */
  readonly rows: boolean;
}

/** Keeps the account of every award and instruction of a run, whatever becomes of it. */
export class AwardLedger extends Copyable {
  readonly figures: AwardFigures;
  private readonly spec: WorldSpec;
  private readonly sites: readonly Site[];
  private readonly settlement: AwardSettlement;
  private readonly hasCauses: boolean;
  /** By place; `null` where nobody wants any. */
  private readonly rows: (AwardRow | undefined)[] | null;
  /** Of what runs, in order of execution. */
  private readonly accounts: AwardAccount[] = [];
  /** Closed, for the awards to come. */
  private readonly freeAccounts: AwardAccount[] = [];
  /** Executed pieces of each award that another one cut into, and who did first; by place. */
  private readonly executedPieces = new Map<number, readonly AwardAccount[]>();
  private readonly overwrittenBy = new Map<number, string>();
  /** Holds the only piece of an award while it is written. */
  private readonly singlePiece: AwardAccount[] = [];
  /** The last contiguous run of each product that came by the API, by VPP. */
  private readonly contiguousRuns = new Map<string, { readonly startMs: EpochMs; readonly endMs: EpochMs }>();
  /** Cumulative kWh uncovered by each VPP's ended awards; running and refused ones are added on reading. */
  private readonly uncoveredKwh: Float64Array;
  private readonly unexecutedAwards: {
    readonly vpp: number;
    readonly startMs: EpochMs;
    readonly endMs: EpochMs;
    readonly kw: number;
  }[] = [];

  constructor(
    spec: WorldSpec,
    sites: readonly Site[],
    options: AwardLedgerOptions,
    delivered: DeliveryListener | null,
  ) {
    super();
    this.figures = new AwardFigures(spec);
    this.spec = spec;
    this.hasCauses = options.causes;
    this.rows = options.rows ? [] : null;
    this.sites = sites;
    this.settlement = new AwardSettlement(sites, delivered);
    this.uncoveredKwh = new Float64Array(spec.vpps.length);
  }

  /** Batteries may stand in a bank from now on. */
  useBatchLedger(book: BatchLedger): void {
    this.settlement.batchLedger = book;
  }

  registered(instruction: Instruction): void {
    instruction.figuresIndex = this.figures.register(instruction.origin);
  }

  private awardIndexOf({ figuresIndex: place }: Instruction): number {
    assert(0 <= place, "what comes of an instruction is told after its registration");
    return place;
  }

  overwritten(instruction: Instruction, by: Instruction): void {
    const place = this.awardIndexOf(instruction);
    if (!this.overwrittenBy.has(place)) this.overwrittenBy.set(place, by.awardId);
  }

  /** Taken back: of an award in pieces, what has been executed or still waits goes on. */
  deleted(instruction: Instruction): void {
    const place = this.awardIndexOf(instruction);
    const rows = this.rows;
    if (rows === null || rows[place] !== undefined || this.overwrittenBy.has(place)) return;
    const row = this.unexecutedRow(place);
    row.state = "deleted";
    rows[place] = row;
  }

  executed(instruction: Instruction, atMs: EpochMs): void {
    const place = this.awardIndexOf(instruction);
    const memberCount = instruction.membership.siteIndices.length;
    const spare = this.freeAccounts.pop();
    const account = spare?.memberCount === memberCount ? spare : new AwardAccount(memberCount, this.hasCauses);
    account.open(instruction, place, atMs, this.assessedFromMs(place, atMs), changingPricesOf(instruction.origin));
    if (this.hasCauses) attributeUncovered(account, this.sites);
    append(this.accounts, account);
  }

  /** The SKU's response time counts once per contiguous run of it in a VPP. */
  private assessedFromMs(place: number, atMs: EpochMs): EpochMs {
    const known = this.figures.assessFromMs(place);
    if (!Number.isNaN(known)) return known;
    const origin = this.figures.origins[place];
    if ("atMs" in origin) return atMs + responseTimeMs(origin.sku);
    const key = vppProductKey(origin);
    const before = this.contiguousRuns.get(key);
    const startMs = before !== undefined && before.endMs === origin.startMs ? before.startMs : origin.startMs;
    this.contiguousRuns.set(key, { startMs, endMs: origin.endMs });
    return startMs + responseTimeMs(origin.sku);
  }

  /** Where the account of what runs stands; -1 for what does not run. */
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
    if (0 <= k) this.accounts[k].closeInterval();
  }

  ended(instruction: Instruction, by: Instruction | null): void {
    const accounts = this.accounts;
    const k = this.accountIndexOf(instruction);
    if (k < 0) return;
    const account = accounts[k];
    this.closeAccount(account, instruction.state as AwardState, by);
    this.uncoveredKwh[instruction.vpp] += account.uncoveredKwh;
    removeItem(accounts, account);
  }

  refused(origin: InstructionOrigin, errorType: RefusalKind): void {
    const { startMs, endMs } = awardPeriod(origin);
    const executedMs = Math.max(0, Math.min(endMs, this.spec.endMs) - startMs);
    const requestedKw = requestedKwOf(origin);
    // A width of frequency response is no energy.
    const isFcr = origin.sku === "fcr";
    const deltaKw = isFcr ? 0 : requestedKw;
    this.unexecutedAwards.push({ vpp: origin.vpp, startMs, endMs, kw: Math.abs(deltaKw) });
    const place = this.figures.indexOf(origin);
    if (place < 0) return;
    const reservedKwh = (Math.abs(deltaKw) * executedMs) / MS_PER_HOUR;
    const activation = "atMs" in origin ? 1 : meanOver(origin.activation, startMs, startMs + executedMs);
    const kwh = reservedKwh * activation;
    const assessFromMs = "atMs" in origin ? startMs + responseTimeMs(origin.sku) : this.figures.assessFromMs(place);
    const assessedMs = isFcr ? 0 : Math.max(0, startMs + executedMs - Math.max(startMs, assessFromMs));
    this.recordUncovered(place, origin);
    const { columns, isRefused: refused } = this.figures;
    refused[place] = 1;
    columns.uncoveredKwh[place] = reservedKwh;
    columns.assessedMs[place] = assessedMs;
    if (!isFcr) {
      columns.requestedKwh[place] = kwh;
      columns.shortfallKwh[place] = kwh;
      if (!("atMs" in origin) && origin.penaltyJpyPerKwh instanceof Series) {
        const { penaltyJpyPerKwh, activation } = origin;
        const untilMs = startMs + executedMs;
        columns.penaltyJpy[place] = Math.abs(deltaKw) * valueOver(penaltyJpyPerKwh, activation, startMs, untilMs);
      }
    }
    if (this.rows === null) return;
    const row = uncoveredAwardRow(origin, this.vppNameOf(origin), CAUSE_INDEX.refused);
    row.state = "refused";
    row.errorType = errorType;
    if (!isFcr) {
      row.requestedKwh = Math.sign(deltaKw) * kwh;
      row.deliveredKwh = 0;
      row.shortfallKwh = kwh;
      row.excessKwh = 0;
      row.compliancePct = assessedMs > 0 ? 0 : null;
      row.shortfallByCauseKwh = singleCause(CAUSE_INDEX.refused, kwh);
    }
    this.rows[place] = row;
  }

  voided(instruction: Instruction, by: Instruction): void {
    const place = this.awardIndexOf(instruction);
    const { origin } = instruction;
    this.recordUncovered(place, origin);
    if (this.rows === null) return;
    const row = uncoveredAwardRow(origin, this.vppNameOf(origin), CAUSE_INDEX.other_award);
    row.state = "overwritten";
    row.overwrittenBy = by.awardId;
    this.rows[place] = row;
  }

  /** Nothing of what is asked is covered. */
  private recordUncovered(place: number, origin: InstructionOrigin): void {
    const { columns } = this.figures;
    columns.uncoveredKw[place] = requestedKwOf(origin);
    if (origin.fcrResponseKw !== null) columns.fcrUncoveredKw[place] = toTenths(origin.fcrResponseKw) / 10;
  }

  private vppNameOf({ vpp }: InstructionOrigin): string {
    return this.spec.vpps[vpp].name;
  }

  /** Cumulative kWh that a VPP's awards left uncovered. */
  uncoveredKwhUntil(vpp: number, atMs: EpochMs): number {
    let kwh = this.uncoveredKwh[vpp];
    for (const { instruction, uncoveredKwh, settledMs } of this.accounts)
      if (instruction.vpp === vpp)
        kwh += uncoveredKwh + ((Math.abs(instruction.uncoveredTenths) / 10) * (atMs - settledMs)) / MS_PER_HOUR;
    for (const { vpp: ofVpp, startMs, endMs, kw } of this.unexecutedAwards)
      if (ofVpp === vpp && startMs < atMs) kwh += (kw * (Math.min(atMs, endMs) - startMs)) / MS_PER_HOUR;
    return kwh;
  }

  /** Closes what still runs at the end of the run. @returns a row for every award and instruction, where they are kept */
  finish(atMs: EpochMs): readonly AwardRow[] {
    for (const account of this.accounts) {
      this.settlement.settle(account, atMs);
      // An award that ends with the run is over: its end itself lies outside.
      this.closeAccount(account, account.instruction.endMs <= atMs ? "completed" : "running", null);
    }
    const rows = this.rows;
    return rows === null ? [] : this.figures.origins.map((_, place) => rows[place] ?? this.unexecutedRow(place));
  }

  /** Nothing of it has been executed. */
  private unexecutedRow(place: number): AwardRowDraft {
    const origin = this.figures.origins[place];
    const row = emptyAwardRow(origin, this.vppNameOf(origin));
    const overwrittenBy = this.overwrittenBy.get(place) ?? null;
    if (overwrittenBy !== null) {
      row.state = "overwritten";
      row.overwrittenBy = overwrittenBy;
    }
    return row;
  }

  private closeAccount(account: AwardAccount, state: AwardState, by: Instruction | null): void {
    const { instruction, awardIndex: place } = account;
    account.closeInterval();
    closeSlot(account);
    if (instruction.fcrCapacityTenths !== null) account.fcr = readFcrTotals(account, this.sites);
    const overwrittenBy = by?.awardId ?? this.overwrittenBy.get(place) ?? null;
    if (overwrittenBy === null) {
      this.singlePiece[0] = account;
      this.writeFigures(place, this.singlePiece, state, null);
      append(this.freeAccounts, account);
      return;
    }
    const pieces = [...(this.executedPieces.get(place) ?? []), account];
    this.executedPieces.set(place, pieces);
    this.writeFigures(place, pieces, state === "running" ? state : "overwritten", overwrittenBy);
  }

  /** The sums over the executed pieces of an award; its snapshot is that of the first. */
  private writeFigures(
    place: number,
    pieces: readonly AwardAccount[],
    state: AwardState,
    overwrittenBy: string | null,
  ): void {
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
    let capacityJpyPerKw = 0;
    let deliveredJpy = 0;
    let lowestJpyPerKwh = Number.POSITIVE_INFINITY;
    let highestJpyPerKwh = Number.NEGATIVE_INFINITY;
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
      capacityJpyPerKw += piece.capacityJpyPerKw;
      deliveredJpy += piece.deliveredJpy;
      lowestJpyPerKwh = Math.min(lowestJpyPerKwh, piece.lowestJpyPerKwh);
      highestJpyPerKwh = Math.max(highestJpyPerKwh, piece.highestJpyPerKwh);
      penaltyJpy += piece.penaltyJpy;
    }
    const { hasDelta, fcrCapacityTenths: fcrTenths, uncoveredAtStartTenths, fcrUncoveredAtStartTenths } = instruction;
    columns.uncoveredKw[place] = (hasDelta ? uncoveredAtStartTenths : fcrUncoveredAtStartTenths) / 10 || 0;
    if (fcrTenths !== null) columns.fcrUncoveredKw[place] = fcrUncoveredAtStartTenths / 10;
    columns.executedMinutes[place] = executedMs / MS_PER_MINUTE;
    columns.deliveredKwh[place] = deliveredKwh;
    columns.uncoveredKwh[place] = uncoveredKwh;
    columns.assessedMs[place] = assessedMs;
    columns.inBandMs[place] = inBandMs;
    columns.capacityJpyPerKw[place] = capacityJpyPerKw;
    columns.deliveredJpy[place] = deliveredJpy;
    columns.lowestJpyPerKwh[place] = lowestJpyPerKwh;
    columns.highestJpyPerKwh[place] = highestJpyPerKwh;
    columns.penaltyJpy[place] = penaltyJpy;
    if (hasDelta) {
      columns.requestedKwh[place] = requestedKwh;
      columns.shortfallKwh[place] = shortfallKwh;
      columns.excessKwh[place] = excessKwh;
    }
    if (this.rows !== null) this.rows[place] = this.createRow(place, pieces, state, overwrittenBy);
  }

  /** The row of an award whose figures have been written. */
  private createRow(
    place: number,
    pieces: readonly AwardAccount[],
    state: AwardState,
    overwrittenBy: string | null,
  ): AwardRow {
    const { columns, origins } = this.figures;
    const [first] = pieces;
    const sign = first.instruction.direction;
    const row = emptyAwardRow(origins[place], this.vppNameOf(origins[place]));
    row.executedMinutes = columns.executedMinutes[place];
    row.fcr = fcrFiguresOf(pieces, row.executedMinutes);
    row.uncoveredKw = columns.uncoveredKw[place];
    if (row.isFcr) row.uncoveredByCauseKw = first.fcrUncoveredByCauseKw;
    else {
      const assessedMs = columns.assessedMs[place];
      row.uncoveredByCauseKw = first.uncoveredByCauseKw;
      row.requestedKwh = sign * columns.requestedKwh[place];
      row.deliveredKwh = sign * columns.deliveredKwh[place];
      row.shortfallKwh = columns.shortfallKwh[place];
      row.excessKwh = columns.excessKwh[place];
      row.compliancePct = assessedMs > 0 ? (100 * columns.inBandMs[place]) / assessedMs : null;
      row.shortfallByCauseKwh = pieces.length === 1 ? first.shortfallByCauseKwh : sumByCause(pieces);
      row.topContributors = topContributors(pieces, this.sites);
    }
    row.state = state;
    row.overwrittenBy = overwrittenBy;
    return row;
  }
}

function sumByCause(pieces: readonly AwardAccount[]): Float64Array {
  const sum = new Float64Array(CAUSES.length);
  for (const { shortfallByCauseKwh: shortfallByCause } of pieces)
    for (let c = 0; c < sum.length; c++) sum[c] += shortfallByCause[c];
  return sum;
}
