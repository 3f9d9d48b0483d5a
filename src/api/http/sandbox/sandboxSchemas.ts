import { CAUSES } from "../../../accounting/settlement/causes.ts";
import { SKUS } from "../../../base/sku.ts";
import { FAULT_KINDS } from "../../../live/session/fault.ts";
import { SPEED_MAX, SPEED_MIN } from "../../../live/session/pace.ts";
import { SANDBOX_EVENT_KINDS } from "../../../live/session/sandboxEventKinds.ts";
import type { JsonObject } from "../openapi/jsonObject.ts";
import { DRILL_SCHEMAS } from "./drillSchemas.ts";
import { ALL_ACTIONS } from "./sandboxAccess.ts";
import { OUTPUT_CONTROL_REASONS } from "./sandboxBody.ts";
import { instant, list, nullable, record, ref, text } from "./schemaParts.ts";

export const SPEED = { anyOf: [{ type: "number", minimum: SPEED_MIN, maximum: SPEED_MAX }, { const: "max" }] };
export const DURATION = {
  ...text,
  description: "ISO 8601 duration of days, hours, minutes and seconds, such as PT90S",
};

const kw = { type: "number", description: "kW, import positive" };
const size = { type: "number", minimum: 0, description: "kW" };
const pct = nullable({ type: "number", minimum: 0, maximum: 100 });
const sku = nullable({ enum: SKUS });
const setpointRefusal = record({ cause: text, text });
const cause = {
  enum: [...CAUSES, "not_yet_known"],
  description: "not_yet_known: a fault that no evaluation has noticed; only for trainees",
};
const column = list(nullable({ type: "number" }));

const EVENT_FACTS = {
  at: instant,
  kind: { enum: SANDBOX_EVENT_KINDS },
  site: nullable(text),
  award_id: nullable(text),
  text,
  data: { type: "object" },
};

const AWARD_HEAD = { award_id: text, sku, starts_at: instant, ends_at: instant };

