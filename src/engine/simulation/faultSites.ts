import { kindOf } from "../site/components/registry.ts";
import { ratedPowerKw } from "../site/frequency/ratedPowerKw.ts";
import type { SiteSpec } from "../site/siteSpec.ts";
import type { FaultEvent } from "./worldSpec.ts";

type FaultKind = FaultEvent["kind"];
type ComponentsOf = Pick<SiteSpec, "components">;

/** Faults that not every site can have (docs/model/sandbox.md#faults). */
interface Need {
  readonly what: string;
  has(site: ComponentsOf): boolean;
}

const STORE: Need = {
  what: "a site with a store",
  has: ({ components }) =>
    components.some((component) => kindOf(component).accounting.energyRole(component) === "storage"),
};

const NEEDS: Partial<Record<FaultKind, Need>> = {
  output_control: {
    what: "a site with a generator or a battery",
    has: ({ components }) => components.some((component) => kindOf(component).operation.ratedExportKw(component) > 0),
  },
  irradiance_shortfall: {
    what: "a site with a PV plant",
    has: ({ components }) => components.some((component) => kindOf(component).wire.hasIrradiance(component)),
  },
  fcr_fault: { what: "a site that can provide FCR", has: ({ components }) => ratedPowerKw(components) > 0 },
};

/** A fault, as far as it decides which sites can have it. */
interface FaultOfSite {
  readonly kind: FaultKind;
  readonly sensor?: "soc" | "power" | undefined;
}

const needOf = ({ kind, sensor }: FaultOfSite): Need | undefined => (sensor === "soc" ? STORE : NEEDS[kind]);

export const canHaveFault = (fault: FaultOfSite, site: ComponentsOf): boolean => needOf(fault)?.has(site) ?? true;

/** The sites that can have a fault, in words and by name. */
export function sitesForFault(
  fault: FaultOfSite,
  sites: readonly SiteSpec[],
): { readonly what: string; readonly names: readonly string[] } {
  const { what = "a site of the scenario" } = needOf(fault) ?? {};
  return { what, names: sites.filter((site) => canHaveFault(fault, site)).map(({ name }) => name) };
}
