import type { VariableGeneratorSpec } from "../../../device/generator/generatorSpec.ts";
import { type ComponentWireFacet, exportPath, fcrRefusal, feedInRefusal } from "../wireFacet.ts";
import type { GeneratorComponent } from "./generatorComponent.ts";

export const generatorWire: ComponentWireFacet<VariableGeneratorSpec, GeneratorComponent> = {
  componentType: () => "generator",
  specification: (spec) => ({
    generator_kind: spec.generatorKind,
    rated_output_kw: spec.ratedOutputKw,
    ...(spec.generatorKind === "pv" && spec.pvCapacityKw !== null ? { pv_capacity_kw: spec.pvCapacityKw } : {}),
  }),
  v1Ratings: () => null,
  v1OutputKw: ({ ratedOutputKw }) => ratedOutputKw,
  hasIrradiance: ({ generatorKind }) => generatorKind === "pv",
  importAvailableKw: () => 0,
  exportAvailableKw: (generator, outputLimitShare, atMs) => generator.exportAvailableKw(atMs, outputLimitShare),
  energyAvailable: () => null,
  requestHeadroomKw: () => 0,
  paths: ({ subsidy }, paths) => ({
    to_battery_kwh: paths.toBatteryKwh,
    to_grid_kwh: paths.toGridKwh,
    to_load_kwh: paths.toLoadKwh,
    ...exportPath(subsidy, paths.toGridKwh),
    curtailed_kwh: paths.curtailedKwh,
  }),
  amountRefusal(spec, amounts) {
    const { deltaKw = 0 } = amounts;
    return (
      feedInRefusal(spec.subsidy, amounts) ??
      fcrRefusal(false, amounts) ??
      (deltaKw > 0
        ? {
            parameter: "delta_kw",
            details: "A plant that follows sun or wind can only be dispatched to export more than its baseline",
          }
        : null)
    );
  },
};
