import { type EpochMs, isoUtc, MS_PER_DAY, MS_PER_SECOND } from "../../base/time.ts";

/** The whole second that an instant lies in: what callers see, and what rules about now are reckoned from (docs/model/time.md#wire-time). */
export const floorToSecond = (atMs: EpochMs): EpochMs => Math.floor(atMs / MS_PER_SECOND) * MS_PER_SECOND;

/** An instant as the APIs print it: whole seconds, floored. */
export const wireTime = (atMs: EpochMs): string => isoUtc(floorToSecond(atMs));

/** Reads a timestamp of a request, which its schema has let through; the part below a second is cut off. */
export function readWireTime(text: string): EpochMs {
  return floorToSecond(Date.parse(text));
}

let dayMs = Number.NaN;
let dayText = "";
const TWO_DIGITS = Array.from({ length: 60 }, (_, k) => String(k).padStart(2, "0"));

/** As `wireTime`, for an instant of whole seconds; quick where many of one day are asked for. */
export function isoSeconds(atMs: EpochMs): string {
  const intoMs = atMs - dayMs;
  if (!(0 <= intoMs && intoMs < MS_PER_DAY)) {
    dayMs = Math.floor(atMs / MS_PER_DAY) * MS_PER_DAY;
    dayText = isoUtc(dayMs).slice(0, 11);
    return isoSeconds(atMs);
  }
  const seconds = Math.floor(intoMs / MS_PER_SECOND);
  const minutes = Math.floor(seconds / 60);
  return `${dayText}${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}Z`;
}
