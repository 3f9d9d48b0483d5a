import { kindOfKeys } from "../../engine/site/components/registry.ts";
import type { ScenarioSource } from "../../inputs/scenario/scenarioSource.ts";

/** The only storage of a site. */
export interface SiteStorage {
  readonly capacityKwh: number;
  /** Study path of its state of charge at the start, in %. */
  readonly startPath: string;
}

/** The storages of sites that have one, by name of the site. */
export function siteStorages({ content }: ScenarioSource): ReadonlyMap<string, SiteStorage> {
  const storages = new Map<string, SiteStorage>();
  for (const { name, config } of content?.sites ?? []) {
    const own = config.components.flatMap((component, k): SiteStorage[] => {
      const keys = kindOfKeys(component)?.scenario.storageKeys?.(component);
      if (keys === undefined || keys === null) return [];
      const { owner, key } = keys.start;
      const parent = Object.entries(component).find(([, value]) => value === owner)?.[0];
      const path = ["sites", name, "components", component.component_id ?? String(k), parent, key];
      const startPath = path.filter((step) => step !== undefined).join(".");
      return [{ capacityKwh: keys.capacityKwh, startPath }];
    });
    if (own.length === 1) storages.set(name, own[0]);
  }
  return storages;
}
