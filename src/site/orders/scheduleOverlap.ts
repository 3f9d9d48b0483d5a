import { type Refusal, type Result, refused } from "../../base/result.ts";
import type { Sku } from "../../base/sku.ts";
import { type EpochMs, isoUtc, MS_PER_MINUTE } from "../../base/time.ts";
import { supersedes } from "./siteOrder.ts";

/** A schedule as far as overlap goes; completed ones are not asked. */
export interface ScheduleInterval {
  readonly sku: Sku | null;
  /** As of a `SiteOrder`; a VPP's schedules have none. */
  readonly componentId?: string | null;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Rises with each registration. */
  readonly registration: number;
}

/** What is left of a schedule that a new one cuts into; `null` where nothing is. The front keeps the id, else the rear. */
export interface ScheduleCut<T> {
  readonly schedule: T;
  readonly front: { readonly startMs: EpochMs; readonly endMs: EpochMs } | null;
  readonly rear: { readonly startMs: EpochMs; readonly endMs: EpochMs } | null;
}

export interface OverlapPlan<T> {
  /** The oldest schedule of exactly the new period: the new one takes its id. */
  readonly inheritedFrom: T | null;
  /** Schedules that go away whole, the inherited one apart. */
  readonly deleted: readonly T[];
  readonly cuts: readonly ScheduleCut<T>[];
}

const NO_OVERLAP: Result<OverlapPlan<never>> = { ok: true, value: { inheritedFrom: null, deleted: [], cuts: [] } };

/**
 * What a new schedule does to those it meets: it takes the time of every one that cannot run beside it.
 *
 * @returns a refusal before anything is changed when a piece under a minute would be left (docs/model/overlap.md#resolution)
 */
export function resolveOverlap<T extends ScheduleInterval>(
  existing: readonly T[],
  added: Omit<ScheduleInterval, "registration">,
): Result<OverlapPlan<T>> {
  if (existing.length === 0) return NO_OVERLAP;
  const met = existing.filter(
    (old) => old.startMs < added.endMs && added.startMs < old.endMs && supersedes(added, old),
  );
  const same = met.filter((old) => old.startMs === added.startMs && old.endMs === added.endMs);
  const inherits = same.reduce<T | null>(
    (oldest, old) => (oldest === null || old.registration < oldest.registration ? old : oldest),
    null,
  );
  const deleted: T[] = same.filter((old) => old !== inherits);
  const cuts: ScheduleCut<T>[] = [];
  for (const old of met) {
    if (same.includes(old)) continue;
    const front = old.startMs < added.startMs ? { startMs: old.startMs, endMs: added.startMs } : null;
    const rear = added.endMs < old.endMs ? { startMs: added.endMs, endMs: old.endMs } : null;
    for (const piece of [front, rear])
      if (piece !== null && piece.endMs - piece.startMs < MS_PER_MINUTE) return refused(splitTooNarrow(piece));
    if (front === null && rear === null) deleted.push(old);
    else cuts.push({ schedule: old, front, rear });
  }
  return { ok: true, value: { inheritedFrom: inherits, deleted, cuts } };
}

/**
 * The same for what one member has been told: direct calls have cut the schedules that its VPP gave it, which the VPP does
 * not see (docs/model/overlap.md#shortest-piece, docs/model/overlap.md#direct-calls).
 *
 * @param told  schedules of the member's VPP and its own that are not over
 */
export function checkRemainingPieces(
  told: readonly ScheduleInterval[],
  added: Omit<ScheduleInterval, "registration">,
): Refusal | null {
  for (const piece of remainingPieces(told)) {
    const { startMs, endMs } = piece;
    if (!supersedes(added, piece) || endMs <= added.startMs || added.endMs <= startMs) continue;
    const front = { startMs, endMs: added.startMs };
    const rear = { startMs: added.endMs, endMs };
    for (const left of [front, rear]) {
      const leftMs = left.endMs - left.startMs;
      if (0 < leftMs && leftMs < MS_PER_MINUTE) return splitTooNarrow(left);
    }
  }
  return null;
}

/** What later registrations have left of each schedule. */
function remainingPieces(told: readonly ScheduleInterval[]): readonly Omit<ScheduleInterval, "registration">[] {
  let pieces: Omit<ScheduleInterval, "registration">[] = [];
  for (const later of [...told].sort((a, b) => a.registration - b.registration)) {
    pieces = pieces.flatMap((piece) => (supersedes(later, piece) ? subtractInterval(piece, later) : [piece]));
    pieces.push(later);
  }
  return pieces;
}

function subtractInterval<T extends Omit<ScheduleInterval, "registration">>(
  { sku, componentId, startMs, endMs }: T,
  taken: { readonly startMs: EpochMs; readonly endMs: EpochMs },
): Omit<ScheduleInterval, "registration">[] {
  return [
    { sku, componentId, startMs, endMs: Math.min(endMs, taken.startMs) },
    { sku, componentId, startMs: Math.max(startMs, taken.endMs), endMs },
  ].filter((piece) => piece.startMs < piece.endMs);
}

const splitTooNarrow = ({ startMs, endMs }: { startMs: EpochMs; endMs: EpochMs }): Refusal => ({
  kind: "schedule_split_too_narrow",
  details: `A piece from ${isoUtc(startMs)} to ${isoUtc(endMs)} would be left of another schedule; at least 1 minute must be left, or nothing`,
});
