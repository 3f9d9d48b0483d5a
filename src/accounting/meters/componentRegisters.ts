import { type Component, kindOf } from "../../engine/site/components/registry.ts";
import type { CompositeResource } from "../../engine/site/composite/compositeResource.ts";
import {
  COMPONENT_REGISTER,
  COMPONENT_REGISTER_COUNT,
  REGISTER,
  REGISTER_COUNT,
  SUM_REGISTER,
} from "../../engine/site/meters/energyRegisters.ts";
import type { Site } from "../../engine/site/site.ts";

/** Index of the first component register. */
const COMPONENTS_FROM = REGISTER_COUNT + 5;

/** Number of registers of a site: its own and, with several components, sums and the registers of each component. */
export const registerCount = ({ spec: { components } }: Site): number =>
  components.length === 1 ? REGISTER_COUNT : COMPONENTS_FROM + components.length * COMPONENT_REGISTER_COUNT;

/** Index of the first register of component k. */
export const componentRegisterBase = (k: number): number => COMPONENTS_FROM + k * COMPONENT_REGISTER_COUNT;

/** Registers of a site that are metered directly. All other values of a record are sums of their rounded values. */
export function registersOf({ resource }: Site): readonly number[] {
  if (resource.composite === null) return kindOf(resource).accounting.siteRegisters;
  const ofComponents = resource.components.flatMap((component, k) =>
    kindOf(component).accounting.partRegisters.map((register) => componentRegisterBase(k) + register),
  );
  return [REGISTER.baseline, REGISTER.drDelivered, ...ofComponents];
}

/**
 * Computes a site's sums from its components' registers, so that every identity holds for the rounded values: import = Σ from_grid +
 * grid_to_load, export = Σ to_grid, consumption = grid_to_load + self_consumed. No effect for sites of one component.
 *
 * @param values  registers, or differences of rounded registers; those of the site begin at `base`
 */
export function computeSumRegisters(site: Site, values: Float64Array, base = 0): void {
  const { composite } = site.resource;
  if (composite !== null) sumComponents(composite, values, base);
}

function sumComponents({ components }: CompositeResource, values: Float64Array, base: number): void {
  for (const register of SUMMED_REGISTERS) values[base + register] = 0;
  for (let k = 0; k < components.length; k++) {
    const component = components[k];
    const at = base + componentRegisterBase(k);
    const fromGrid = values[at + COMPONENT_REGISTER.fromGrid];
    const toGrid = values[at + COMPONENT_REGISTER.toGrid];
    values[base + REGISTER.import] += fromGrid;
    if (fromGrid !== 0 && kindOf(component).accounting.energyRole(component.spec) === "load")
      values[base + SUM_REGISTER.gridToLoad] += fromGrid;
    values[base + REGISTER.export] += toGrid;
    values[base + SUM_REGISTER.selfConsumed] += values[at + COMPONENT_REGISTER.toLoad];
    if (toGrid !== 0) values[base + exportSumRegister(component)] += toGrid;
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
