import type { TimeFormats } from "./times.ts";

/** A day as it is typed, `2026-05-20`, `2026/05/20` or `20260520`, as `2026-05-20`; `null` for text that is no day. */
export function parseDay(text: string): string | null {
  const [, year, month, day] = /^(\d{4})[-/]?(\d{2})[-/]?(\d{2})$/.exec(text.trim()) ?? [];
  const iso = `${year}-${month}-${day}`;
  const atMs = Date.parse(`${iso}T00:00Z`);
  return Number.isNaN(atMs) || new Date(atMs).toISOString().slice(0, 10) !== iso ? null : iso;
}

const MS_PER_DAY = 86_400_000;

/**
 * Instants of a local date and time of a zone, such as `2026-05-20T07:30`: two of a time that comes twice, the first one first;
 * none for text that is no time. A time that a change of the clocks skips is moved by that change.
 */
export function instantsInZone(text: string, times: TimeFormats): readonly number[] {
  const wantedMs = Date.parse(`${text}Z`);
  if (Number.isNaN(wantedMs)) return [];
  // The offsets before and after a change that may lie at this time.
  const [before, after] = [wantedMs - MS_PER_DAY, wantedMs + MS_PER_DAY].map((atMs) => offsetMs(atMs, times));
  const found = [wantedMs - before, wantedMs - after].filter((atMs) => atMs + offsetMs(atMs, times) === wantedMs);
  return found.length === 0 ? [wantedMs - before] : [...new Set(found)];
}

/** Local time of a zone minus UTC. */
const offsetMs = (atMs: number, times: TimeFormats): number => {
  const wholeMs = 1_000 * Math.floor(atMs / 1_000);
  return Date.parse(`${times.local(wholeMs)}Z`) - wholeMs;
};
