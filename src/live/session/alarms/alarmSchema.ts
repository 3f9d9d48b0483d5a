/** Answers and bodies of the alarms of a session, as schemas for types, checks and description alike. */
import { listOf, nullable, oneOf, optional, record, type Static } from "../../../api/endpoints/schemas/baseSchemas.ts";
import { instant as instantMs, strictObject } from "../../../base/schemaBuilders.ts";
import { Type } from "../../../base/schemaType.ts";
import { described, instant, instantOf, lastSeq, seq, text, type Values } from "../sandboxParts.ts";
import { cause, role } from "../sandboxReads.ts";
import { ALARM_CHANGES, ALARM_KINDS, ALARM_STATES, type AlarmPriority } from "./alarm.ts";

const count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) });
const alarmKind = oneOf(ALARM_KINDS);
const alarmPriority = Type.Unsafe<AlarmPriority>(
  Type.Integer({ minimum: 1, maximum: 3, description: "1: act now; 2: act soon; 3: know it" }),
);

const name = Type.String({ minLength: 1, maxLength: 40, pattern: "\\S", title: "a text of 1 to 40 characters" });

export const AcknowledgeRequest = strictObject({ name: optional(name) });

export const ShelveRequest = strictObject(
  {
    for: optional(described("ISO 8601 duration, PT1M to P1D")),
    until: optional(instantMs({ description: "A minute to a day from now" })),
    name: optional(name),
  },
  { description: "One of for and until" },
);
export type ShelveRequest = Static<typeof ShelveRequest>;

/** An alarm of the list (docs/model/sandbox.md#alarms). */
export const AlarmRecord = record({
  id: described("alarm-1, alarm-2 … in the order of raising"),
  origin: described("site:<name>, award:<award_id>, cause:<award_id>:<cause> or early:<vpp>:<award_id>"),
  kind: alarmKind,
  cause: nullable(cause),
  priority: alarmPriority,
  vpp: text,
  site: nullable(described("null: several or none")),
  sites: listOf(text, { description: "The most affected first" }),
  award: nullable(described("The most affected; null: none")),
  award_name: nullable(described("Its name for persons")),
  awards: listOf(text, { description: "The most affected first" }),
  kw: nullable(Type.Number({ minimum: 0, description: "Missing power of the present cause; null: none is missing" })),
  since: instantOf("When the present cause began"),
  raised_at: instantOf("When it was raised, or raised anew"),
  state: oneOf(ALARM_STATES, { description: "cleared: the condition ended before it was acknowledged" }),
  acknowledged_at: nullable(instant),
  acknowledged_by: nullable(role),
  acknowledged_name: nullable(text),
  shelved_until: nullable(instant),
  cleared_at: nullable(instant),
  count: Type.Integer({ minimum: 1, description: "How often the condition has begun while the alarm was in the list" }),
  text,
  signs: listOf(text, { description: "Consequences and further findings of the same origin" }),
  help: record({
    cause: text,
    consequence: text,
    action: text,
    time_to_respond: described("ISO 8601 duration"),
  }),
});
export type AlarmRecord = Values<typeof AlarmRecord>;

export const AlarmList = record({
  at: instant,
  last_seq: lastSeq,
  alarms: listOf(AlarmRecord, {
    description: "Conditions that hold, then shelved ones, then cleared ones; by priority",
  }),
  counts: record({ new: count(), acknowledged: count(), cleared: count(), shelved: count() }),
  raised_last_10_min: count("Alarms raised in the last ten minutes"),
});
export type AlarmList = Values<typeof AlarmList>;

/** One change of an alarm. */
export const AlarmJournalEntry = record({
  seq,
  at: instant,
  what: oneOf(ALARM_CHANGES, { description: "unshelved with by null: its time was up" }),
  id: text,
  kind: alarmKind,
  cause: nullable(cause),
  priority: alarmPriority,
  vpp: text,
  site: nullable(text),
  award: nullable(text),
  since: instant,
  kw: nullable(Type.Number({ minimum: 0 })),
  by: nullable(role),
  name: nullable(text),
  shelved_until: nullable(instant),
  text,
});
export type AlarmJournalEntry = Values<typeof AlarmJournalEntry>;

export const AlarmJournal = record({ entries: listOf(AlarmJournalEntry), last_seq: lastSeq });
export type AlarmJournal = Values<typeof AlarmJournal>;

export const AlarmJournalQuery = record({
  after: optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Number after which to begin; default 0",
    }),
  ),
  limit: optional(Type.Integer({ minimum: 1, maximum: 2_000, description: "Largest number of entries; default 200" })),
  kind: optional(alarmKind),
  site: optional(described("Name of a site that the alarm concerns")),
  award: optional(described("Id of an award that the alarm concerns")),
  priority: optional(Type.Integer({ minimum: 1, maximum: 3 })),
  what: optional(oneOf(ALARM_CHANGES)),
  from: optional(instantMs({ description: "First instant" })),
  to: optional(instantMs({ description: "Last instant" })),
  lang: optional(oneOf(["en", "ja"], { description: "Language of texts; default en" })),
});
export type AlarmJournalQuery = Static<typeof AlarmJournalQuery>;
