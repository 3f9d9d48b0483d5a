import type { ComponentRow, SiteRow } from "../../../accounting/siteRow.ts";
import { sumOf } from "../../../base/lists.ts";
import { roundTo } from "../../../base/rounding.ts";
import { kindOf } from "../../../engine/site/components/registry.ts";

/** Energy between the components of one site over the run, in kWh; sums of the energy paths of its components. */
export interface SiteFlows {
  readonly site: string;
  readonly sources: readonly SourceFlow[];
  /** Names of the storage components; the energy paths of several are summed. */
  readonly storageNames: readonly string[];
  readonly gridToLoadKwh: number;
  readonly gridToStorageKwh: number;
  readonly generationToLoadKwh: number;
  readonly generationToStorageKwh: number;
  readonly generationToGridKwh: number;
  readonly storageToLoadKwh: number;
  readonly storageToGridKwh: number;
  /** From one storage component of the site into another. */
  readonly storageToStorageKwh: number;
}

/** Generation of one plant by destination, in kWh. */
interface SourceFlow {
  readonly componentId: string;
  readonly toLoadKwh: number;
  readonly toStorageKwh: number;
  readonly toGridKwh: number;
}

/** One entry per site of several components, in the order of the sites. */
export const siteFlows = (sites: readonly SiteRow[]): readonly SiteFlows[] =>
  sites.flatMap(({ site, components }) => (components === null ? [] : [flowsOf(site, components)]));

export const totalFlowKwh = (flows: SiteFlows): number =>
  flows.gridToLoadKwh +
  flows.gridToStorageKwh +
  flows.generationToLoadKwh +
  flows.generationToStorageKwh +
  flows.generationToGridKwh;

/** Batteries, and plants that consumed energy (pumped storage). */
export function isStorage(row: ComponentRow): boolean {
  const { flowRole } = kindOf(row).report;
  return flowRole === "storage" || (flowRole === "plant" && 0 < row.fromGridKwh + row.fromGeneratorKwh);
}

export const isLoad = (row: ComponentRow): boolean => kindOf(row).report.flowRole === "load";

function flowsOf(site: string, components: readonly ComponentRow[]): SiteFlows {
  const loads = components.filter(isLoad);
  const storage = components.filter(isStorage);
  const plants = components.filter((component) => !isLoad(component) && !isStorage(component));
  return {
    site,
    sources: plants.map(({ componentId, toLoadKwh, toBatteryKwh, toGridKwh }) => ({
      componentId,
      toLoadKwh,
      toStorageKwh: toBatteryKwh,
      toGridKwh,
    })),
    storageNames: storage.map(({ componentId }) => componentId),
    gridToLoadKwh: roundedSum(loads, ({ fromGridKwh }) => fromGridKwh),
    gridToStorageKwh: roundedSum(storage, ({ fromGridKwh }) => fromGridKwh),
    generationToLoadKwh: roundedSum(plants, ({ toLoadKwh }) => toLoadKwh),
    generationToStorageKwh: roundedSum(plants, ({ toBatteryKwh }) => toBatteryKwh),
    generationToGridKwh: roundedSum(plants, ({ toGridKwh }) => toGridKwh),
    storageToLoadKwh: roundedSum(storage, ({ toLoadKwh }) => toLoadKwh),
    storageToGridKwh: roundedSum(storage, ({ toGridKwh }) => toGridKwh),
    storageToStorageKwh: roundedSum(storage, ({ toBatteryKwh }) => toBatteryKwh),
  };
}

/** Rounded to three decimals, like the values of the components. */
const roundedSum = (rows: readonly ComponentRow[], of: (row: ComponentRow) => number): number =>
  roundTo(sumOf(rows, of), 3);
