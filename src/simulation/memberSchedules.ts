import type { EpochMs } from "../base/time.ts";
import { schedulesAtEnds } from "../site/orders/scheduleOverlap.ts";
import type { Site } from "../site/site.ts";
import type { Instruction } from "../vpp/instructions/instruction.ts";
import type { EndedSchedule, Vpp } from "../vpp/vpp.ts";

/** The VPP schedules of a site around the start and the end of a new schedule, without those that its owner revoked. */
export const memberSchedulesAtEnds = (
  vpps: readonly Vpp[],
  site: Site,
  added: { readonly startMs: EpochMs; readonly endMs: EpochMs },
): Instruction[] =>
  vpps.flatMap((vpp) => schedulesAtEnds(vpp, added).filter((instruction) => isForSite(instruction, vpp, site)));

/** A pending or running VPP schedule of a site, unless its owner revoked it. */
export function findMemberSchedule(vpps: readonly Vpp[], site: Site, scheduleId: string): Instruction | undefined {
  for (const vpp of vpps) {
    const found = vpp.findSchedule(scheduleId);
    if (found !== undefined && isForSite(found, vpp, site)) return found;
  }
  return undefined;
}

/** A pending schedule is for the members of the present, a running one for those of its start. */
const isForSite = (instruction: Instruction, vpp: Vpp, site: Site): boolean =>
  !site.orderBook.isRevoked(instruction) &&
  (vpp.pendingSchedules.has(instruction)
    ? vpp.findMember(site.index) !== undefined
    : instruction.membership.siteIndices.includes(site.index));

/** Start of an ended VPP schedule that a site executed; `undefined` if there is none of this id. */
export function endedMemberScheduleStartMs(vpps: readonly Vpp[], site: Site, scheduleId: string): EpochMs | undefined {
  const executedHere = (ended: EndedSchedule): boolean =>
    ended.siteIndices.includes(site.index) && !site.orderBook.isRevoked(ended);
  for (const vpp of vpps) {
    const ended = vpp.endedSchedule(scheduleId);
    if (ended !== undefined && executedHere(ended)) return ended.startMs;
  }
  return undefined;
}
