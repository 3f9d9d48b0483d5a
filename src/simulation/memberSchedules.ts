import type { EpochMs } from "../base/time.ts";
import type { Site } from "../site/site.ts";
import type { Instruction } from "../vpp/instructions/instruction.ts";
import type { EndedSchedule, Vpp } from "../vpp/vpp.ts";

/** What a site's VPP has told it, or will tell it, as far as its owner has not taken it back; oldest registration first. */
export function memberSchedules(vpps: readonly Vpp[], site: Site): Instruction[] {
  return vpps
    .flatMap((vpp) => [
      ...(vpp.findMember(site.index) === undefined ? [] : vpp.pendingSchedules),
      ...vpp.runningSchedules.filter(({ membership }) => membership.siteIndices.includes(site.index)),
    ])
    .filter((instruction) => !site.isRevoked(instruction));
}

/** When a VPP's schedule began that a site executed and that is over; `undefined` where there is none of this id. */
export function endedMemberScheduleStartMs(vpps: readonly Vpp[], site: Site, scheduleId: string): EpochMs | undefined {
  const told = (ended: EndedSchedule): boolean => ended.siteIndices.includes(site.index) && !site.isRevoked(ended);
  for (const vpp of vpps) {
    const ended = vpp.endedSchedule(scheduleId);
    if (ended !== undefined && told(ended)) return ended.startMs;
  }
  return undefined;
}
