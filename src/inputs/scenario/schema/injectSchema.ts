import {
  arrayOf,
  enumOf,
  instant,
  integer,
  number,
  optional,
  positiveDuration,
  type Static,
  strictObject,
  string,
} from "../../../base/schemaBuilders.ts";
import { Type } from "../../../base/schemaType.ts";
import { FAULT_KINDS, faultKeys } from "./faultSchema.ts";
import { httpFaultAnswer, httpFaultMatch } from "./httpFaultSchema.ts";

const limits = { above: optional(number()), below: optional(number()) };
const heldFor = { for: optional(positiveDuration({ description: "How long it must hold without a break" })) };
const vpp = optional(string({ minLength: 1, description: "Name of the VPP; absent: the first one" }));
const site = string({ minLength: 1, description: "Name of the site" });

/** A statement about the simulated world that is true or false at an instant (docs/model/drills.md#conditions). */
export const conditionSchema = Type.Union([
  strictObject({ delivered_share_pct: strictObject({ vpp, ...limits }), ...heldFor }),
  strictObject({ uncovered_kw: strictObject({ vpp, ...limits }), ...heldFor }),
  strictObject({ soc_pct: strictObject({ site, ...limits }), ...heldFor }),
  strictObject({ weight: strictObject({ vpp, site, ...limits }), ...heldFor }),
  strictObject({ award_in_force: string({ minLength: 1, description: "award_id" }), ...heldFor }),
  strictObject({ owner_call: site, ...heldFor }),
  strictObject({
    command: strictObject({
      path: string({ minLength: 1, description: "Start of the path below the id, as in /control" }),
      outcome: enumOf(["accepted", "refused"], { default: "accepted" }),
    }),
    ...heldFor,
  }),
  strictObject({ time: instant(), ...heldFor }),
]);
/** Durations and instants are in milliseconds. */
export type Condition = Static<typeof conditionSchema>;

/** A planned malfunction: a fault that begins at an instant, or when a condition holds. */
export const injectSchema = strictObject({
  kind: enumOf(FAULT_KINDS),
  site,
  at: optional(instant({ description: "Either this or when" })),
  when: optional(conditionSchema),
  duration: optional(
    positiveDuration({ description: "Absent: until the owner of the site or the instructor ends it" }),
  ),
  ...faultKeys,
});
/** Durations and instants are in milliseconds. One of `at` and `when` is given; neither: now. */
export type InjectSpec = Static<typeof injectSchema>;

/** A name that an operator gives an instruction. */
export const labelSchema = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: "\\S",
  title: "a text of 1 to 60 characters",
});

const recorded = {
  at: instant(),
  after_events: integer(0, Number.MAX_SAFE_INTEGER, { description: "Events of the session that came before it" }),
};

const alarmId = string({ minLength: 1, description: "Id of the alarm" });
const person = { by: enumOf(["trainee", "instructor"]), name: optional(string({ minLength: 1 })) };

/** What an export states about its session besides the events (docs/model/sandbox.md#export-session). */
export const sessionSchema = strictObject({
  opened_at: instant({ description: "Start of the session; what comes before it was simulated without the session" }),
  alarms_from: optional(instant({ description: "First instant of its alarms; absent: opened_at" })),
  scenario_end: optional(instant({ description: "End of the served scenario; the session ended at end" })),
  scenario_events: integer(0, Number.MAX_SAFE_INTEGER, {
    description: "Entries of events that are the scenario's own; the others come from the session",
  }),
  drill: optional(strictObject({ name: string({ minLength: 1 }), hash: string({ minLength: 1 }) })),
  commands: arrayOf(
    Type.Union([
      strictObject({ ...recorded, plan: injectSchema }),
      strictObject({ ...recorded, cancel: string({ minLength: 1, description: "Id of the inject" }) }),
      strictObject({
        ...recorded,
        owner_call: site,
        delay: positiveDuration({ description: "From the call to the end of the fault" }),
      }),
      strictObject({
        ...recorded,
        http_fault: strictObject({
          match: httpFaultMatch,
          answer: httpFaultAnswer,
          for: optional(positiveDuration({ description: "Absent: until it is ended" })),
        }),
      }),
      strictObject({ ...recorded, ...person, acknowledge: alarmId }),
      strictObject({ ...recorded, ...person, shelve: alarmId, until: instant() }),
      strictObject({ ...recorded, ...person, unshelve: alarmId }),
      strictObject({ ...recorded, http_fault_end: string({ minLength: 1, description: "Id of the HTTP fault" }) }),
      strictObject({
        ...recorded,
        label: Type.Union([labelSchema, Type.Null()]),
        award: string({ minLength: 1, description: "Id of the instruction that has this name" }),
      }),
    ]),
    { default: [] },
  ),
  notes: arrayOf(strictObject({ at: instant(), text: string({ minLength: 1 }) }), {
    default: [],
    description: "Of the instructor",
  }),
});
export type SessionConfig = Static<typeof sessionSchema>;
export type SessionCommand = SessionConfig["commands"][number];
