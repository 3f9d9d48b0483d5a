import type { RunHistory } from "../../../accounting/history/runHistory.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { Member, Vpp } from "../../../engine/vpp/vpp.ts";
import { siteAvailability } from "../shared/reading/availability.ts";
import { figuresOf, type ResourceFigures } from "../shared/reading/resourceFigures.ts";
import { hasWarning, isFcrActive, newSiteReading, readSite, type SiteReading } from "../shared/reading/siteReading.ts";
import { floorToSecond } from "../shared/wireTime.ts";

/** A member in the status of its VPP; whole tenths, NaN for null. */
export interface MemberView {
  readonly member: Member;
  readonly site: Site;
  readonly figures: ResourceFigures;
  /** Values at `measuredAtMs`: during a link outage, those of the last measurement (docs/model/members.md#link-down). */
  readonly reading: SiteReading;
  readonly measuredAtMs: EpochMs;
  /** Available power as a VPP counts it, with no import of a consumer (docs/model/capability.md#available-power). */
  readonly importTenths: number;
  readonly exportTenths: number;
  readonly importEnergyTenths: number;
  readonly exportEnergyTenths: number;
  readonly isFcrActive: boolean;
  readonly hasWarning: boolean;
}

/** All members of a VPP in order of registration. */
export function viewMembers(
  vpp: Vpp,
  sites: readonly Site[],
  history: RunHistory | undefined,
  nowMs: EpochMs,
): MemberView[] {
  return vpp.members.map((member) => viewMember(member, sites[member.site], history, nowMs));
}

function viewMember(member: Member, site: Site, history: RunHistory | undefined, nowMs: EpochMs): MemberView {
  const reading = readSite(site, nowMs, newSiteReading());
  const figures = figuresOf(site);
  const measured = lastMeasured(site, reading, history, nowMs);
  const availability = siteAvailability(measured.site, measured.atMs);
  const isInService = site.isInService;
  return {
    member,
    site,
    figures,
    reading,
    measuredAtMs: isInService ? measured.atMs : Math.min(measured.atMs, site.outageStartMs),
    importTenths: isInService && figures.offersImport ? availability.importTenths : 0,
    exportTenths: isInService ? availability.exportTenths : 0,
    importEnergyTenths:
      isInService || Number.isNaN(availability.importEnergyTenths) ? availability.importEnergyTenths : 0,
    exportEnergyTenths:
      isInService || Number.isNaN(availability.exportEnergyTenths) ? availability.exportEnergyTenths : 0,
    isFcrActive: isFcrActive(site),
    hasWarning: hasWarning(site, nowMs),
  };
}

/**
 * Replaces the measured values by those of the last measurement during a link outage. Set-point and service status
 * remain those of the present, because the VPP does not receive them over the link.
 *
 * @returns the site at its last measurement, and the time of that measurement
 */
function lastMeasured(
  site: Site,
  reading: SiteReading,
  history: RunHistory | undefined,
  nowMs: EpochMs,
): { readonly site: Site; readonly atMs: EpochMs } {
  if (site.activeLinkFaultCount === 0 || history === undefined) return { site, atMs: nowMs };
  const outage = history.linkOutages(site.index).spanAt(nowMs);
  if (outage === null) return { site, atMs: nowMs };
  const pastSite = history.pastSite(site.index);
  const atMs = Math.max(history.startMs, floorToSecond(outage.startMs));
  if (!pastSite.seek(atMs)) return { site, atMs: nowMs };
  const lastReading = readSite(pastSite.site, atMs, newSiteReading());
  reading.socTenths = lastReading.socTenths;
  reading.irradianceTenths = lastReading.irradianceTenths;
  if (reading.isInService && lastReading.isInService) {
    reading.currentTenths = lastReading.currentTenths;
    reading.deltaTenths = lastReading.currentTenths - reading.baselineTenths;
    if (reading.isReducing) reading.drActualTenths = reading.baselineTenths - lastReading.currentTenths;
  }
  return { site: lastReading.isInService ? pastSite.site : site, atMs };
}
