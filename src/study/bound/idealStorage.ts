import { kindOf } from "../../site/components/registry.ts";
import type { StorageRatings } from "../../site/components/studyFacet.ts";
import type { SiteSpec } from "../../site/siteSpec.ts";

/** A battery of which the bound knows exactly how its energy moves: by what it delivers, and by nothing else. */
export interface IdealStorage extends StorageRatings {
  readonly site: number;
}

/**
 * `null` for other sites: whatever moves energy outside its awards (a plan of its own, delays and ramps that outlast an
 * award, self-discharge, other components) makes the store one of which only the power is taken into account.
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
    // Of what the cells give, the auxiliaries may take their part before the site's limit.
    exportMaxKw: site.capability.reverseFlowAllowed
      ? Math.min(ratings.exportMaxKw, siteExportMaxKw + ratings.auxiliaryKw)
      : 0,
  };
}
