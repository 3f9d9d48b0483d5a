/** Answers of the reads of a session, as schemas for types, checks and description alike. */
import { CAUSES } from "../../accounting/settlement/causes.ts";
import { listOf, nullable, oneOf, optional, record, type Static } from "../../api/endpoints/schemas/baseSchemas.ts";
import { instant as instantMs, strictObject } from "../../base/schemaBuilders.ts";
import { Type } from "../../base/schemaType.ts";
import { SKUS } from "../../base/sku.ts";
import { SANDBOX_EVENT_KINDS } from "./sandboxEventKinds.ts";
import { described, flag, instant, instantOf, lastSeq, seq, text, type Values, type Written } from "./sandboxParts.ts";

const kw = (description = "kW, import positive") => Type.Number({ description });
const size = (description = "kW") => Type.Number({ minimum: 0, description });
const kwh = (description = "kWh") => Type.Number({ minimum: 0, description });
const pct = nullable(Type.Number({ minimum: 0, maximum: 100 }));
const minutes = (description: string) => nullable(Type.Number({ minimum: 0, description }));
const sku = nullable(oneOf(SKUS, { description: "null: no market product" }));
const column = listOf(nullable(Type.Number()));

export const cause = oneOf([...CAUSES, "not_yet_known"], {
  description: "not_yet_known: a fault that no evaluation has noticed; only for trainees",
});
/** Why power is missing. */
export type Cause = Static<typeof cause>;

/** Body of an error of any `/sandbox` endpoint. */
export const SandboxErrorBody = record({
  error: record({
    code: Type.Integer({ description: "HTTP status" }),
    message: text,
    details: described("What was found and what is allowed"),
    parameter: optional(described("The key of the body or query that was refused")),
  }),
  timestamp: instantOf("Simulated instant"),
});
export type SandboxErrorBody = Values<typeof SandboxErrorBody>;

export const role = oneOf(["trainee", "instructor"]);
export type SandboxRole = Static<typeof role>;

/** What a caller may do beside reading. */
export const SANDBOX_ACTIONS = [
  "clock",
  "weights",
  "immediate",
  "schedules",
  "owner_calls",
  "report",
  "export",
  "faults",
  "checkpoints",
  "reset",
] as const;
export type SandboxAction = (typeof SANDBOX_ACTIONS)[number];

export const stepState = oneOf(["waiting", "open", "done", "missed"]);

/** A drill as its trainee sees it. */
export const DrillView = record({
  name: text,
  title: text,
  briefing: text,
  goals: listOf(record({ name: text, text })),
  uncovered_above_pct: Type.Number({
    minimum: 0,
    maximum: 100,
    description: "uncovered_minutes counts time in which the gap exceeds this share of the promise, and 0.5 kW",
  }),
  steps: listOf(
    record({
      text,
      is_done: flag(),
      state: stepState,
      done_at: nullable(instant),
      from: nullable(instantOf("The step does not count before")),
      until: nullable(instantOf("A step that is not done before is missed for good")),
    }),
  ),
  ends_at: instant,
  has_ended: flag(),
});
export type DrillView = Values<typeof DrillView>;

const VppView = record({
  name: text,
  vpp_id: described("32 lowercase hexadecimal digits"),
  members: listOf(described("Name of the site of a present member")),
});
export type VppView = Values<typeof VppView>;

const SiteView = record({
  name: text,
  ems_id: text,
  site_id: text,
  classes: listOf(described("Kind of a component, such as battery")),
  kind_text: described("The kinds in words, such as battery and PV plant"),
});
export type SiteView = Values<typeof SiteView>;

export const SessionView = record({
  role,
  separated: flag("Whether trainee and instructor have separate permissions"),
  may: listOf(oneOf(SANDBOX_ACTIONS)),
  scenario: record({
    name: text,
    starts_at: instant,
    ends_at: instant,
    zone: described("Time zone, such as Asia/Tokyo"),
    opened_at: instantOf("Simulated instant at which the session opened"),
  }),
  now: instant,
  vpps: listOf(VppView),
  sites: listOf(SiteView),
  has_report: flag("Whether POST /sandbox/report has a folder"),
  drill: nullable(DrillView),
});
export type SessionView = Values<typeof SessionView>;

const CausePower = record({
  stage: oneOf(["allocation", "delivery"]),
  cause,
  site: nullable(described("null: no single site, as for no_member, or not yet known")),
  kw: size(),
  since: nullable(instantOf("When its power reached 1 kW and 1 % of the request, and has not fallen below half since")),
});
export type CausePower = Values<typeof CausePower>;

const awardName = described("The operator's label, the scenario's award_id, or product and local time");
const awardHead = { award_id: text, name: awardName, sku, starts_at: instant, ends_at: instant };

