import type { Speed } from "./pace.ts";

/** The record of `GET /sandbox/clock` (docs/model/sandbox.md#clock-record). */
export interface ClockRecord {
  /** Whole seconds, floored. */
  readonly now: string;
  readonly mode: "paused" | "running";
  /** Of the last time it was set going, or the one it will be set going with. */
  readonly speed: Speed;
  /** Simulated seconds in a real one over the last two real seconds; 0 while paused. */
  readonly achieved_speed: number;
  /** Simulated seconds that the world is behind its clock. */
  readonly lag_seconds: number;
  readonly scenario_end: string;
}
