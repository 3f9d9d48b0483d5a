import type { AwardRow } from "../../../accounting/settlement/awardRows.ts";
import { CAUSES } from "../../../accounting/settlement/causes.ts";
import { roundTo } from "../../../base/rounding.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { World } from "../../../engine/simulation/world.ts";
import type { Scenario } from "../../../inputs/scenario/scenario.ts";
import { type DispatchRound, dispatchRounds } from "../../../report/explain/dispatchRounds.ts";
import { type AwardExplanation, explainFacts } from "../../../report/explain/explainAward.ts";
import type { EventRow } from "../../../report/explain/readAwardFacts.ts";
import { awardsBlock, readAwardRow } from "../../../report/tables/awardsTable.ts";
import { blockRows } from "./dispatchLog.ts";
import type { HiddenEnergy, ReaderView } from "./hiddenShortfall.ts";
import type { SessionRecord } from "./sessionRecord.ts";

/** Contents of the story of an award. */
export interface Story {
  /** With figures rounded as in a report; without `unknownKwh`. */
  readonly award: AwardRow;
  /** Shortfall until now whose cause the reader cannot know yet, at least 0. */
  readonly unknownKwh: number;
  /** Shortfall before the session opened, of all causes; at least 0. */
  readonly beforeSessionKwh: number;
  readonly json: AwardExplanation;
  readonly text: string;
}

/**
 * The explanation of an award, as `vppsim explain` gives it of a report until now.
 *
 * @returns `null` if the VPPs have received no award with the id
 */
export function awardStory(
  { scenario, world, record }: { readonly scenario: Scenario; readonly world: World; readonly record: SessionRecord },
  awardId: string,
  view: ReaderView,
): Story | null {
  const { nowMs, spec } = world;
  record.notices.noticeThrough(nowMs);
  const exact = record.ledger.rowAt(awardId, nowMs);
  if (exact === null || !isKnown(exact, nowMs, world)) return null;
  const [cells] = blockRows(awardsBlock([exact]));
  const whole = readAwardRow(cells, "awards");
  const hidden = view === "everything" ? [] : record.hiddenShortfall.of(awardId, nowMs);
  const { award, unknownKwh } = withoutHidden(whole, hidden, world);
  const rounds = dispatchRounds(award, record.dispatchLog.rowsOf(awardId), "dispatch");
  const members = membersOf(
    spec.vpps.findIndex(({ name }) => name === award.vpp),
    rounds,
    world,
  );
  const events = record.runEventsAbout(new Set([awardId, ...members]), nowMs);
  const facts = {
    award,
    rounds,
    events: view === "everything" ? events : events.flatMap((event) => noticedRow(event, record)),
    members,
    timezone: scenario.timezone,
    language: "en" as const,
    runStartMs: spec.startMs,
    runEndMs: nowMs,
    // A story has the shortfall before the session as a figure of its own.
    opening: null,
    notes: unknownKwh > 0 ? [`${unknownKwh.toFixed(3)} kWh more are missing, for a reason that is not yet known`] : [],
  };
  const beforeSessionKwh = roundTo(record.shortfallBeforeSessionKwh(awardId, nowMs), 3);
  return { award, unknownKwh, beforeSessionKwh, ...explainFacts(facts) };
}

/** The row without the shortfall that no evaluation has explained. */
function withoutHidden(
  award: AwardRow,
  hidden: readonly HiddenEnergy[],
  { sites }: World,
): { readonly award: AwardRow; readonly unknownKwh: number } {
  const byCauseKwh = Float64Array.from(award.shortfallByCauseKwh);
  let { topContributors } = award;
  let unknownKwh = 0;
  for (const { site, cause, kwh } of hidden) {
    const index = CAUSES.indexOf(cause);
    // The figures are rounded, so the difference could be below 0.
    const partKwh = Math.min(roundTo(kwh, 3), byCauseKwh[index] ?? 0);
    if (partKwh <= 0) continue;
    unknownKwh = roundTo(unknownKwh + partKwh, 3);
    byCauseKwh[index] = roundTo(byCauseKwh[index] - partKwh, 3);
    const { name } = sites[site].spec;
    topContributors = topContributors
      .map((contributor) =>
        contributor.site === name && contributor.cause === cause
          ? { ...contributor, kwh: roundTo(contributor.kwh - partKwh, 3) }
          : contributor,
      )
      .filter((contributor) => contributor.kwh > 0);
  }
  if (unknownKwh === 0) return { award, unknownKwh };
  const shortfallKwh = roundTo((award.shortfallKwh ?? 0) - unknownKwh, 3);
  return { award: { ...award, shortfallKwh, shortfallByCauseKwh: byCauseKwh, topContributors }, unknownKwh };
}

/** A market award of the scenario that has not been registered yet is not known to the VPP. */
const isKnown = ({ awardId, state }: AwardRow, nowMs: EpochMs, { spec }: World): boolean =>
  state !== "pending" || !spec.awards.some((award) => award.awardId === awardId && nowMs < award.registeredMs);

function membersOf(vpp: number, rounds: readonly DispatchRound[], { vpps, sites }: World): ReadonlySet<string> {
  if (rounds.length > 0) return new Set(rounds.flatMap(({ members }) => members.map(({ site }) => site)));
  return new Set(vpps[vpp].members.map(({ site }) => sites[site].spec.name));
}

/** Kinds of events that reveal the cause of a fault or something planned. */
const HIDDEN_KINDS: ReadonlySet<string> = new Set([
  "link",
  "maintenance",
  "fcr_fault",
  "derate",
  "irradiance",
  "sensor",
]);

/** Events of a site that an operator learns of when they are noticed. */
const NOTICED_SUBJECTS: ReadonlyMap<string, string> = new Map([
  ["outage_start", "service"],
  ["outage_end", "service"],
  ["output_control", "output_limited"],
]);

/** What an operator knows of an event; nothing of one that no evaluation has noticed. */
function noticedRow(event: EventRow, { notices }: SessionRecord): EventRow[] {
  if (HIDDEN_KINDS.has(event.kind)) return [];
  const subject = NOTICED_SUBJECTS.get(event.kind);
  if (subject === undefined) return [event];
  if (!notices.wasNoticed(event.subject, subject, event.atMs)) return [];
  return [subject === "service" ? { ...event, detail: "cause unknown" } : event];
}
