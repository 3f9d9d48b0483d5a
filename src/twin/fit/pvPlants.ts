import type { Series } from "../../engine/series/model/series.ts";
import { kindOfKeys } from "../../engine/site/components/registry.ts";
import type { PvPlantKeys } from "../../engine/site/components/scenarioFacet.ts";
import type { Patch } from "../../inputs/scenario/patch/patchValue.ts";
import type { ScenarioSource } from "../../inputs/scenario/scenarioSource.ts";

const WEATHER_ROLES = ["ghi_w_m2", "temp_air_c", "wind_m_s"] as const;

/** A PV plant of a scenario: its keys, and the weather that its output follows. */
export interface PvPlant extends PvPlantKeys {
  readonly weatherSeries: ReadonlyMap<(typeof WEATHER_ROLES)[number], Series>;
}

/** PV plants of a scenario, by site; of several components the first counts. */
export type PvPlants = ReadonlyMap<string, PvPlant>;

/** @param source  of a scenario that has been built; its patch has been accepted */
export function pvPlantsOf(source: ScenarioSource, patch: Patch = {}): PvPlants {
  const series = source.unpatchedBuild?.series;
  const weatherOf = ({ weather }: PvPlantKeys): PvPlant["weatherSeries"] =>
    new Map(
      WEATHER_ROLES.flatMap((role) =>
        weather === null || series === undefined || !series.hasRole(weather, role)
          ? []
          : [[role, series.resolveRole({}, "weather", { name: weather, role }, { interpolation: "linear" })] as const],
      ),
    );
  return new Map(
    source.sitesWith(patch).flatMap(({ name, config: { components, outages } }) => {
      const [keys] = components;
      const plant = kindOfKeys(keys)?.scenario.pvPlantKeys(keys, outages !== undefined) ?? null;
      return plant === null ? [] : [[name, { ...plant, weatherSeries: weatherOf(plant) }] as const];
    }),
  );
}
