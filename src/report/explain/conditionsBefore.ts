// Events of members before the start of an award that still affected it.
import type { EpochMs } from "../../base/time.ts";
import { isAtCapability, type MemberDispatch } from "./dispatchRounds.ts";
import type { AwardFacts, EventRow } from "./readAwardFacts.ts";

/** Kinds with a state that lasts until a second row ends it. */
const PAIRED_EVENTS: Readonly<
  Record<string, { readonly state: string; readonly begins: (detail: string) => boolean }>
> = {
  outage_start: { state: "outage", begins: () => true },
  outage_end: { state: "outage", begins: () => false },
  link: { state: "link", begins: (detail) => detail === "down" },
  output_control: { state: "output_control", begins: (detail) => detail !== "lifted" },
  fcr_fault: { state: "fcr_fault", begins: (detail) => detail === "on" },
};

/** Events before the first dispatch or the refusal that explain it, in order of time. */
export function conditionsBefore(facts: AwardFacts): readonly EventRow[] {
  const { award, rounds, members, events } = facts;
  const eventsBefore = (untilMs: EpochMs): readonly EventRow[] =>
    events.filter(({ atMs, subject }) => atMs < untilMs && members.has(subject));
  if (award.errorType === "no_dispatchable_members")
    return activeConditions(eventsBefore(refusedAtMs(facts))).filter(({ kind }) => kind === "outage_start");
  if (rounds.length === 0 && award.executedMinutes === 0) return [];
  const before = eventsBefore(award.startMs);
  const active = activeConditions(before).filter(({ kind }) => kind !== "fcr_fault" || award.fcr !== null);
  const reasons = (rounds[0]?.members ?? []).flatMap((member) => lastReason(member, before));
  return [...active, ...reasons];
}

const refusedAtMs = ({ award, events }: AwardFacts): EpochMs =>
  events.find(({ kind, subject }) => kind === "refusal" && subject === award.awardId)?.atMs ?? award.startMs;

function activeConditions(events: readonly EventRow[]): readonly EventRow[] {
  const open = new Map<string, EventRow[]>();
  for (const event of events) {
    const pair = PAIRED_EVENTS[event.kind];
    if (pair === undefined) continue;
    const key = `${event.subject} ${pair.state}`;
    const begun = open.get(key) ?? [];
    open.set(key, pair.begins(event.detail) ? [...begun, event] : begun.slice(1));
  }
  return [...open.values()].flat();
}

/** The last event that explains why a member refused its share or had no capability. */
function lastReason(member: MemberDispatch, before: readonly EventRow[]): EventRow[] {
  const { site, status, reason, capabilityKw } = member;
  const last = (kind: string, begins?: string): EventRow[] =>
    before
      .filter(
        (row) => row.subject === site && row.kind === kind && (begins === undefined || row.detail.startsWith(begins)),
      )
      .slice(-1);
  if (reason === "dr_cooldown_active") return last("dr_event", "ends");
  if (reason === "dr_duplicate_dispatch") return last("dr_event", "begins");
  if (status === "skipped_weight_zero") return last("weight");
  const bound = capabilityKw !== null && capabilityKw < 0.05 ? last("soc_bound") : [];
  return bound.length > 0 || !isAtCapability(member) ? bound : last("connection_limit");
}
