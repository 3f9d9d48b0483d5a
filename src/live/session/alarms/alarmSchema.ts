/** Answers and bodies of the alarms of a session, as schemas for types, checks and description alike. */
import { listOf, nullable, oneOf, optional, record, type Static } from "../../../api/endpoints/schemas/baseSchemas.ts";
import { instant as instantMs, strictObject } from "../../../base/schemaBuilders.ts";
import { Type } from "../../../base/schemaType.ts";
import { described, instant, instantOf, lastSeq, text, type Values } from "../sandboxParts.ts";
import { cause, role } from "../sandboxReads.ts";
import { ALARM_KINDS, ALARM_STATES, type AlarmPriority } from "./alarm.ts";

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
