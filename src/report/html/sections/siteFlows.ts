import type { ComponentRow, SiteRow } from "../../../accounting/runRecord.ts";
import { roundTo } from "../../../base/rounding.ts";

/** Energy between the parts of one site over the run, in kWh; sums of its components' paths. */
export interface SiteFlows {
  readonly site: string;
  readonly sources: readonly SourceFlow[];
  /** Names of what stores; the paths of several are summed. */
  readonly stores: readonly string[];
  readonly gridToLoad: number;
  readonly gridToStorage: number;
  readonly generationToLoad: number;
  readonly generationToStorage: number;
  readonly generationToGrid: number;
  readonly storageToLoad: number;
  readonly storageToGrid: number;
  /** From one store of the site into another. */
  readonly storageToStorage: number;
}

/** What one plant gave, in kWh. */
export interface SourceFlow {
  readonly componentId: string;
  readonly toLoad: number;
  readonly toStorage: number;
  readonly toGrid: number;
}

/** One for each site of several components, in their order. */
export const siteFlows = (sites: readonly SiteRow[]): readonly SiteFlows[] =>
  sites.flatMap(({ site, components }) => (components === null ? [] : [flowsOf(site, components)]));

export const throughKwh = (flows: SiteFlows): number =>
  flows.gridToLoad + flows.gridToStorage + flows.generationToLoad + flows.generationToStorage + flows.generationToGrid;

/** Batteries, and plants that took energy in. */
export const isStore = ({ kind, fromGridKwh, fromGeneratorKwh }: ComponentRow): boolean =>
  kind === "battery" || (kind === "dispatchable" && 0 < fromGridKwh + fromGeneratorKwh);

function flowsOf(site: string, components: readonly ComponentRow[]): SiteFlows {
  const loads = components.filter(({ kind }) => kind === "consumer");
  const stores = components.filter(isStore);
  const plants = components.filter((component) => component.kind !== "consumer" && !isStore(component));
  return {
    site,
    sources: plants.map(({ componentId, toLoadKwh, toBatteryKwh, toGridKwh }) => ({
      componentId,
      toLoad: toLoadKwh,
      toStorage: toBatteryKwh,
      toGrid: toGridKwh,
    })),
    stores: stores.map(({ componentId }) => componentId),
    gridToLoad: sumOf(loads, ({ fromGridKwh }) => fromGridKwh),
    gridToStorage: sumOf(stores, ({ fromGridKwh }) => fromGridKwh),
    generationToLoad: sumOf(plants, ({ toLoadKwh }) => toLoadKwh),
    generationToStorage: sumOf(plants, ({ toBatteryKwh }) => toBatteryKwh),
    generationToGrid: sumOf(plants, ({ toGridKwh }) => toGridKwh),
    storageToLoad: sumOf(stores, ({ toLoadKwh }) => toLoadKwh),
    storageToGrid: sumOf(stores, ({ toGridKwh }) => toGridKwh),
    storageToStorage: sumOf(stores, ({ toBatteryKwh }) => toBatteryKwh),
  };
}

/** Thousandths, as the components have them. */
const sumOf = (rows: readonly ComponentRow[], of: (row: ComponentRow) => number): number =>
  roundTo(
    rows.reduce((sum, row) => sum + of(row), 0),
    3,
  );
