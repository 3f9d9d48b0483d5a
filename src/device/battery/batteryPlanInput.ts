import type { EpochMs } from "../../base/time.ts";

/** State of a battery at an instant and its target from then on. Powers are those of the cells, at their AC side. */
export interface BatteryPlanInput {
  readonly startMs: EpochMs;
  readonly storedKwh: number;
  /** Power just before the instant, without auxiliaries; ramps start from it. */
  readonly flowingKw: number;
  readonly targetKw: number;
  /** Usually 0; otherwise the target moves linearly from `targetKw` at `startMs`. */
  readonly targetSlopeKwPerMs: number;
  readonly inService: boolean;
  /** At least 0; `Infinity` without a limit. */
  readonly importLimitKw: number;
  readonly exportLimitKw: number;
}
