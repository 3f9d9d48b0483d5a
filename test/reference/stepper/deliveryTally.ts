// Request, delivery and shortfall of one instruction, with the causes: docs/model/accounting.md#attribution, summed step by step.
import { CAUSES, type Cause } from "../../../src/accounting/settlement/causes.ts";
import { slotKw } from "./plan.ts";
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
  /** Never part of the allocation, whatever its service state: baseline missing or incompatible. */
  readonly exclusion: "baseline_missing" | "incompatible" | null;
  status: EntryStatus;
  /** What the VPP last saw. */
  wasSeenInService: boolean;
  /** The dispatch in force, in kW; FCR capacity beside it or alone. */
  deltaKw: number | null;
  fcrCapacityKw: number | null;
  /** How far the plant may go when it can; `null`: the dispatch. Only a PV plant that follows the sun has it (docs/model/pv.md#set-point-follow). */
  setpointCeilingKw: number | null;
  /** Which parts of the instruction it takes part in (docs/model/allocation.md#compound). */
  readonly hasDelta: boolean;
  readonly hasFcr: boolean;
  /** Whether it could take part in the delta, were it in service and had it a baseline. */
  readonly canServeDelta: boolean;
  fcrLimit: Cause;
  /** What bounded the delta when it was dispatched. */
  deltaLimit: Cause;
  /** Whether the last set-point was lost or refused: what was in force before it then still is. */
  lastSetpoint: "taken" | "lost" | "refused";
}

export interface Tally {
  readonly requestKw: number;
  readonly registration: number;
  readonly hasDelta: boolean;
  /** Share of the request that is called for now, 0..1; the shortfall is counted against it (docs/model/accounting.md#requested-and-reserved). */
  activation: number;
  requestedKwh: number;
  readonly members: MemberTally[];
  /** |D| split by weight over the members with weight that can serve it, kW; `null`: nobody can, for this cause. */
  readonly reference: readonly number[] | NobodyCause;
  /** Of each member: what kept it below its reference at the last (re)dispatch, and how much of the gap it bears at full activation. */
  allocationGaps: readonly AllocationGap[];
  deliveredKwh: number;
  shortfallKwh: number;
  excessKwh: number;
  executedMs: number;
  readonly byCause: Float64Array;
  interval: ConstantInterval | null;
}

type NobodyCause = "no_member" | "incompatible";

interface AllocationGap {
  /** `null`: the gap is nobody's. */
  readonly entry: MemberTally | null;
  readonly kw: number;
  readonly cause: Cause;
}

/** A time in which no cause changes. */
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
    reference: splitByWeight(requestKw, members, ({ canServeDelta }) => canServeDelta),
    allocationGaps: [],
    deliveredKwh: 0,
    shortfallKwh: 0,
    excessKwh: 0,
    executedMs: 0,
    byCause: new Float64Array(CAUSES.length),
    interval: null,
  };
}

/** |kW| split by weight over the members that can serve it, in service or not. */
function splitByWeight(
  kw: number,
  entries: readonly MemberTally[],
  canServe: (entry: MemberTally) => boolean,
): readonly number[] | NobodyCause {
  if (entries.every(({ weight }) => weight === 0)) return "no_member";
  const total = entries.filter(canServe).reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return "incompatible";
  return entries.map((entry) => (canServe(entry) ? (Math.abs(kw) * entry.weight) / total : 0));
}

/** To be called after each (re)dispatch: a new piece begins, with the gaps of this dispatch. */
export function noteDispatch(tally: Tally): void {
  closeInterval(tally);
  const dispatchedKw = tally.members.map(({ deltaKw }) => Math.abs(deltaKw ?? 0));
  tally.allocationGaps = allocationGaps(tally.members, Math.abs(tally.requestKw), dispatchedKw, {
    reference: tally.reference,
    limitOf: ({ deltaLimit }) => deltaLimit,
  });
}

/** Docs/model/accounting.md#attribution, stage 1: what was dispatched to no member, by the members whose set-point is below their part, with the cause. */
function allocationGaps(
  members: readonly MemberTally[],
  requestKw: number,
  dispatchedKw: readonly number[],
  { reference, limitOf }: { reference: readonly number[] | NobodyCause; limitOf: (entry: MemberTally) => Cause },
): readonly AllocationGap[] {
  const gapKw = requestKw - dispatchedKw.reduce((sum, kw) => sum + kw, 0);
  if (gapKw <= 1e-9) return [];
  if (typeof reference === "string") return [{ entry: null, kw: gapKw, cause: reference }];
  const below = reference.map((kw, k) => Math.max(0, kw - dispatchedKw[k]));
  const total = below.reduce((sum, kw) => sum + kw, 0);
  return members.map((entry, k) => ({
    entry,
    kw: (gapKw * below[k]) / total,
    cause: undispatchedCause(entry) ?? limitOf(entry),
  }));
}

/** Why no set-point reached a member, or its last one is out of date; `null`: its set-point is all that it can do. */
function undispatchedCause({ wasSeenInService, lastSetpoint, baselineKw }: MemberTally): Cause | null {
  if (!wasSeenInService) return "out_of_service";
  if (baselineKw === null) return "baseline_missing";
  if (lastSetpoint === "refused") return "refused";
  return lastSetpoint === "lost" ? "delivery_failed" : null;
}

