import type { TimeFormats } from "./times.ts";

/** A day as it is typed, `2026-05-20`, `2026/05/20` or `20260520`, as `2026-05-20`; `null` for text that is no day. */
export function parseDay(text: string): string | null {
  const [, year, month, day] = /^(\d{4})[-/]?(\d{2})[-/]?(\d{2})$/.exec(text.trim()) ?? [];
  const iso = `${year}-${month}-${day}`;
  const atMs = Date.parse(`${iso}T00:00Z`);
  return Number.isNaN(atMs) || new Date(atMs).toISOString().slice(0, 10) !== iso ? null : iso;
}

/**
 * Instant of a local date and time of a zone, such as `2026-05-20T07:30`; `null` for text that is none.
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
