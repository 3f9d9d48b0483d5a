import { kindOf } from "../../site/components/registry.ts";
import type { StorageRatings } from "../../site/components/studyFacet.ts";
import { largestLimitKw } from "../../site/limitsInForce.ts";
import type { Period, SiteSpec } from "../../site/siteSpec.ts";

/** A battery whose energy changes by its deliveries alone, so that the bound can model it exactly. */
export interface IdealStorage extends StorageRatings {
  readonly site: number;
}

/**
 * `null` for all other sites. Anything that moves energy outside awards (own plan, delays and ramps that outlast an
 * award, self-discharge, other components) excludes an energy balance: then only the power of the site limits its
 * delivery.
 */
export function idealStorageOf(site: SiteSpec, index: number, { startMs, endMs }: Period): IdealStorage | null {
  const [component] = site.components;
  if (site.components.length !== 1 || site.baseline.method !== "zero" || site.link.latencyMs > 0) return null;
  const ratings = kindOf(component).study.idealStorage(component);
  if (ratings === null) return null;
  // The largest limit of the run: the bound may be higher than what is possible, and never lower.
  const siteImportMaxKw = largestLimitKw(site.constraints.siteImportMaxKw, startMs, endMs);
  const siteExportMaxKw = largestLimitKw(site.constraints.siteExportMaxKw, startMs, endMs);
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
