import { type EpochMs, MS_PER_HOUR, MS_PER_SECOND } from "../../../base/time.ts";
import type { ClockRecord } from "../../../live/session/sandboxCommands.ts";
import type { Rewindable } from "../../../live/session/sessionListener.ts";
import type { RateBucket } from "../../endpoints/route.ts";
import type { ApiRefusal } from "../../endpoints/shared/envelope.ts";
import { wireTime } from "../../endpoints/shared/wireTime.ts";

/** Requests per hour, by bucket (docs/model/apis.md#rate-limits); `auth` is per refresh token. */
export const BUCKET_LIMITS = { reference: 1000, control: 200, site: 1000, auth: 1000 } as const satisfies Record<
  RateBucket | "auth",
  number
>;

type BucketName = keyof typeof BUCKET_LIMITS;

/** Values of the four X-RateLimit headers and of the body of a 429. */
export interface RateState {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the oldest counted request leaves the window (docs/model/apis.md#rate-limits); now if none is counted. */
  readonly resetMs: EpochMs;
}

/** Ring buffer of the instants of the requests in the last hour, oldest first. */
class SlidingLog {
  private readonly atMs: Float64Array;
  private first = 0;
  private length = 0;

  constructor(limit: number) {
    this.atMs = new Float64Array(limit);
  }

  get count(): number {
    return this.length;
  }

  get oldestMs(): EpochMs {
    return this.atMs[this.first];
  }

  /** Drops requests that are an hour old or older: the window is half-open. */
  expire(nowMs: EpochMs): void {
    while (this.length > 0 && this.oldestMs <= nowMs - MS_PER_HOUR) {
      this.first = (this.first + 1) % this.atMs.length;
      this.length--;
    }
  }

  add(atMs: EpochMs): void {
    this.atMs[(this.first + this.length) % this.atMs.length] = atMs;
    this.length++;
  }

  toArray(): EpochMs[] {
    return Array.from({ length: this.length }, (_, k) => this.atMs[(this.first + k) % this.atMs.length]);
  }
}

/**
 * Hourly rate limits over a sliding hour of simulated time.
 *
 * Each answered request is stored as an instant, so that no 60 minutes exceed the limit; a fixed window would admit
 * twice as many around its boundary. Refused requests (429) do not count (docs/model/apis.md#rate-limits).
 */
export class RateLimits implements Rewindable {
  readonly name: string;
  private readonly isEnforced: boolean;
  private logs = new Map<string, SlidingLog>();

  constructor(name: string, enforcement: "on" | "off") {
    this.name = name;
    this.isEnforced = enforcement === "on";
  }

  /** Counts a request unless the limit is reached. */
  take(bucket: BucketName, owner: string, nowMs: EpochMs): RateState {
    const limit = BUCKET_LIMITS[bucket];
    if (!this.isEnforced) return { isAllowed: true, limit, remaining: limit, resetMs: nowMs };
    const log = this.logOf(bucket, owner);
    log.expire(nowMs);
    const allowed = log.count < limit;
    if (allowed) log.add(nowMs);
    return { isAllowed: allowed, limit, remaining: limit - log.count, resetMs: log.oldestMs + MS_PER_HOUR };
  }

  /** State of a limit without counting, for answers that do not count (docs/model/apis.md#rate-limits). */
  peek(bucket: BucketName, owner: string, nowMs: EpochMs): RateState {
    const limit = BUCKET_LIMITS[bucket];
    const log = this.logs.get(`${bucket} ${owner}`);
    log?.expire(nowMs);
    if (log === undefined || log.count === 0) return { isAllowed: true, limit, remaining: limit, resetMs: nowMs };
    return { isAllowed: log.count < limit, limit, remaining: limit - log.count, resetMs: log.oldestMs + MS_PER_HOUR };
  }

  private logOf(bucket: BucketName, owner: string): SlidingLog {
    const key = `${bucket} ${owner}`;
    let log = this.logs.get(key);
    if (log === undefined) this.logs.set(key, (log = new SlidingLog(BUCKET_LIMITS[bucket])));
    return log;
  }

  /** Instants by bucket and owner. */
  save(): Readonly<Record<string, readonly EpochMs[]>> {
    return Object.fromEntries([...this.logs].map(([key, log]) => [key, log.toArray()]));
  }

  restore(state: unknown): void {
    this.logs = new Map();
    for (const [key, instants] of Object.entries((state ?? {}) as ReturnType<RateLimits["save"]>)) {
      const log = new SlidingLog(BUCKET_LIMITS[key.slice(0, key.indexOf(" ")) as BucketName]);
      for (const atMs of instants) log.add(atMs);
      this.logs.set(key, log);
    }
  }
}

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
