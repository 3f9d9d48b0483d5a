import { type EpochMs, isoUtc, MS_PER_DAY, MS_PER_SECOND } from "../../../base/time.ts";

/**
 * The whole second that contains an instant: what callers see, and the base of rules that compare with the present
 * (docs/model/time.md#wire-time).
 */
export const floorToSecond = (atMs: EpochMs): EpochMs => Math.floor(atMs / MS_PER_SECOND) * MS_PER_SECOND;

/** An instant in the format of the APIs: whole seconds, rounded down. */
export const wireTime = (atMs: EpochMs): string => isoSeconds(floorToSecond(atMs));

/** The same of an instant that may be absent, or never come: `null` of `null` and `Infinity`. */
export const wireTimeOrNull = (atMs: EpochMs | null): string | null =>
  atMs === null || atMs === Number.POSITIVE_INFINITY ? null : wireTime(atMs);

/** Parses a timestamp of a request that satisfies its schema; fractions of a second are truncated. */
export function readWireTime(text: string): EpochMs {
  return floorToSecond(Date.parse(text));
}

let dayMs = Number.NaN;
let dayText = "";
const TWO_DIGITS = Array.from({ length: 60 }, (_, k) => String(k).padStart(2, "0"));

/** Like `wireTime`, for an instant of whole seconds; fast for many instants of one day. */
export function isoSeconds(atMs: EpochMs): string {
  const intoMs = atMs - dayMs;
  if (!(0 <= intoMs && intoMs < MS_PER_DAY)) {
    dayMs = Math.floor(atMs / MS_PER_DAY) * MS_PER_DAY;
    dayText = isoUtc(dayMs).slice(0, -"00:00:00Z".length);
    return isoSeconds(atMs);
  }
  const seconds = Math.floor(intoMs / MS_PER_SECOND);
  const minutes = Math.floor(seconds / 60);
  return `${dayText}${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}Z`;
}
