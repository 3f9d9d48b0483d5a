import type { Refusal } from "../../../base/result.ts";
import { type EpochMs, MS_PER_DAY, MS_PER_SECOND } from "../../../base/time.ts";
import type { World } from "../../../engine/simulation/world.ts";
import type { Answer } from "../route.ts";
import { jsonStream } from "./jsonStream.ts";
import { floorToSecond, readWireTime, wireTime } from "./wireTime.ts";

/** The period of a history request, in whole seconds. */
export interface HistoryPeriod {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** Limits of one kind of history. */
export interface HistoryLimits {
  readonly periodMinMs: number;
  readonly retentionDays: number;
  /** Maximum records in one answer. */
  readonly recordsMax: number;
  /** Maximum records times sites in one answer; `Infinity` where there is one site. */
  readonly siteRecordsMax: number;
}

/** Limits of a history of one site. */
export const siteHistoryLimits = (retentionDays: number): HistoryLimits => ({
  periodMinMs: 1000,
  retentionDays,
  recordsMax: 30_000,
  siteRecordsMax: Number.POSITIVE_INFINITY,
});

const PERIOD_MAX_DAYS = 31;

export const readPeriod = (body: { readonly start_time: string; readonly end_time: string }): HistoryPeriod => ({
  startMs: readWireTime(body.start_time),
  endMs: readWireTime(body.end_time),
});

/** The part of a period that lies in the past: a period may end after now (docs/model/apis.md#history-periods). */
export const elapsedPart = ({ startMs, endMs }: HistoryPeriod, nowMs: EpochMs): HistoryPeriod => ({
  startMs,
  endMs: Math.min(endMs, floorToSecond(nowMs)),
});

/** The instants of a power history: from the start in steps of the interval, before the end, up to and including now. */
export function* sampleInstants(
  { startMs, endMs }: HistoryPeriod,
  intervalMs: number,
  nowMs: EpochMs,
): Iterable<EpochMs> {
  for (let atMs = startMs; atMs < endMs && atMs <= nowMs; atMs += intervalMs) yield atMs;
}

/**
 * The records of an energy history: the intervals that are complete. Without an interval it is one record, which ends
 * now if the period ends later.
 *
 * @param intervalMs  `null`: none requested
 */
export function* energyIntervals(
  period: HistoryPeriod,
  intervalMs: number | null,
  nowMs: EpochMs,
): Iterable<HistoryPeriod> {
  const elapsed = elapsedPart(period, nowMs);
  if (intervalMs === null) {
    if (elapsed.startMs < elapsed.endMs) yield elapsed;
    return;
  }
  for (let { startMs } = period; startMs < period.endMs; startMs += intervalMs) {
    const endMs = Math.min(startMs + intervalMs, period.endMs);
    if (elapsed.endMs < endMs) return;
    yield { startMs, endMs };
  }
}

/** Records of a period: one at its start and one after each whole interval inside it. */
const recordCount = ({ startMs, endMs }: HistoryPeriod, intervalMs: number): number =>
  Math.ceil((endMs - startMs) / intervalMs);

/**
 * Rules for a history request whose shape is valid, in the order of docs/model/apis.md#check-order: rules on the
 * request alone precede rules on the present time.
 */
export function historyRefusal(
  period: HistoryPeriod,
  { intervalMs, sites, nowMs }: { intervalMs: number; sites: number; nowMs: EpochMs },
  limits: HistoryLimits,
): Refusal | null {
  return (
    periodRefusal(period, limits) ??
    recordCountRefusal(recordCount(period, intervalMs), sites, limits) ??
    retentionRefusal(period, nowMs, limits)
  );
}

function periodRefusal({ startMs, endMs }: HistoryPeriod, { periodMinMs }: HistoryLimits): Refusal | null {
  const lengthMs = endMs - startMs;
  const periodMinS = periodMinMs / MS_PER_SECOND;
  const validRange = `${periodMinS} second${periodMinS === 1 ? "" : "s"} to ${PERIOD_MAX_DAYS} days`;
  if (lengthMs < periodMinMs)
    return {
      kind: "invalid_parameter",
      details: `end_time must be at least ${periodMinS} second${periodMinS === 1 ? "" : "s"} after start_time`,
      parameter: "end_time",
      receivedValue: wireTime(endMs),
      validRange,
    };
  if (lengthMs <= PERIOD_MAX_DAYS * MS_PER_DAY) return null;
  return {
    kind: "period_too_long",
    details: `The period is ${lengthMs / MS_PER_DAY} days long; at most ${PERIOD_MAX_DAYS} days are allowed`,
    parameter: "end_time - start_time",
    receivedValue: `${lengthMs / MS_PER_SECOND} seconds`,
    validRange,
    requiredAction: "Request a shorter period",
  };
}

function recordCountRefusal(records: number, sites: number, limits: HistoryLimits): Refusal | null {
  const isCombined = records <= limits.recordsMax;
  if (isCombined && records * sites <= limits.siteRecordsMax) return null;
  const limit = isCombined ? limits.siteRecordsMax : limits.recordsMax;
  return {
    kind: "data_points_exceeded",
    details: isCombined
      ? `${records} records of ${sites} members are ${records * sites}; at most ${limit} are allowed`
      : `The answer would hold ${records} records; at most ${limit} are allowed`,
    parameter: "interval_seconds",
    receivedValue: isCombined ? records * sites : records,
    validRange: `1 to ${limit}`,
    requiredAction: "Request a shorter period, a longer interval or fewer members",
  };
}

function retentionRefusal(
  { startMs }: HistoryPeriod,
  nowMs: EpochMs,
  { retentionDays }: HistoryLimits,
): Refusal | null {
  const now = floorToSecond(nowMs);
  const oldest = now - retentionDays * MS_PER_DAY;
  const validRange = `${wireTime(oldest)} to ${wireTime(now)}`;
  if (now < startMs)
    return {
      kind: "invalid_parameter",
      details: `start_time is after now, which is ${wireTime(now)}`,
      parameter: "start_time",
      receivedValue: wireTime(startMs),
      validRange,
    };
  if (oldest <= startMs) return null;
  return {
    kind: "data_not_available",
    details: `Data is kept for ${retentionDays} days; the oldest is from ${wireTime(oldest)}`,
    parameter: "start_time",
    receivedValue: wireTime(startMs),
    validRange,
    requiredAction: "Request a later period",
  };
}

/** What an answer of site API 2.2 and of the VPP API repeats of its request. */
export const repeatedRequest = (
  { request_id }: { readonly request_id?: string },
  { startMs, endMs }: HistoryPeriod,
): { readonly request_id: string | null; readonly start_time: string; readonly end_time: string } => ({
  request_id: request_id ?? null,
  start_time: wireTime(startMs),
  end_time: wireTime(endMs),
});

/** A history in pieces. @param records  each as JSON text */
export const historyAnswer = ({ nowMs }: World, head: object, records: Iterable<string>): Answer => ({
  status: 200,
  body: null,
  stream: jsonStream(head, "data", records, { timestamp: wireTime(nowMs) }),
});
