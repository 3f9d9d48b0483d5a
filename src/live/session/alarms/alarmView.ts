import { wireTime, wireTimeOrNull } from "../../../api/endpoints/shared/wireTime.ts";
import { sha256Hex } from "../../../base/ids.ts";
import type { Language } from "../../../base/language.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../../base/time.ts";
import type { Scenario } from "../../../inputs/scenario/scenario.ts";
import { createPageLocale } from "../../../report/html/page/pageLocale.ts";
import type { SessionRecord } from "../record/sessionRecord.ts";
import { type Alarm, type AlarmState, alarmId, stateOf } from "./alarm.ts";
import type { AlarmBoard } from "./alarmBoard.ts";
import { alarmHelp } from "./alarmHelp.ts";
import type { AlarmEntry } from "./alarmJournal.ts";
import type { AlarmJournal, AlarmJournalEntry, AlarmJournalQuery, AlarmList, AlarmRecord } from "./alarmSchema.ts";
import { type AlarmReader, alarmText } from "./alarmTexts.ts";

/** A world with alarms, as `HostedWorld` is. */
interface AlarmedWorld {
  readonly alarms: AlarmBoard | null;
  readonly record: Pick<SessionRecord, "names"> | null;
  readonly scenario: Pick<Scenario, "timezone" | "world">;
  readonly nowMs: EpochMs;
}

/** How alarms are written for readers of a language. */
export function alarmReader(
  { record, scenario }: Pick<AlarmedWorld, "record" | "scenario">,
  language: Language,
): AlarmReader {
  const clock = createPageLocale(language, scenario.timezone, scenario.world);
  const clockText = (atMs: EpochMs): string => clock.formatClock(atMs);
  return { language, clockText, nameOfAward: (awardId) => record?.names.nameOf(awardId) ?? awardId };
}

/** A digest of the list of a world. */
export const alarmsDigest = (hosted: AlarmedWorld): string =>
  sha256Hex(
    JSON.stringify(hosted.alarms === null ? null : alarmList(hosted.alarms, hosted.nowMs, alarmReader(hosted, "en"))),
  );

/** Period over which the load of alarms is measured (EEMUA 191). */
const LOAD_PERIOD_MS = 10 * MS_PER_MINUTE;

/** The whole list at an instant, as `GET /sandbox/alarms` has it. */
export function alarmList({ list, journal }: AlarmBoard, nowMs: EpochMs, reader: AlarmReader): AlarmList {
  const countOf = (state: AlarmState): number => list.filter((alarm) => stateOf(alarm) === state).length;
  return {
    at: wireTime(nowMs),
    last_seq: journal.lastSeq,
    alarms: [...list].sort(byUrgency).map((alarm) => alarmRecord(alarm, reader)),
    counts: {
      new: countOf("new"),
      acknowledged: countOf("acknowledged"),
      cleared: countOf("cleared"),
      shelved: countOf("shelved"),
    },
    raised_last_10_min: journal.raisedCountSince(nowMs - LOAD_PERIOD_MS),
  };
}

const GROUP_OF_STATE: Readonly<Record<AlarmState, number>> = { new: 0, acknowledged: 0, shelved: 1, cleared: 2 };
const RANK_OF_STATE: Readonly<Record<AlarmState, number>> = { new: 0, acknowledged: 1, shelved: 0, cleared: 0 };

/** Conditions that hold, then shelved, then cleared; within it by priority, new before acknowledged, the latest first. */
function byUrgency(a: Alarm, b: Alarm): number {
  const [stateA, stateB] = [stateOf(a), stateOf(b)];
  return (
    GROUP_OF_STATE[stateA] - GROUP_OF_STATE[stateB] ||
    a.condition.priority - b.condition.priority ||
    RANK_OF_STATE[stateA] - RANK_OF_STATE[stateB] ||
    b.raisedMs - a.raisedMs ||
    a.number - b.number
  );
}

export function alarmRecord(alarm: Alarm, reader: AlarmReader): AlarmRecord {
  const { condition, raisedMs, acknowledgement, shelvedUntilMs, clearedMs, count } = alarm;
  const { origin, kind, cause, priority, vpp, site, sites, awardIds, kw, sinceMs, text, signs } = condition;
  return {
    id: alarmId(alarm),
    origin,
    kind,
    cause,
    priority,
    vpp,
    site,
    sites,
    award: awardIds[0] ?? null,
    award_name: awardIds.length === 0 ? null : reader.nameOfAward(awardIds[0]),
    awards: awardIds,
    kw,
    since: wireTime(sinceMs),
    raised_at: wireTime(raisedMs),
    state: stateOf(alarm),
    acknowledged_at: wireTimeOrNull(acknowledgement?.atMs ?? null),
    acknowledged_by: acknowledgement?.by ?? null,
    acknowledged_name: acknowledgement?.name ?? null,
    shelved_until: wireTimeOrNull(shelvedUntilMs),
    cleared_at: wireTimeOrNull(clearedMs),
    count,
    text: alarmText(text, reader),
    signs: signs.map((sign) => alarmText(sign, reader)),
    help: alarmHelp(kind, reader.language),
  };
}

/** The changes that a query selects, oldest first, as `GET /sandbox/alarms/journal` has them. */
export function alarmJournal({ journal }: AlarmBoard, query: AlarmJournalQuery, reader: AlarmReader): AlarmJournal {
  const { after = 0, limit = 200 } = query;
  const selected = journal.after(after).filter((entry) => isSelected(entry, query));
  return {
    entries: selected.slice(0, limit).map((entry) => alarmJournalEntry(entry, reader)),
    last_seq: journal.lastSeq,
  };
}

function isSelected({ atMs, what, alarm: { condition } }: AlarmEntry, query: AlarmJournalQuery): boolean {
  const { kind, site, award, priority, from, to } = query;
  return (
    (query.what === undefined || query.what === what) &&
    (kind === undefined || kind === condition.kind) &&
    (site === undefined || condition.sites.includes(site)) &&
    (award === undefined || condition.awardIds.includes(award)) &&
    (priority === undefined || priority === condition.priority) &&
    (from === undefined || from <= atMs) &&
    (to === undefined || atMs <= to)
  );
}

function alarmJournalEntry({ seq, atMs, what, alarm, by, name }: AlarmEntry, reader: AlarmReader): AlarmJournalEntry {
  const { id, kind, cause, priority, vpp, site, award, since, kw, shelved_until, text } = alarmRecord(alarm, reader);
  const head = { seq, at: wireTime(atMs), what, id };
  return { ...head, kind, cause, priority, vpp, site, award, since, kw, by, name, shelved_until, text };
}
