import { CAPABILITY_LIMIT, type FcrCapabilityQuery } from "../../site/components/capabilities.ts";
import type { Site } from "../../site/site.ts";

/**
 * kW by which a member can go up and down alike around its baseline, at least 0: its FCR capacity.
 *
 * The site must have been advanced to the instant. @see docs/model/capability.md#fcr-capacity, docs/model/capability.md#fcr-energy-test
 */
export function fcrCapabilityKw(site: Site, query: FcrCapabilityQuery): number {
  const upKw = site.resource.fcrHeadroomKw(site, query, true) - query.reservedUpKw;
  const downKw = site.resource.fcrHeadroomKw(site, query, false) - query.reservedDownKw;
  return Math.max(0, Math.min(upKw, downKw, site.resource.fcrSustainableKw(query)));
}

/** What keeps a member from more FCR capacity (docs/model/accounting.md#attribution, the layer at dispatch). */
export function fcrCapabilityLimit(site: Site, query: FcrCapabilityQuery): number {
  const { resource } = site;
  const upKw = resource.fcrHeadroomKw(site, query, true) - query.reservedUpKw;
  const downKw = resource.fcrHeadroomKw(site, query, false) - query.reservedDownKw;
  if (resource.isFcrEnergyLimited(query, upKw, downKw)) return CAPABILITY_LIMIT.energy;
  if ((upKw < downKw ? query.reservedUpKw : query.reservedDownKw) > 0) return CAPABILITY_LIMIT.otherAward;
  if (upKw < downKw) return CAPABILITY_LIMIT.power;
  return resource.isFcrOutputControlled(site) ? CAPABILITY_LIMIT.outputControl : CAPABILITY_LIMIT.power;
}
