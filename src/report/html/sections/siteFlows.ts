import type { ComponentRow, SiteRow } from "../../../accounting/runRecord.ts";
import { roundTo } from "../../../base/rounding.ts";

/** Energy between the parts of one site over the run, in kWh; sums of its components' paths. */
export interface SiteFlows {
  readonly site: string;
  readonly sources: readonly SourceFlow[];
  /** Names of what stores; the paths of several are summed. */
  readonly storageNames: readonly string[];
  readonly gridToLoadKwh: number;
  readonly gridToStorageKwh: number;
  readonly generationToLoadKwh: number;
  readonly generationToStorageKwh: number;
  readonly generationToGridKwh: number;
  readonly storageToLoadKwh: number;
  readonly storageToGridKwh: number;
  /** From one store of the site into another. */
  readonly storageToStorageKwh: number;
}

/** What one plant gave, in kWh. */
export interface SourceFlow {
  readonly componentId: string;
  readonly toLoadKwh: number;
  readonly toStorageKwh: number;
  readonly toGridKwh: number;
}

/** One for each site of several components, in their order. */
export const siteFlows = (sites: readonly SiteRow[]): readonly SiteFlows[] =>
  sites.flatMap(({ site, components }) => (components === null ? [] : [flowsOf(site, components)]));

export const totalFlowKwh = (flows: SiteFlows): number =>
  flows.gridToLoadKwh +
  flows.gridToStorageKwh +
  flows.generationToLoadKwh +
  flows.generationToStorageKwh +
  flows.generationToGridKwh;

/** Batteries, and plants that took energy in. */
export const isStorage = ({ kind, fromGridKwh, fromGeneratorKwh }: ComponentRow): boolean =>
  kind === "battery" || (kind === "dispatchable" && 0 < fromGridKwh + fromGeneratorKwh);

function flowsOf(site: string, components: readonly ComponentRow[]): SiteFlows {
  const loads = components.filter(({ kind }) => kind === "consumer");
  const stores = components.filter(isStorage);
  const plants = components.filter((component) => component.kind !== "consumer" && !isStorage(component));
  return {
    site,
    sources: plants.map(({ componentId, toLoadKwh, toBatteryKwh, toGridKwh }) => ({
      componentId,
      toLoadKwh: toLoadKwh,
      toStorageKwh: toBatteryKwh,
      toGridKwh: toGridKwh,
    })),
    storageNames: stores.map(({ componentId }) => componentId),
    gridToLoadKwh: sumOf(loads, ({ fromGridKwh }) => fromGridKwh),
    gridToStorageKwh: sumOf(stores, ({ fromGridKwh }) => fromGridKwh),
    generationToLoadKwh: sumOf(plants, ({ toLoadKwh }) => toLoadKwh),
    generationToStorageKwh: sumOf(plants, ({ toBatteryKwh }) => toBatteryKwh),
    generationToGridKwh: sumOf(plants, ({ toGridKwh }) => toGridKwh),
    storageToLoadKwh: sumOf(stores, ({ toLoadKwh }) => toLoadKwh),
    storageToGridKwh: sumOf(stores, ({ toGridKwh }) => toGridKwh),
    storageToStorageKwh: sumOf(stores, ({ toBatteryKwh }) => toBatteryKwh),
  };
}

/** Thousandths, as the components have them. */
const sumOf = (rows: readonly ComponentRow[], of: (row: ComponentRow) => number): number =>
  roundTo(
    rows.reduce((sum, row) => sum + of(row), 0),
    3,
  );
