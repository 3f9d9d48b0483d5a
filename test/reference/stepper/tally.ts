// What one instruction asked, got and lacked, and why: accounting.md §1, summed step by step.
import { CAUSES, type Cause } from "../../../src/accounting/settlement/causes.ts";
import { planKw } from "./plan.ts";
import { type Held, inService, type Plant } from "./plant.ts";

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
  /** The dispatch in force, in kW; a width of frequency response beside it or alone. */
  deltaKw: number | null;
  widthKw: number | null;
  /** How far the plant may go when it can; `null`: the dispatch. Only an array that follows the sun has it (decisions.md 118). */
  reachKw: number | null;
  /** Which parts of the instruction it takes part in (decisions.md 19). */
  readonly takesDelta: boolean;
  readonly takesWidth: boolean;
  widthBound: Cause;
  /** What bounded the delta when it was dispatched. */
  dispatchBound: Cause;
}

export interface Tally {
  readonly requestKw: number;
  readonly registration: number;
  readonly hasDelta: boolean;
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

export function newTally(
  given: Pick<Tally, "requestKw" | "registration" | "hasDelta" | "activation">,
  entries: Entry[],
): Tally {
  const { requestKw } = given;
  return {
    ...given,
    requestedKwh: 0,
    entries,
    entitlementKw: entitlements(requestKw, entries),
    deliveredKwh: 0,
    shortfallKwh: 0,
    excessKwh: 0,
    executedMs: 0,
    byCause: new Float64Array(CAUSES.length),
    piece: null,
  };
}

/** |kW| split by weight over all members with weight. */
function entitlements(kw: number, entries: readonly Entry[]): number[] {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  return entries.map(({ weight }) => (total > 0 ? (Math.abs(kw) * weight) / total : 0));
}

/** Adds the step [atMs, atMs + stepMs) after every plant was moved over it. */
export function addStep(tally: Tally, atMs: number, stepMs: number): void {
  const hours = stepMs / 3_600_000;
  tally.executedMs += stepMs;
  if (!tally.hasDelta) return;
  const sign = Math.sign(tally.requestKw);
  const creditedKw = tally.entries.map((entry) => sign * deliveredKw(entry, tally.registration, atMs));
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
export const uncoveredByCause = (tally: Tally, uncoveredKw: number): Float64Array =>
  snapshot(tally, uncoveredKw, (entry, k) => ({
    kw: tally.entitlementKw[k] - Math.abs(entry.deltaKw ?? 0),
    cause: statusCause(entry) ?? (entry.takesDelta ? entry.dispatchBound : "incompatible"),
  }));

/** The same for a width. */
export function widthUncoveredByCause(tally: Tally, widthKw: number, uncoveredKw: number): Float64Array {
  const entitledKw = entitlements(widthKw, tally.entries);
  return snapshot(tally, uncoveredKw, (entry, k) => ({
    kw: entitledKw[k] - (entry.widthKw ?? 0),
    cause: statusCause(entry) ?? (entry.takesWidth ? entry.widthBound : "incompatible"),
  }));
}

function snapshot(
  tally: Tally,
  uncoveredKw: number,
  lackOf: (entry: Entry, k: number) => { readonly kw: number; readonly cause: Cause },
): Float64Array {
  const lacking = new Float64Array(CAUSES.length);
  tally.entries.forEach((entry, k) => {
    const { kw, cause } = lackOf(entry, k);
    lacking[CAUSES.indexOf(cause)] += Math.max(0, kw);
  });
  if (tally.entries.every(({ weight }) => weight === 0)) lacking[CAUSES.indexOf("no_member")] = Math.abs(uncoveredKw);
  const total = lacking.reduce((sum, kw) => sum + kw, 0);
  return total > 0 ? lacking.map((kw) => (kw * Math.abs(uncoveredKw)) / total) : lacking;
}

/** Signed kW that a member counts for: with a dispatch in force and in service (decisions.md 81, 83). */
function deliveredKw(entry: Entry, registration: number, atMs: number): number {
  const { plant, deltaKw } = entry;
  if (deltaKw === null || !inService(plant)) return 0;
  // Where orders share a site, its baseline is that of the oldest (decisions.md 43).
  const reportedKw = plant.component.kind === "consumer" ? planKw(plant.site, atMs) : (plant.held[0].baselineKw ?? 0);
  return creditedKw(plant.held, registration, plant.powerKw - reportedKw - plant.givenKw);
}

const SERVED_FIRST = [
  "fcr",
  "s-frr",
  "frr",
  "compound",
  "rr",
  "rr-fit",
  "negawatt-spot",
  "exchange-da",
  "exchange-ttv",
];

/** Each order has its delta; what lacks or exceeds is the last one's, then the one's before (decisions.md 44, 121). */
function creditedKw(held: readonly Held[], registration: number, deliveredKw: number): number {
  const rank = ({ sku }: Held) => (sku === null ? SERVED_FIRST.length : SERVED_FIRST.indexOf(sku));
  const served = held
    .filter(({ sku }) => sku !== "fcr")
    .sort((a, b) => rank(a) - rank(b) || a.registration - b.registration);
  const credits = served.map(({ deltaKw, activation }) => deltaKw * activation);
  let excess = deliveredKw - credits.reduce((sum, kw) => sum + kw, 0);
  const lastCredit = credits.length - 1;
  for (let k = lastCredit; k >= 0 && excess !== 0; k--) {
    if (excess * credits[k] >= 0) {
      credits[k] += excess;
      excess = 0;
    } else {
      const taken = Math.sign(excess) * Math.min(Math.abs(excess), Math.abs(credits[k]));
      credits[k] += taken;
      excess -= taken;
    }
  }
  credits[lastCredit] += excess;
  return credits[served.findIndex((order) => order.registration === registration)];
}

function lacksOf(entry: Entry, entitlementKw: number, toldKw: number, creditedKw: number, sign: number) {
  // One without weight has no share to lack.
  if (entry.weight === 0) return [];
  const lackKw = Math.max(0, entitlementKw - creditedKw);
  const cause = statusCause(entry) ?? (entry.takesDelta ? null : "incompatible");
  if (cause !== null) return [{ cause, kw: lackKw }];
  const atDispatchKw = Math.min(lackKw, Math.max(0, entitlementKw - toldKw));
  const nowBound = (sign > 0 ? entry.plant.boundUp : entry.plant.boundDown) ?? unbound(entry.plant);
  return [
    { cause: entry.dispatchBound, kw: atDispatchKw },
    { cause: nowBound, kw: lackKw - atDispatchKw },
  ];
}

/** What is lacking where nothing keeps the plant from what it was told. */
function unbound({ held, component }: Plant): Cause {
  if (held.filter(({ sku }) => sku !== "fcr").length > 1) return "other_award";
  return component.kind === "battery" && component.auxiliaryKw !== 0 ? "load_deviation" : "power_limit";
}

/** The causes that a member's state alone decides, in their order; `null`: look at its power. */
function statusCause(entry: Entry): Cause | null {
  if (!inService(entry.plant) || !entry.seenInService) return "out_of_service";
  if (entry.excluded !== null) return entry.excluded;
  if (entry.status === "refused") return "refused";
  if (entry.status === "failed") return "delivery_failed";
  return null;
}
