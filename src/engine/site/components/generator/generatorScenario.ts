import type { VariableGeneratorSpec } from "../../../device/generator/generatorSpec.ts";
import type { PvSystem } from "../../../device/pv/pvModelChain.ts";
import { pvwattsLossFactor } from "../../../device/pv/pvwattsLosses.ts";
import { scaleSeries } from "../../../series/model/scaleSeries.ts";
import {
  type ComponentBuildPort,
  type ComponentScenarioFacet,
  HOUSEHOLD_MIN_KW,
  type PvPlantKeys,
} from "../scenarioFacet.ts";
import { buildIrradiancePv, buildWeatherPv, lossesOf, weatherSeriesReferences } from "./buildWeatherPv.ts";
import { type PvKeys, pv, type WindKeys, wind } from "./generatorKeys.ts";

export const generatorScenario: ComponentScenarioFacet<PvKeys | WindKeys, VariableGeneratorSpec> = {
  schemas: [pv, wind],
  matches: (keys) =>
    keys.component_type === "generator" &&
    "generator_kind" in keys &&
    (keys.generator_kind === "pv" || keys.generator_kind === "wind"),
  build: buildVariableGenerator,
  resourceType: () => "generator",
  impliedSeries: (keys) => (isPv(keys) ? weatherSeriesReferences(keys) : []),
  loadKeys: () => null,
  ratingKeys: ({ rated_output_kw }) => ({
    key: "rated_output_kw",
    ratedKw: rated_output_kw,
    usualMinKw: HOUSEHOLD_MIN_KW,
  }),
  pvPlantKeys: (keys, simulatesOutages = false) => (isPv(keys) ? pvPlantOf(keys, simulatesOutages) : null),
  allowsPerfectBaseline: true,
};

const isPv = (keys: PvKeys | WindKeys): keys is PvKeys => keys.generator_kind === "pv";

function pvPlantOf(keys: PvKeys, simulatesOutages: boolean): PvPlantKeys {
  const { rated_output_kw: ratedOutputKw, model } = keys;
  const isLocated = model !== undefined && "latitude" in model;
  return {
    ratedOutputKw,
    location: isLocated
      ? { latitudeDeg: model.latitude, longitudeDeg: model.longitude, altitudeM: model.altitude_m }
      : null,
    plane: isLocated ? { owner: model, tiltDeg: model.tilt_deg, azimuthDeg: model.azimuth_deg } : null,
    system: pvChainOf(keys, simulatesOutages),
    weather: isLocated ? model.weather : null,
    takesLossFactor: model !== undefined && "gamma_pct_per_c" in model && model.losses === undefined,
  };
}

const DEFAULT_GAMMA_PER_C = -0.0037;
const DEFAULT_INVERTER_EFFICIENCY = 0.96;

function pvChainOf({ rated_output_kw, pv_capacity_kw, model }: PvKeys, simulatesOutages: boolean): PvSystem {
  const place = model !== undefined && "latitude" in model ? model : null;
  const equipment = model !== undefined && "gamma_pct_per_c" in model ? model : null;
  const losses = lossesOf(equipment?.losses, simulatesOutages);
  return {
    latitudeDeg: place?.latitude ?? 0,
    longitudeDeg: place?.longitude ?? 0,
    altitudeM: place?.altitude_m ?? 0,
    tiltDeg: place?.tilt_deg ?? 0,
    azimuthDeg: place?.azimuth_deg ?? 180,
    albedo: place?.albedo ?? 0.25,
    dcCapacityKw: pv_capacity_kw,
    gammaPerC: equipment === null ? DEFAULT_GAMMA_PER_C : equipment.gamma_pct_per_c / 100,
    ratedOutputKw: rated_output_kw,
    nominalEfficiency: equipment?.inverter_efficiency ?? DEFAULT_INVERTER_EFFICIENCY,
    losses,
    lossFactor: equipment?.loss_factor ?? pvwattsLossFactor(losses),
  };
}

function buildVariableGenerator(
  building: ComponentBuildPort,
  keys: PvKeys | WindKeys,
  simulatesOutages: boolean,
): VariableGeneratorSpec | null {
  const pvCapacityKw = keys.generator_kind === "pv" ? keys.pv_capacity_kw : null;
  const sent = buildGeneration(building, keys, pvCapacityKw ?? keys.rated_output_kw, simulatesOutages);
  if (sent === null) return null;
  return {
    kind: "generator",
    componentId: keys.component_id,
    generatorKind: keys.generator_kind,
    fcrCapable: keys.fcr_capable,
    subsidy: keys.subsidy,
    ratedOutputKw: keys.rated_output_kw,
    pvCapacityKw,
    ...sent,
  };
}

type GenerationSeries = Pick<VariableGeneratorSpec, "generationKw" | "irradianceWm2">;

/** Generation from weather, or as a series in kW or relative to the rated capacity. */
function buildGeneration(
  building: ComponentBuildPort,
  keys: PvKeys | WindKeys,
  unitKw: number,
  simulatesOutages: boolean,
): GenerationSeries | null {
  const { model } = keys;
  if (model === undefined) return null;
  if ("weather" in model) {
    if (keys.generator_kind !== "pv") return null;
    const made = buildWeatherPv(building, keys, model, simulatesOutages);
    return made === null || model.irradiance_sensor ? made : { ...made, irradianceWm2: null };
  }
  if ("irradiance" in model)
    return keys.generator_kind === "pv" ? buildIrradiancePv(building, keys, model, simulatesOutages) : null;
  const { series } = building;
  const factor = model.unit === "per_unit" ? unitKw : 1;
  const generation = series.resolve(model, "generation", { interpolation: "step", unit: "kW", minimum: 0 });
  const generationKw = series.deriveOnce(generation, `times ${factor}`, () => scaleSeries(generation, factor));
  return { generationKw, irradianceWm2: null };
}
