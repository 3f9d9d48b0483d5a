import type { EpochMs } from "../../../base/time.ts";

/** The period of a chart. */
export interface TimeSpan {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}
