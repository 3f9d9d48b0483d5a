// What had happened to the members before the award started and still bore on it.
import type { EpochMs } from "../../base/time.ts";
import type { MemberDispatch } from "./dispatchRounds.ts";
import type { AwardFacts, EventRow } from "./readAwardFacts.ts";

/** Kinds that hold until a second row of their pair ends them. */
const PAIRED_EVENTS: Readonly<
  Record<string, { readonly state: string; readonly begins: (detail: string) => boolean }>
> = {
  outage_start: { state: "outage", begins: () => true },
  outage_end: { state: "outage", begins: () => false },
  link: { state: "link", begins: (detail) => detail === "down" },
  output_control: { state: "output_control", begins: (detail) => detail !== "lifted" },
  fcr_fault: { state: "fcr_fault", begins: (detail) => detail === "on" },
};

/** Happenings before the first dispatch, or before the refusal, that explain it; in order of time. */
export function conditionsBefore(facts: AwardFacts): readonly EventRow[] {
  const { award, rounds, members, events: happenings } = facts;
  const earlier = (untilMs: EpochMs): readonly EventRow[] =>
    happenings.filter(({ atMs, subject }) => atMs < untilMs && members.has(subject));
  if (award.errorType === "no_dispatchable_members")
    return activeConditions(earlier(refusedAtMs(facts))).filter(({ kind }) => kind === "outage_start");
  if (rounds.length === 0 && award.executedMinutes === 0) return [];
  const before = earlier(award.startMs);
  const holding = activeConditions(before).filter(({ kind }) => kind !== "fcr_fault" || award.fcr !== null);
  const reasons = (rounds[0]?.members ?? []).flatMap((member) => lastReason(member, before));
  return [...holding, ...reasons];
}

const refusedAtMs = ({ award, events: happenings }: AwardFacts): EpochMs =>
  happenings.find(({ kind, subject }) => kind === "refusal" && subject === award.awardId)?.atMs ?? award.startMs;

function activeConditions(happenings: readonly EventRow[]): readonly EventRow[] {
  const open = new Map<string, EventRow[]>();
  for (const happening of happenings) {
    const lasting = PAIRED_EVENTS[happening.kind];
    if (lasting === undefined) continue;
    const key = `${happening.subject} ${lasting.state}`;
    const held = open.get(key) ?? [];
    open.set(key, lasting.begins(happening.detail) ? [...held, happening] : held.slice(1));
  }
  return [...open.values()].flat();
}

/** The last happening that made a member refuse its share or be able to give nothing. */
function lastReason({ site, status, reason, capabilityKw }: MemberDispatch, before: readonly EventRow[]): EventRow[] {
  const last = (kind: string, begins?: string): EventRow[] =>
    before
      .filter(
        (row) => row.subject === site && row.kind === kind && (begins === undefined || row.detail.startsWith(begins)),
      )
      .slice(-1);
  if (reason === "dr_cooldown_active") return last("dr_event", "ends");
  if (reason === "dr_duplicate_dispatch") return last("dr_event", "begins");
  if (status === "skipped_weight_zero") return last("weight");
  return capabilityKw !== null && capabilityKw < 0.05 ? last("soc_bound") : [];
}
