import type { Speed } from "./pace.ts";

/** The record of `GET /sandbox/clock` (docs/model/sandbox.md#clock-record). */
export interface ClockRecord {
  /** Whole seconds, rounded down. */
  readonly now: string;
  readonly mode: "paused" | "running";
  /** Speed of the last run, or the one of the next run. */
  readonly speed: Speed;
  /** Simulated seconds per real second over the last two real seconds; 0 while paused. */
  readonly achieved_speed: number;
  /** Simulated seconds by which the world lags behind its clock. */
  readonly lag_seconds: number;
  readonly scenario_end: string;
}
