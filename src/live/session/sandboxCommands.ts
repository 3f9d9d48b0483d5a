/** Bodies of the calls that control a session, as schemas for types, checks and description alike. */

import { listOf, nullable, oneOf, optional, record } from "../../api/endpoints/schemas/baseSchemas.ts";
import { instant as instantMs, strictObject } from "../../base/schemaBuilders.ts";
import { Type } from "../../base/schemaType.ts";
import { FAULT_KINDS, faultKeys } from "../../inputs/scenario/schema/faultSchema.ts";
import { httpFaultAnswer, httpFaultMatch } from "../../inputs/scenario/schema/httpFaultSchema.ts";
import { labelSchema } from "../../inputs/scenario/schema/injectSchema.ts";
import { SPEED_MAX, SPEED_MIN } from "./pace.ts";
import { described, flag, instant, instantOf, lastSeq, seq, text, type Values, type Written } from "./sandboxParts.ts";

const SandboxActionRecord = record({
  seq,
  at: instant,
  kind: text,
  abandoned: flag("Whether a restore or reset went back before it"),
  text,
  data: Type.Unsafe<Readonly<Record<string, string | number>>>({
    type: "object",
    description: "The values in the text; empty for an action that a page records",
  }),
});
export type SandboxActionRecord = Values<typeof SandboxActionRecord>;

export const SandboxActionList = record({ actions: listOf(SandboxActionRecord), last_seq: lastSeq });
export type SandboxActionList = Values<typeof SandboxActionList>;

/** A text with a visible character. */
const writtenText = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: "\\S", title: `a text of 1 to ${maxLength} characters` });

/** What a person did on a page, such as `acknowledged`. */
export const ActionRequest = strictObject({ kind: writtenText(40), text: writtenText(500) });
export type ActionRequest = Values<typeof ActionRequest>;

export const NoteRequest = strictObject({ text: writtenText(2_000) });
export type NoteRequest = Values<typeof NoteRequest>;

export const SandboxNotes = record({ notes: listOf(record({ at: instant, text })) });
export type SandboxNotes = Values<typeof SandboxNotes>;

export const SandboxCredentials = record({
  vpps: listOf(record({ name: text, vpp_id: text, refresh_token: text })),
  sites: listOf(record({ name: text, ems_id: text, refresh_token: text, base_url: optional(text) })),
});
export type SandboxCredentials = Values<typeof SandboxCredentials>;

export const RevokeRequest = strictObject({
  refresh_token: Type.String({ title: "a refresh token of GET /sandbox/credentials" }),
});

const duration = described("ISO 8601 duration of days, hours, minutes and seconds, such as PT90S");
/** Fields that some kinds of faults have, as written. */
export const faultFields = {
  limit_pct: faultKeys.limit_pct,
  reason: faultKeys.reason,
  ramp_in: optional(duration),
  ramp_out: optional(duration),
  sensor: faultKeys.sensor,
  offset: faultKeys.offset,
};

export const FaultRequest = strictObject(
  { kind: oneOf(FAULT_KINDS), site: text, duration: optional(nullable(duration)), ...faultKeys },
  { description: "From now on, for `duration` or until it is ended" },
);
export type FaultRequest = Written<typeof FaultRequest, "ramp_in" | "ramp_out">;

/** A fault as in the sandbox's list (docs/model/sandbox.md#faults). */
export const FaultRecord = record({
  fault_id: text,
  kind: oneOf(FAULT_KINDS),
  site: described("Its name in the scenario"),
  starts_at: instant,
  ends_at: nullable(instantOf("null: until it is ended")),
  ...faultFields,
});
export type FaultRecord = Values<typeof FaultRecord>;

export const SandboxFaults = record({ faults: listOf(FaultRecord) });
export type SandboxFaults = Values<typeof SandboxFaults>;

export const CheckpointRequest = strictObject({
  label: optional(nullable(Type.String({ maxLength: 200, title: "a text of at most 200 characters" }))),
});

export const CheckpointRecord = record({ checkpoint_id: text, at: instant, label: nullable(text) });
export type CheckpointRecord = Values<typeof CheckpointRecord>;

export const SandboxCheckpoints = record({ checkpoints: listOf(CheckpointRecord) });
export type SandboxCheckpoints = Values<typeof SandboxCheckpoints>;

/** Simulated seconds per real second, or as fast as possible. */
const speed = Type.Union([Type.Number({ minimum: SPEED_MIN, maximum: SPEED_MAX }), Type.Literal("max")], {
  description: "Simulated seconds per real second",
});

