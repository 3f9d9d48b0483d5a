// The chain of one award: all dispatches and events that affected it, in order of time.
import type { AwardRow } from "../../accounting/settlement/awardRows.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../base/time.ts";
import type { TextKey } from "../../texts/catalogue.ts";
import type { PageTexts, Translate } from "../html/page/pageLocale.ts";
import { type DispatchRound, isAtCapability, type MemberDispatch } from "./dispatchRounds.ts";
import { dispatchHeadline } from "./dispatchText.ts";
import { EventDescriber } from "./eventDescriber.ts";
import type { AwardFacts, EventRow } from "./readAwardFacts.ts";

export interface ChainEntry {
  readonly atMs: EpochMs;
  /** A kind of events.csv, or `dispatch`, `redispatch`, `end`. */
  readonly kind: string;
  /** Award or site. */
  readonly subject: string;
  /** As in events.csv; empty for the other kinds. */
  readonly detail: string;
  /** One sentence without a final period. */
  readonly text: string;
  readonly round: DispatchRound | null;
}

const AWARD_KINDS: ReadonlySet<string> = new Set([
  "schedule_created",
  "schedule_split",
  "schedule_deleted",
  "refusal",
  "redispatch",
]);
/** Events of refused requests: they affect no award. */
const FOREIGN_KINDS: ReadonlySet<string> = new Set(["request_refused"]);

export function buildChain(facts: AwardFacts, texts: PageTexts): readonly ChainEntry[] {
  const { award, rounds, events } = facts;
  const awardEvents = events.filter((event) => isAwardEvent(event, award.awardId) && !hasRound(event, rounds));
  const describer = new EventDescriber(award, texts);
  const links: readonly (EventRow | DispatchRound)[] = [
    ...conditionsBefore(facts),
    ...awardEvents,
    ...duringExecution(facts),
    ...rounds,
  ];
  return [...sortLinks(links, facts).map((link) => entryOf(link, award, describer, texts.t)), ...endOf(facts, texts)];
}

function entryOf(
  link: EventRow | DispatchRound,
  { awardId, requestedKw }: AwardRow,
  describer: EventDescriber,
  t: Translate,
): ChainEntry {
  if ("subject" in link) {
    return { ...link, text: describer.describe(link), round: null };
  }
  describer.applyDispatch(link);
  const kind = link.isFirst ? "dispatch" : "redispatch";
  return {
    atMs: link.atMs,
    kind,
    subject: awardId,
    detail: "",
    text: dispatchHeadline(link, requestedKw, t),
    round: link,
  };
}

const isAwardEvent = ({ kind, subject }: EventRow, awardId: string): boolean =>
  AWARD_KINDS.has(kind) && subject === awardId;

/** A re-dispatch that changed a set-point has rows in dispatch.csv, which describe it. */
const hasRound = ({ kind, atMs }: EventRow, rounds: readonly DispatchRound[]): boolean =>
  kind === "redispatch" && rounds.some((round) => round.atMs === atMs);

/** Events of members while the award ran, without the instant of its end. */
function duringExecution(facts: AwardFacts): readonly EventRow[] {
  const { award, events, members } = facts;
  const endMs = executedUntilMs(facts);
  if (endMs === null) return [];
  const concurrent = events.filter(({ atMs }) => award.startMs <= atMs && atMs < endMs);
  const outages = new Set(
    concurrent.filter(({ kind }) => kind.startsWith("outage")).map(({ atMs, subject }) => `${atMs} ${subject}`),
  );
  return concurrent.filter(({ atMs, kind, subject, detail }) => {
    if (AWARD_KINDS.has(kind) || FOREIGN_KINDS.has(kind) || !members.has(subject)) return false;
    // Maintenance with an outage is described by the outage.
    if (kind === "maintenance") return !outages.has(`${atMs} ${subject}`);
    // A member of two awards has one such event for each.
    return kind !== "noticed" || detail.endsWith(`, ${award.awardId}`);
  });
}

