// What one instruction asked, got and lacked, and why: docs/model/accounting.md#attribution, summed step by step.
import { CAUSES, type Cause } from "../../../src/accounting/settlement/causes.ts";
import { planKw } from "./plan.ts";
import { type HeldOrder, isInService, type ReferencePlant } from "./referencePlant.ts";

export type EntryStatus =
  | "dispatched"
  | "out_of_service"
  | "weight_zero"
  | "baseline_missing"
  | "incompatible"
  | "refused"
  | "failed";

/** One member in one instruction, as of its execution. */
export interface MemberTally {
  readonly plant: ReferencePlant;
  readonly weight: number;
  readonly baselineKw: number | null;
  /** Never part of the sharing, whatever its service state: baseline missing or incompatible. */
  readonly exclusion: "baseline_missing" | "incompatible" | null;
  status: EntryStatus;
  /** What the VPP last saw. */
  wasSeenInService: boolean;
  /** The dispatch in force, in kW; a width of frequency response beside it or alone. */
  deltaKw: number | null;
  fcrCapacityKw: number | null;
  /** How far the plant may go when it can; `null`: the dispatch. Only an array that follows the sun has it (docs/model/pv.md#set-point-follow). */
  setpointCeilingKw: number | null;
  /** Which parts of the instruction it takes part in (docs/model/allocation.md#compound). */
  readonly hasDelta: boolean;
  readonly hasFcr: boolean;
  fcrLimit: Cause;
  /** What bounded the delta when it was dispatched. */
  deltaLimit: Cause;
}

export interface Tally {
  readonly requestKw: number;
  readonly registration: number;
  readonly hasDelta: boolean;
  /** Share of the request that is called for now, 0..1; what is lacking is counted against it (docs/model/accounting.md#requested-and-reserved). */
  activation: number;
  requestedKwh: number;
  readonly members: MemberTally[];
  /** |D| split by weight over all members with weight, kW. */
  readonly entitlementKw: number[];
  deliveredKwh: number;
  shortfallKwh: number;
  excessKwh: number;
  executedMs: number;
  readonly byCause: Float64Array;
  interval: ConstantInterval | null;
}

/** A stretch in which no member's status, dispatch or cause changes. */
interface ConstantInterval {
  readonly signature: string;
  gapKwh: number;
  readonly shortfallKwh: Float64Array;
}

export function newTally(
  given: Pick<Tally, "requestKw" | "registration" | "hasDelta" | "activation">,
  members: MemberTally[],
): Tally {
  const { requestKw } = given;
  return {
    ...given,
    requestedKwh: 0,
    members,
    entitlementKw: entitlements(requestKw, members),
    deliveredKwh: 0,
    shortfallKwh: 0,
    excessKwh: 0,
    executedMs: 0,
    byCause: new Float64Array(CAUSES.length),
    interval: null,
  };
}

/** |kW| split by weight over all members with weight. */
function entitlements(kw: number, entries: readonly MemberTally[]): number[] {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  return entries.map(({ weight }) => (total > 0 ? (Math.abs(kw) * weight) / total : 0));
}

/** Adds the step [atMs, atMs + stepMs) after every plant was moved over it. */
export function addStep(tally: Tally, atMs: number, stepMs: number): void {
  const hours = stepMs / 3_600_000;
  tally.executedMs += stepMs;
  if (!tally.hasDelta) return;
  const sign = Math.sign(tally.requestKw);
  const creditedKw = tally.members.map((entry) => sign * deliveredKw(entry, tally.registration, atMs));
  const { activation } = tally;
  const askedKw = Math.abs(tally.requestKw) * activation;
  const lacks = tally.members.flatMap((entry, k) =>
    shortfallsOf(
      entry,
      tally.entitlementKw[k] * activation,
      Math.abs(entry.deltaKw ?? 0) * activation,
      creditedKw[k],
      sign,
    ),
  );
  const delivered = creditedKw.reduce((sum, kw) => sum + kw, 0);
  const gapKw = Math.max(0, askedKw - delivered);
  tally.requestedKwh += sign * askedKw * hours;
  tally.deliveredKwh += sign * delivered * hours;
  tally.shortfallKwh += gapKw * hours;
  tally.excessKwh += Math.max(0, delivered - askedKw) * hours;

  const sharers = tally.members.filter(({ weight }) => weight > 0);
  const states = sharers.map(({ plant, status, deltaKw }) => `${isInService(plant)} ${status} ${deltaKw}`);
  const signature = [...states, ...lacks.map(({ cause, kw }) => (kw > 1e-9 ? cause : "-"))].join();
  if (tally.interval?.signature !== signature) {
    closeInterval(tally);
    tally.interval = { signature, gapKwh: 0, shortfallKwh: new Float64Array(CAUSES.length) };
  }
  const piece = tally.interval!;
  piece.gapKwh += gapKw * hours;
  for (const { cause, kw } of lacks) piece.shortfallKwh[CAUSES.indexOf(cause)] += kw * hours;
  if (tally.members.every(({ weight }) => weight === 0))
    piece.shortfallKwh[CAUSES.indexOf("no_member")] += gapKw * hours;
}

