import type { EpochMs } from "../../base/time.ts";
import type { OrderResponse, ResponseProfile } from "../../device/frequency/responseProfile.ts";
import type { SiteOrder } from "../orders/siteOrder.ts";

/** What a unit is to do from an instant on; `deltaKw` and `baselineKw` count only when instructed. */
export interface Setpoint {
  readonly isInstructed: boolean;
  readonly baselineKw: number;
  readonly deltaKw: number;
  /** Frequency response besides; `null`: none. */
  readonly fcr: FcrSetpoint | null;
  /** How the sum moves from the instant of `follow` on; absent: not at all. */
  readonly kwPerMs?: number;
}

/** The frequency response that a site is told to give. All kW are called amounts, import positive. */
export interface FcrSetpoint {
  readonly orderResponses: readonly FcrOrderResponse[];
  /** Sums of the deltas below and above 0 of all orders that are executed: what a cut may take from them. */
  readonly downDeltaKw: number;
  readonly upDeltaKw: number;
}

/** One order's part in it. */
export interface FcrOrderResponse extends OrderResponse {
  readonly order: SiteOrder;
}

/** A target of which nothing is known yet. Every target that sites pass on is made here, so that all are of one make. */
export const newSetpoint = (): MutableSetpoint => ({
  isInstructed: true,
  baselineKw: Number.NaN,
  deltaKw: Number.NaN,
  fcr: null,
  kwPerMs: 0,
});

export type MutableSetpoint = { -readonly [Key in keyof Setpoint]: Setpoint[Key] };

export const PLAN_SETPOINT: Setpoint = Object.assign(newSetpoint(), { isInstructed: false, baselineKw: 0, deltaKw: 0 });

/** What surrounds a unit at its site. All powers are magnitudes in kW. */
export interface OperatingConditions {
  readonly inService: boolean;
  /** Share of the rated output that may be exported, 0..1. */
  readonly outputLimit: number;
  /** What frequency response adds to the target from the instant on; `null` where none is in force. */
  readonly response: ResponseProfile | null;
}

/** Instant at which a unit wants to be planned again although nothing happened to it. */
export type ReplanMs = EpochMs;

/** A change of target on its way to the plant. */
export interface PendingSetpoint {
  readonly effectMs: EpochMs;
  readonly setpoint: Setpoint;
}

/** A part's share of the site's frequency response, 0..1, and what it comes to. */
export interface FcrAllocation {
  readonly share: number;
  readonly fcr: FcrSetpoint;
}
