// What one instruction asked, got and lacked, and why: accounting.md §1, summed step by step.
import { CAUSES, type Cause } from "../../../src/record/causes.ts";
import { planKw } from "./plan.ts";
import { inService, type Plant } from "./plant.ts";

export type EntryStatus =
  | "dispatched"
  | "out_of_service"
  | "weight_zero"
  | "baseline_missing"
  | "incompatible"
  | "refused"
  | "failed";

/** One member in one instruction, as of its execution. */
export interface Entry {
  readonly plant: Plant;
  readonly weight: number;
  readonly baselineKw: number | null;
  /** Never part of the sharing, whatever its service state: baseline missing or incompatible. */
  readonly excluded: "baseline_missing" | "incompatible" | null;
  status: EntryStatus;
  /** What the VPP last saw. */
  seenInService: boolean;
  /** The dispatch in force. */
  deltaKw: number | null;
  /** What bounded the delta when it was dispatched. */
  dispatchBound: Cause;
}

export interface Tally {
  readonly requestKw: number;
  /** Share of the request that is called for now, 0..1; what is lacking is counted against it (decisions.md 155). */
  activation: number;
  requestedKwh: number;
  readonly entries: Entry[];
  /** |D| split by weight over all members with weight, kW. */
  readonly entitlementKw: number[];
  deliveredKwh: number;
  shortfallKwh: number;
  excessKwh: number;
  executedMs: number;
  readonly byCause: Float64Array;
  piece: Piece | null;
}

/** A stretch in which no member's status, dispatch or cause changes. */
interface Piece {
  readonly signature: string;
  gapKwh: number;
  readonly lackKwh: Float64Array;
}

export function newTally(requestKw: number, activation: number, entries: Entry[]): Tally {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  return {
    requestKw,
    activation,
    requestedKwh: 0,
    entries,
    entitlementKw: entries.map(({ weight }) => (total > 0 ? (Math.abs(requestKw) * weight) / total : 0)),
    deliveredKwh: 0,
    shortfallKwh: 0,
    excessKwh: 0,
    executedMs: 0,
    byCause: new Float64Array(CAUSES.length),
    piece: null,
  };
}

/** Adds the step [atMs, atMs + stepMs) after every plant was moved over it. */
export function addStep(tally: Tally, atMs: number, stepMs: number): void {
  const hours = stepMs / 3_600_000;
  const sign = tally.requestKw < 0 ? -1 : 1;
  const creditedKw = tally.entries.map((entry) => sign * deliveredKw(entry, atMs));
  const { activation } = tally;
  const askedKw = Math.abs(tally.requestKw) * activation;
  const lacks = tally.entries.flatMap((entry, k) =>
    lacksOf(entry, tally.entitlementKw[k] * activation, Math.abs(entry.deltaKw ?? 0) * activation, creditedKw[k], sign),
  );
  const delivered = creditedKw.reduce((sum, kw) => sum + kw, 0);
  const gapKw = Math.max(0, askedKw - delivered);
  tally.requestedKwh += sign * askedKw * hours;
  tally.deliveredKwh += sign * delivered * hours;
  tally.shortfallKwh += gapKw * hours;
  tally.excessKwh += Math.max(0, delivered - askedKw) * hours;
  tally.executedMs += stepMs;

  const sharers = tally.entries.filter(({ weight }) => weight > 0);
  const states = sharers.map(({ plant, status, deltaKw }) => `${inService(plant)} ${status} ${deltaKw}`);
  const signature = [...states, ...lacks.map(({ cause, kw }) => (kw > 1e-9 ? cause : "-"))].join();
  if (tally.piece?.signature !== signature) {
    closePiece(tally);
    tally.piece = { signature, gapKwh: 0, lackKwh: new Float64Array(CAUSES.length) };
  }
  const piece = tally.piece!;
  piece.gapKwh += gapKw * hours;
  for (const { cause, kw } of lacks) piece.lackKwh[CAUSES.indexOf(cause)] += kw * hours;
  if (tally.entries.every(({ weight }) => weight === 0)) piece.lackKwh[CAUSES.indexOf("no_member")] += gapKw * hours;
}

/** Splits the gap of the piece so far over its causes. */
export function closePiece(tally: Tally): void {
  if (tally.piece === null) return;
  const { gapKwh, lackKwh } = tally.piece;
  const total = lackKwh.reduce((sum, kwh) => sum + kwh, 0);
  if (total > 0) for (let k = 0; k < lackKwh.length; k++) tally.byCause[k] += (lackKwh[k] * gapKwh) / total;
  tally.piece = null;
}

/** The execution snapshot by cause: what is not dispatched, first layer only (accounting.md §1, item 5). */
export function uncoveredByCause(tally: Tally, uncoveredKw: number): Float64Array {
  const lacking = new Float64Array(CAUSES.length);
  tally.entries.forEach((entry, k) => {
    const kw = Math.max(0, tally.entitlementKw[k] - Math.abs(entry.deltaKw ?? 0));
    lacking[CAUSES.indexOf(statusCause(entry) ?? entry.dispatchBound)] += kw;
  });
  if (tally.entries.every(({ weight }) => weight === 0)) lacking[CAUSES.indexOf("no_member")] = Math.abs(uncoveredKw);
  const total = lacking.reduce((sum, kw) => sum + kw, 0);
  return total > 0 ? lacking.map((kw) => (kw * Math.abs(uncoveredKw)) / total) : lacking;
}

/** Signed kW that a member counts for: with a dispatch in force and in service (decisions.md 81, 83). */
function deliveredKw(entry: Entry, atMs: number): number {
  const { plant, deltaKw } = entry;
  if (deltaKw === null || !inService(plant)) return 0;
  const reportedKw = plant.component.kind === "consumer" ? planKw(plant.site, atMs) : (entry.baselineKw ?? 0);
  return plant.powerKw - reportedKw;
}

function lacksOf(entry: Entry, entitlementKw: number, toldKw: number, creditedKw: number, sign: number) {
  // One without weight has no share to lack.
  if (entry.weight === 0) return [];
  const lackKw = Math.max(0, entitlementKw - creditedKw);
  const cause = statusCause(entry);
  if (cause !== null) return [{ cause, kw: lackKw }];
  const atDispatchKw = Math.min(lackKw, Math.max(0, entitlementKw - toldKw));
  const nowBound = (sign > 0 ? entry.plant.boundUp : entry.plant.boundDown) ?? "power_limit";
  return [
    { cause: entry.dispatchBound, kw: atDispatchKw },
    { cause: nowBound, kw: lackKw - atDispatchKw },
  ];
}

/** The causes that a member's state alone decides, in their order; `null`: look at its power. */
function statusCause(entry: Entry): Cause | null {
  if (!inService(entry.plant) || !entry.seenInService) return "out_of_service";
  if (entry.excluded !== null) return entry.excluded;
  if (entry.status === "refused") return "refused";
  if (entry.status === "failed") return "delivery_failed";
  return null;
}
