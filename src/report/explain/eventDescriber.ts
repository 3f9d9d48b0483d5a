// Events of an award and its members as text, with their effect on the award.

import type { AwardRow } from "../../accounting/settlement/awardRows.ts";
import type { EpochMs } from "../../base/time.ts";
import {
  boundOf,
  OUTAGE_TEXT,
  outputControlText,
  partialFaultText,
  redispatchText,
  reductionText,
} from "../eventText.ts";
import { formatDuration, formatKw } from "../html/page/format.ts";
import { parseRefusalKind, REFUSAL_TEXT } from "../refusalText.ts";
import type { DispatchRound } from "./dispatchRounds.ts";
import type { EventRow } from "./readAwardFacts.ts";

/** State of a member after the entries of the chain so far. */
interface MemberState {
  /** `null`: not dispatched. */
  setpointKw: number | null;
  outSinceMs: EpochMs | null;
  returnedMs: EpochMs | null;
}

/** Tracks the members of an award. Call its methods in the order of the chain. */
export class EventDescriber {
  private readonly award: AwardRow;
  private readonly members = new Map<string, MemberState>();

  constructor(award: AwardRow) {
    this.award = award;
  }

  applyDispatch({ members }: DispatchRound): void {
    for (const { site, setpointKw } of members) this.stateOf(site).setpointKw = setpointKw;
  }

  /** One sentence without a final period. */
  describe(event: EventRow): string {
    const { kind, subject, detail } = event;
    switch (kind) {
      case "schedule_created":
        return this.registered(event);
      case "schedule_split":
        return `Split${detail === "" ? "" : `: ${detail}`}`;
      case "schedule_deleted":
        return `Deleted${detail === "" ? "" : `: ${detail}`}`;
      case "refusal":
        return refusalText(detail);
      case "redispatch":
        return `Re-dispatched: ${redispatchText(detail, this.award) ?? "covered in full"}`;
      case "outage_start":
        return this.outageStart(event);
      case "outage_end":
        return this.outageEnd(event);
      case "noticed":
        return this.noticed(event);
      case "soc_bound":
        return this.bound(event);
      case "link":
        return `${subject}: ${this.link(subject, detail)}`;
      case "output_control":
        return `${subject}: ${outputControlText(detail)}`;
      case "derate":
      case "irradiance":
      case "sensor":
        return `${subject}: ${partialFaultText(kind, detail)}`;
      case "connection_limit":
        return `${subject}: connection limits ${detail}`;
      case "dr_event":
        return `${subject}: ${reductionText(detail)}`;
      case "fcr_fault":
        return `${subject}: frequency response ${detail === "on" ? "fails" : "restored"}`;
      case "warning":
        return `${subject}: ${detail === "on" ? "reports a warning, stays in service" : "warning cleared"}`;
      case "maintenance":
        return `${subject}: planned maintenance ${detail}`;
      case "weight":
        return `${subject}: weight set, ${detail}${this.frozen(event)}`;
      case "membership":
        return `${subject}: ${detail}${this.frozen(event)}`;
      default:
        return `${subject}: ${kind}${detail === "" ? "" : `, ${detail}`}`;
    }
  }

  private registered({ atMs, detail }: EventRow): string {
    const aheadMs = this.award.startMs - atMs;
    if (detail === "immediate") return "Sent as an immediate instruction";
    return aheadMs <= 0 ? "Registered" : `Registered ${formatDuration(aheadMs)} before its start`;
  }

  private outageStart({ atMs, subject, detail }: EventRow): string {
    const member = this.stateOf(subject);
    member.outSinceMs = atMs;
    member.returnedMs = null;
    const head = `${subject}: goes out of service (${OUTAGE_TEXT[detail] ?? detail})`;
    const { startMs, state } = this.award;
    if (atMs < startMs)
      return `${head}; still out of service at the ${state === "refused" ? "refusal" : "first dispatch"}`;
    return member.setpointKw === null ? head : `${head}; its ${formatKw(member.setpointKw)} are no longer delivered`;
  }

  private outageEnd({ atMs, subject }: EventRow): string {
    const member = this.stateOf(subject);
    const after = member.outSinceMs === null ? "" : ` after ${formatDuration(atMs - member.outSinceMs)}`;
    member.outSinceMs = null;
    member.returnedMs = atMs;
    const head = `${subject}: back in service${after}`;
    if (member.setpointKw === null) return head;
    return `${head}, before the outage was detected; continues with ${formatKw(member.setpointKw)}`;
  }

  private noticed({ atMs, subject, detail }: EventRow): string {
    const member = this.stateOf(subject);
    const isOut = detail.startsWith("out");
    const sinceMs = isOut ? member.outSinceMs : member.returnedMs;
    const state = isOut ? "out of service" : "back in service";
    const head = `${subject}: detected as ${state}${sinceMs === null ? "" : delayText(atMs - sinceMs)}`;
    return isOut && member.setpointKw !== null ? `${head}; its ${formatKw(member.setpointKw)} are withdrawn` : head;
  }

  private bound({ subject, detail }: EventRow): string {
    const { setpointKw } = this.stateOf(subject);
    const { component, bound } = boundOf(detail);
    const head = `${subject}: storage ${component === null ? "" : `${component} `}${bound}`;
    if (!isLimitingBound(this.award, detail)) return `${head}, no limit in this direction`;
    if (setpointKw === null) return head;
    return component === null
      ? `${head}; its ${formatKw(setpointKw)} are no longer delivered`
      : `${head}; it no longer contributes to the ${formatKw(setpointKw)} of the site`;
  }

  private link(site: string, detail: string): string {
    if (detail !== "down") return "reachable again";
    const { setpointKw } = this.stateOf(site);
    return setpointKw === null
      ? "unreachable, link down"
      : `unreachable, link down; continues with ${formatKw(setpointKw)}`;
  }

  /** Weights and members of a running award are those of its start (docs/model/allocation.md#frozen-weights). */
  private frozen({ atMs }: EventRow): string {
    return this.award.startMs < atMs ? " (applies from the next start)" : "";
  }

  private stateOf(site: string): MemberState {
    let member = this.members.get(site);
    if (member === undefined)
      this.members.set(site, (member = { setpointKw: null, outSinceMs: null, returnedMs: null }));
    return member;
  }
}

/** Whether this bound (`empty`, `full`) limits the direction of the request; FCR needs both directions. */
export const isLimitingBound = ({ requestedKw, isFcr }: AwardRow, detail: string): boolean =>
  isFcr || boundOf(detail).bound === (requestedKw < 0 ? "empty" : "full");

/** Delay of a detection: an evaluation detects a change at the first whole minute at or after it. */
const delayText = (delayMs: number): string =>
  delayMs === 0 ? " at once" : ` ${formatDuration(delayMs)} later, at the whole minute`;

function refusalText(detail: string): string {
  const kind = parseRefusalKind(detail);
  if (kind !== null) return `Refused because ${REFUSAL_TEXT[kind]} (${kind})`;
  return detail.startsWith("without") ? `Remains ${detail}` : `Refused: ${detail}`;
}
