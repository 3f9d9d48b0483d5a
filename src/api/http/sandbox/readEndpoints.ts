import { SKUS } from "../../../base/sku.ts";
import type { JsonObject } from "../openapi/jsonObject.ts";
import { LANGUAGE } from "./drillEndpoints.ts";
import type { Endpoint, QueryParameter, SandboxExamples } from "./sandboxEndpoint.ts";
import { instant, json, nullable, record, ref, text } from "./schemaParts.ts";

const count = (name: string, description: string, minimum: number, maximum?: number): QueryParameter => ({
  name,
  description,
  schema: { type: "integer", minimum, ...(maximum === undefined ? {} : { maximum }) },
});
const at = (name: string, description: string): QueryParameter => ({ name, description, schema: instant });
const AFTER = count("after", "Sequence number after which to begin; default 0", 0);
const LIMIT = count("limit", "Largest number of entries; default 500", 1, 2_000);
const example = (value: JsonObject): JsonObject => ({ example: { value } });

/** The reads of a session (docs/model/sandbox.md#reads-of-the-sandbox), and what persons do. */
export function readEndpoints({ vpp, startsAt, endsAt, awardId }: SandboxExamples): Record<string, Endpoint> {
  return {
    "GET /sandbox/session": {
      summary: "Role and permissions of the caller, scenario, VPPs and sites",
      tag: "Session",
      answer: json("The session", ref("Session")),
      query: [LANGUAGE],
    },
    "GET /sandbox/vpps/{name}/balance": {
      summary: "Requested, dispatched and delivered power of each award in force, and the missing power by cause",
      tag: "Session",
      answer: json("The balance now", ref("Balance")),
      errors: [404],
      id: vpp,
    },
    "GET /sandbox/vpps/{name}/power": {
      summary: "Requested, delivered and uncovered power over time, as means over equal steps",
      tag: "Session",
      answer: json("Columns of equal length", ref("Power")),
      errors: [404],
      id: vpp,
      query: [
        at("from", "Default: 24 hours before `to`"),
        at("to", "Default: now"),
        count("max_points", "Largest number of steps; default 1000", 2, 5_000),
      ],
    },
    "GET /sandbox/vpps/{name}/members": {
      summary: "Each member as last received, with its weight and last dispatch",
      tag: "Session",
      answer: json("In order of registration", ref("Members")),
      errors: [404],
      id: vpp,
    },
    "POST /sandbox/vpps/{name}/preview": {
      summary: "Effect of a schedule or an immediate instruction, without sending it",
      tag: "Session",
      body: record({
        sku: nullable({ enum: SKUS }),
        power_kw: { type: "number", description: "Delta in kW, import positive; of fcr the capacity" },
        starts_at: { ...instant, description: "Now or earlier: an immediate instruction" },
        ends_at: instant,
      }),
      examples: example({ sku: null, power_kw: -100, starts_at: startsAt, ends_at: endsAt }),
      answer: json("Refusal, overlaps and allocation", ref("Preview")),
      errors: [404],
      id: vpp,
    },
    "GET /sandbox/awards/{id}/story": {
      summary: "History of an award until now, as vppsim explain describes it",
      tag: "Session",
      answer: json("The story", ref("Story")),
      errors: [404],
      id: awardId,
      query: [at("at", "Last instant of `instants`")],
    },
    "GET /sandbox/events": {
      summary: "Events of the session, oldest first, numbered without gaps",
      tag: "Session",
      answer: json("Events", ref("Events")),
      query: [AFTER, LIMIT],
    },
    "GET /sandbox/actions": {
      summary: "Actions of persons and client programs, oldest first",
      tag: "Training",
      answer: json("Actions", ref("Actions")),
      query: [AFTER, LIMIT],
    },
    "POST /sandbox/actions": {
      summary: "Record an action of a person on a page",
      tag: "Training",
      body: record({ kind: { ...text, minLength: 1, maxLength: 40 }, text: { ...text, minLength: 1, maxLength: 500 } }),
      examples: example({ kind: "acknowledged", text: "battery-1 is out of service" }),
      answer: {},
      status: 204,
    },
    "GET /sandbox/notes": { summary: "Notes of the instructor", tag: "Training", answer: json("Notes", ref("Notes")) },
    "POST /sandbox/notes": {
      summary: "Record a note at the present instant",
      tag: "Training",
      body: record({ text: { ...text, minLength: 1, maxLength: 2_000 } }),
      examples: example({ text: "reacted after four minutes" }),
      answer: json("All notes", ref("Notes")),
    },
    "GET /sandbox/report/latest/{file}": {
      summary: "A file of the report written last",
      tag: "Results",
      answer: {
        description: "The file",
        content: { "text/html": { schema: text }, "application/json": {}, "text/csv": { schema: text } },
      },
      errors: [404],
      id: "summary.json",
    },
  };
}
