import type { Refusal } from "../../../base/result.ts";
import { type EpochMs, MS_PER_DAY, MS_PER_MINUTE } from "../../../base/time.ts";
import { floorToSecond, readWireTime, wireTime } from "./wireTime.ts";

/** The period of a schedule as in the request. */
export interface WirePeriod {
  readonly start_time: string;
  readonly end_time: string;
}

/** A schedule starts 1 minute to 90 days from now and lasts 1 minute to 1 day (docs/model/apis.md#control-times). */
export function periodRefusal({ start_time, end_time }: WirePeriod, worldNowMs: EpochMs): Refusal | null {
  const nowMs = floorToSecond(worldNowMs);
  const startMs = readWireTime(start_time);
  return (
    outOfRangeRefusal("start_time", start_time, startMs, nowMs + MS_PER_MINUTE, nowMs + 90 * MS_PER_DAY) ??
    outOfRangeRefusal("end_time", end_time, readWireTime(end_time), startMs + MS_PER_MINUTE, startMs + MS_PER_DAY)
  );
}

function outOfRangeRefusal(
  parameter: keyof WirePeriod,
  receivedValue: string,
  atMs: EpochMs,
  minMs: EpochMs,
  maxMs: EpochMs,
): Refusal | null {
  if (minMs <= atMs && atMs <= maxMs) return null;
  const rule =
    parameter === "start_time" ? "from 1 minute to 90 days after now" : "from 1 minute to 24 hours after start_time";
  return {
    kind: "invalid_parameter",
    details: `${parameter} must be ${rule}`,
    parameter,
    receivedValue,
    validRange: `${wireTime(minMs)} to ${wireTime(maxMs)}`,
  };
}

/** The time keys of a control request. */
export interface WireControlTimes {
  readonly type: "immediate" | "schedule";
  readonly duration_minutes?: number;
  readonly start_time?: string;
  readonly end_time?: string;
}

const TIME_KEYS = ["duration_minutes", "start_time", "end_time"] as const;

export const isTimeKey = (parameter: string): boolean => TIME_KEYS.some((key) => key === parameter);

/**
 * An immediate instruction requires a duration; a schedule requires a start and an end. Neither accepts the other's
 * keys.
 */
export function timeKeysRefusal(written: WireControlTimes): Refusal | null {
  const { type } = written;
  for (const key of TIME_KEYS) {
    const isOwn = (key === "duration_minutes") === (type === "immediate");
    const value = written[key];
    if (isOwn === (value !== undefined)) continue;
    return {
      kind: "invalid_parameter",
      details: isOwn ? `${key} is required for type ${type}` : `${key} is not a parameter of type ${type}`,
      parameter: key,
      ...(value === undefined ? {} : { receivedValue: value }),
      ...(isOwn && key === "duration_minutes" ? { validRange: "1 to 1440" } : {}),
    };
  }
  return null;
}
