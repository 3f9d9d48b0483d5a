import { floorToTenths } from "../../base/rounding.ts";
import { CAPABILITY_LIMIT, type FcrCapabilityQuery } from "../../site/components/capabilities.ts";
import type { Site } from "../../site/site.ts";

/**
 * FCR capacity of a member: the symmetric headroom around its baseline, in kW, at least 0.
 *
 * The site must have been advanced to the instant. @see docs/model/capability.md#fcr-capacity, docs/model/capability.md#fcr-energy-test
 */
export function fcrCapabilityKw(site: Site, query: FcrCapabilityQuery): number {
  const upKw = site.resource.fcrHeadroomKw(site, query, true) - query.reservedUpKw;
  const downKw = site.resource.fcrHeadroomKw(site, query, false) - query.reservedDownKw;
  return Math.max(0, Math.min(upKw, downKw, site.resource.fcrSustainableKw(query)));
}

/**
 * Limiting factor of the FCR capacity of a member: an entry of `CAPABILITY_LIMIT` (docs/model/capability.md#limiting-factor).
 *
 * @param capabilityTenths its `fcrCapabilityKw` in whole tenths of kW
 */
export function fcrCapabilityLimit(site: Site, query: FcrCapabilityQuery, capabilityTenths: number): number {
  const { resource } = site;
  if (resource.isAtFcrBound) return CAPABILITY_LIMIT.energy;
  const unreserved = { ...query, reservedUpKw: 0, reservedDownKw: 0 };
  if (capabilityTenths < floorToTenths(fcrCapabilityKw(site, unreserved))) return CAPABILITY_LIMIT.otherAward;
  const upKw = resource.fcrHeadroomKw(site, query, true) - query.reservedUpKw;
  const downKw = resource.fcrHeadroomKw(site, query, false) - query.reservedDownKw;
  const isDownLowest = downKw <= upKw && downKw <= resource.fcrSustainableKw(query);
  return isDownLowest && resource.isFcrOutputControlled(site) ? CAPABILITY_LIMIT.outputControl : CAPABILITY_LIMIT.power;
}
