import type { EpochMs } from "../../../base/time.ts";

/**
 * State of a battery or a dispatchable plant at an instant, and its target from then on. Powers are at the AC side, import
 * positive, without auxiliaries.
 */
export interface DevicePlanInput {
  startMs: EpochMs;
  /** In the cells or in the upper reservoir; 0 for a plant without one. */
  storedKwh: number;
  /** Power just before the instant; ramps start from it. */
  flowingKw: number;
  targetKw: number;
  /** Usually 0; otherwise the target moves linearly from `targetKw` at `startMs`. */
  targetSlopeKwPerMs: number;
  inService: boolean;
  /** At least 0; `Infinity` without a limit. */
  importLimitKw: number;
  exportLimitKw: number;
}

/** An input to be filled for each plan, because planning allocates nothing. */
export const newPlanInput = (): DevicePlanInput => ({
  startMs: 0,
  storedKwh: 0,
  flowingKw: 0,
  targetKw: 0,
  targetSlopeKwPerMs: 0,
  inService: true,
  importLimitKw: 0,
  exportLimitKw: 0,
});