/** Splits the gap of the piece so far over its causes. */
export function closeInterval(tally: Tally): void {
  if (tally.interval === null) return;
  const { gapKwh, shortfallKwh } = tally.interval;
  const total = shortfallKwh.reduce((sum, kwh) => sum + kwh, 0);
  if (total > 0) for (let k = 0; k < shortfallKwh.length; k++) tally.byCause[k] += (shortfallKwh[k] * gapKwh) / total;
  tally.interval = null;
}

/** The execution snapshot by cause: what is not dispatched, first layer only (docs/model/accounting.md#attribution, item 5). */
export const uncoveredByCause = (tally: Tally, uncoveredKw: number): Float64Array =>
  snapshot(tally, uncoveredKw, (entry, k) => ({
    kw: tally.entitlementKw[k] - Math.abs(entry.deltaKw ?? 0),
    cause: statusCause(entry) ?? (entry.hasDelta ? entry.deltaLimit : "incompatible"),
  }));

/** The same for a width. */
export function fcrUncoveredByCause(tally: Tally, widthKw: number, uncoveredKw: number): Float64Array {
  const entitledKw = entitlements(widthKw, tally.members);
  return snapshot(tally, uncoveredKw, (entry, k) => ({
    kw: entitledKw[k] - (entry.fcrCapacityKw ?? 0),
    cause: statusCause(entry) ?? (entry.hasFcr ? entry.fcrLimit : "incompatible"),
  }));
}

function snapshot(
  tally: Tally,
  uncoveredKw: number,
  lackOf: (entry: MemberTally, k: number) => { readonly kw: number; readonly cause: Cause },
): Float64Array {
  const lacking = new Float64Array(CAUSES.length);
  tally.members.forEach((entry, k) => {
    const { kw, cause } = lackOf(entry, k);
    lacking[CAUSES.indexOf(cause)] += Math.max(0, kw);
  });
  if (tally.members.every(({ weight }) => weight === 0)) lacking[CAUSES.indexOf("no_member")] = Math.abs(uncoveredKw);
  const total = lacking.reduce((sum, kw) => sum + kw, 0);
  return total > 0 ? lacking.map((kw) => (kw * Math.abs(uncoveredKw)) / total) : lacking;
}

/** Signed kW that a member counts for: with a dispatch in force and in service (docs/model/connection-point.md#instructed-baseline, docs/model/accounting.md#delivered). */
function deliveredKw(entry: MemberTally, registration: number, atMs: number): number {
  const { plant, deltaKw } = entry;
  if (deltaKw === null || !isInService(plant)) return 0;
  // Where orders share a site, its baseline is that of the oldest (docs/model/overlap.md#coexisting).
  const reportedKw = plant.component.kind === "consumer" ? planKw(plant.site, atMs) : (plant.orders[0].baselineKw ?? 0);
  return creditedKw(plant.orders, registration, plant.powerKw - reportedKw - plant.activatedKw);
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

/** Each order has its delta; what lacks or exceeds is the last one's, then the one's before (docs/model/frequency-response.md#yielding-deltas, docs/model/frequency-response.md#coexisting). */
function creditedKw(held: readonly HeldOrder[], registration: number, deliveredKw: number): number {
  const rank = ({ sku }: HeldOrder) => (sku === null ? SERVED_FIRST.length : SERVED_FIRST.indexOf(sku));
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

function shortfallsOf(entry: MemberTally, entitlementKw: number, toldKw: number, creditedKw: number, sign: number) {
  // One without weight has no share to lack.
  if (entry.weight === 0) return [];
  const lackKw = Math.max(0, entitlementKw - creditedKw);
  const cause = statusCause(entry) ?? (entry.hasDelta ? null : "incompatible");
  if (cause !== null) return [{ cause, kw: lackKw }];
  const atDispatchKw = Math.min(lackKw, Math.max(0, entitlementKw - toldKw));
  const nowBound = (sign > 0 ? entry.plant.limitUp : entry.plant.limitDown) ?? unlimitedCause(entry.plant);
  return [
    { cause: entry.deltaLimit, kw: atDispatchKw },
    { cause: nowBound, kw: lackKw - atDispatchKw },
  ];
}

/** What is lacking where nothing keeps the plant from what it was told. */
function unlimitedCause({ orders, component }: ReferencePlant): Cause {
  if (orders.filter(({ sku }) => sku !== "fcr").length > 1) return "other_award";
  return component.kind === "battery" && component.auxiliaryKw !== 0 ? "load_deviation" : "power_limit";
}

/** The causes that a member's state alone decides, in their order; `null`: look at its power. */
function statusCause(entry: MemberTally): Cause | null {
  if (!isInService(entry.plant) || !entry.wasSeenInService) return "out_of_service";
  if (entry.exclusion !== null) return entry.exclusion;
  if (entry.status === "refused") return "refused";
  if (entry.status === "failed") return "delivery_failed";
  return null;
}
