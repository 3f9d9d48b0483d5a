// The story of one award: every happening that bears on it, in the order in which it came about.
import { type EpochMs, MS_PER_MINUTE } from "../../base/time.ts";
import { formatDuration } from "../html/page/format.ts";
import { conditionsBefore } from "./conditionsBefore.ts";
import type { DispatchRound } from "./dispatchRounds.ts";
import { dispatchHeadline } from "./dispatchText.ts";
import { EventDescriber } from "./eventDescriber.ts";
import type { AwardFacts, EventRow } from "./readAwardFacts.ts";

export interface ChainEntry {
  readonly atMs: EpochMs;
  /** A kind of events.csv, or `dispatch`, `redispatch`, `end`. */
  readonly kind: string;
  /** The award or the site. */
  readonly subject: string;
  /** As in events.csv; empty for the other kinds. */
  readonly detail: string;
  /** One sentence without a final dot. */
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
/** Their subject is no site: what was refused has left no trace. */
const FOREIGN_KINDS: ReadonlySet<string> = new Set(["request_refused"]);

export function buildChain(facts: AwardFacts): readonly ChainEntry[] {
  const { award, rounds, events: happenings } = facts;
  const own = happenings.filter((happening) => isAwardEvent(happening, award.awardId) && !hasRound(happening, rounds));
  const narrator = new EventDescriber(award);
  const links: readonly (EventRow | DispatchRound)[] = [
    ...conditionsBefore(facts),
    ...own,
    ...duringExecution(facts),
    ...rounds,
  ];
  return [...sortLinks(links).map((link) => entryOf(link, award.awardId, narrator)), ...endOf(facts)];
}

function entryOf(link: EventRow | DispatchRound, awardId: string, narrator: EventDescriber): ChainEntry {
  if ("subject" in link) {
    return { ...link, text: narrator.describe(link), round: null };
  }
  narrator.applyDispatch(link);
  const kind = link.isFirst ? "dispatch" : "redispatch";
  return { atMs: link.atMs, kind, subject: awardId, detail: "", text: dispatchHeadline(link), round: link };
}

const isAwardEvent = ({ kind, subject }: EventRow, awardId: string): boolean =>
  AWARD_KINDS.has(kind) && subject === awardId;

/** A re-dispatch that changed something is told by its rows of dispatch.csv. */
const hasRound = ({ kind, atMs }: EventRow, rounds: readonly DispatchRound[]): boolean =>
  kind === "redispatch" && rounds.some((round) => round.atMs === atMs);

/** What happened to members while the award ran; the instant of its end is no longer its own. */
function duringExecution(facts: AwardFacts): readonly EventRow[] {
  const { award, events: happenings, members } = facts;
  const endMs = executedUntilMs(facts);
  if (endMs === null) return [];
  const period = happenings.filter(({ atMs }) => award.startMs <= atMs && atMs < endMs);
  const outages = new Set(
    period.filter(({ kind }) => kind.startsWith("outage")).map(({ atMs, subject }) => `${atMs} ${subject}`),
  );
  return period.filter((happening) => {
    const { atMs, kind, subject, detail } = happening;
    if (AWARD_KINDS.has(kind) || FOREIGN_KINDS.has(kind) || !members.has(subject)) return false;
    // Told by the outage that maintenance is.
    if (kind === "maintenance") return !outages.has(`${atMs} ${subject}`);
    // A member of two awards is noticed by each.
    return kind !== "noticed" || detail.endsWith(`, ${award.awardId}`);
  });
}

/** `null` where the award never ran. */
function executedUntilMs({ award, rounds, runEndMs }: AwardFacts): EpochMs | null {
  if (award.executedMinutes === 0 && rounds.length === 0) return null;
  const isCut = award.state === "overwritten" || award.state === "deleted";
  return isCut ? award.startMs + Math.round(award.executedMinutes * MS_PER_MINUTE) : Math.min(award.endMs, runEndMs);
}

function endOf(facts: AwardFacts): readonly ChainEntry[] {
  const atMs = executedUntilMs(facts);
  if (atMs === null) return [];
  const { awardId, state, overwrittenBy, startMs } = facts.award;
  const after = `after ${formatDuration(atMs - startMs)}`;
  const text =
    state === "overwritten"
      ? `Ends ${after}: ${overwrittenBy ?? "another award"} takes over`
      : state === "deleted"
        ? `Ends ${after}: deleted`
        : state === "running"
          ? `Still running ${after}, when the run ends`
          : `Ends ${after}, as agreed`;
  return [{ atMs, kind: "end", subject: awardId, detail: "", text, round: null }];
}

/** Order of one instant (docs/model/time.md#event-order): the world, ends, the evaluation, registrations, re-dispatch, starts and what they set off. */
function rankOf(link: EventRow | DispatchRound): number {
  if (!("subject" in link)) return link.isFirst ? 5 : 4;
  switch (link.kind) {
    case "dr_event":
      return link.detail.startsWith("begins") ? 6 : 1;
    case "noticed":
      return 2;
    case "redispatch":
      return 4;
    default:
      return AWARD_KINDS.has(link.kind) ? 3 : 0;
  }
}

function sortLinks<Link extends EventRow | DispatchRound>(links: readonly Link[]): readonly Link[] {
  return links
    .map((link, k) => ({ link, k, rank: rankOf(link) }))
    .sort((a, b) => a.link.atMs - b.link.atMs || a.rank - b.rank || a.k - b.k)
    .map(({ link }) => link);
}
