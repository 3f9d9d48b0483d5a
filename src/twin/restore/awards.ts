import type { VppSchedules } from "../../api/client/index.ts";
import { canonicalJson } from "../../base/canonicalJson.ts";
import { type EpochMs, isoUtc, MS_PER_MINUTE } from "../../base/time.ts";
import { clipPeriods, mergePeriods, type Period } from "../read/historyWindows.ts";
import { runsOf, type SiteSamples } from "./siteSamples.ts";

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
  const groups = new Map<string, Schedule[]>();
  for (const schedule of schedules) {
    const { created_at, sku, delta_kw, fcr_response_kw, compound_breakdown } = schedule;
    const key = canonicalJson([created_at, sku, delta_kw, fcr_response_kw, compound_breakdown]);
    groups.set(key, [...(groups.get(key) ?? []), schedule]);
  }
  return [...groups.values()]
    .flatMap((pieces) => joinPieces(pieces, schedules))
    .filter(({ startMs, endMs }) => startMs < period.endMs && period.startMs < endMs)
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
  readonly lastMs: EpochMs;
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
  const states = orderStates(samplesOf);
  const instants = [...states.keys()].sort((a, b) => a - b);
  const isUnknown = (k: number) =>
    (states.get(instants[k])?.emsIds.length ?? 0) > 0 &&
    clipPeriods(known, { startMs: instants[k], endMs: instants[k] + 1 }).length === 0;
  return runsOf(instants.length, isUnknown).flatMap(({ first, last }) => {
    const parts: UnknownOrder[] = [];
    for (let k = first; k <= last; k++) {
      const { emsIds, amounts } = states.get(instants[k]) ?? NO_ORDER;
      const part = parts.at(-1);
      if (part !== undefined && canonicalJson(part.amounts) === canonicalJson(amounts))
        parts[parts.length - 1] = { ...part, lastMs: instants[k] };
      else
        parts.push({ firstMs: instants[k], lastMs: instants[k], beforeMs: instants[k - 1] ?? null, emsIds, amounts });
    }
    return parts;
  });
}

interface OrderState {
  readonly emsIds: readonly string[];
  readonly amounts: Amounts;
}

const NO_ORDER: OrderState = { emsIds: [], amounts: { sku: null } };

/** What is in force at each instant, over all members. */
function orderStates(samplesOf: ReadonlyMap<string, SiteSamples>): ReadonlyMap<EpochMs, OrderState> {
  const states = new Map<
    EpochMs,
    { emsIds: string[]; skus: Set<string | null>; deltaTenths: number; fcrTenths: number }
  >();
  for (const [emsId, samples] of samplesOf)
    samples.atMs.forEach((atMs, row) => {
      const state = states.get(atMs) ?? { emsIds: [], skus: new Set(), deltaTenths: 0, fcrTenths: 0 };
      states.set(atMs, state);
      if (!samples.isInOrder(row)) return;
      state.emsIds.push(emsId);
      state.skus.add(samples.sku[row]);
      state.deltaTenths += Math.round(10 * (samples.values.dispatched_delta_kw[row] || 0));
      state.fcrTenths += Math.round(10 * (samples.values.fcr_response_kw[row] || 0));
    });
  return new Map(
    [...states].map(([atMs, { emsIds, skus, deltaTenths, fcrTenths }]) => {
      const [sku] = skus.size === 1 ? skus : [null];
      const hasFcr = fcrTenths > 0 && sku !== null;
      const amounts: Amounts = {
        sku: sku ?? null,
        ...(hasFcr && FCR_ALONE.has(sku) ? {} : { delta_kw: deltaTenths / 10 }),
        ...(hasFcr ? { fcr_response_kw: fcrTenths / 10 } : {}),
      };
      return [atMs, { emsIds, amounts }];
    }),
  );
}

/** Products without a delta. */
const FCR_ALONE: ReadonlySet<string> = new Set(["fcr"]);

/**
 * An order of the history as an award. Immediate instructions last whole minutes, so the end is the first one after the last sample.
 *
 * @param startMs  searched to the second
 * @param number  from 1
 */
export function reconstructedAward({ lastMs, amounts }: UnknownOrder, startMs: EpochMs, number: number): RestoredAward {
  const minutes = Math.floor((lastMs - startMs) / MS_PER_MINUTE) + 1;
  return {
    awardId: `reconstructed-${number}`,
    registeredMs: startMs,
    startMs,
    endMs: startMs + minutes * MS_PER_MINUTE,
    amounts,
  };
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
