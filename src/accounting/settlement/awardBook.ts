import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import { append, takeOut } from "../../base/lists.ts";
import type { RefusalKind } from "../../base/result.ts";
import { toTenths } from "../../base/rounding.ts";
import { type EpochMs, MS_PER_HOUR, MS_PER_MINUTE } from "../../base/time.ts";
import { Series } from "../../series/model/series.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import type { Site } from "../../site/site.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";
import type { Origin } from "../../vpp/instructions/orderSpec.ts";
import type { BankBook } from "../meters/bankBook.ts";
import type { AwardRow, AwardState } from "../runRecord.ts";
import { attributeUncovered } from "./attributeUncovered.ts";
import { AwardAccount, closeSlot } from "./awardAccount.ts";
import { AwardFigures, runKey } from "./awardFigures.ts";
import { AwardLedger, type DeliveryListener } from "./awardLedger.ts";
import { changingPricesOf, meanOver, valueOver } from "./awardPrices.ts";
import { emptyRow, onlyCause, periodOf, type RowToFill, requestedKwOf, uncoveredRow } from "./awardRows.ts";
import { CAUSES } from "./causes.ts";
import { fcrFiguresOf, readFcr } from "./fcrFigures.ts";
import { mostLacking } from "./mostLacking.ts";
import { CAUSE } from "./shortfall.ts";
import { responseTimeMs } from "./skuRules.ts";

/** What is kept of awards beside the figures. */
export interface AwardBookOptions {
  /** Whether gaps are put down to causes and members. */
  readonly causes: boolean;
  /** Whether each award has a row in the end. */
  readonly rows: boolean;
}

/** Keeps the account of every award and instruction of a run, whatever becomes of it. */
export class AwardBook extends Copyable {
  readonly figures: AwardFigures;
  private readonly spec: WorldSpec;
  private readonly sites: readonly Site[];
  private readonly ledger: AwardLedger;
  private readonly keepsCauses: boolean;
  /** By place; `null` where nobody wants any. */
  private readonly rows: (AwardRow | undefined)[] | null;
  /** Of what runs, in order of execution. */
  private readonly accounts: AwardAccount[] = [];
  /** Closed, for the awards to come. */
  private readonly spareAccounts: AwardAccount[] = [];
  /** Executed pieces of each award that another one cut into, and who did first; by place. */
  private readonly pieces = new Map<number, readonly AwardAccount[]>();
  private readonly overwrittenBy = new Map<number, string>();
  /** Holds the only piece of an award while it is written. */
  private readonly onePiece: AwardAccount[] = [];
  /** The last contiguous run of each product that came by the API, by VPP. */
  private readonly runs = new Map<string, { readonly startMs: EpochMs; readonly endMs: EpochMs }>();
  /** Cumulative kWh uncovered by each VPP's ended awards; running and refused ones are added on reading. */
  private readonly uncoveredKwh: Float64Array;
  private readonly refusedAwards: {
    readonly vpp: number;
    readonly startMs: EpochMs;
    readonly endMs: EpochMs;
    readonly kw: number;
  }[] = [];

  constructor(spec: WorldSpec, sites: readonly Site[], options: AwardBookOptions, delivered: DeliveryListener | null) {
    super();
    this.figures = new AwardFigures(spec);
    this.spec = spec;
    this.keepsCauses = options.causes;
    this.rows = options.rows ? [] : null;
    this.sites = sites;
    this.ledger = new AwardLedger(sites, delivered);
    this.uncoveredKwh = new Float64Array(spec.vpps.length);
  }

  /** Batteries may stand in a bank from now on. */
  useBank(book: BankBook): void {
    this.ledger.bankBook = book;
  }

  registered(instruction: Instruction): void {
    instruction.place = this.figures.register(instruction.origin);
  }

  private placeOf({ place }: Instruction): number {
    assert(0 <= place, "what comes of an instruction is told after its registration");
    return place;
  }

  overwritten(instruction: Instruction, by: Instruction): void {
    const place = this.placeOf(instruction);
    if (!this.overwrittenBy.has(place)) this.overwrittenBy.set(place, by.id);
  }

  /** Taken back: of an award in pieces, what has been executed or still waits goes on. */
  deleted(instruction: Instruction): void {
    const place = this.placeOf(instruction);
    const rows = this.rows;
    if (rows === null || rows[place] !== undefined || this.overwrittenBy.has(place)) return;
    const row = this.untouched(place);
    row.state = "deleted";
    rows[place] = row;
  }

