import { kindOf } from "../../site/components/registry.ts";
import type { StorageRatings } from "../../site/components/studyFacet.ts";
import type { SiteSpec } from "../../site/siteSpec.ts";

/** A battery whose energy changes by its deliveries alone, so that the bound can model it exactly. */
export interface IdealStorage extends StorageRatings {
  readonly site: number;
}

/**
 * `null` for all other sites. Anything that moves energy outside awards (own plan, delays and ramps that outlast an
 * award, self-discharge, other components) excludes an energy balance: then only the power of the site limits its
 * delivery.
 */
export function idealStorageOf(site: SiteSpec, index: number): IdealStorage | null {
  const [component] = site.components;
  if (site.components.length !== 1 || site.baseline.method !== "zero" || site.link.latencyMs > 0) return null;
  const ratings = kindOf(component).study.idealStorage(component);
  if (ratings === null) return null;
  const { siteImportMaxKw, siteExportMaxKw } = site.constraints;
  return {
    ...ratings,
    site: index,
    importMaxKw: Math.min(ratings.importMaxKw, siteImportMaxKw),
    // The auxiliaries consume part of the discharge before the site's export limit applies.
    exportMaxKw: site.capability.reverseFlowAllowed
      ? Math.min(ratings.exportMaxKw, siteExportMaxKw + ratings.auxiliaryKw)
      : 0,
  };
}
