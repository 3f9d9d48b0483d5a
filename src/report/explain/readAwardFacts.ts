// Reads everything that a report contains about one award.

import type { AwardRow } from "../../accounting/settlement/awardRows.ts";
import { formatValue, inputRefusal } from "../../base/inputError.ts";
import type { Language } from "../../base/language.ts";
import { join } from "../../base/paths.ts";
import type { EpochMs } from "../../base/time.ts";
import { nearestName } from "../../inputs/scenario/parse/nearestName.ts";
import { readReportSummary, type ShortfallBefore } from "../compare/readReport.ts";
import { readAwardRow } from "../tables/awardsTable.ts";
import {
  type CsvRow,
  describeMissingTable,
  readInstantCell,
  readRecords,
  readTimestampCell,
} from "../tables/readTable.ts";
import { type DispatchRound, dispatchRounds } from "./dispatchRounds.ts";

/** A row of events.csv. */
export interface EventRow {
  readonly atMs: EpochMs;
  readonly kind: string;
  readonly subject: string;
  readonly detail: string;
}

/** The opening of a session within the period of an award. */
export interface SessionOpening extends ShortfallBefore {
  readonly openedMs: EpochMs;
}

export interface AwardFacts {
  readonly award: AwardRow;
  /** Empty if the award was never dispatched or the report has no dispatch table. */
  readonly rounds: readonly DispatchRound[];
  /** Of the whole run, in order of time. */
  readonly events: readonly EventRow[];
  /** Sites in the dispatches of the award; without a dispatch, the sites of its VPP. */
  readonly members: ReadonlySet<string>;
  /** IANA name; `null` for reports of older versions. */
  readonly timezone: string | null;
  readonly language: Language;
  readonly runStartMs: EpochMs;
  readonly runEndMs: EpochMs;
  /** `null`: no session opened while the award was in force. */
  readonly opening: SessionOpening | null;
  /** Missing tables of the report, and how to get them. */
  readonly notes: readonly string[];
}

/** @throws InputErrors if the folder has no report, no awards table, or no such award */
export function readAwardFacts(dir: string, awardId: string): AwardFacts {
  const { scenario, period, session } = readReportSummary(dir);
  const file = join(dir, "awards");
  const award = readAwardRow(awardRow(dir, awardId), file);
  const notes: string[] = [];
  const readTable = (stem: string, consequence: string, filterText?: string): readonly CsvRow[] => {
    const rows = readRecords(dir, stem, filterText);
    if (rows !== null) return rows;
    const { found, allowed } = describeMissingTable(dir, stem);
    notes.push(`The report has ${found}: ${consequence}. Required: ${allowed}`);
    return [];
  };
  const dispatch = readTable("dispatch", "set-points are not shown", awardId);
  const rounds = dispatchRounds(
    award,
    dispatch.filter((row) => row.award_id === awardId),
    join(dir, "dispatch"),
  );
  const before = session?.awards.get(awardId);
  const events = readTable("events", "outages and other events are not shown");
  return {
    award,
    rounds,
    events: events.map((row) => readEventRow(row, join(dir, "events"))),
    members: membersOf(dir, award, rounds),
    timezone: scenario.timezone,
    language: scenario.language,
    runStartMs: readInstantCell(period, "start", join(dir, "summary.json")),
    runEndMs: readInstantCell(period, "end", join(dir, "summary.json")),
    opening: session === null || before === undefined ? null : { ...before, openedMs: session.openedMs },
    notes,
  };
}

function awardRow(dir: string, awardId: string): CsvRow {
  const match = readRecords(dir, "awards", awardId)?.find((row) => row.award_id === awardId);
  if (match !== undefined) return match;
  const ids = readRecords(dir, "awards")?.map((row) => row.award_id);
  if (ids !== undefined) throw inputRefusal(dir, `no award ${formatValue(awardId)}`, suggestionText(awardId, ids));
  const { found, allowed } = describeMissingTable(dir, "awards");
  throw inputRefusal(dir, found, allowed);
}

const NEAREST_MAX = 3;
/** Maximum number of listed names; more are counted. */
const LISTED_NAMES_MAX = 12;

/** Similar ids, otherwise all ids or the first and the last. */
function suggestionText(awardId: string, ids: readonly string[]): string {
  if (ids.length === 0) return "a report of a run with awards: this one has none";
  const near: string[] = [];
  let remaining = ids;
  for (
    let next = nearestName(awardId, remaining);
    next !== null && near.length < NEAREST_MAX;
    next = nearestName(awardId, remaining)
  ) {
    near.push(next);
    remaining = remaining.filter((id) => id !== next);
  }
  const all = ids.length === 1 ? "the only award" : `one of ${ids.length} awards`;
  if (near.length > 0) return `${all}; did you mean ${near.map(formatValue).join(", ")}`;
  return ids.length <= LISTED_NAMES_MAX
    ? `${all}: ${ids.map(formatValue).join(", ")}`
    : `${all}, ${formatValue(ids[0])} to ${formatValue(ids[ids.length - 1])}`;
}

function readEventRow(row: CsvRow, file: string): EventRow {
  return { atMs: readTimestampCell(row, file), kind: row.kind, subject: row.subject, detail: row.detail ?? "" };
}

function membersOf(dir: string, award: AwardRow, rounds: readonly DispatchRound[]): ReadonlySet<string> {
  if (rounds.length > 0) return new Set(rounds.flatMap(({ members }) => members.map(({ site }) => site)));
  const sites = readRecords(dir, "sites") ?? [];
  return new Set(sites.filter(({ vpp }) => vpp === award.vpp).map(({ site }) => site));
}
