import { kindOf } from "../site/components/registry.ts";
import { ratedPowerKw } from "../site/frequency/ratedPowerKw.ts";
import type { SiteSpec } from "../site/siteSpec.ts";
import type { FaultEvent } from "./worldSpec.ts";

type FaultKind = FaultEvent["kind"];
type ComponentsOf = Pick<SiteSpec, "components">;

/** Faults that not every site can have (docs/model/sandbox.md#faults). */
const NEEDS: Partial<Record<FaultKind, { readonly what: string; has(site: ComponentsOf): boolean }>> = {
  output_control: {
    what: "a site with a generator or a battery",
    has: ({ components }) => components.some((component) => kindOf(component).operation.ratedExportKw(component) > 0),
  },
  fcr_fault: { what: "a site that can provide FCR", has: ({ components }) => ratedPowerKw(components) > 0 },
};

export const canHaveFault = (kind: FaultKind, site: ComponentsOf): boolean => NEEDS[kind]?.has(site) ?? true;

/** The sites that can have a fault of a kind, in words and by name. */
export function sitesForFault(
  kind: FaultKind,
  sites: readonly SiteSpec[],
): { readonly what: string; readonly names: readonly string[] } {
  const { what = "a site of the scenario" } = NEEDS[kind] ?? {};
  return { what, names: sites.filter((site) => canHaveFault(kind, site)).map(({ name }) => name) };
}
