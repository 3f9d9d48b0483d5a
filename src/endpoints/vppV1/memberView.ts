import type { RunHistory } from "../../accounting/history/runHistory.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Site } from "../../site/site.ts";
import type { Member, Vpp } from "../../vpp/vpp.ts";
import { siteAvailability } from "../shared/reading/availability.ts";
import { figuresOf, type ResourceFigures } from "../shared/reading/resourceFigures.ts";
import { hasWarning, isFcrActive, newSiteReading, readSite, type SiteReading } from "../shared/reading/siteReading.ts";
import { floorToSecond } from "../shared/wireTime.ts";

/** A member as its VPP sees it now; whole tenths, NaN for null. */
export interface MemberView {
  readonly member: Member;
  readonly site: Site;
  readonly figures: ResourceFigures;
  /** Measured figures are those of `measuredAtMs`: a dead link freezes them (docs/model/members.md#link-down). */
  readonly reading: SiteReading;
  readonly measuredAtMs: EpochMs;
  /** As a VPP counts it: no import of a consumer (docs/model/capability.md#available-power). */
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
  const room = siteAvailability(measured.site, measured.atMs);
  const isIn = site.isInService;
  return {
    member,
    site,
    figures,
    reading,
    measuredAtMs: isIn ? measured.atMs : Math.min(measured.atMs, site.outageStartMs),
    importTenths: isIn && figures.offersImport ? room.importTenths : 0,
    exportTenths: isIn ? room.exportTenths : 0,
    importEnergyTenths: isIn || Number.isNaN(room.importEnergyTenths) ? room.importEnergyTenths : 0,
    exportEnergyTenths: isIn || Number.isNaN(room.exportEnergyTenths) ? room.exportEnergyTenths : 0,
    isFcrActive: isFcrActive(site),
    hasWarning: hasWarning(site, nowMs),
  };
}

/**
 * Where the link is down, puts the last measurement in place of the present one: what the site has been told and
 * whether it is in service are known without it.
 *
 * @returns the site as it was measured last, and when
 */
function lastMeasured(
  site: Site,
  reading: SiteReading,
  history: RunHistory | undefined,
  nowMs: EpochMs,
): { readonly site: Site; readonly atMs: EpochMs } {
  if (site.activeLinkFaultCount === 0 || history === undefined) return { site, atMs: nowMs };
  const gap = history.linkOutages(site.index).spanAt(nowMs);
  if (gap === null) return { site, atMs: nowMs };
  const past = history.pastSite(site.index);
  const atMs = Math.max(history.startMs, floorToSecond(gap.startMs));
  if (!past.seek(atMs)) return { site, atMs: nowMs };
  const last = readSite(past.site, atMs, newSiteReading());
  reading.socTenths = last.socTenths;
  reading.irradianceTenths = last.irradianceTenths;
  if (reading.isInService && last.isInService) {
    reading.currentTenths = last.currentTenths;
    reading.deltaTenths = last.currentTenths - reading.baselineTenths;
    if (reading.isReducing) reading.drActualTenths = reading.baselineTenths - last.currentTenths;
  }
  return { site: last.isInService ? past.site : site, atMs };
}
