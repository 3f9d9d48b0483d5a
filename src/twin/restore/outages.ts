import { type EpochMs, isoDuration, isoUtc, MS_PER_MINUTE } from "../../base/time.ts";
import type { Period } from "../read/historyWindows.ts";
import type { SiteSamples } from "./siteSamples.ts";

/** A span of a state of a site that the samples show; the exact instants lie between two samples. */
export interface SeenSpan {
  /** The last sample before it; `null`: it begins with the period. */
  readonly beforeMs: EpochMs | null;
  readonly firstMs: EpochMs;
  readonly lastMs: EpochMs;
  /** The first sample after it; `null`: it lasts until the end of the period. */
  readonly afterMs: EpochMs | null;
}

/** An outage, a gap or an output control to the second. @property endMs  `null`: until the end of the period */
export interface Span {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs | null;
}

/** Runs of samples with a state. */
export function spansOf({ atMs }: SiteSamples, holds: (row: number) => boolean): SeenSpan[] {
  const spans: SeenSpan[] = [];
  for (let row = 0; row < atMs.length; row++) {
    if (!holds(row)) continue;
    const first = row;
    while (row + 1 < atMs.length && holds(row + 1)) row++;
    spans.push({
      beforeMs: atMs[first - 1] ?? null,
      firstMs: atMs[first],
      lastMs: atMs[row],
      afterMs: atMs[row + 1] ?? null,
    });
  }
  return spans;
}

/** Shorter runs without samples are lost samples, and no gap (docs/model/twin.md#measured-tables). */
const GAP_MINUTES_MIN = 3;

/** Runs of minutes of a period at which a member is not in the history. */
export function gapsOf(samples: SiteSamples, { startMs, endMs }: Period): SeenSpan[] {
  const gaps: SeenSpan[] = [];
  let expectedMs = startMs;
  let beforeMs: EpochMs | null = null;
  for (const atMs of [...samples.atMs, null]) {
    const untilMs = atMs ?? endMs;
    if (GAP_MINUTES_MIN * MS_PER_MINUTE <= untilMs - expectedMs)
      gaps.push({ beforeMs, firstMs: expectedMs, lastMs: untilMs - MS_PER_MINUTE, afterMs: atMs });
    beforeMs = atMs;
    expectedMs = untilMs + MS_PER_MINUTE;
  }
  return gaps;
}

/** An event with a duration. */
export const faultEvent = (kind: string, site: string, { startMs, endMs }: Span, keys: object = {}) => ({
  at: isoUtc(startMs),
  kind,
  site,
  ...(endMs === null ? {} : { duration: isoDuration(endMs - startMs) }),
  ...keys,
});
