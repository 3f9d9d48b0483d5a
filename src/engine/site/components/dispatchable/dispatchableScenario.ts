import {
  capacityKwh,
  efficiency,
  enumOf,
  literal,
  optional,
  percentage,
  rampRate,
  ratingKw,
  type Static,
  strictObject,
  string,
} from "../../../../base/schemaBuilders.ts";
import type { DispatchableSpec, ReservoirSpec } from "../../../device/dispatchable/dispatchableSpec.ts";
import {
  type ComponentBuildPort,
  type ComponentScenarioFacet,
  generatorProperties,
  HOUSEHOLD_MIN_KW,
} from "../scenarioFacet.ts";

const dispatchableProperties = {
  ...generatorProperties,
  min_output_kw: ratingKw({ default: 0 }),
  ramp_rate_kw_per_min: optional(rampRate()),
  fuel_type: optional(string({ maxLength: 64 })),
};

const plant = strictObject({
  ...dispatchableProperties,
  generator_kind: enumOf(["thermal", "biomass", "hydro", "other"]),
});

const pumpedStorage = strictObject({
  ...dispatchableProperties,
  generator_kind: literal("pumped_storage"),
  pump_input_max_kw: ratingKw(),
  upper_reservoir_capacity_kwh: capacityKwh(),
  model: strictObject(
    {
      initial_fill_pct: percentage({ default: 50 }),
      pumping_efficiency: efficiency({ default: 0.87 }),
      generating_efficiency: efficiency({ default: 0.87 }),
    },
    { default: {} },
  ),
});

/** The smallest pumped-storage plants have some hundred kW. */
const PUMPED_STORAGE_MIN_KW = 50;

export type PlantKeys = Static<typeof plant>;
export type PumpedStorageKeys = Static<typeof pumpedStorage>;

export const dispatchableScenario: ComponentScenarioFacet<PlantKeys | PumpedStorageKeys, DispatchableSpec> = {
  schemas: [plant, pumpedStorage],
  matches: (keys) =>
    keys.component_type === "generator" &&
    !("generator_kind" in keys && (keys.generator_kind === "pv" || keys.generator_kind === "wind")),
  build: buildDispatchable,
  resourceType: () => "generator",
  impliedSeries: () => [],
  loadKeys: () => null,
  ratingKeys: ({ rated_output_kw, generator_kind }) => ({
    key: "rated_output_kw",
    ratedKw: rated_output_kw,
    usualMinKw: generator_kind === "pumped_storage" ? PUMPED_STORAGE_MIN_KW : HOUSEHOLD_MIN_KW,
  }),
  pvPlantKeys: () => null,
  storageKeys: (keys) =>
    keys.generator_kind !== "pumped_storage"
      ? null
      : {
          key: "upper_reservoir_capacity_kwh",
          capacityKwh: keys.upper_reservoir_capacity_kwh,
          ratedKw: Math.max(keys.rated_output_kw, keys.pump_input_max_kw),
          importKw: keys.pump_input_max_kw,
          importKey: "pump_input_max_kw",
          start: { owner: keys.model, key: "initial_fill_pct", pct: keys.model.initial_fill_pct },
          minPct: 0,
          maxPct: 100,
        },
  // Without a load or weather series, the power of a plant without instructions is undefined.
  allowsPerfectBaseline: false,
};

function buildDispatchable({ checker }: ComponentBuildPort, keys: PlantKeys | PumpedStorageKeys): DispatchableSpec {
  if (keys.min_output_kw > keys.rated_output_kw) {
    const allowed = `at most rated_output_kw, ${keys.rated_output_kw}`;
    checker.reportError(keys, "min_output_kw", `${keys.min_output_kw}`, allowed);
  }
  return {
    kind: "dispatchable",
    componentId: keys.component_id,
    generatorKind: keys.generator_kind,
    fcrCapable: keys.fcr_capable,
    subsidy: keys.subsidy,
    ratedOutputKw: keys.rated_output_kw,
    minOutputKw: keys.min_output_kw,
    rampKwPerMin: keys.ramp_rate_kw_per_min ?? null,
    fuelType: keys.fuel_type ?? null,
    reservoir: keys.generator_kind === "pumped_storage" ? reservoirOf(keys) : null,
  };
}

function reservoirOf(keys: PumpedStorageKeys): ReservoirSpec {
  return {
    capacityKwh: keys.upper_reservoir_capacity_kwh,
    initialFillPct: keys.model?.initial_fill_pct,
    pumpMaxKw: keys.pump_input_max_kw,
    pumpingEfficiency: keys.model?.pumping_efficiency,
    generatingEfficiency: keys.model?.generating_efficiency,
  };
}
