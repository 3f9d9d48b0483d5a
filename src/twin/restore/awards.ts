import type { VppSchedules } from "../../api/client/index.ts";
import { canonicalJson } from "../../base/canonicalJson.ts";
import { groupBy } from "../../base/lists.ts";
import { roundKw } from "../../base/rounding.ts";
import { type EpochMs, isoUtc, MS_PER_MINUTE } from "../../base/time.ts";
import { mergePeriods, overlap, type Period } from "../read/historyWindows.ts";
import type { SiteSamples } from "./siteSamples.ts";

export type Schedule = VppSchedules["schedules"][number];

/** An award of the scenario. */
export interface RestoredAward extends Period {
  readonly awardId: string;
  readonly registeredMs: EpochMs;
  readonly amounts: Amounts;
}

interface Amounts {
  readonly sku: string | null;
  readonly delta_kw?: number;
  readonly fcr_response_kw?: number;
  readonly compound_breakdown?: Readonly<Record<string, number>>;
}

export const periodOf = ({ start_time, end_time }: Schedule): Period => ({
  startMs: Date.parse(start_time),
  endMs: Date.parse(end_time),
});

/** Awards of the schedules that begin or run within a period, by registration, then by start. */
export function awardsOf(schedules: readonly Schedule[], period: Period): RestoredAward[] {
  const ofOneAward = groupBy(schedules, ({ created_at, sku, delta_kw, fcr_response_kw, compound_breakdown }) =>
    canonicalJson([created_at, sku, delta_kw, fcr_response_kw, compound_breakdown]),
  );
  return [...ofOneAward.values()]
    .flatMap((pieces) => joinPieces(pieces, schedules))
    .filter((award) => overlap(award, period))
    .map((award) => ({ ...award, startMs: Math.max(award.startMs, period.startMs) }))
    .sort((a, b) => a.registeredMs - b.registeredMs || a.startMs - b.startMs || (a.awardId < b.awardId ? -1 : 1));
}

/** Joins what later schedules have cut out of one award: the replay cuts it again (docs/model/overlap.md#resolution). */
function joinPieces(pieces: readonly Schedule[], all: readonly Schedule[]): RestoredAward[] {
  const inOrder = [...pieces].sort((a, b) => (a.start_time < b.start_time ? -1 : 1));
  const later = mergePeriods(all.filter(({ created_at }) => created_at > pieces[0].created_at).map(periodOf));
  const joined: { first: Schedule; startMs: EpochMs; endMs: EpochMs }[] = [];
  for (const piece of inOrder) {
    const { startMs, endMs } = periodOf(piece);
    const last = joined.at(-1);
    const isCutOut =
      last !== undefined &&
      last.endMs < startMs &&
      later.some((each) => each.startMs <= last.endMs && startMs <= each.endMs);
    if (last !== undefined && isCutOut) last.endMs = endMs;
    else joined.push({ first: piece, startMs, endMs });
  }
  return joined.map(({ first, startMs, endMs }) => ({
    awardId: first.schedule_id,
    registeredMs: Math.min(Date.parse(first.created_at), startMs),
    startMs,
    endMs,
    amounts: amountsOf(first),
  }));
}

const amountsOf = ({ sku, delta_kw, fcr_response_kw, compound_breakdown }: Schedule): Amounts => ({
  sku,
  ...(delta_kw === null ? {} : { delta_kw }),
  ...(fcr_response_kw === null ? {} : { fcr_response_kw }),
  ...(compound_breakdown === null ? {} : { compound_breakdown }),
});

/** Orders that the history alone shows: what the members had in force while no known schedule ran. */
export interface UnknownOrder {
  /** Instants of the first and the last sample that shows it. */
  readonly firstMs: EpochMs;
  lastMs: EpochMs;
  /** The sample before the first one; `null` at the start of the history. */
  readonly beforeMs: EpochMs | null;
  readonly emsIds: readonly string[];
  readonly amounts: Amounts;
}

export function unknownOrders(
  samplesOf: ReadonlyMap<string, SiteSamples>,
  schedules: readonly Schedule[],
): UnknownOrder[] {
  const known = mergePeriods(schedules.map(periodOf));
  const orders: UnknownOrder[] = [];
  let running: UnknownOrder | null = null;
  let beforeMs: EpochMs | null = null;
  for (const { atMs, emsIds, amounts } of ordersInForce(samplesOf)) {
    const isKnown = known.some(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
    if (isKnown || emsIds.length === 0) running = null;
    else if (running !== null && canonicalJson(running.amounts) === canonicalJson(amounts)) running.lastMs = atMs;
    else {
      running = { firstMs: atMs, lastMs: atMs, beforeMs, emsIds, amounts };
      orders.push(running);
    }
    beforeMs = atMs;
  }
  return orders;
}

interface OrdersInForce {
  readonly atMs: EpochMs;
  /** Members that have an order. */
  readonly emsIds: string[];
  readonly skus: Set<string | null>;
  deltaKw: number;
  fcrKw: number;
}

/** What is in force at each instant, over all members, in order of time. */
function ordersInForce(samplesOf: ReadonlyMap<string, SiteSamples>) {
  const inForce = new Map<EpochMs, OrdersInForce>();
  for (const [emsId, samples] of samplesOf)
    samples.atMs.forEach((atMs, row) => {
      const orders = inForce.get(atMs) ?? { atMs, emsIds: [], skus: new Set(), deltaKw: 0, fcrKw: 0 };
      inForce.set(atMs, orders);
      if (!samples.isInOrder(row)) return;
      orders.emsIds.push(emsId);
      orders.skus.add(samples.sku[row]);
      orders.deltaKw = roundKw(orders.deltaKw + (samples.values.dispatched_delta_kw[row] || 0));
      orders.fcrKw = roundKw(orders.fcrKw + (samples.values.fcr_response_kw[row] || 0));
    });
  const inOrder = [...inForce.values()].sort((a, b) => a.atMs - b.atMs);
  return inOrder.map(({ atMs, emsIds, skus, deltaKw, fcrKw }) => {
    const [sku = null] = skus.size === 1 ? skus : [];
    const amounts: Amounts = {
      sku,
      // FCR has no delta.
      ...(fcrKw > 0 && sku === "fcr" ? {} : { delta_kw: deltaKw }),
      ...(fcrKw > 0 && sku !== null ? { fcr_response_kw: fcrKw } : {}),
    };
    return { atMs, emsIds, amounts };
  });
}

/**
 * An order of the history as an award. Immediate instructions last whole minutes, so the end is the first one after the last sample.
 *
 * @param number  from 1
 */
export function reconstructedAward(
  { startMs, lastMs, amounts }: UnknownOrder & Pick<Period, "startMs">,
  number: number,
): RestoredAward {
  const minutes = Math.floor((lastMs - startMs) / MS_PER_MINUTE) + 1;
  const endMs = startMs + minutes * MS_PER_MINUTE;
  return { awardId: `reconstructed-${number}`, registeredMs: startMs, startMs, endMs, amounts };
}

/** An entry of `awards`. */
export const awardEntry = (vpp: string, { awardId, registeredMs, startMs, endMs, amounts }: RestoredAward) => ({
  award_id: awardId,
  vpp,
  start: isoUtc(startMs),
  end: isoUtc(endMs),
  ...amounts,
  registered_at: isoUtc(registeredMs),
});
