import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import { ENERGY_FIELDS, type EnergyField } from "../../engine/site/meters/energyRegisters.ts";
import { energyFieldsOf } from "./energyFields.ts";

/** What the tables and charts of a part have from the whole world. */
export interface WorldShape {
  /** Numbers of sites and VPPs that share the points of charts. */
  readonly sites: number;
  readonly vpps: number;
  /** Columns of energy records. */
  readonly energyFields: readonly EnergyField[];
  /** Whether any site is capable of frequency response, so that its columns exist. */
  readonly hasFcr: boolean;
}

export function worldShape({ sites, vpps }: WorldSpec): WorldShape {
  const present = new Set(sites.flatMap((site) => [...energyFieldsOf(site)]));
  return {
    sites: sites.length,
    vpps: vpps.length,
    energyFields: ENERGY_FIELDS.filter((field) => present.has(field)),
    hasFcr: sites.some(({ capability }) => capability.fcrCapable),
  };
}
