import { type EpochMs, MS_PER_SECOND } from "../../base/time.ts";
import type { ApiRefusal } from "../../endpoints/shared/envelope.ts";
import { wireTime } from "../../endpoints/shared/wireTime.ts";
import type { ClockRecord } from "../../session/clockRecord.ts";
import type { RateState } from "./rateLimits.ts";

/** Refusal of a request beyond the limit. `retry_after` is simulated; the details also say what it is in real time. */
export function rateLimitRefusal(
  { limit, remaining, resetMs }: RateState,
  nowMs: EpochMs,
  clock: ClockRecord,
): ApiRefusal {
  const retryAfterS = secondsUntil(resetMs, nowMs);
  return {
    kind: "rate_limit_exceeded",
    details: `${limit} requests per hour are used up; the hour is simulated time, ${realWait(retryAfterS, clock)}`,
    retryAfterS,
    extra: { limit, remaining, reset_time: wireTime(Math.ceil(resetMs / MS_PER_SECOND) * MS_PER_SECOND) },
  };
}

/** Whole seconds, rounded up, so that a caller who waits for them is not early. */
export const secondsUntil = (atMs: EpochMs, nowMs: EpochMs): number =>
  Math.max(0, Math.ceil((atMs - nowMs) / MS_PER_SECOND));

/** What a wait of simulated seconds is in real time. */
function realWait(simulatedS: number, { mode, speed, now, scenario_end }: ClockRecord): string {
  if (mode === "paused")
    return now >= scenario_end
      ? "which has come to the scenario's end: only a reset or restore admits further requests"
      : "which is paused: it passes when the clock is advanced or resumed";
  if (speed === "max") return "which runs as fast as it can";
  return `which runs at speed ${speed}: ${simulatedS} s are ${Math.ceil((10 * simulatedS) / speed) / 10} s of real time`;
}
