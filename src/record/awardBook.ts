import type { RefusalKind } from "../base/result.ts";
import { type EpochMs, MS_PER_HOUR, MS_PER_MINUTE } from "../base/time.ts";
import { Series } from "../series/series.ts";
import type { Site } from "../site/site.ts";
import type { Instruction } from "../vpp/instruction.ts";
import type { Origin } from "../world/observer.ts";
import type { AwardSpec, NumberOrSeries, WorldSpec } from "../world/worldSpec.ts";
import { attributeUncovered } from "./attributeUncovered.ts";
import { AwardAccount } from "./awardAccount.ts";
import { AwardLedger, closeSlot, type DeliveryListener } from "./awardLedger.ts";
import { emptyRow, onlyCause, periodOf, uncoveredRow } from "./awardRows.ts";
import { CAUSES } from "./causes.ts";
import { fcrFiguresOf, readFcr } from "./fcrFigures.ts";
import { mostLacking } from "./mostLacking.ts";
import type { AwardRow, AwardState } from "./runRecord.ts";
import { CAUSE } from "./shortfall.ts";
import { responseTimeMs } from "./skuRules.ts";

/** The outcome of one award or instruction with what KPIs need besides the row. */
export interface AwardOutcome {
  readonly row: AwardRow;
  readonly origin: Origin;
  readonly uncoveredKwh: number;
  readonly assessedMs: number;
  readonly inBandMs: number;
  /** kWh along the request. */
  readonly deliveredAlongKwh: number;
}

const NOTHING_DONE = { uncoveredKwh: 0, assessedMs: 0, inBandMs: 0, deliveredAlongKwh: 0 } as const;

