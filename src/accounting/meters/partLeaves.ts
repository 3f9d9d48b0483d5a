import type { Part } from "../../site/components/part.ts";
import type { CompositeUnit } from "../../site/composite/compositeUnit.ts";
import type { Site } from "../../site/site.ts";
import { LEAF, LEAF_COUNT, LEAVES_OF } from "./leaves.ts";

/**
 * Sums that a site of several components has beside `LEAF`, in kWh; in its registers they follow the leaves.
 *
 * Together with import, export and curtailed they are sums over its components' leaves: `closeSums` makes them.
 */
export const SUM = {
  selfConsumed: LEAF_COUNT,
  gridToLoad: LEAF_COUNT + 1,
  fitExport: LEAF_COUNT + 2,
  fipExport: LEAF_COUNT + 3,
  nonSubsidizedExport: LEAF_COUNT + 4,
} as const;

/** Where the components' leaves begin. */
const PARTS_FROM = LEAF_COUNT + 5;

/**
 * Leaf paths of one component, in kWh. `from…` of a store: what it takes in, from generation (or another store) on the
 * site, or from the grid; a load's `fromGrid`. `to…` of generation and of a store that gives. @see models.md §7
 */
export const PART_LEAF = {
  fromGenerator: 0,
  fromGrid: 1,
  toLoad: 2,
  toBattery: 3,
  toGrid: 4,
  fitCurtailed: 5,
  nonFirmCurtailed: 6,
  manualCurtailed: 7,
  otherCurtailed: 8,
} as const;
export const PART_LEAF_COUNT = 9;

/** How many registers a site has: its leaves and, with several components, sums and the leaves of each component. */
export const registerCount = ({ spec: { components } }: Site): number =>
  components.length === 1 ? LEAF_COUNT : PARTS_FROM + components.length * PART_LEAF_COUNT;

/** Where the leaves of component k begin. */
export const partBase = (k: number): number => PARTS_FROM + k * PART_LEAF_COUNT;

const CURTAILED = [
  PART_LEAF.fitCurtailed,
  PART_LEAF.nonFirmCurtailed,
  PART_LEAF.manualCurtailed,
  PART_LEAF.otherCurtailed,
];

/** Leaves that a kind of component has; its other registers stay 0. */
export const PART_LEAVES_OF = {
  battery: [PART_LEAF.fromGenerator, PART_LEAF.fromGrid, PART_LEAF.toLoad, PART_LEAF.toBattery, PART_LEAF.toGrid],
  generator: [PART_LEAF.toLoad, PART_LEAF.toBattery, PART_LEAF.toGrid, ...CURTAILED],
  dispatchable: [PART_LEAF.fromGenerator, PART_LEAF.fromGrid, PART_LEAF.toLoad, PART_LEAF.toBattery, PART_LEAF.toGrid],
  consumer: [PART_LEAF.fromGrid],
} as const satisfies Record<Part["kind"], readonly number[]>;

/** The registers of a site that are leaves: all else in a record is a sum of rounded ones. */
export function leavesOf({ unit }: Site): readonly number[] {
  if (unit.kind !== "multi_component") return LEAVES_OF[unit.kind];
  const ofParts = unit.parts.flatMap(({ kind }, k) => PART_LEAVES_OF[kind].map((leaf) => partBase(k) + leaf));
  return [LEAF.baseline, LEAF.drDelivered, ...ofParts];
}

/**
 * Makes a site's sums from its components' leaves, so that every identity closes in print: import = Σ from_grid +
 * grid_to_load, export = Σ to_grid, consumption = grid_to_load + self_consumed. Sites of one component have none.
 *
 * @param values  registers, or differences of rounded ones; the site's begin at `base`
 */
export function closeSums(site: Site, values: Float64Array, base = 0): void {
  if (site.unit.kind === "multi_component") close(site.unit, values, base);
}

function close({ parts }: CompositeUnit, values: Float64Array, base: number): void {
  for (const leaf of SUMMED) values[base + leaf] = 0;
  for (let k = 0; k < parts.length; k++) {
    const part = parts[k];
    const at = base + partBase(k);
    const fromGrid = values[at + PART_LEAF.fromGrid];
    const toGrid = values[at + PART_LEAF.toGrid];
    values[base + LEAF.import] += fromGrid;
    if (part.kind === "consumer") values[base + SUM.gridToLoad] += fromGrid;
    values[base + LEAF.export] += toGrid;
    values[base + SUM.selfConsumed] += values[at + PART_LEAF.toLoad];
    if (toGrid !== 0) values[base + exportSumOf(part)] += toGrid;
    if (part.kind !== "generator") continue;
    values[base + LEAF.fitCurtailed] += values[at + PART_LEAF.fitCurtailed];
    values[base + LEAF.nonFirmCurtailed] += values[at + PART_LEAF.nonFirmCurtailed];
    values[base + LEAF.manualCurtailed] += values[at + PART_LEAF.manualCurtailed];
    values[base + LEAF.otherCurtailed] += values[at + PART_LEAF.otherCurtailed];
  }
}

function exportSumOf({ spec }: Part): number {
  const subsidy = "subsidy" in spec ? spec.subsidy : "none";
  if (subsidy === "fit") return SUM.fitExport;
  return subsidy === "fip" ? SUM.fipExport : SUM.nonSubsidizedExport;
}

const SUMMED = [
  LEAF.import,
  LEAF.export,
  LEAF.fitCurtailed,
  LEAF.nonFirmCurtailed,
  LEAF.manualCurtailed,
  LEAF.otherCurtailed,
  SUM.selfConsumed,
  SUM.gridToLoad,
  SUM.fitExport,
  SUM.fipExport,
  SUM.nonSubsidizedExport,
];