/** One award at one instant. */
const AwardBalance = record({
  ...awardHead,
  schedule_id: nullable(described("null: an immediate instruction")),
  requested_kw: kw(
    "Change of power relative to the baselines in kW; of an award of FCR alone the capacity, at least 0",
  ),
  dispatched_kw: kw("kW allocated to members"),
  delivered_kw: kw("kW relative to the baselines of the dispatched members"),
  uncovered_kw: size("kW requested and not dispatched"),
  not_delivered_kw: size("kW dispatched and not delivered"),
  over_kw: size("kW delivered beyond what was dispatched"),
  band_low_kw: nullable(kw("Limit of the compliance band, by value; null: the product has none")),
  band_high_kw: nullable(kw()),
  uncovered_since: nullable(instantOf("Of its largest cause; null: nothing is uncovered")),
  causes: listOf(CausePower, { description: "allocation sums to uncovered_kw, delivery to not_delivered_kw" }),
});
export type AwardBalance = Values<typeof AwardBalance>;

const NextStep = record({
  at: instant,
  what: oneOf(["award_registration", "award_start", "award_end", "scenario_end"], {
    description: "award_registration: the VPP receives the award then; only an instructor knows it before",
  }),
  award_id: nullable(text),
  name: nullable(awardName),
  sku,
  requested_kw: nullable(kw()),
});
export type NextStep = Values<typeof NextStep>;

export const VppBalance = record({
  at: instant,
  vpp: text,
  awards: listOf(AwardBalance, { description: "Awards and instructions in force, by start" }),
  next: listOf(NextStep, { description: "What comes next, by instant" }),
});
export type VppBalance = Values<typeof VppBalance>;

const eventFacts = {
  at: instant,
  kind: oneOf(SANDBOX_EVENT_KINDS),
  site: nullable(text),
  award_id: nullable(text),
  text: described("In English"),
  data: Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: "object",
    description: "The values in the text, for clients that write a text of their own",
  }),
};

/** An event as a mark of a chart. */
const PowerMark = record(eventFacts);
export type PowerMark = Values<typeof PowerMark>;

const PowerAward = record({ ...awardHead, requested_kw: kw() });
export type PowerAward = Values<typeof PowerAward>;

/** Columns have one value per element of `times`; `null`: no value, as of delivered power in the future. */
export const VppPower = record({
  at: instantOf("The present instant: values after it are promised, not measured"),
  vpp: text,
  from: instant,
  to: instant,
  times: listOf(Type.Number({ description: "Start of each step, in seconds since 1970" })),
  requested_kw: column,
  delivered_kw: column,
  uncovered_kw: column,
  causes: Type.Unsafe<{ [Key in Cause]?: Static<typeof column> }>({
    type: "object",
    description: "Uncovered kW by cause; causes that do not occur are absent",
    propertyNames: cause,
    additionalProperties: column,
  }),
  frequency_hz: listOf(nullable(Type.Number()), {
    description: "Grid frequency at the start of each step; null: no award of FCR is in force then",
  }),
  fcr_response_kw: listOf(nullable(Type.Number()), {
    description: "Change of the members' power by the frequency at the start of each step",
  }),
  awards: listOf(PowerAward, { description: "Awards that overlap the window, by start" }),
  marks: listOf(PowerMark),
});
export type VppPower = Values<typeof VppPower>;

/** Why a set-point took no effect. */
const SetpointRefusal = record({ cause: described("error_type of the site API, or delivery_failed"), text });
export type SetpointRefusal = Values<typeof SetpointRefusal>;

const LastDispatch = record({
  award_id: text,
  name: awardName,
  at: instant,
  kw: kw(),
  refusal: nullable(SetpointRefusal),
});
export type LastDispatch = Values<typeof LastDispatch>;

/** One member as the operator sees it: of a site whose link is interrupted, the values last received. */
const MemberView = record({
  site: text,
  resource_id: text,
  class: described("What the API calls the member, such as battery or multi_component"),
  status: oneOf(["in_service", "out_of_service"]),
  status_since: nullable(instant),
  is_reachable: flag(),
  power_kw: nullable(kw()),
  baseline_kw: nullable(kw()),
  set_point_kw: nullable(kw()),
  delivered_kw: nullable(kw("Change of power relative to the baseline, while dispatched")),
  soc_pct: pct,
  soc_min_pct: pct,
  soc_max_pct: pct,
  minutes_to_empty: minutes("At the present power; null: not discharging, or no storage"),
  minutes_to_full: minutes("At the present power; null: not charging, or no storage"),
  energy_kwh: nullable(kwh("kWh above the lower limit of the stores; null: no store, or no values arrive")),
  energy_to_full_kwh: nullable(kwh("kWh below the upper limit of the stores")),
  headroom_up_kw: nullable(size("kW that it could import more, or export less, than now; null: no values arrive")),
  headroom_down_kw: nullable(size("kW that it could export more, or import less, than now")),
  available_from: nullable(instantOf("End of the rest of a load between two reductions; null: now, or not known")),
  weight: Type.Number({ minimum: 0 }),
  last_dispatch: nullable(LastDispatch),
  data_at: instantOf("Instant of the last value received"),
});
export type MemberView = Values<typeof MemberView>;

export const VppMembersView = record({ at: instant, vpp: text, members: listOf(MemberView) });
export type VppMembersView = Values<typeof VppMembersView>;

