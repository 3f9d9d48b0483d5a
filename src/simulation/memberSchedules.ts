import type { EpochMs } from "../base/time.ts";
import type { Site } from "../site/site.ts";
import type { Instruction } from "../vpp/instructions/instruction.ts";
import type { EndedSchedule, Vpp } from "../vpp/vpp.ts";

/** Pending and running VPP schedules of a site, without those that its owner revoked; oldest registration first. */
export function memberSchedules(vpps: readonly Vpp[], site: Site): Instruction[] {
  return vpps
    .flatMap((vpp) => [
      ...(vpp.findMember(site.index) === undefined ? [] : vpp.pendingSchedules),
      ...vpp.runningSchedules.filter(({ membership }) => membership.siteIndices.includes(site.index)),
    ])
    .filter((instruction) => !site.isRevoked(instruction));
}

/** Start of an ended VPP schedule that a site executed; `undefined` if there is none of this id. */
export function endedMemberScheduleStartMs(vpps: readonly Vpp[], site: Site, scheduleId: string): EpochMs | undefined {
  const executedHere = (ended: EndedSchedule): boolean =>
    ended.siteIndices.includes(site.index) && !site.isRevoked(ended);
  for (const vpp of vpps) {
    const ended = vpp.endedSchedule(scheduleId);
    if (ended !== undefined && executedHere(ended)) return ended.startMs;
  }
  return undefined;
}