/** `null`: the award never ran. */
function executedUntilMs({ award, rounds, runEndMs }: AwardFacts): EpochMs | null {
  if (award.executedMinutes === 0 && rounds.length === 0) return null;
  const isCut = award.state === "overwritten" || award.state === "deleted";
  return isCut ? award.startMs + Math.round(award.executedMinutes * MS_PER_MINUTE) : Math.min(award.endMs, runEndMs);
}

function endOf(facts: AwardFacts, { t, formatDuration }: PageTexts): readonly ChainEntry[] {
  const atMs = executedUntilMs(facts);
  if (atMs === null) return [];
  const { awardId, state, overwrittenBy, startMs } = facts.award;
  const duration = formatDuration(atMs - startMs);
  const text =
    state === "overwritten"
      ? t("explain.end_replaced", { duration, award: overwrittenBy ?? t("outcome.another_award") })
      : t(END_KEYS[state] ?? "explain.end", { duration });
  return [{ atMs, kind: "end", subject: awardId, detail: "", text, round: null }];
}

const END_KEYS: Readonly<Record<string, TextKey>> = {
  deleted: "explain.end_deleted",
  running: "explain.still_running",
};

/** In order of time; within one instant in the order in which it happened (docs/model/time.md#explain-order). */
function sortLinks(
  links: readonly (EventRow | DispatchRound)[],
  { award, events }: AwardFacts,
): readonly (EventRow | DispatchRound)[] {
  const places = new Map<EventRow | DispatchRound, number>(events.map((event, k) => [event, k]));
  for (const link of links) if (!("subject" in link)) places.set(link, dispatchPlace(link, award.awardId, events));
  const placeOf = (link: EventRow | DispatchRound): number => places.get(link) ?? 0;
  return [...links].sort((a, b) => a.atMs - b.atMs || derivedRank(a) - derivedRank(b) || placeOf(a) - placeOf(b));
}

/**
 * events.csv has simultaneous events in the order in which they happened. Storage bounds and reductions are the
 * exception: they are derived from trajectories, and recorded when the trajectory ends. Bounds and ends act before
 * other events of their instant, beginnings follow a dispatch (docs/model/time.md#event-order).
 */
function derivedRank(link: EventRow | DispatchRound): number {
  if (!("subject" in link)) return 0;
  if (link.kind === "soc_bound") return -1;
  if (link.kind !== "dr_event") return 0;
  return link.detail.startsWith("begins") ? 1 : -1;
}

/** Place of a dispatch among the rows of events.csv, as an index; between two rows where no row represents the dispatch. */
function dispatchPlace(
  { atMs, isFirst, members }: DispatchRound,
  awardId: string,
  events: readonly EventRow[],
): number {
  const first = events.findIndex((event) => atMs <= event.atMs);
  if (first < 0) return events.length;
  const next = events.findIndex((event) => atMs < event.atMs);
  const simultaneous = events.slice(first, next < 0 ? events.length : next);
  const own = simultaneous.findIndex(
    ({ kind, subject, detail }) =>
      subject === awardId && (isFirst ? kind === "schedule_created" && detail === "immediate" : kind === "redispatch"),
  );
  if (own >= 0) return first + own + 0.5;
  const statuses = new Map(members.map(({ site, status }) => [site, status]));
  const later = simultaneous.findIndex((event) => contradictsDispatch(event, statuses.get(event.subject)));
  return first + (later < 0 ? simultaneous.length : later) - 0.5;
}

/** Whether a dispatch after the event would have had another status: the event happened after it. */
function contradictsDispatch({ kind, detail }: EventRow, status: string | undefined): boolean {
  switch (kind) {
    case "outage_start":
      return status === "dispatched" || status === "failed";
    case "outage_end":
      return status === "skipped_out_of_service";
    case "link":
      return status === (detail === "down" ? "dispatched" : "failed");
    default:
      return false;
  }
}

// Events of members before the start of an award that still affected it.

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
function conditionsBefore(facts: AwardFacts): readonly EventRow[] {
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
