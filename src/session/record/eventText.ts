import { roundKw } from "../../base/rounding.ts";
import { wireTime } from "../../endpoints/shared/wireTime.ts";
import type { RunEventKind } from "../../simulation/observer.ts";
import type { Site } from "../../site/site.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";
import type { FeedEvent } from "./eventFeed.ts";
import type { NoticedChange } from "./noticeBoard.ts";

/** A power in words, such as `-200 kW`. */
export const kwText = (kw: number): string => `${roundKw(kw)} kW`;

/** The request of an instruction in kW: its delta, or the capacity of FCR alone. */
export const requestedKwOf = ({ hasDelta, deltaTenths, fcrCapacityTenths }: Instruction): number =>
  (hasDelta ? deltaTenths : (fcrCapacityTenths ?? 0)) / 10;

/** Its uncovered part now, at least 0. */
export const uncoveredKwOf = ({ hasDelta, direction, uncoveredTenths, fcrUncoveredTenths }: Instruction): number =>
  Math.max(0, hasDelta ? direction * uncoveredTenths : fcrUncoveredTenths) / 10;

/** Data of an event of an instruction. */
export const instructionData = (instruction: Instruction, vpp: string) => ({
  vpp,
  sku: instruction.sku,
  starts_at: wireTime(instruction.startMs),
  ends_at: wireTime(instruction.endMs),
  requested_kw: requestedKwOf(instruction),
});

/** A noticed change of a site, as an operator would say it. */
export function noticedEvent({ site, subject, state, sinceMs, noticedMs }: NoticedChange): FeedEvent {
  const isOver = state === null;
  const event = { atMs: noticedMs, site, awardId: null };
  const data = { effect: subject, since: wireTime(sinceMs) };
  if (subject === "service") {
    const status = isOver ? "in_service" : "out_of_service";
    const text = isOver ? `${site} is back in service` : `${site} is out of service`;
    return { ...event, kind: "status_changed", text, data: { ...data, status } };
  }
  const [begun, over] = EFFECT_TEXT[subject](state ?? "");
  return {
    ...event,
    kind: isOver ? "fault_cleared" : "fault_noticed",
    text: `${site}${isOver ? over : begun}`,
    data: { ...data, ...(subject === "output_limited" && !isOver ? { detail: state } : {}) },
  };
}

const EFFECT_TEXT: Readonly<Record<string, (state: string) => readonly [string, string]>> = {
  no_data: () => [" sends no values", " sends values again"],
  warning: () => [" reports a warning", " reports no warning any more"],
  no_frequency_response: () => [" does not respond to the frequency", " responds to the frequency again"],
  output_limited: (state) => [`: output limited to ${state}`, ": output is not limited any more"],
};

/** The state of a site that an event of the run concerns; `null`: the event is no fault. */
export function effectOf(
  kind: RunEventKind,
  site: Site,
): { readonly subject: string; readonly state: string | null } | null {
  const active = (subject: string, count: number) => ({ subject, state: count > 0 ? "on" : null });
  switch (kind) {
    case "outage_start":
    case "outage_end":
      return active("service", site.activeOutageCount);
    case "link":
      return active("no_data", site.activeLinkFaultCount);
    case "warning":
      return active("warning", site.activeWarningCount);
    case "fcr_fault":
      return active("no_frequency_response", site.activeFcrFaultCount);
    case "output_control": {
      const isLimited = site.outputControls.length > 0;
      return { subject: "output_limited", state: isLimited ? `${Math.round(100 * site.outputLimit)} %` : null };
    }
    default:
      return null;
  }
}
