import type { ComponentRow, SiteRow } from "../../../accounting/siteRow.ts";
import { roundTo } from "../../../base/rounding.ts";
import { kindOf } from "../../../site/components/registry.ts";

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
export function isStorage(row: ComponentRow): boolean {
  const { flowRole } = kindOf(row).report;
  return flowRole === "storage" || (flowRole === "plant" && 0 < row.fromGridKwh + row.fromGeneratorKwh);
}

export const isLoad = (row: ComponentRow): boolean => kindOf(row).report.flowRole === "load";

function flowsOf(site: string, components: readonly ComponentRow[]): SiteFlows {
  const loads = components.filter(isLoad);
  const stores = components.filter(isStorage);
  const plants = components.filter((component) => !isLoad(component) && !isStorage(component));
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
