import { type EpochMs, MS_PER_SECOND } from "../base/time.ts";
import type { BatteryLane, PlantLane } from "./composition.ts";
import type { Stretch } from "./stretch.ts";
import type { Surroundings } from "./target.ts";

// What the connection point leaves a battery or a plant of a site. All kW are magnitudes but for targets.

export const NEVER = Number.POSITIVE_INFINITY;
/** How long a limit that moves is taken for constant, where it has to be. */
export const LOOK_MS = 10 * MS_PER_SECOND;

/** Lets a part follow one power without limits of the connection point. */
export function hold(
  lane: BatteryLane | PlantLane,
  kw: number,
  atMs: EpochMs,
  around: Surroundings,
  kwPerMs = 0,
): void {
  lane.room.siteImportMaxKw = NEVER;
  lane.room.siteExportMaxKw = NEVER;
  lane.target.deltaKw = kw;
  lane.target.kwPerMs = kwPerMs;
  lane.follow(atMs, around);
}

/**
 * kW of room for a part that is planned with a constant limit: where the room moves, what is left of it in ten seconds,
 * which is when it is looked at again.
 */
export function roomOf(limitKw: number, othersKw: number, othersKwPerMs: number): number {
  const nowKw = limitKw + othersKw;
  return Math.max(0, Math.min(nowKw, nowKw + othersKwPerMs * LOOK_MS));
}

export const roomUntilMs = ({ originMs, endMs, kwPerMs }: Stretch): EpochMs =>
  kwPerMs === 0 ? endMs : Math.min(endMs, originMs + LOOK_MS);

/** A part of a room, which may be without end. */
export const partOf = (roomKw: number, mineKw: number, allKw: number): number =>
  allKw > 0 && roomKw < Number.POSITIVE_INFINITY ? (roomKw * mineKw) / allKw : roomKw;
