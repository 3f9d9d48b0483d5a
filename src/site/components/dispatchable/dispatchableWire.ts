import type { DispatchableSpec } from "../../../device/dispatchable/dispatchableSpec.ts";
import { type ComponentWireFacet, exportPath, fcrRefusal, feedInRefusal } from "../wireFacet.ts";
import type { DispatchableComponent } from "./dispatchableComponent.ts";

export const dispatchableWire: ComponentWireFacet<DispatchableSpec, DispatchableComponent> = {
  componentType: () => "generator",
  specification: ({ reservoir, ...spec }) => ({
    generator_kind: spec.generatorKind,
    rated_output_kw: spec.ratedOutputKw,
    ...(spec.fuelType === null ? {} : { fuel_type: spec.fuelType }),
    min_output_kw: spec.minOutputKw,
    ...(spec.rampKwPerMin === null ? {} : { ramp_rate_kw_per_min: spec.rampKwPerMin }),
    ...(reservoir === null
      ? {}
      : { upper_reservoir_capacity_kwh: reservoir.capacityKwh, pump_input_max_kw: reservoir.pumpMaxKw }),
  }),
  v1Ratings: () => null,
  v1OutputKw: ({ ratedOutputKw }) => ratedOutputKw,
  hasIrradiance: () => false,
  importAvailableKw: () => 0,
  exportAvailableKw: (plant, outputLimitShare, atMs) =>
    plant.exportAvailableKw(atMs, outputLimitShare, plant.trajectory.storedKwhAt(atMs)),
  energyAvailable: () => null,
  requestHeadroomKw: (plant, outputLimitShare, isUp, atMs) =>
    isUp ? Math.max(0, plant.maxSetpointKw()) : plant.exportAvailableKw(atMs, outputLimitShare),
  paths: ({ reservoir, subsidy }, paths) => ({
    ...(reservoir === null ? {} : { from_generator_kwh: paths.fromGeneratorKwh, from_grid_kwh: paths.fromGridKwh }),
    to_battery_kwh: paths.toBatteryKwh,
    to_grid_kwh: paths.toGridKwh,
    to_load_kwh: paths.toLoadKwh,
    ...exportPath(subsidy, paths.toGridKwh),
  }),
  amountRefusal: ({ subsidy, fcrCapable }, amounts) =>
    feedInRefusal(subsidy, amounts) ?? fcrRefusal(fcrCapable, amounts),
};
