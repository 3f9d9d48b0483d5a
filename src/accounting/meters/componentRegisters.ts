import { type Component, kindOf } from "../../site/components/registry.ts";
import type { CompositeResource } from "../../site/composite/compositeResource.ts";
import {
  COMPONENT_REGISTER,
  COMPONENT_REGISTER_COUNT,
  REGISTER,
  REGISTER_COUNT,
  SUM_REGISTER,
} from "../../site/meters/energyRegisters.ts";
import type { Site } from "../../site/site.ts";

/** Where the components' leaves begin. */
const COMPONENTS_FROM = REGISTER_COUNT + 5;

/** How many registers a site has: its leaves and, with several components, sums and the leaves of each component. */
export const registerCount = ({ spec: { components } }: Site): number =>
  components.length === 1 ? REGISTER_COUNT : COMPONENTS_FROM + components.length * COMPONENT_REGISTER_COUNT;

/** Where the leaves of component k begin. */
export const componentRegisterBase = (k: number): number => COMPONENTS_FROM + k * COMPONENT_REGISTER_COUNT;

/** The registers of a site that are leaves: all else in a record is a sum of rounded ones. */
export function registersOf({ resource: unit }: Site): readonly number[] {
  if (unit.composite === null) return kindOf(unit).accounting.siteRegisters;
  const ofParts = unit.components.flatMap((component, k) =>
    kindOf(component).accounting.partRegisters.map((leaf) => componentRegisterBase(k) + leaf),
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
  const { composite } = site.resource;
  if (composite !== null) sumComponents(composite, values, base);
}

function sumComponents({ components: parts }: CompositeResource, values: Float64Array, base: number): void {
  for (const leaf of SUMMED_REGISTERS) values[base + leaf] = 0;
  for (let k = 0; k < parts.length; k++) {
    const part = parts[k];
    const at = base + componentRegisterBase(k);
    const fromGrid = values[at + COMPONENT_REGISTER.fromGrid];
    const toGrid = values[at + COMPONENT_REGISTER.toGrid];
    values[base + REGISTER.import] += fromGrid;
    if (part.hasLoad) values[base + SUM_REGISTER.gridToLoad] += fromGrid;
    values[base + REGISTER.export] += toGrid;
    values[base + SUM_REGISTER.selfConsumed] += values[at + COMPONENT_REGISTER.toLoad];
    if (toGrid !== 0) values[base + exportSumRegister(part)] += toGrid;
    values[base + REGISTER.fitCurtailed] += values[at + COMPONENT_REGISTER.fitCurtailed];
    values[base + REGISTER.nonFirmCurtailed] += values[at + COMPONENT_REGISTER.nonFirmCurtailed];
    values[base + REGISTER.manualCurtailed] += values[at + COMPONENT_REGISTER.manualCurtailed];
    values[base + REGISTER.otherCurtailed] += values[at + COMPONENT_REGISTER.otherCurtailed];
  }
}

function exportSumRegister(component: Component): number {
  const subsidy = kindOf(component).accounting.subsidy(component.spec);
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
