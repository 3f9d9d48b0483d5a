import { STORAGE_BOUND_TOLERANCE_KWH } from "../battery/batteryCapability.ts";
import type { DispatchableSpec } from "./dispatchableSpec.ts";

// What a plant can do at an instant, before the limits of its site. All kW and kWh are magnitudes; E, `storedKwh`, is
// in the upper reservoir and ignored for a plant without one.

/** kW that it can give: the rating, or 0 with an empty reservoir. */
export function outputCapabilityKw({ ratedOutputKw, reservoir }: DispatchableSpec, storedKwh: number): number {
  return reservoir !== null && storedKwh <= STORAGE_BOUND_TOLERANCE_KWH ? 0 : ratedOutputKw;
}

/** kW that it can take in: the pump's, or 0 with a full reservoir. */
export function pumpCapabilityKw({ reservoir }: DispatchableSpec, storedKwh: number): number {
  return reservoir === null || reservoir.capacityKwh - STORAGE_BOUND_TOLERANCE_KWH <= storedKwh
    ? 0
    : reservoir.pumpMaxKw;
}

/** kW that the plant can go up from a baseline, import positive (docs/model/dispatchable.md#plant-headroom). */
export function upwardCapabilityKw({ minOutputKw, reservoir }: DispatchableSpec, baselineKw: number): number {
  return Math.max(0, (reservoir === null ? -minOutputKw : reservoir.pumpMaxKw) - baselineKw);
}
