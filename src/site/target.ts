import type { EpochMs } from "../base/time.ts";

/** What a unit is to do from an instant on; `deltaKw` and `baselineKw` count only when instructed. */
export interface Target {
  readonly instructed: boolean;
  readonly baselineKw: number;
  readonly deltaKw: number;
}

export const OWN_PLAN: Target = { instructed: false, baselineKw: 0, deltaKw: 0 };

/** What surrounds a unit at its site. All powers are magnitudes in kW. */
export interface Surroundings {
  readonly inService: boolean;
  /** Share of the rated output that may be exported, 0..1. */
  readonly outputLimit: number;
}

/** Instant at which a unit wants to be planned again although nothing happened to it. */
export type ReplanMs = EpochMs;
