import type { DevicePlanInput } from "../../src/engine/device/curve/devicePlanInput.ts";
import { Trajectory } from "../../src/engine/device/curve/trajectory.ts";
import type { DispatchableSpec, ReservoirSpec } from "../../src/engine/device/dispatchable/dispatchableSpec.ts";
import { planDispatchable } from "../../src/engine/device/dispatchable/planDispatchable.ts";
import { START } from "./batteries.ts";

/** 100 kW, at least 40 kW when running, no ramp, unless said otherwise. */
export const plant = (changes: Partial<DispatchableSpec> = {}): DispatchableSpec => ({
  kind: "dispatchable",
  componentId: "plant-1",
  generatorKind: "thermal",
  fcrCapable: true,
  subsidy: "none",
  ratedOutputKw: 100,
  minOutputKw: 40,
  rampKwPerMin: null,
  fuelType: null,
  reservoir: null,
  ...changes,
});

/** 200 kWh, lossless, half full, pumps up to 80 kW. */
export const reservoir = (changes: Partial<ReservoirSpec> = {}): ReservoirSpec => ({
  capacityKwh: 200,
  initialFillPct: 50,
  pumpMaxKw: 80,
  pumpingEfficiency: 1,
  generatingEfficiency: 1,
  ...changes,
});

export function plannedPlantTrajectory(spec: DispatchableSpec, changes: Partial<DevicePlanInput> = {}): Trajectory {
  const out = new Trajectory();
  planDispatchable(
    spec,
    {
      startMs: START,
      storedKwh: spec.reservoir === null ? 0 : 100,
      flowingKw: 0,
      targetKw: 0,
      targetSlopeKwPerMs: 0,
      inService: true,
      importLimitKw: Number.POSITIVE_INFINITY,
      exportLimitKw: Number.POSITIVE_INFINITY,
      ...changes,
    },
    null,
    out,
  );
  return out;
}
