import { kindOfKeys } from "../../engine/site/components/registry.ts";
import type { PvPlantKeys } from "../../engine/site/components/scenarioFacet.ts";
import type { ScenarioSource } from "../../inputs/scenario/scenarioSource.ts";

/** Keys of the PV plants of a scenario, by site; of several components the first counts. */
export type PvPlants = ReadonlyMap<string, PvPlantKeys>;

export const pvPlantsOf = ({ content }: ScenarioSource): PvPlants =>
  new Map(
    (content?.sites ?? []).flatMap(({ name, config: { components } }) => {
      const plant = kindOfKeys(components[0])?.scenario.pvPlantKeys(components[0]) ?? null;
      return plant === null ? [] : [[name, plant] as const];
    }),
  );