/** Schemas of the reads of a session. */
const READ_SCHEMAS: JsonObject = {
  Session: record({
    role: { enum: ["trainee", "instructor"] },
    separated: { type: "boolean", description: "Whether trainee and instructor have separate permissions" },
    may: list({ enum: ALL_ACTIONS }),
    scenario: record({
      name: text,
      starts_at: instant,
      ends_at: instant,
      zone: { ...text, description: "Time zone, such as Asia/Tokyo" },
      opened_at: instant,
    }),
    now: instant,
    vpps: list(record({ name: text, vpp_id: text, members: list(text) })),
    sites: list(record({ name: text, ems_id: text, site_id: text, classes: list(text), kind_text: text })),
    has_report: { type: "boolean", description: "Whether POST /sandbox/report has a folder" },
    drill: nullable(ref("Drill")),
  }),
  Drill: record({
    name: text,
    title: text,
    briefing: text,
    goals: list(record({ name: text, text })),
    steps: list(record({ text, is_done: { type: "boolean" } })),
    ends_at: instant,
    has_ended: { type: "boolean" },
  }),
  Balance: record({
    at: instant,
    vpp: text,
    awards: list(
      record({
        ...AWARD_HEAD,
        schedule_id: nullable(text),
        requested_kw: kw,
        dispatched_kw: kw,
        delivered_kw: kw,
        uncovered_kw: { ...size, description: "kW requested and not dispatched" },
        not_delivered_kw: { ...size, description: "kW dispatched and not delivered" },
        over_kw: { ...size, description: "kW delivered beyond what was dispatched" },
        band_low_kw: nullable(kw),
        band_high_kw: nullable(kw),
        uncovered_since: nullable(instant),
        causes: list(
          record({
            stage: { enum: ["allocation", "delivery"] },
            cause,
            site: nullable(text),
            kw: size,
            since: nullable(instant),
          }),
        ),
      }),
    ),
    next: list(
      record({
        at: instant,
        what: { enum: ["award_registration", "award_start", "award_end", "scenario_end"] },
        award_id: nullable(text),
        sku,
        requested_kw: nullable(kw),
      }),
    ),
  }),
  Power: record({
    at: instant,
    vpp: text,
    from: instant,
    to: instant,
    times: list({ type: "number", description: "Start of each step, in seconds since 1970" }),
    requested_kw: column,
    delivered_kw: column,
    uncovered_kw: column,
    causes: {
      type: "object",
      description: "Shortfall in kW by cause",
      propertyNames: cause,
      additionalProperties: column,
    },
    awards: list(record({ ...AWARD_HEAD, requested_kw: kw })),
    marks: list(record(EVENT_FACTS)),
  }),
  Members: record({
    at: instant,
    vpp: text,
    members: list(
      record({
        site: text,
        resource_id: text,
        class: text,
        status: { enum: ["in_service", "out_of_service"] },
        status_since: nullable(instant),
        is_reachable: { type: "boolean" },
        power_kw: nullable(kw),
        baseline_kw: nullable(kw),
        set_point_kw: nullable(kw),
        delivered_kw: nullable(kw),
        soc_pct: pct,
        soc_min_pct: pct,
        soc_max_pct: pct,
        minutes_to_empty: nullable({ type: "number", minimum: 0 }),
        minutes_to_full: nullable({ type: "number", minimum: 0 }),
        weight: { type: "number", minimum: 0 },
        last_dispatch: nullable(record({ award_id: text, at: instant, kw, refusal: nullable(setpointRefusal) })),
        data_at: { ...instant, description: "Instant of the last value received" },
      }),
    ),
  }),
  Story: record({
    award_id: text,
    shortfall_kwh: { type: "number", minimum: 0, description: "Until now" },
    shortfall_before_session_kwh: { type: "number", minimum: 0, description: "The part before the session opened" },
    lines: list(text),
    instants: list(record({ at: instant, lines: list(text) })),
    causes: list(record({ cause, site: nullable(text), kwh: { type: "number", minimum: 0 } })),
  }),
  Preview: record({
    refusal: nullable(record({ error_type: text, text, parameter: nullable(text), valid_range: nullable(text) })),
    overlaps: list(
      record({
        schedule_id: text,
        sku,
        starts_at: instant,
        ends_at: instant,
        effect: { enum: ["coexists", "reduced", "reduces", "refused"] },
        remaining: list(record({ starts_at: instant, ends_at: instant })),
        text,
      }),
    ),
    allocation: list(
      record({
        site: text,
        kw,
        headroom_kw: nullable(size),
        cause: nullable(cause),
        refusal: nullable(setpointRefusal),
      }),
    ),
    uncovered_kw: size,
  }),
  Events: record({
    events: list(record({ seq: { type: "integer", minimum: 1 }, ...EVENT_FACTS })),
    last_seq: { type: "integer", minimum: 0 },
  }),
  Actions: record({
    actions: list(
      record({ seq: { type: "integer", minimum: 1 }, at: instant, kind: text, text, data: { type: "object" } }),
    ),
    last_seq: { type: "integer", minimum: 0 },
  }),
  Notes: record({ notes: list(record({ at: instant, text })) }),
};

export const SCHEMAS: JsonObject = {
  ...READ_SCHEMAS,
  ...DRILL_SCHEMAS,
  Clock: record({
    now: instant,
    mode: { enum: ["paused", "running"] },
    speed: { ...SPEED, description: "Simulated seconds per real second" },
    achieved_speed: { type: "number", minimum: 0 },
    lag_seconds: { type: "number", minimum: 0 },
    scenario_end: instant,
  }),
  Fault: record(
    {
      fault_id: text,
      kind: { enum: FAULT_KINDS },
      site: { ...text, description: "Its name in the scenario" },
      starts_at: instant,
      ends_at: { ...nullable(instant), description: "null: until it is ended" },
      limit_pct: { type: "number", minimum: 0, maximum: 100, description: "Only for output_control" },
      reason: { enum: OUTPUT_CONTROL_REASONS, description: "Only for output_control" },
    },
    ["limit_pct", "reason"],
  ),
  Checkpoint: record({ checkpoint_id: text, at: instant, label: nullable(text) }),
  Error: record({
    error: record({ code: { type: "integer" }, message: text, details: text, parameter: text }, ["parameter"]),
    timestamp: instant,
  }),
};
