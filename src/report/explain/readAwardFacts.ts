// All that a report tells about one award.
import { join } from "node:path";
import type { AwardRow } from "../../accounting/runRecord.ts";
import type { EpochMs } from "../../base/time.ts";
import { formatValue, InputErrors, inputError } from "../../scenario/parse/inputError.ts";
import { nearestName } from "../../scenario/parse/nearestName.ts";
import { type CsvRow, readReportSummary } from "../compare/readReport.ts";
import { type DispatchRound, dispatchRounds } from "./dispatchRounds.ts";
import { parseAwardRow, parseInstantCell } from "./parseAwardRow.ts";
import { describeMissingTable, readRecords } from "./readRecords.ts";

/** A row of events.csv. */
export interface EventRow {
  readonly atMs: EpochMs;
  readonly kind: string;
  readonly subject: string;
  readonly detail: string;
}

export interface AwardFacts {
  readonly award: AwardRow;
  /** Empty where the award was never dispatched, or the report does not tell. */
  readonly rounds: readonly DispatchRound[];
  /** Of the whole run, in order of time. */
  readonly events: readonly EventRow[];
  /** Sites that shared the award; for one that was never dispatched, the sites of its VPP. */
  readonly members: ReadonlySet<string>;
  /** IANA name; `null` where the report does not tell. */
  readonly timezone: string | null;
  readonly runStartMs: EpochMs;
  readonly runEndMs: EpochMs;
  /** What the report lacks and how to get it. */
  readonly notes: readonly string[];
}

/** @throws InputErrors when the folder holds no report, no table of awards, or no such award */
export function readAwardFacts(dir: string, awardId: string): AwardFacts {
  const { scenario, period } = readReportSummary(dir);
  const file = join(dir, "awards");
  const award = parseAwardRow(awardRow(dir, awardId), file);
  const notes: string[] = [];
  const table = (stem: string, loss: string, word?: string): readonly CsvRow[] => {
    const rows = readRecords(dir, stem, word);
    if (rows !== null) return rows;
    const { found, allowed } = describeMissingTable(dir, stem);
    notes.push(`The report has ${found}, so that ${loss}. Needed: ${allowed}`);
    return [];
  };
  const dispatch = table("dispatch", "who was told what is not shown", awardId);
  const rounds = dispatchRounds(
    award,
    dispatch.filter((row) => row.award_id === awardId),
    join(dir, "dispatch"),
  );
  const events = table("events", "outages, re-dispatches and the like are not shown");
  return {
    award,
    rounds,
    events: events.map((row) => parseEventRow(row, join(dir, "events"))),
    members: membersOf(dir, award, rounds),
    timezone: scenario.timezone,
    runStartMs: parseInstantCell({ start: period.start }, "start", join(dir, "summary.json")),
    runEndMs: parseInstantCell({ end: period.end }, "end", join(dir, "summary.json")),
    notes,
  };
}

function awardRow(dir: string, awardId: string): CsvRow {
  const found = readRecords(dir, "awards", awardId)?.find((row) => row.award_id === awardId);
  if (found !== undefined) return found;
  const ids = readRecords(dir, "awards")?.map((row) => row.award_id);
  throw wrong(
    dir,
    ids === undefined
      ? describeMissingTable(dir, "awards")
      : { found: `no award ${formatValue(awardId)}`, allowed: alternatives(awardId, ids) },
  );
}

const NEAREST_MAX = 3;
/** So many names are listed rather than counted. */
const LISTED_NAMES_MAX = 12;

/** Names like the one that was asked for, else the first and the last of all. */
function alternatives(awardId: string, ids: readonly string[]): string {
  if (ids.length === 0) return "a report of a run with awards: this one has none";
  const near: string[] = [];
  let left = ids;
  for (
    let next = nearestName(awardId, left);
    next !== null && near.length < NEAREST_MAX;
    next = nearestName(awardId, left)
  ) {
    near.push(next);
    left = left.filter((id) => id !== next);
  }
  const all = ids.length === 1 ? "the only award" : `one of ${ids.length} awards`;
  if (near.length > 0) return `${all}; near it ${near.length === 1 ? "is" : "are"} ${near.map(formatValue).join(", ")}`;
  return ids.length <= LISTED_NAMES_MAX
    ? `${all}: ${ids.map(formatValue).join(", ")}`
    : `${all}, ${formatValue(ids[0])} to ${formatValue(ids[ids.length - 1])}`;
}

function parseEventRow(row: CsvRow, file: string): EventRow {
  return { atMs: parseInstantCell(row, "at", file), kind: row.kind, subject: row.subject, detail: row.detail ?? "" };
}

function membersOf(dir: string, award: AwardRow, rounds: readonly DispatchRound[]): ReadonlySet<string> {
  if (rounds.length > 0) return new Set(rounds.flatMap(({ members }) => members.map(({ site }) => site)));
  const sites = readRecords(dir, "sites") ?? [];
  return new Set(sites.filter(({ vpp }) => vpp === award.vpp).map(({ site }) => site));
}

const wrong = (file: string, what: { readonly found: string; readonly allowed: string }) =>
  new InputErrors([inputError({ file, line: 0, column: 0, keyPath: "", ...what })]);
