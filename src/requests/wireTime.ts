import { type EpochMs, isoUtc, MS_PER_SECOND } from "../base/time.ts";

/** The whole second that an instant lies in: what callers see, and what rules about now are reckoned from (decisions.md 113). */
export const floorToSecond = (atMs: EpochMs): EpochMs => Math.floor(atMs / MS_PER_SECOND) * MS_PER_SECOND;

/** An instant as the APIs print it: whole seconds, floored. */
export const wireTime = (atMs: EpochMs): string => isoUtc(floorToSecond(atMs));

/** Reads a timestamp of a request, which its schema has let through; the part below a second is cut off. */
export function readWireTime(text: string): EpochMs {
  return floorToSecond(Date.parse(text));
}
