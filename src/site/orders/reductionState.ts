import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";

/** The demand response in force at a consumer, and the end of the last one. */
export interface ReductionState {
  reducing: boolean;
  sku: Sku | null;
  endedMs: EpochMs;
}