const CauseEnergy = record({
  cause,
  site: nullable(described("null: the rest of the cause, of sites that the report does not name")),
  kwh: kwh(),
});
export type CauseEnergy = Values<typeof CauseEnergy>;

export const AwardStory = record({
  award_id: text,
  name: awardName,
  shortfall_kwh: kwh("Until now"),
  shortfall_before_session_kwh: kwh("The part before the session opened"),
  lines: listOf(text),
  instants: listOf(record({ at: instant, lines: listOf(text) })),
  causes: listOf(CauseEnergy, { description: "Sums to the shortfall until now" }),
});
export type AwardStory = Values<typeof AwardStory>;

/** The refusal that the API would answer. */
const PreviewRefusal = record({
  error_type: text,
  text,
  parameter: nullable(text),
  valid_range: nullable(text),
});
export type PreviewRefusal = Values<typeof PreviewRefusal>;

export const PreviewRequest = strictObject({
  sku: optional(sku),
  power_kw: kw("Delta in kW, import positive; of fcr the capacity"),
  starts_at: instantMs({ description: "Now or earlier: an immediate instruction" }),
  ends_at: instantMs(),
});
export type PreviewRequest = Written<typeof PreviewRequest, "starts_at" | "ends_at">;

const period = { starts_at: instant, ends_at: instant };
const PreviewPeriod = record(period);
export type PreviewPeriod = Values<typeof PreviewPeriod>;

const PreviewOverlap = record({
  schedule_id: text,
  award_id: text,
  name: awardName,
  sku,
  ...period,
  effect: oneOf(["coexists", "reduced", "reduces", "refused"], {
    description:
      "reduced: the existing schedule gives way; reduces: the new one does; refused: it is the reason of the refusal",
  }),
  remaining: listOf(PreviewPeriod, {
    description: "Periods in which the existing schedule stays in force; none: it is replaced whole",
  }),
  text,
});
export type PreviewOverlap = Values<typeof PreviewOverlap>;

const PreviewShare = record({
  site: text,
  kw: kw(),
  headroom_kw: nullable(
    size("Power change of which the member is capable in the direction of the request; null: unknown"),
  ),
  // The limiting factor of the share, also where other members take over.
  cause: nullable(cause),
  refusal: nullable(
    record({
      cause: described("error_type of the site API, or delivery_failed"),
      text,
      available_from: nullable(instantOf("When a load that rests may be reduced again; null: another refusal")),
    }),
  ),
});
export type PreviewShare = Values<typeof PreviewShare>;

const PREVIEW_CHECKS = [
  "cooldown",
  "minimum_duration",
  "minimum_reduction",
  "present_award_cut",
  "energy",
  "power_limit",
  "output_control",
  "weather",
  "load",
  "outages",
  "other_commands",
  "frequency",
] as const;

const PreviewCheck = record({ what: oneOf(PREVIEW_CHECKS), text });
export type PreviewCheck = Values<typeof PreviewCheck>;

/** What a schedule or instruction would do, if it were sent now. */
export const DispatchPreview = record({
  refusal: nullable(PreviewRefusal),
  overlaps: listOf(PreviewOverlap),
  allocation: listOf(PreviewShare, { description: "What each member would be sent at the start" }),
  uncovered_kw: size("kW at the start, shares that are refused among them"),
  checked: listOf(PreviewCheck, { description: "What the preview has looked at" }),
  not_checked: listOf(PreviewCheck, { description: "What nobody can know before the start" }),
});
export type DispatchPreview = Values<typeof DispatchPreview>;

const SandboxEvent = record({ seq, ...eventFacts });
export type SandboxEvent = Values<typeof SandboxEvent>;

export const SandboxEvents = record({ events: listOf(SandboxEvent), last_seq: lastSeq });
export type SandboxEvents = Values<typeof SandboxEvents>;

/** A request of a client (docs/model/sandbox.md#requests). */
export const RequestEntry = record({
  seq,
  at: instantOf("Simulated instant of its arrival"),
  received_at: described("Real time of its arrival, with milliseconds"),
  api: oneOf(["vpp-v1", "site-v2", "site-v1", "auth"]),
  method: text,
  path: described("With the query"),
  route: nullable(described("Path as in the description; null: none")),
  status: nullable(Type.Integer({ description: "null: the connection ended without an answer" })),
  error_type: nullable(text),
  duration_ms: Type.Integer({ minimum: 0, description: "Real milliseconds" }),
  idempotency_key: nullable(text),
  replayed: flag("Whether the answer is the stored one of its Idempotency-Key"),
  request_id: nullable(described("Its X-Request-Id")),
  http_fault_id: nullable(described("The HTTP fault that hit it")),
});
export type RequestEntry = Values<typeof RequestEntry>;

export const SandboxRequests = record({
  requests: listOf(RequestEntry),
  last_seq: lastSeq,
  dropped: Type.Integer({ minimum: 0, description: "Entries since the last deletion that are no longer there" }),
});
