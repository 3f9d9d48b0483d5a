/** A bar of a time line: something that lasts from one instant to another, in epoch milliseconds. */
export interface TimeBar {
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly label: string;
  /** Text for a tool tip and for screen readers. */
  readonly title: string;
  readonly state: "running" | "pending" | "completed" | "draft" | "planned" | "event";
}

export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Puts bars into as few tracks as possible, none over another: each goes into the first track that is free at its start.
 *
 * @param trackCount  tracks that have a place: an event that finds none of them free cuts the label of an earlier event, so that
 *   every event is seen
 * @returns tracks from the top, each in order of start
 */
export function tracksOf(
  bars: readonly TimeBar[],
  trackCount = Number.POSITIVE_INFINITY,
): readonly (readonly TimeBar[])[] {
  const tracks: TimeBar[][] = [];
  const ordered = [...bars].sort((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1));
  for (const bar of ordered) {
    const free = tracks.find((track) => (track.at(-1)?.endMs ?? 0) <= bar.startMs);
    if (free !== undefined) free.push(bar);
    else if (bar.state !== "event" || tracks.length < trackCount || !isPutAfterCut(tracks.slice(0, trackCount), bar))
      tracks.push([bar]);
  }
  return tracks;
}

/** Puts an event behind the one that began first, whose label ends there. @returns false where all of them begin with it */
function isPutAfterCut(tracks: readonly TimeBar[][], event: TimeBar): boolean {
  let first: TimeBar[] | null = null;
  for (const track of tracks) {
    const last = track[track.length - 1];
    if (last.state !== "event" || event.startMs <= last.startMs) continue;
    if (first === null || last.startMs < first[first.length - 1].startMs) first = track;
  }
  if (first === null) return false;
  first[first.length - 1] = { ...first[first.length - 1], endMs: event.startMs };
  first.push(event);
  return true;
}

/** Place of a bar in a window, in percent of its width; `null`: it lies outside. */
export function placeOf(
  { startMs, endMs }: Pick<TimeBar, "startMs" | "endMs">,
  { fromMs, toMs }: TimeWindow,
): { readonly left: number; readonly width: number } | null {
  if (toMs <= startMs || endMs < fromMs) return null;
  const pct = (ms: number) => (100 * (Math.min(Math.max(ms, fromMs), toMs) - fromMs)) / (toMs - fromMs);
  return { left: pct(startMs), width: pct(endMs) - pct(startMs) };
}

const MS_PER_MINUTE = 60_000;
const STEPS_MINUTES = [5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080];

/** Instants for the marks of the axis: whole steps in the zone, at most `countMax`. @param offsetMs  zone minus UTC */
export function ticksOf({ fromMs, toMs }: TimeWindow, countMax: number, offsetMs: number): readonly number[] {
  const lengthMinutes = (toMs - fromMs) / MS_PER_MINUTE;
  const largest = STEPS_MINUTES[STEPS_MINUTES.length - 1];
  const stepMs = MS_PER_MINUTE * (STEPS_MINUTES.find((minutes) => lengthMinutes / minutes <= countMax) ?? largest);
  const firstMs = Math.ceil((fromMs + offsetMs) / stepMs) * stepMs - offsetMs;
  // At the end of the window there is no place for a text.
  return Array.from({ length: Math.max(0, Math.ceil((toMs - firstMs) / stepMs)) }, (_, k) => firstMs + k * stepMs);
}
