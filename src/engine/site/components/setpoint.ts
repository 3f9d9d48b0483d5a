import type { EpochMs } from "../../../base/time.ts";
import type { OrderResponse, ResponseProfile } from "../../device/frequency/responseProfile.ts";
import type { SiteOrder } from "../orders/siteOrder.ts";

/** Set-point of a resource from an instant on. `deltaKw` and `baselineKw` apply only when `isInstructed`. */
export interface Setpoint {
  readonly isInstructed: boolean;
  readonly baselineKw: number;
  readonly deltaKw: number;
  /** Frequency response in addition; `null`: none. */
  readonly fcr: FcrSetpoint | null;
  /** Rate of change of the set-point from the start of the trajectory on; absent: constant. */
  readonly kwPerMs?: number;
}

/** FCR set-point of a site. All kW are requested amounts, import positive. */
export interface FcrSetpoint {
  readonly orderResponses: readonly FcrOrderResponse[];
  /** Sums of the negative and of the positive deltas of all active orders: upper bounds on what a power limit can take from them. */
  readonly downDeltaKw: number;
  readonly upDeltaKw: number;
}

/** Contribution of one order to the FCR set-point. */
export interface FcrOrderResponse extends OrderResponse {
  readonly order: SiteOrder;
}

/** Creates an empty set-point. All set-points are created here so that they share one hidden class of the engine. */
export const newSetpoint = (): MutableSetpoint => ({
  isInstructed: true,
  baselineKw: Number.NaN,
  deltaKw: Number.NaN,
  fcr: null,
  kwPerMs: 0,
});

type MutableSetpoint = { -readonly [Key in keyof Setpoint]: Setpoint[Key] };

export const PLAN_SETPOINT: Setpoint = Object.assign(newSetpoint(), { isInstructed: false, baselineKw: 0, deltaKw: 0 });

/** Operating conditions of a resource at its site. */
export interface OperatingConditions {
  readonly inService: boolean;
  /** Share of the rated output that may be exported, 0..1. */
  readonly outputLimitShare: number;
  /** Profile that frequency response adds to the set-point; `null` without active frequency response. */
  readonly response: ResponseProfile | null;
}

type MutableOperatingConditions = { -readonly [Key in keyof OperatingConditions]: OperatingConditions[Key] };

/** In service, without limit and without frequency response. */
export const newOperatingConditions = (): MutableOperatingConditions => ({
  inService: true,
  outputLimitShare: 1,
  response: null,
});

/** Replanning horizon: the instant at which the trajectory must be planned again even without an event. */
export type ReplanMs = EpochMs;

/** A set-point change that has not taken effect yet. */
export interface PendingSetpoint {
  readonly effectMs: EpochMs;
  readonly setpoint: Setpoint;
}

/** Share of a component in the frequency response of its site, 0..1, and the resulting FCR set-point. */
export interface FcrAllocation {
  readonly share: number;
  readonly fcr: FcrSetpoint;
}
