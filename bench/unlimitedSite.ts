import { hexId } from "../src/base/ids.ts";
import { SKUS } from "../src/base/sku.ts";
import type { ComponentSpec } from "../src/engine/site/components/registry.ts";
import type { SiteSpec } from "../src/engine/site/siteSpec.ts";

/** What differs between the sites of the benches. */
interface UnlimitedSiteOptions {
  readonly components: readonly ComponentSpec[];
  readonly baseline: SiteSpec["baseline"];
  readonly capability: Pick<SiteSpec["capability"], "fcrCapable" | "drCapable" | "reverseFlowAllowed">;
}

/** A site of the benches: for every product, without limits at the connection point, outages or losses on the link. */
export const unlimitedSite = (name: string, { components, baseline, capability }: UnlimitedSiteOptions): SiteSpec => ({
  name,
  emsId: hexId(`site:${name}`),
  capability: { ...capability, marketable: SKUS, balancingResponsible: false, nonFirmConnection: false },
  constraints: {
    voltageClass: null,
    measurementPoint: null,
    siteImportMaxKw: Number.POSITIVE_INFINITY,
    siteExportMaxKw: Number.POSITIVE_INFINITY,
  },
  components,
  baseline,
  fcr: { freqRefHz: 50, upDeadbandHz: 0.01, lowDeadbandHz: 0.01, upDroopPct: 5, lowDroopPct: 5 },
  outages: null,
  link: { lossProbability: 0, latencyMs: 0 },
  control: "open",
  maintenance: [],
});