  executed(instruction: Instruction, atMs: EpochMs): void {
    const place = this.placeOf(instruction);
    const memberCount = instruction.membership.sites.length;
    const spare = this.spareAccounts.pop();
    const account = spare?.memberCount === memberCount ? spare : new AwardAccount(memberCount, this.keepsCauses);
    account.open(instruction, place, atMs, this.assessedFromMs(place, atMs), changingPricesOf(instruction.origin));
    if (this.keepsCauses) attributeUncovered(account, this.sites);
    append(this.accounts, account);
  }

  /** The SKU's response time counts once per contiguous run of it in a VPP. */
  private assessedFromMs(place: number, atMs: EpochMs): EpochMs {
    const known = this.figures.assessFromMs(place);
    if (!Number.isNaN(known)) return known;
    const origin = this.figures.origins[place];
    if ("atMs" in origin) return atMs + responseTimeMs(origin.sku);
    const key = runKey(origin);
    const before = this.runs.get(key);
    const startMs = before !== undefined && before.endMs === origin.startMs ? before.startMs : origin.startMs;
    this.runs.set(key, { startMs, endMs: origin.endMs });
    return startMs + responseTimeMs(origin.sku);
  }

  /** Where the account of what runs stands; -1 for what does not run. */
  private find(instruction: Instruction): number {
    const accounts = this.accounts;
    let k = accounts.length - 1;
    while (0 <= k && accounts[k].instruction !== instruction) k--;
    return k;
  }

  settle(instruction: Instruction, atMs: EpochMs): void {
    const k = this.find(instruction);
    if (0 <= k) this.ledger.settle(this.accounts[k], atMs);
  }

  redispatched(instruction: Instruction): void {
    const k = this.find(instruction);
    if (0 <= k) this.accounts[k].closePiece();
  }

  ended(instruction: Instruction, by: Instruction | null): void {
    const accounts = this.accounts;
    const k = this.find(instruction);
    if (k < 0) return;
    const account = accounts[k];
    this.close(account, instruction.state as AwardState, by);
    this.uncoveredKwh[instruction.vpp] += account.uncoveredKwh;
    takeOut(accounts, account);
  }

  refused(origin: Origin, errorType: RefusalKind): void {
    const { startMs, endMs } = periodOf(origin);
    const executedMs = Math.max(0, Math.min(endMs, this.spec.endMs) - startMs);
    const requestedKw = requestedKwOf(origin);
    // A width of frequency response is no energy.
    const isFcr = origin.sku === "fcr";
    const deltaKw = isFcr ? 0 : requestedKw;
    this.refusedAwards.push({ vpp: origin.vpp, startMs, endMs, kw: Math.abs(deltaKw) });
    const place = this.figures.placeOf(origin);
    if (place < 0) return;
    const reservedKwh = (Math.abs(deltaKw) * executedMs) / MS_PER_HOUR;
    const activation = "atMs" in origin ? 1 : meanOver(origin.activation, startMs, startMs + executedMs);
    const kwh = reservedKwh * activation;
    const assessFromMs = "atMs" in origin ? startMs + responseTimeMs(origin.sku) : this.figures.assessFromMs(place);
    const assessedMs = isFcr ? 0 : Math.max(0, startMs + executedMs - Math.max(startMs, assessFromMs));
    this.notCovered(place, origin);
    const { columns, refused } = this.figures;
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
    const row = uncoveredRow(origin, this.nameOf(origin), CAUSE.refused);
    row.state = "refused";
    row.errorType = errorType;
    if (!isFcr) {
      row.requestedKwh = Math.sign(deltaKw) * kwh;
      row.deliveredKwh = 0;
      row.shortfallKwh = kwh;
      row.excessKwh = 0;
      row.compliancePct = assessedMs > 0 ? 0 : null;
      row.shortfallByCauseKwh = onlyCause(CAUSE.refused, kwh);
    }
    this.rows[place] = row;
  }

  voided(instruction: Instruction, by: Instruction): void {
    const place = this.placeOf(instruction);
    const { origin } = instruction;
    this.notCovered(place, origin);
    if (this.rows === null) return;
    const row = uncoveredRow(origin, this.nameOf(origin), CAUSE.other_award);
    row.state = "overwritten";
    row.overwrittenBy = by.id;
    this.rows[place] = row;
  }

  /** Nothing of what is asked is covered. */
  private notCovered(place: number, origin: Origin): void {
    const { columns } = this.figures;
    columns.uncoveredKw[place] = requestedKwOf(origin);
    if (origin.fcrResponseKw !== null) columns.fcrUncoveredKw[place] = toTenths(origin.fcrResponseKw) / 10;
  }

  private nameOf({ vpp }: Origin): string {
    return this.spec.vpps[vpp].name;
  }

