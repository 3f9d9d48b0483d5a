import type { Refusal } from "../../base/result.ts";
import { type EpochMs, MS_PER_DAY, MS_PER_SECOND } from "../../base/time.ts";
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

export const PERIOD_MAX_DAYS = 31;

export const readPeriod = (body: { readonly start_time: string; readonly end_time: string }): HistoryPeriod => ({
  startMs: readWireTime(body.start_time),
  endMs: readWireTime(body.end_time),
});

/** Records of a period: one at its start and one after each whole interval inside it. */
export const recordCount = ({ startMs, endMs }: HistoryPeriod, intervalMs: number): number =>
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
    details: `The period is ${lengthMs / MS_PER_DAY} days long; at limit ${PERIOD_MAX_DAYS} days are allowed`,
    parameter: "end_time - start_time",
    receivedValue: `${lengthMs / MS_PER_SECOND} seconds`,
    validRange,
    requiredAction: "Ask for a shorter period",
  };
}

function recordCountRefusal(records: number, sites: number, limits: HistoryLimits): Refusal | null {
  const isCombined = records <= limits.recordsMax;
  if (isCombined && records * sites <= limits.siteRecordsMax) return null;
  const limit = isCombined ? limits.siteRecordsMax : limits.recordsMax;
  return {
    kind: "data_points_exceeded",
    details: isCombined
      ? `${records} records of ${sites} members are ${records * sites}; at limit ${limit} are allowed`
      : `The answer would hold ${records} records; at limit ${limit} are allowed`,
    parameter: "interval_seconds",
    receivedValue: isCombined ? records * sites : records,
    validRange: `1 to ${limit}`,
    requiredAction: "Ask for a shorter period, a longer interval or fewer members",
  };
}

function retentionRefusal(
  { startMs, endMs }: HistoryPeriod,
  nowMs: EpochMs,
  { retentionDays }: HistoryLimits,
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
  const oldest = now - retentionDays * MS_PER_DAY;
  if (oldest <= startMs) return null;
  return {
    kind: "data_not_available",
    details: `Data is kept for ${retentionDays} days; the oldest is from ${wireTime(oldest)}`,
    parameter: "start_time",
    receivedValue: wireTime(startMs),
    validRange: `${wireTime(oldest)} to ${wireTime(now)}`,
    requiredAction: "Ask for a later period",
  };
}