/** Adds the step [atMs, atMs + stepMs) after every plant was moved over it. */
export function addStep(tally: Tally, atMs: number, stepMs: number): void {
  const hours = stepMs / 3_600_000;
  tally.executedMs += stepMs;
  if (!tally.hasDelta) return;
  const sign = Math.sign(tally.requestKw);
  const creditedKw = tally.members.map((entry) => sign * deliveredKw(entry, tally.registration, atMs));
  const { activation } = tally;
  const requestedKw = Math.abs(tally.requestKw) * activation;
  const delivered = creditedKw.reduce((sum, kw) => sum + kw, 0);
  const gapKw = Math.max(0, requestedKw - delivered);
  tally.requestedKwh += sign * requestedKw * hours;
  tally.deliveredKwh += sign * delivered * hours;
  tally.shortfallKwh += gapKw * hours;
  tally.excessKwh += Math.max(0, delivered - requestedKw) * hours;

  const gaps = [
    ...tally.allocationGaps.map(({ kw, cause }) => ({ kw: kw * activation, cause })),
    ...tally.members.map((entry, k) => deliveryGap(entry, tally, creditedKw[k], sign)),
  ];
  const away = tally.members.map(({ plant, deltaKw }) => deltaKw !== null && !isInService(plant));
  const signature = [...away, ...gaps.map(({ cause, kw }) => (kw > 1e-9 ? cause : "-"))].join();
  if (tally.interval?.signature !== signature) {
    closeInterval(tally);
    tally.interval = { signature, gapKwh: 0, shortfallKwh: new Float64Array(CAUSES.length) };
  }
  const piece = tally.interval!;
  piece.gapKwh += gapKw * hours;
  for (const { cause, kw } of gaps) piece.shortfallKwh[CAUSES.indexOf(cause)] += kw * hours;
}

/** Docs/model/accounting.md#attribution, stage 2: what was dispatched to a member and is not delivered. */
function deliveryGap(entry: MemberTally, { activation, registration }: Tally, creditedKw: number, sign: number) {
  const { plant } = entry;
  const kw = Math.max(0, Math.abs(entry.deltaKw ?? 0) * activation - creditedKw);
  if (entry.deltaKw === null) return { kw: 0, cause: "power_limit" as const };
  if (!isInService(plant)) return { kw, cause: "out_of_service" as const };
  return { kw, cause: (sign > 0 ? plant.limitUp : plant.limitDown) ?? unlimitedCause(plant, registration) };
}

/** Splits the gap of the piece so far over its causes. */
export function closeInterval(tally: Tally): void {
  if (tally.interval === null) return;
  const { gapKwh, shortfallKwh } = tally.interval;
  const total = shortfallKwh.reduce((sum, kwh) => sum + kwh, 0);
  if (total > 0) for (let k = 0; k < shortfallKwh.length; k++) tally.byCause[k] += (shortfallKwh[k] * gapKwh) / total;
  tally.interval = null;
}

/** The execution snapshot by cause: stage 1 alone (docs/model/accounting.md#attribution-of-uncovered). */
export const uncoveredByCause = (tally: Tally): Float64Array => sumByCause(tally.allocationGaps);

/** The same for FCR capacity, over those that can hold it. */
export function fcrUncoveredByCause({ members }: Tally, requestedKw: number): Float64Array {
  const reference = splitByWeight(requestedKw, members, ({ hasFcr }) => hasFcr);
  const held = members.map(({ fcrCapacityKw }) => fcrCapacityKw ?? 0);
  return sumByCause(allocationGaps(members, requestedKw, held, { reference, limitOf: ({ fcrLimit }) => fcrLimit }));
}

function sumByCause(gaps: readonly AllocationGap[]): Float64Array {
  const sum = new Float64Array(CAUSES.length);
  for (const { cause, kw } of gaps) sum[CAUSES.indexOf(cause)] += kw;
  return sum;
}

/** Signed kW that a member counts for: with a dispatch in force and in service (docs/model/connection-point.md#instructed-baseline, docs/model/accounting.md#delivered). */
function deliveredKw(entry: MemberTally, registration: number, atMs: number): number {
  const { plant, deltaKw } = entry;
  if (deltaKw === null || !isInService(plant)) return 0;
  // Where orders share a site, its baseline is that of the oldest (docs/model/overlap.md#coexisting).
  const reportedKw = plant.component.kind === "consumer" ? slotKw(plant, atMs) : (plant.orders[0].baselineKw ?? 0);
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

function inServingOrder(held: readonly HeldOrder[]): HeldOrder[] {
  const rank = ({ sku }: HeldOrder) => (sku === null ? SERVED_FIRST.length : SERVED_FIRST.indexOf(sku));
  return held.filter(({ sku }) => sku !== "fcr").sort((a, b) => rank(a) - rank(b) || a.registration - b.registration);
}

/** Each order has its delta; a shortfall or excess is the last one's, then the one's before (docs/model/frequency-response.md#reduced-deltas, docs/model/frequency-response.md#coexisting). */
function creditedKw(held: readonly HeldOrder[], registration: number, deliveredKw: number): number {
  const served = inServingOrder(held);
  const credits = served.map(({ deltaKw, activation }) => deltaKw * activation);
  const signs = served.map(({ sign }) => sign);
  let excess = deliveredKw - credits.reduce((sum, kw) => sum + kw, 0);
  const lastCredit = credits.length - 1;
  for (let k = lastCredit; k >= 0 && excess !== 0; k--) {
    if (excess * signs[k] > 0) {
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

/** The cause where no limit keeps the plant from its set-point: what is served before takes the power, or the load does. */
function unlimitedCause({ orders, component }: ReferencePlant, registration: number): Cause {
  const served = inServingOrder(orders);
  const before = served.slice(
    0,
    served.findIndex((order) => order.registration === registration),
  );
  if (before.some(({ deltaKw, activation }) => deltaKw * activation !== 0)) return "other_award";
  return component.kind === "battery" && component.auxiliaryKw !== 0 ? "load_deviation" : "power_limit";
}