  /** Cumulative kWh that a VPP's awards left uncovered. */
  uncoveredKwhUntil(vpp: number, atMs: EpochMs): number {
    let kwh = this.uncoveredKwh[vpp];
    for (const { instruction, uncoveredKwh, settledMs } of this.accounts)
      if (instruction.vpp === vpp)
        kwh += uncoveredKwh + ((Math.abs(instruction.uncoveredTenths) / 10) * (atMs - settledMs)) / MS_PER_HOUR;
    for (const { vpp: ofVpp, startMs, endMs, kw } of this.refusedAwards)
      if (ofVpp === vpp && startMs < atMs) kwh += (kw * (Math.min(atMs, endMs) - startMs)) / MS_PER_HOUR;
    return kwh;
  }

  /** Closes what still runs at the end of the run. @returns a row for every award and instruction, where they are kept */
  finish(atMs: EpochMs): readonly AwardRow[] {
    for (const account of this.accounts) {
      this.ledger.settle(account, atMs);
      // An award that ends with the run is over: its end itself lies outside.
      this.close(account, account.instruction.endMs <= atMs ? "completed" : "running", null);
    }
    const rows = this.rows;
    return rows === null ? [] : this.figures.origins.map((_, place) => rows[place] ?? this.untouched(place));
  }

  /** Nothing of it has been executed. */
  private untouched(place: number): RowToFill {
    const origin = this.figures.origins[place];
    const row = emptyRow(origin, this.nameOf(origin));
    const overwrittenBy = this.overwrittenBy.get(place) ?? null;
    if (overwrittenBy !== null) {
      row.state = "overwritten";
      row.overwrittenBy = overwrittenBy;
    }
    return row;
  }

  private close(account: AwardAccount, state: AwardState, by: Instruction | null): void {
    const { instruction, place } = account;
    account.closePiece();
    closeSlot(account);
    if (instruction.fcrTenths !== null) account.fcr = readFcr(account, this.sites);
    const overwrittenBy = by?.id ?? this.overwrittenBy.get(place) ?? null;
    if (overwrittenBy === null) {
      this.onePiece[0] = account;
      this.write(place, this.onePiece, state, null);
      append(this.spareAccounts, account);
      return;
    }
    const pieces = [...(this.pieces.get(place) ?? []), account];
    this.pieces.set(place, pieces);
    this.write(place, pieces, state === "running" ? state : "overwritten", overwrittenBy);
  }

  /** The sums over the executed pieces of an award; its snapshot is that of the first. */
  private write(place: number, pieces: readonly AwardAccount[], state: AwardState, overwrittenBy: string | null): void {
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
    const { hasDelta, fcrTenths, uncoveredAtStartTenths, fcrUncoveredAtStartTenths } = instruction;
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
    if (this.rows !== null) this.rows[place] = this.row(place, pieces, state, overwrittenBy);
  }

  /** The row of an award whose figures have been written. */
  private row(
    place: number,
    pieces: readonly AwardAccount[],
    state: AwardState,
    overwrittenBy: string | null,
  ): AwardRow {
    const { columns, origins } = this.figures;
    const [first] = pieces;
    const sign = first.instruction.direction;
    const row = emptyRow(origins[place], this.nameOf(origins[place]));
    row.executedMinutes = columns.executedMinutes[place];
    row.fcr = fcrFiguresOf(pieces, row.executedMinutes);
    row.uncoveredKw = columns.uncoveredKw[place];
    if (row.isFcr) row.uncoveredByCauseKw = first.fcrUncoveredByCause;
    else {
      const assessedMs = columns.assessedMs[place];
      row.uncoveredByCauseKw = first.uncoveredByCause;
      row.requestedKwh = sign * columns.requestedKwh[place];
      row.deliveredKwh = sign * columns.deliveredKwh[place];
      row.shortfallKwh = columns.shortfallKwh[place];
      row.excessKwh = columns.excessKwh[place];
      row.compliancePct = assessedMs > 0 ? (100 * columns.inBandMs[place]) / assessedMs : null;
      row.shortfallByCauseKwh = pieces.length === 1 ? first.shortfallByCause : sumOfCauses(pieces);
      row.mostLacking = mostLacking(pieces, this.sites);
    }
    row.state = state;
    row.overwrittenBy = overwrittenBy;
    return row;
  }
}

function sumOfCauses(pieces: readonly AwardAccount[]): Float64Array {
  const sum = new Float64Array(CAUSES.length);
  for (const { shortfallByCause } of pieces) for (let c = 0; c < sum.length; c++) sum[c] += shortfallByCause[c];
  return sum;
}
