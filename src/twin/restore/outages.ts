import { type EpochMs, isoDuration, isoUtc, MS_PER_MINUTE, MS_PER_SECOND } from "../../base/time.ts";
import type { Period } from "../read/historyWindows.ts";
import { runsOf, type SiteSamples } from "./siteSamples.ts";

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
export function spansOf(samples: SiteSamples, holds: (row: number) => boolean): SeenSpan[] {
  return runsOf(samples.length, holds).map(({ first, last }) => ({
    beforeMs: samples.atMs[first - 1] ?? null,
    firstMs: samples.atMs[first],
    lastMs: samples.atMs[last],
    afterMs: samples.atMs[last + 1] ?? null,
  }));
}

/** Minutes at which a member is not in the history, from its registration on. */
export function gapsOf(samples: SiteSamples, { startMs, endMs }: Period): SeenSpan[] {
  const gaps: SeenSpan[] = [];
  let expectedMs = startMs;
  let beforeMs: EpochMs | null = null;
  for (const atMs of [...samples.atMs, null]) {
    const untilMs = atMs ?? endMs;
    if (expectedMs < untilMs)
      gaps.push({ beforeMs, firstMs: expectedMs, lastMs: untilMs - MS_PER_MINUTE, afterMs: atMs });
    beforeMs = atMs;
    expectedMs = untilMs + MS_PER_MINUTE;
  }
  return gaps;
}

/** The period whose samples by the second show when a state changed between two samples; `null`: nothing to search. */
export const edgePeriod = (beforeMs: EpochMs, foundMs: EpochMs): Period | null =>
  foundMs - beforeMs <= MS_PER_SECOND ? null : { startMs: beforeMs + MS_PER_SECOND, endMs: foundMs };

/** An event with a duration. */
export const faultEvent = (kind: string, site: string, { startMs, endMs }: Span, keys: object = {}) => ({
  at: isoUtc(startMs),
  kind,
  site,
  ...(endMs === null ? {} : { duration: isoDuration(endMs - startMs) }),
  ...keys,
});
