// What happened to an award or one of its members, in words that say what it means for the award.

import type { AwardRow } from "../../accounting/runRecord.ts";
import type { EpochMs } from "../../base/time.ts";
import { formatDuration, formatKw } from "../html/page/format.ts";
import { REFUSAL_TEXT } from "../html/sections/refusalText.ts";
import type { DispatchRound } from "./dispatchRounds.ts";
import { parseRefusalKind } from "./parseAwardRow.ts";
import type { EventRow } from "./readAwardFacts.ts";

/** A member as the chain has left it so far. */
interface MemberState {
  /** In force; `null` where nothing is. */
  setpointKw: number | null;
  outSinceMs: EpochMs | null;
  returnedMs: EpochMs | null;
}

const OUTAGE: Readonly<Record<string, string>> = {
  scripted: "an outage of the scenario",
  stochastic: "an outage drawn at random",
  planned: "planned maintenance",
};

/** Follows the members through the chain; happenings are to be told in the order in which they came about. */
export class EventDescriber {
  readonly #award: AwardRow;
  readonly #members = new Map<string, MemberState>();

  constructor(award: AwardRow) {
    this.#award = award;
  }

  applyDispatch({ members }: DispatchRound): void {
    for (const { site, setpointKw: toldKw } of members) this.#stateOf(site).setpointKw = toldKw;
  }

  /** One sentence, without a final dot. */
  describe(happening: EventRow): string {
    const { kind, subject, detail } = happening;
    switch (kind) {
      case "schedule_created":
        return this.#registered(happening);
      case "schedule_split":
        return `Split${detail === "" ? "" : `: ${detail}`}`;
      case "schedule_deleted":
        return `Deleted${detail === "" ? "" : `: ${detail}`}`;
      case "refusal":
        return refusalText(detail);
      case "redispatch":
        return `Shared anew: ${detail}`;
      case "outage_start":
        return this.#outageStart(happening);
      case "outage_end":
        return this.#outageEnd(happening);
      case "noticed":
        return this.#noticed(happening);
      case "soc_bound":
        return this.#bound(happening);
      case "link":
        return `${subject}: ${this.#link(subject, detail)}`;
      case "output_control":
        return `${subject}: ${outputControl(detail)}`;
      case "dr_event":
        return `${subject}: ${reduction(detail)}`;
      case "fcr_fault":
        return `${subject}: its frequency response ${detail === "on" ? "fails" : "works again"}`;
      case "warning":
        return `${subject}: ${detail === "on" ? "reports a warning; it stays in service" : "its warning is over"}`;
      case "maintenance":
        return `${subject}: planned maintenance ${detail}`;
      case "weight":
        return `${subject}: its weight is set, ${detail}${this.#frozen(happening)}`;
      case "membership":
        return `${subject}: ${detail}${this.#frozen(happening)}`;
      default:
        return `${subject}: ${kind}${detail === "" ? "" : `, ${detail}`}`;
    }
  }

