import type { AwardRow } from "../../accounting/runRecord.ts";
import { ceilToMinute, type EpochMs } from "../../base/time.ts";
import { type DispatchRound, dispatchRounds } from "../../report/explain/dispatchRounds.ts";
import { type AwardExplanation, explainFacts } from "../../report/explain/explainAward.ts";
import { parseAwardRow } from "../../report/explain/parseAwardRow.ts";
import type { EventRow } from "../../report/explain/readAwardFacts.ts";
import { awardsBlock } from "../../report/tables/awardsTable.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { World } from "../../simulation/world.ts";
import { blockRows } from "./blockRows.ts";
import type { SessionRecord } from "./sessionRecord.ts";

/** Contents of the story of an award. */
export interface Story {
  /** With figures rounded as in a report. */
  readonly award: AwardRow;
  readonly json: AwardExplanation;
  readonly text: string;
}

/** Who reads: `everything` as a report has it, or what an operator can have noticed (docs/model/sandbox.md#noticed). */
export type StoryView = "everything" | "noticed";

/**
 * The explanation of an award, as `vppsim explain` gives it of a report until now.
 *
 * @returns `null` if the VPPs have received no award with the id
 */
export function awardStory(
  { scenario, world, record }: { readonly scenario: Scenario; readonly world: World; readonly record: SessionRecord },
  awardId: string,
  view: StoryView,
): Story | null {
  const { nowMs, spec } = world;
  const exact = record.ledger.rowAt(awardId, nowMs);
  if (exact === null || !isKnown(exact, nowMs, world)) return null;
  const [cells] = blockRows(awardsBlock([exact]));
  const award = parseAwardRow(cells, "awards");
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
    events: view === "everything" ? events : events.flatMap((event) => noticedRow(event, nowMs)),
    members,
    timezone: scenario.timezone,
    runStartMs: spec.startMs,
    runEndMs: nowMs,
    notes: [],
  };
  return { award, ...explainFacts(facts) };
}

/** A market award of the scenario that has not been registered yet is not known to the VPP. */
const isKnown = ({ awardId, state }: AwardRow, nowMs: EpochMs, { spec }: World): boolean =>
  state !== "pending" || !spec.awards.some((award) => award.awardId === awardId && nowMs < award.registeredMs);

function membersOf(vpp: number, rounds: readonly DispatchRound[], { vpps, sites }: World): ReadonlySet<string> {
  if (rounds.length > 0) return new Set(rounds.flatMap(({ members }) => members.map(({ site }) => site)));
  return new Set(vpps[vpp].members.map(({ site }) => sites[site].spec.name));
}

/** Kinds that tell of the cause of a fault, or of something planned. */
const HIDDEN_KINDS: ReadonlySet<string> = new Set(["link", "maintenance", "fcr_fault"]);

/** What an operator knows of an event; nothing of one that no evaluation has followed. */
function noticedRow(event: EventRow, nowMs: EpochMs): EventRow[] {
  if (HIDDEN_KINDS.has(event.kind)) return [];
  if (event.kind !== "outage_start" && event.kind !== "outage_end") return [event];
  return ceilToMinute(event.atMs) <= nowMs ? [{ ...event, detail: "cause unknown" }] : [];
}
