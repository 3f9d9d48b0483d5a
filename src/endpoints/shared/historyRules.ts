import type { Refusal } from "../../base/result.ts";
import { type EpochMs, MS_PER_DAY, MS_PER_SECOND } from "../../base/time.ts";
import { floorToSecond, readWireTime, wireTime } from "./wireTime.ts";

/** What a request for history asks for, in whole seconds. */
export interface HistoryPeriod {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** What one kind of history allows. */
export interface HistoryLimits {
  readonly periodMinMs: number;
  readonly retentionDays: number;
  /** Records of one answer. */
  readonly recordsMax: number;
  /** Records times sites of one answer; `Infinity` where there is one site. */
  readonly siteRecordsMax: number;
}

export const PERIOD_MAX_DAYS = 31;

export const readPeriod = (body: { readonly start_time: string; readonly end_time: string }): HistoryPeriod => ({
  startMs: readWireTime(body.start_time),
  endMs: readWireTime(body.end_time),
});

/** Records of a period: one at its start and one after each whole interval inside it. */
export const recordCount = ({ startMs, endMs }: HistoryPeriod, intervalMs: number): number =>
  Math.ceil((endMs - startMs) / intervalMs);

/**
 * What is wrong with a request for history whose shape is right, in the order of docs/model/apis.md#check-order: what the request alone
 * shows comes before what the clock decides.
 */
export function historyRefusal(
  period: HistoryPeriod,
  { intervalMs, sites, nowMs }: { intervalMs: number; sites: number; nowMs: EpochMs },
  limits: HistoryLimits,
): Refusal | null {
  return (
    refusesPeriod(period, limits) ??
    refusesPoints(recordCount(period, intervalMs), sites, limits) ??
    refusesTime(period, nowMs, limits)
  );
}

function refusesPeriod({ startMs, endMs }: HistoryPeriod, { periodMinMs: shortestMs }: HistoryLimits): Refusal | null {
  const lengthMs = endMs - startMs;
  const shortestS = shortestMs / MS_PER_SECOND;
  const validRange = `${shortestS} second${shortestS === 1 ? "" : "s"} to ${PERIOD_MAX_DAYS} days`;
  if (lengthMs < shortestMs)
    return {
      kind: "invalid_parameter",
      details: `end_time must be at least ${shortestS} second${shortestS === 1 ? "" : "s"} after start_time`,
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
    requiredAction: "Ask for a shorter period",
  };
}

function refusesPoints(points: number, sites: number, limits: HistoryLimits): Refusal | null {
  const isCombined = points <= limits.recordsMax;
  if (isCombined && points * sites <= limits.siteRecordsMax) return null;
  const most = isCombined ? limits.siteRecordsMax : limits.recordsMax;
  return {
    kind: "data_points_exceeded",
    details: isCombined
      ? `${points} records of ${sites} members are ${points * sites}; at most ${most} are allowed`
      : `The answer would hold ${points} records; at most ${most} are allowed`,
    parameter: "interval_seconds",
    receivedValue: isCombined ? points * sites : points,
    validRange: `1 to ${most}`,
    requiredAction: "Ask for a shorter period, a longer interval or fewer members",
  };
}

function refusesTime(
  { startMs, endMs }: HistoryPeriod,
  nowMs: EpochMs,
  { retentionDays: keptDays }: HistoryLimits,
): Refusal | null {
  const now = floorToSecond(nowMs);
  if (now < endMs)
    return {
      kind: "invalid_parameter",
      details: `end_time lies in the future; it is ${wireTime(now)} now`,
      parameter: "end_time",
      receivedValue: wireTime(endMs),
      validRange: `${wireTime(startMs)} to ${wireTime(now)}`,
    };
  const oldest = now - keptDays * MS_PER_DAY;
  if (oldest <= startMs) return null;
  return {
    kind: "data_not_available",
    details: `Data is kept for ${keptDays} days; the oldest is from ${wireTime(oldest)}`,
    parameter: "start_time",
    receivedValue: wireTime(startMs),
    validRange: `${wireTime(oldest)} to ${wireTime(now)}`,
    requiredAction: "Ask for a later period",
  };
}
