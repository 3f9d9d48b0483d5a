import { type Refusal, type Result, refused } from "../../../base/result.ts";
import type { Sku } from "../../../base/sku.ts";
import { type EpochMs, isoUtc, MS_PER_MINUTE } from "../../../base/time.ts";
import { supersedes } from "./siteOrder.ts";

/** The fields of a schedule that decide about overlap. */
export interface ScheduleInterval {
  readonly sku: Sku | null;
  /** As in `SiteOrder`; a VPP's schedules have none. */
  readonly componentId?: string | null;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Increases with each registration. */
  readonly registration: number;
}

/** The remaining pieces of a schedule that a new one cuts; `null` if there is none. The front keeps the id, else the rear. */
interface ScheduleCut<T> {
  readonly schedule: T;
  readonly front: { readonly startMs: EpochMs; readonly endMs: EpochMs } | null;
  readonly rear: { readonly startMs: EpochMs; readonly endMs: EpochMs } | null;
}

export interface OverlapPlan<T> {
  /** The oldest schedule with exactly the new period: the new one takes over its id. */
  readonly inheritedFrom: T | null;
  /** Other schedules that are deleted whole. */
  readonly deleted: readonly T[];
  readonly cuts: readonly ScheduleCut<T>[];
}

/** A list of schedules that finds those of a period, in order of registration. */
interface ScheduleSource<T> {
  overlapping(startMs: EpochMs, endMs: EpochMs): readonly T[];
}

const NO_OVERLAP: Result<OverlapPlan<never>> = { ok: true, value: { inheritedFrom: null, deleted: [], cuts: [] } };

/**
 * Plans the effect of a new schedule on existing ones: it cuts or deletes those that overlap it and cannot run beside it.
 *
 * @param added  `overwrites`: which of those that overlap it; by default those that collide with it
 * @returns a refusal if a piece shorter than 1 minute would remain (docs/model/overlap.md#resolution)
 */
export function resolveOverlap<T extends ScheduleInterval>(
  existing: readonly T[],
  added: Omit<ScheduleInterval, "registration"> & { readonly overwrites?: "colliding" | "every" },
): Result<OverlapPlan<T>> {
  if (existing.length === 0) return NO_OVERLAP;
  const overwritesAll = added.overwrites === "every";
  const overlapping = existing.filter(
    (old) => old.startMs < added.endMs && added.startMs < old.endMs && (overwritesAll || supersedes(added, old)),
  );
  const samePeriod = overlapping.filter((old) => old.startMs === added.startMs && old.endMs === added.endMs);
  const inheritedFrom = samePeriod.reduce<T | null>(
    (oldest, old) => (oldest === null || old.registration < oldest.registration ? old : oldest),
    null,
  );
  const deleted: T[] = samePeriod.filter((old) => old !== inheritedFrom);
  const cuts: ScheduleCut<T>[] = [];
  for (const old of overlapping) {
    if (old.startMs === added.startMs && old.endMs === added.endMs) continue;
    const front = old.startMs < added.startMs ? { startMs: old.startMs, endMs: added.startMs } : null;
    const rear = added.endMs < old.endMs ? { startMs: added.endMs, endMs: old.endMs } : null;
    for (const piece of [front, rear])
      if (piece !== null && piece.endMs - piece.startMs < MS_PER_MINUTE) return refused(splitTooNarrow(piece));
    if (front === null && rear === null) deleted.push(old);
    else cuts.push({ schedule: old, front, rear });
  }
  return { ok: true, value: { inheritedFrom, deleted, cuts } };
}

/**
 * Refuses a new schedule that would leave a piece shorter than 1 minute at one member. There, direct schedules may have cut
 * the VPP's schedules, which the VPP does not know (docs/model/overlap.md#shortest-piece, docs/model/overlap.md#direct-calls).
 *
 * @param schedules  `schedulesAtEnds` of the VPP and direct schedules of the member that have not ended
 */
export function checkRemainingPieces(
  schedules: readonly ScheduleInterval[],
  added: Omit<ScheduleInterval, "registration">,
): Refusal | null {
  for (const piece of remainingPieces(schedules)) {
    const { startMs, endMs } = piece;
    if (!supersedes(added, piece) || endMs <= added.startMs || added.endMs <= startMs) continue;
    const front = { startMs, endMs: added.startMs };
    const rear = { startMs: added.endMs, endMs };
    for (const rest of [front, rear]) {
      const durationMs = rest.endMs - rest.startMs;
      if (0 < durationMs && durationMs < MS_PER_MINUTE) return splitTooNarrow(rest);
    }
  }
  return null;
}

/**
 * The schedules around the start and the end of a new one, which decide about the short pieces that it would leave: such a
 * piece contains the start or the end, and its own end lies less than 1 minute away.
 */
export function schedulesAtEnds<T>(
  schedules: ScheduleSource<T>,
  { startMs, endMs }: Pick<ScheduleInterval, "startMs" | "endMs">,
): readonly T[] {
  const atStart = schedules.overlapping(startMs - MS_PER_MINUTE, startMs + 1);
  const atEnd = schedules.overlapping(endMs - 1, endMs + MS_PER_MINUTE);
  return [...new Set([...atStart, ...atEnd])];
}

/** The pieces of each schedule that later registrations have left. */
function remainingPieces(schedules: readonly ScheduleInterval[]): readonly Omit<ScheduleInterval, "registration">[] {
  let pieces: Omit<ScheduleInterval, "registration">[] = [];
  for (const later of [...schedules].sort((a, b) => a.registration - b.registration)) {
    pieces = pieces.flatMap((piece) => (supersedes(later, piece) ? subtractInterval(piece, later) : [piece]));
    pieces.push(later);
  }
  return pieces;
}

function subtractInterval<T extends Omit<ScheduleInterval, "registration">>(
  { sku, componentId, startMs, endMs }: T,
  cut: { readonly startMs: EpochMs; readonly endMs: EpochMs },
): Omit<ScheduleInterval, "registration">[] {
  return [
    { sku, componentId, startMs, endMs: Math.min(endMs, cut.startMs) },
    { sku, componentId, startMs: Math.max(startMs, cut.endMs), endMs },
  ].filter((piece) => piece.startMs < piece.endMs);
}

const splitTooNarrow = ({ startMs, endMs }: { startMs: EpochMs; endMs: EpochMs }): Refusal => ({
  kind: "schedule_split_too_narrow",
  details: `A piece from ${isoUtc(startMs)} to ${isoUtc(endMs)} would be left of another schedule; at least 1 minute must be left, or nothing`,
});