/** Keeps the account of every award and instruction of a run, whatever becomes of it. */
export class AwardBook {
  readonly #spec: WorldSpec;
  readonly #sites: readonly Site[];
  readonly #ledger: AwardLedger;
  readonly #keepsCauses: boolean;
  readonly #accounts = new Map<Instruction, AwardAccount>();
  readonly #origins = new Map<Instruction, Origin>();
  readonly #outcomes = new Map<Origin, AwardOutcome>();
  /** Orders that came by the API, in order of registration. */
  readonly #fromOutside = new Set<Origin>();
  /** Executed pieces of each award that another one cut into, and who did first. */
  readonly #pieces = new Map<Origin, AwardAccount[]>();
  readonly #overwrittenBy = new Map<Origin, string>();
  readonly #assessFromMs: ReadonlyMap<AwardSpec, EpochMs>;
  /** The last contiguous run of each product that came by the API, by VPP. */
  readonly #runs = new Map<string, { readonly startMs: EpochMs; readonly endMs: EpochMs }>();
  /** Cumulative kWh uncovered by each VPP's ended awards; running and refused ones are added on reading. */
  readonly #uncoveredKwh: Float64Array;
  readonly #refused: {
    readonly vpp: number;
    readonly startMs: EpochMs;
    readonly endMs: EpochMs;
    readonly kw: number;
  }[] = [];

  /** @param keepsCauses whether gaps are put down to causes and members */
  constructor(spec: WorldSpec, sites: readonly Site[], keepsCauses: boolean, delivered: DeliveryListener) {
    this.#spec = spec;
    this.#keepsCauses = keepsCauses;
    this.#sites = sites;
    this.#ledger = new AwardLedger(sites, delivered);
    this.#assessFromMs = assessmentStarts(spec.awards);
    this.#uncoveredKwh = new Float64Array(spec.vpps.length);
  }

  registered(instruction: Instruction, origin: Origin): void {
    this.#origins.set(instruction, origin);
    if (origin.fromOutside) this.#fromOutside.add(origin);
  }

  overwritten(instruction: Instruction, by: Instruction): void {
    const origin = this.#origins.get(instruction) as Origin;
    if (this.#overwrittenBy.has(origin)) return;
    this.#overwrittenBy.set(origin, by.id);
    if (!this.#accounts.has(instruction)) this.#outcomes.set(origin, this.#untouched(origin));
  }

  /** Taken back: of an award in pieces, what has been executed or still waits goes on. */
  deleted(instruction: Instruction): void {
    const origin = this.#origins.get(instruction) as Origin;
    this.#origins.delete(instruction);
    if (this.#outcomes.has(origin) || this.#overwrittenBy.has(origin)) return;
    const outcome = this.#untouched(origin);
    this.#outcomes.set(origin, { ...outcome, row: { ...outcome.row, state: "deleted" } });
  }

  executed(instruction: Instruction, atMs: EpochMs): void {
    const origin = this.#origins.get(instruction) as Origin;
    const account = new AwardAccount(instruction, atMs, this.#assessedFromMs(origin, atMs), this.#keepsCauses);
    if (this.#keepsCauses) attributeUncovered(account, this.#sites);
    this.#accounts.set(instruction, account);
  }

  /** The SKU's response time counts once per contiguous run of it in a VPP. */
  #assessedFromMs(origin: Origin, atMs: EpochMs): EpochMs {
    if ("atMs" in origin) return atMs + responseTimeMs(origin.sku);
    const known = this.#assessFromMs.get(origin);
    if (known !== undefined) return known;
    const key = runKey(origin);
    const before = this.#runs.get(key);
    const startMs = before !== undefined && before.endMs === origin.startMs ? before.startMs : origin.startMs;
    this.#runs.set(key, { startMs, endMs: origin.endMs });
    return startMs + responseTimeMs(origin.sku);
  }

  settle(instruction: Instruction, atMs: EpochMs): void {
    const account = this.#accounts.get(instruction);
    if (account !== undefined) this.#ledger.settle(account, atMs);
  }

  redispatched(instruction: Instruction): void {
    this.#accounts.get(instruction)?.closePiece();
  }

  ended(instruction: Instruction, by: Instruction | null): void {
    const account = this.#accounts.get(instruction);
    if (account === undefined) return;
    this.#close(account, instruction.state as AwardState, by);
    this.#uncoveredKwh[instruction.vpp] += account.uncoveredKwh;
    this.#accounts.delete(instruction);
    this.#origins.delete(instruction);
  }

  refused(origin: Origin, errorType: RefusalKind): void {
    const { startMs, endMs } = periodOf(origin);
    const executedMs = Math.max(0, Math.min(endMs, this.#spec.endMs) - startMs);
    const row = uncoveredRow(origin, this.#nameOf(origin), CAUSE.refused);
    row.state = "refused";
    row.errorType = errorType;
    // A width of frequency response is no energy.
    const deltaKw = row.isFcr ? 0 : row.requestedKw;
    const reservedKwh = (Math.abs(deltaKw) * executedMs) / MS_PER_HOUR;
    const activation = "atMs" in origin ? 1 : meanOver(origin.activation, startMs, startMs + executedMs);
    const kwh = reservedKwh * activation;
    const assessFromMs =
      "atMs" in origin ? startMs + responseTimeMs(origin.sku) : (this.#assessFromMs.get(origin) as number);
    const assessedMs = row.isFcr ? 0 : Math.max(0, startMs + executedMs - Math.max(startMs, assessFromMs));
    this.#refused.push({ vpp: origin.vpp, startMs, endMs, kw: Math.abs(deltaKw) });
    if (!row.isFcr) {
      row.requestedKwh = Math.sign(deltaKw) * kwh;
      row.deliveredKwh = 0;
      row.shortfallKwh = kwh;
      row.excessKwh = 0;
      row.compliancePct = assessedMs > 0 ? 0 : null;
      row.shortfallByCauseKwh = onlyCause(CAUSE.refused, kwh);
    }
    this.#outcomes.set(origin, { ...NOTHING_DONE, origin, row, uncoveredKwh: reservedKwh, assessedMs });
  }

  voided(instruction: Instruction, by: Instruction): void {
    const origin = this.#origins.get(instruction) as Origin;
    this.#origins.delete(instruction);
    const row = uncoveredRow(origin, this.#nameOf(origin), CAUSE.other_award);
    row.state = "overwritten";
    row.overwrittenBy = by.id;
    this.#outcomes.set(origin, { ...NOTHING_DONE, origin, row });
  }

  #nameOf({ vpp }: Origin): string {
    return this.#spec.vpps[vpp].name;
  }

  /** Cumulative kWh that a VPP's awards left uncovered. */
  uncoveredKwhUntil(vpp: number, atMs: EpochMs): number {
    let kwh = this.#uncoveredKwh[vpp];
    for (const { instruction, uncoveredKwh, settledMs } of this.#accounts.values())
      if (instruction.vpp === vpp)
        kwh += uncoveredKwh + ((Math.abs(instruction.uncoveredTenths) / 10) * (atMs - settledMs)) / MS_PER_HOUR;
    for (const { vpp: ofVpp, startMs, endMs, kw } of this.#refused)
      if (ofVpp === vpp && startMs < atMs) kwh += (kw * (Math.min(atMs, endMs) - startMs)) / MS_PER_HOUR;
    return kwh;
  }

  /** Closes what still runs at the end of the run and gives every award and instruction, as written in the scenario. */
  finish(atMs: EpochMs): AwardOutcome[] {
    for (const account of this.#accounts.values()) {
      this.#ledger.settle(account, atMs);
      // An award that ends with the run is over: its end itself lies outside.
      this.#close(account, account.instruction.endMs <= atMs ? "completed" : "running", null);
    }
    return [...this.#spec.awards, ...this.#spec.instructions, ...this.#fromOutside].map(
      (origin) => this.#outcomes.get(origin) ?? this.#untouched(origin),
    );
  }

  /** Nothing of it has been executed. */
  #untouched(origin: Origin): AwardOutcome {
    const row = emptyRow(origin, this.#nameOf(origin));
    const overwrittenBy = this.#overwrittenBy.get(origin) ?? null;
    if (overwrittenBy !== null) {
      row.state = "overwritten";
      row.overwrittenBy = overwrittenBy;
    }
    return { ...NOTHING_DONE, row, origin };
  }

  #close(account: AwardAccount, state: AwardState, by: Instruction | null): void {
    const { instruction } = account;
    account.closePiece();
    closeSlot(account);
    if (instruction.fcrTenths !== null) account.fcr = readFcr(account, this.#sites);
    const origin = this.#origins.get(instruction) as Origin;
    const overwrittenBy = by?.id ?? this.#overwrittenBy.get(origin) ?? null;
    if (overwrittenBy === null) {
      this.#outcomes.set(origin, this.#outcome(origin, account, [account], state, null));
      return;
    }
    const pieces = [...(this.#pieces.get(origin) ?? []), account];
    this.#pieces.set(origin, pieces);
    const shown = state === "running" ? state : "overwritten";
    this.#outcomes.set(origin, this.#outcome(origin, pieces[0], pieces, shown, overwrittenBy));
  }

  /** The sums over the executed pieces of an award; its snapshot is that of the first. */
  #outcome(
    origin: Origin,
    first: AwardAccount,
    pieces: readonly AwardAccount[],
    state: AwardState,
    overwrittenBy: string | null,
  ): AwardOutcome {
    const { instruction } = first;
    const sign = instruction.direction;
    const sum = (of: (piece: AwardAccount) => number) => pieces.reduce((total, piece) => total + of(piece), 0);
    const assessedMs = sum((piece) => piece.assessedMs);
    const inBandMs = sum((piece) => piece.inBandMs);
    const deliveredAlongKwh = sum((piece) => piece.deliveredKwh);
    const row = emptyRow(origin, this.#nameOf(origin));
    row.executedMinutes = sum((piece) => piece.settledMs - piece.instruction.executedMs) / MS_PER_MINUTE;
    row.fcr = fcrFiguresOf(pieces, row.executedMinutes);
    if (row.isFcr) {
      row.uncoveredKw = row.fcr?.uncoveredKw ?? null;
      row.uncoveredByCauseKw = first.fcrUncoveredByCause;
    } else {
      row.uncoveredKw = instruction.uncoveredAtStartTenths / 10 || 0;
      row.uncoveredByCauseKw = first.uncoveredByCause;
      row.requestedKwh = sign * sum((piece) => piece.requestedKwh);
      row.deliveredKwh = sign * deliveredAlongKwh;
      row.shortfallKwh = sum((piece) => piece.shortfallKwh);
      row.excessKwh = sum((piece) => piece.excessKwh);
      row.compliancePct = assessedMs > 0 ? (100 * inBandMs) / assessedMs : null;
      row.shortfallByCauseKwh = pieces.length === 1 ? first.shortfallByCause : sumOfCauses(pieces);
      row.mostLacking = mostLacking(pieces, this.#sites);
    }
    row.state = state;
    row.overwrittenBy = overwrittenBy;
    return { origin, row, uncoveredKwh: sum((piece) => piece.uncoveredKwh), assessedMs, inBandMs, deliveredAlongKwh };
  }
}

function sumOfCauses(pieces: readonly AwardAccount[]): Float64Array {
  const sum = new Float64Array(CAUSES.length);
  for (const { shortfallByCause } of pieces) for (let c = 0; c < sum.length; c++) sum[c] += shortfallByCause[c];
  return sum;
}

const runKey = ({ vpp, sku }: AwardSpec): string => `${vpp} ${sku}`;

/** When the assessment of each award begins: the SKU's response time counts once per contiguous run of it in a VPP. */
function assessmentStarts(awards: readonly AwardSpec[]): Map<AwardSpec, EpochMs> {
  const starts = new Map<AwardSpec, EpochMs>();
  const runs = new Map<string, { startMs: EpochMs; endMs: EpochMs }>();
  const sorted = awards.map((award, order) => ({ award, order }));
  sorted.sort((a, b) => a.award.startMs - b.award.startMs || a.order - b.order);
  for (const { award } of sorted) {
    const key = runKey(award);
    const run = runs.get(key);
    const startMs = run !== undefined && run.endMs === award.startMs ? run.startMs : award.startMs;
    runs.set(key, { startMs, endMs: award.endMs });
    starts.set(award, startMs + responseTimeMs(award.sku));
  }
  return starts;
}

/** A price or share over a period: as it is, or the mean of its series; 0 where there is none. */
export function meanOver(value: NumberOrSeries | null, fromMs: EpochMs, toMs: EpochMs): number {
  if (value === null) return 0;
  if (!(value instanceof Series)) return value;
  return toMs <= fromMs ? 0 : (value.integral(fromMs, toMs) * MS_PER_HOUR) / (toMs - fromMs);
}