  #registered({ atMs, detail }: EventRow): string {
    const aheadMs = this.#award.startMs - atMs;
    if (detail === "immediate") return "Sent, to act at once";
    return aheadMs <= 0 ? "Registered" : `Registered, ${formatDuration(aheadMs)} ahead of its start`;
  }

  #outageStart({ atMs, subject, detail }: EventRow): string {
    const member = this.#stateOf(subject);
    member.outSinceMs = atMs;
    member.returnedMs = null;
    const why = OUTAGE[detail] ?? detail;
    const head = `${subject}: goes out of service, ${why}`;
    const { startMs, state } = this.#award;
    if (atMs < startMs)
      return `${head}, and is still away when this is ${state === "refused" ? "refused" : "dispatched"}`;
    return member.setpointKw === null ? head : `${head}; its ${formatKw(member.setpointKw)} are lacking from now on`;
  }

  #outageEnd({ atMs, subject }: EventRow): string {
    const member = this.#stateOf(subject);
    const after = member.outSinceMs === null ? "" : ` after ${formatDuration(atMs - member.outSinceMs)}`;
    member.outSinceMs = null;
    member.returnedMs = atMs;
    const head = `${subject}: is back in service${after}`;
    if (member.setpointKw === null) return head;
    return `${head}, before it was noticed to be away: it goes on with its ${formatKw(member.setpointKw)}`;
  }

  #noticed({ atMs, subject, detail }: EventRow): string {
    const member = this.#stateOf(subject);
    const isOut = detail.startsWith("out");
    const sinceMs = isOut ? member.outSinceMs : member.returnedMs;
    const state = isOut ? "to be out of service" : "to be back in service";
    const head = `${subject}: is noticed ${state}${sinceMs === null ? "" : delayText(atMs - sinceMs)}`;
    return isOut && member.setpointKw !== null ? `${head}; its ${formatKw(member.setpointKw)} are withdrawn` : head;
  }

  #bound({ subject, detail }: EventRow): string {
    const { setpointKw: toldKw } = this.#stateOf(subject);
    const { part, bound } = boundOf(detail);
    const head = `${subject}: its store ${part === null ? "" : `${part} `}is ${bound}`;
    if (!isLimitingBound(this.#award, detail)) return `${head}, which does not limit this direction`;
    if (part !== null) return toldKw === null ? head : `${head} and has no part any more in its ${formatKw(toldKw)}`;
    return toldKw === null ? head : `${head}, so that its ${formatKw(toldKw)} are lacking`;
  }

  #link(site: string, detail: string): string {
    if (detail !== "down") return "can be reached again";
    const { setpointKw: toldKw } = this.#stateOf(site);
    return toldKw === null
      ? "cannot be reached, its link is down"
      : `cannot be reached, its link is down; it goes on with its ${formatKw(toldKw)}`;
  }

  /** Weights and members are those of the start (docs/model/allocation.md#frozen-weights). */
  #frozen({ atMs }: EventRow): string {
    return this.#award.startMs < atMs ? " (counts from the next start on)" : "";
  }

  #stateOf(site: string): MemberState {
    let member = this.#members.get(site);
    if (member === undefined)
      this.#members.set(site, (member = { setpointKw: null, outSinceMs: null, returnedMs: null }));
    return member;
  }
}

/** "full", or "bat: full" of a site with several components. */
function boundOf(detail: string): { readonly part: string | null; readonly bound: string } {
  const colon = detail.lastIndexOf(": ");
  return colon < 0
    ? { part: null, bound: detail }
    : { part: detail.slice(0, colon), bound: detail.slice(colon + ": ".length) };
}

/** Whether a battery at this bound (`empty`, `full`) can no longer go the way of the request; FCR needs both. */
export const isLimitingBound = ({ requestedKw, isFcr }: AwardRow, detail: string): boolean =>
  isFcr || boundOf(detail).bound === (requestedKw < 0 ? "empty" : "full");

/** An evaluation sees a change on the first whole minute at or after it. */
const delayText = (delayMs: number): string =>
  delayMs === 0 ? " at once" : ` ${formatDuration(delayMs)} later, on the whole minute`;

function refusalText(detail: string): string {
  const kind = parseRefusalKind(detail);
  if (kind !== null) return `Refused, because ${REFUSAL_TEXT[kind]} (${kind})`;
  return detail.startsWith("without") ? `Stays ${detail}` : `Refused: ${detail}`;
}

function outputControl(detail: string): string {
  if (detail === "lifted") return "its output is free again";
  const [limit, reason] = detail.split(", ");
  return `its output is held to ${limit} of its rating${reason === undefined ? "" : ` (${reason})`}`;
}

function reduction(detail: string): string {
  const [what, amount] = detail.split(", ");
  if (what !== "begins") return "its load reduction ends";
  return amount === undefined ? "begins to reduce its load" : `begins to reduce its load, by ${amount}`;
}
