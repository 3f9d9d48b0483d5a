import type { Component } from "../../site/components/registry.ts";
import type { CompositeResource } from "../../site/composite/compositeResource.ts";
import type { Site } from "../../site/site.ts";
import { REGISTER, REGISTER_COUNT, REGISTERS_OF } from "./energyRegisters.ts";

/**
 * Sums that a site of several components has beside `REGISTER`, in kWh; in its registers they follow the leaves.
 *
 * Together with import, export and curtailed they are sums over its components' leaves: `computeSumRegisters` makes them.
 */
export const SUM_REGISTER = {
  selfConsumed: REGISTER_COUNT,
  gridToLoad: REGISTER_COUNT + 1,
  fitExport: REGISTER_COUNT + 2,
  fipExport: REGISTER_COUNT + 3,
  nonSubsidizedExport: REGISTER_COUNT + 4,
} as const;

/** Where the components' leaves begin. */
const COMPONENTS_FROM = REGISTER_COUNT + 5;

/**
 * Leaf paths of one component, in kWh. `from…` of a store: what it takes in, from generation (or another store) on the
 * site, or from the grid; a load's `fromGrid`. `to…` of generation and of a store that gives. @see docs/model/accounting.md#energy-paths
 */
export const COMPONENT_REGISTER = {
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
export const COMPONENT_REGISTER_COUNT = 9;

/** How many registers a site has: its leaves and, with several components, sums and the leaves of each component. */
export const registerCount = ({ spec: { components } }: Site): number =>
  components.length === 1 ? REGISTER_COUNT : COMPONENTS_FROM + components.length * COMPONENT_REGISTER_COUNT;

/** Where the leaves of component k begin. */
export const componentRegisterBase = (k: number): number => COMPONENTS_FROM + k * COMPONENT_REGISTER_COUNT;

const CURTAILED_REGISTERS = [
  COMPONENT_REGISTER.fitCurtailed,
  COMPONENT_REGISTER.nonFirmCurtailed,
  COMPONENT_REGISTER.manualCurtailed,
  COMPONENT_REGISTER.otherCurtailed,
];

/** Leaves that a kind of component has; its other registers stay 0. */
export const COMPONENT_REGISTERS_OF = {
  battery: [
    COMPONENT_REGISTER.fromGenerator,
    COMPONENT_REGISTER.fromGrid,
    COMPONENT_REGISTER.toLoad,
    COMPONENT_REGISTER.toBattery,
    COMPONENT_REGISTER.toGrid,
  ],
  generator: [
    COMPONENT_REGISTER.toLoad,
    COMPONENT_REGISTER.toBattery,
    COMPONENT_REGISTER.toGrid,
    ...CURTAILED_REGISTERS,
  ],
  dispatchable: [
    COMPONENT_REGISTER.fromGenerator,
    COMPONENT_REGISTER.fromGrid,
    COMPONENT_REGISTER.toLoad,
    COMPONENT_REGISTER.toBattery,
    COMPONENT_REGISTER.toGrid,
  ],
  consumer: [COMPONENT_REGISTER.fromGrid],
} as const satisfies Record<Component["kind"], readonly number[]>;

/** The registers of a site that are leaves: all else in a record is a sum of rounded ones. */
export function registersOf({ resource: unit }: Site): readonly number[] {
  if (unit.kind !== "multi_component") return REGISTERS_OF[unit.kind];
  const ofParts = unit.components.flatMap(({ kind }, k) =>
    COMPONENT_REGISTERS_OF[kind].map((leaf) => componentRegisterBase(k) + leaf),
  );
  return [REGISTER.baseline, REGISTER.drDelivered, ...ofParts];
}

/**
 * Makes a site's sums from its components' leaves, so that every identity closes in print: import = Σ from_grid +
 * grid_to_load, export = Σ to_grid, consumption = grid_to_load + self_consumed. Sites of one component have none.
 *
 * @param values  registers, or differences of rounded ones; the site's begin at `base`
 */
export function computeSumRegisters(site: Site, values: Float64Array, base = 0): void {
  if (site.resource.kind === "multi_component") sumComponents(site.resource, values, base);
}

function sumComponents({ components: parts }: CompositeResource, values: Float64Array, base: number): void {
  for (const leaf of SUMMED_REGISTERS) values[base + leaf] = 0;
  for (let k = 0; k < parts.length; k++) {
    const part = parts[k];
    const at = base + componentRegisterBase(k);
    const fromGrid = values[at + COMPONENT_REGISTER.fromGrid];
    const toGrid = values[at + COMPONENT_REGISTER.toGrid];
    values[base + REGISTER.import] += fromGrid;
    if (part.kind === "consumer") values[base + SUM_REGISTER.gridToLoad] += fromGrid;
    values[base + REGISTER.export] += toGrid;
    values[base + SUM_REGISTER.selfConsumed] += values[at + COMPONENT_REGISTER.toLoad];
    if (toGrid !== 0) values[base + exportSumRegister(part)] += toGrid;
    if (part.kind !== "generator") continue;
    values[base + REGISTER.fitCurtailed] += values[at + COMPONENT_REGISTER.fitCurtailed];
    values[base + REGISTER.nonFirmCurtailed] += values[at + COMPONENT_REGISTER.nonFirmCurtailed];
    values[base + REGISTER.manualCurtailed] += values[at + COMPONENT_REGISTER.manualCurtailed];
    values[base + REGISTER.otherCurtailed] += values[at + COMPONENT_REGISTER.otherCurtailed];
  }
}

function exportSumRegister({ spec }: Component): number {
  const subsidy = "subsidy" in spec ? spec.subsidy : "none";
  if (subsidy === "fit") return SUM_REGISTER.fitExport;
  return subsidy === "fip" ? SUM_REGISTER.fipExport : SUM_REGISTER.nonSubsidizedExport;
}

const SUMMED_REGISTERS = [
  REGISTER.import,
  REGISTER.export,
  REGISTER.fitCurtailed,
  REGISTER.nonFirmCurtailed,
  REGISTER.manualCurtailed,
  REGISTER.otherCurtailed,
  SUM_REGISTER.selfConsumed,
  SUM_REGISTER.gridToLoad,
  SUM_REGISTER.fitExport,
  SUM_REGISTER.fipExport,
  SUM_REGISTER.nonSubsidizedExport,
];
