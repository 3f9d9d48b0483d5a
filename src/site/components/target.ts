import type { EpochMs } from "../../base/time.ts";
import type { ResponsePart, ResponsePath } from "../../device/frequency/responsePath.ts";
import type { SiteOrder } from "../orders/siteOrder.ts";

/** What a unit is to do from an instant on; `deltaKw` and `baselineKw` count only when instructed. */
export interface Target {
  readonly instructed: boolean;
  readonly baselineKw: number;
  readonly deltaKw: number;
  /** Frequency response besides; `null`: none. */
  readonly fcr: FcrTarget | null;
  /** How the sum moves from the instant of `follow` on; absent: not at all. */
  readonly kwPerMs?: number;
}

/** The frequency response that a site is told to give. All kW are called amounts, import positive. */
export interface FcrTarget {
  readonly parts: readonly FcrPart[];
  /** Sums of the deltas below and above 0 of all orders that are executed: what a cut may take from them. */
  readonly downKw: number;
  readonly upKw: number;
}

/** One order's part in it. */
export interface FcrPart extends ResponsePart {
  readonly order: SiteOrder;
}

/** A target of which nothing is known yet. Every target that sites pass on is made here, so that all are of one make. */
export const newTarget = (): MutableTarget => ({
  instructed: true,
  baselineKw: Number.NaN,
  deltaKw: Number.NaN,
  fcr: null,
  kwPerMs: 0,
});

export type MutableTarget = { -readonly [Key in keyof Target]: Target[Key] };

export const OWN_PLAN: Target = Object.assign(newTarget(), { instructed: false, baselineKw: 0, deltaKw: 0 });

/** What surrounds a unit at its site. All powers are magnitudes in kW. */
export interface Surroundings {
  readonly inService: boolean;
  /** Share of the rated output that may be exported, 0..1. */
  readonly outputLimit: number;
  /** What frequency response adds to the target from the instant on; `null` where none is in force. */
  readonly response: ResponsePath | null;
}

/** Instant at which a unit wants to be planned again although nothing happened to it. */
export type ReplanMs = EpochMs;

/** A change of target on its way to the plant. */
export interface PendingChange {
  readonly effectMs: EpochMs;
  readonly target: Target;
}

/** A part's share of the site's frequency response, 0..1, and what it comes to. */
export interface PartResponse {
  readonly share: number;
  readonly fcr: FcrTarget;
}