/** The record of `GET /sandbox/clock` (docs/model/sandbox.md#clock-record). */
export const ClockRecord = record({
  now: instantOf("Whole seconds, rounded down"),
  mode: oneOf(["paused", "running"]),
  speed,
  achieved_speed: Type.Number({ minimum: 0, description: "Over the last two real seconds; 0 while paused" }),
  lag_seconds: Type.Number({ minimum: 0, description: "Simulated seconds by which the world lags behind its clock" }),
  scenario_end: instant,
});
export type ClockRecord = Values<typeof ClockRecord>;

export const AdvanceRequest = strictObject(
  { by: optional(duration), to: optional(instantMs()) },
  { description: "One of by and to", minProperties: 1, maxProperties: 1 },
);
export type AdvanceRequest = Written<typeof AdvanceRequest, "to">;

export const ResumeRequest = strictObject({ speed: optional(speed) });

export const SandboxReport = record({
  report: described("Folder on the server's machine"),
  files: listOf(text),
  opens_at: nullable(described("Path of its page on this server; null: it has none")),
});
export type SandboxReport = Values<typeof SandboxReport>;

export const LabelRequest = strictObject({ label: nullable(labelSchema) });

export const StateHash = record({ now: instant, hash: text });

interface ConditionLimits {
  readonly above?: number;
  readonly below?: number;
}

/** A condition as in a drill file (docs/model/drills.md#conditions). `for` is an ISO 8601 duration. */
export type InjectCondition = { readonly for?: string } & (
  | { readonly delivered_share_pct: ConditionLimits & { readonly vpp?: string } }
  | { readonly uncovered_kw: ConditionLimits & { readonly vpp?: string } }
  | { readonly soc_pct: ConditionLimits & { readonly site: string } }
  | { readonly weight: ConditionLimits & { readonly site: string; readonly vpp?: string } }
  | { readonly award_in_force: string }
  | { readonly owner_call: string }
  | { readonly command: { readonly path: string; readonly outcome: "accepted" | "refused" } }
  | { readonly time: string }
);

export const injectState = oneOf(["planned", "in_force", "ended", "cancelled"]);

/** A malfunction of a drill or of the instructor. */
export const InjectRecord = record({
  inject_id: text,
  source: oneOf(["drill", "instructor", "prepared"]),
  kind: oneOf(FAULT_KINDS),
  site: text,
  ...faultFields,
  at: nullable(instantOf("When it begins or began; null: when its condition holds")),
  when: nullable(described("Text of the condition at which it begins")),
  condition: nullable(
    Type.Unsafe<InjectCondition>({ type: "object", description: "The condition as in a drill file" }),
  ),
  duration: nullable(described("ISO 8601; null: until it is ended")),
  ended_at: nullable(instantOf("When its fault ended, also before its time; null: it has not")),
  state: injectState,
});
export type InjectRecord = Values<typeof InjectRecord>;

/** A fault among the events of the scenario. */
export const ScenarioFault = record({
  kind: oneOf(FAULT_KINDS),
  site: text,
  ...faultFields,
  at: instant,
  ends_at: nullable(instantOf("null: with the scenario")),
  state: oneOf(["planned", "in_force"]),
});
export type ScenarioFault = Values<typeof ScenarioFault>;

export const SandboxInjects = record({
  injects: listOf(InjectRecord),
  scenario_faults: Type.Array(ScenarioFault, { description: "Present and coming, in the order of their begin" }),
});
export type SandboxInjects = Values<typeof SandboxInjects>;

export const OwnerCallRequest = strictObject({ site: text });

export const OwnerCall = record({ site: text, called_at: instant, answer: described("What the owner says") });
export type OwnerCall = Values<typeof OwnerCall>;

/** An HTTP fault of the instructor (docs/model/sandbox.md#http-faults). */
export const HttpFaultRequest = strictObject({
  answer: httpFaultAnswer,
  match: httpFaultMatch,
  for: optional(described("ISO 8601 duration of simulated time; absent: until `next` is used up or it is ended")),
});
export type HttpFaultRequest = Values<typeof HttpFaultRequest>;

export const HttpFaultRecord = record({
  http_fault_id: text,
  match: httpFaultMatch,
  answer: httpFaultAnswer,
  created_at: instant,
  ends_at: nullable(instantOf("null: not by time")),
  hits: Type.Integer({ minimum: 0, description: "Requests that it has hit" }),
  left: nullable(Type.Integer({ minimum: 0, description: "Hits that are left; null: without `next`" })),
});
export type HttpFaultRecord = Values<typeof HttpFaultRecord>;

export const SandboxHttpFaults = record({ http_faults: listOf(HttpFaultRecord) });

/** `GET /dashboard/config.json` */
export interface DashboardConfig {
  readonly api_url: string;
  readonly auth_url: string;
  readonly version: string;
  /** Only to callers on the same machine, without `--sandbox-token`. */
  readonly trainee_token: string | null;
  readonly separated: boolean;
  /** Name of the drill. */
  readonly drill: string | null;
}
