import type { TimeFormats } from "./times.ts";

/**
 * Instant of a local date and time of a zone, as `<input type="datetime-local">` has it; `null` for text that is none.
 * Of a time that occurs twice it is the first one; one that a change of the clocks skips is moved by that change.
 *
 * @param nearMs  an instant with about the zone's present offset
 */
export function parseTimeInZone(text: string, nearMs: number, times: TimeFormats): number | null {
  const wantedMs = Date.parse(`${text}Z`);
  if (Number.isNaN(wantedMs)) return null;
  let atMs = wantedMs - offsetMs(nearMs, times);
  // The offset at the guess may be another one.
  atMs = wantedMs - offsetMs(atMs, times);
  return atMs;
}

/** Local time of a zone minus UTC. */
const offsetMs = (atMs: number, times: TimeFormats): number => {
  const wholeMs = 1_000 * Math.floor(atMs / 1_000);
  return Date.parse(`${times.local(wholeMs)}Z`) - wholeMs;
};
