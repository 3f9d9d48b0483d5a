import { isoUtc, MS_PER_MINUTE } from "../../base/time.ts";
import { floorToSecond } from "../../endpoints/shared/wireTime.ts";
import { FAULT_KINDS, type FaultKind } from "../../session/fault.ts";
import { SPEED_MAX, SPEED_MIN } from "../../session/pace.ts";
import type { Session } from "../../session/session.ts";
import type { PageDescription } from "../openapi/descriptionPlugin.ts";
import type { JsonObject } from "../openapi/jsonObject.ts";
import { CONTACT } from "../openapi/openApiDocument.ts";
import { OUTPUT_CONTROL_REASONS, SANDBOX_MESSAGES } from "./sandboxBody.ts";

const instant = { type: "string", format: "date-time" };
const text = { type: "string" };
const nullable = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: "null" }] });
const record = (properties: JsonObject, optional: readonly string[] = []): JsonObject => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties).filter((key) => !optional.includes(key)),
  properties,
});

const SPEED = { anyOf: [{ type: "number", minimum: SPEED_MIN, maximum: SPEED_MAX }, { const: "max" }] };
const DURATION = { ...text, description: "ISO 8601 duration of days, hours, minutes and seconds, such as PT90S" };

const SCHEMAS: JsonObject = {
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
      limit_pct: { type: "number", minimum: 0, maximum: 100, description: "Of output_control" },
      reason: { enum: OUTPUT_CONTROL_REASONS, description: "Of output_control" },
    },
    ["limit_pct", "reason"],
  ),
  Checkpoint: record({ checkpoint_id: text, at: instant, label: nullable(text) }),
  Error: record({
    error: record({ code: { type: "integer" }, message: text, details: text, parameter: text }, ["parameter"]),
    timestamp: instant,
  }),
};

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

const json = (description: string, schema: JsonObject): JsonObject => ({
  description,
  content: { "application/json": { schema } },
});

/** Values of the running session for the examples. */
interface SandboxExamples {
  readonly site: string;
  /** An instant to which the clock can be advanced. */
  readonly target: string;
  readonly refreshToken: string;
  readonly faultId: string | null;
  readonly checkpointId: string | null;
}

const FIXED: SandboxExamples = {
  site: "battery-1",
  target: "2026-04-01T09:00:00Z",
  refreshToken: "a-refresh-token",
  faultId: "fault-1",
  checkpointId: "checkpoint-1",
};

function currentValues({ scenario, credentials, faults, checkpoints, nowMs }: Session): SandboxExamples {
  const targetMs = Math.min(floorToSecond(nowMs) + 10 * MS_PER_MINUTE, scenario.world.endMs);
  return {
    site: scenario.world.sites[0].name,
    target: isoUtc(targetMs),
    refreshToken: credentials.at(-1)?.refreshToken ?? FIXED.refreshToken,
    faultId: faults[0]?.fault_id ?? null,
    checkpointId: checkpoints[0]?.checkpointId ?? null,
  };
}

/** An example body for each kind of fault. */
const faultExamples = (site: string): JsonObject =>
  Object.fromEntries(
    FAULT_KINDS.map((kind) => [kind, { value: { kind, site, duration: "PT30M", ...FAULT_FIELDS[kind] } }]),
  );

const FAULT_FIELDS: Partial<Record<FaultKind, JsonObject>> = {
  output_control: { limit_pct: 40, reason: "non_firm_congestion" },
};

const FAULT_BODY: JsonObject = {
  description: "From now on, for `duration` or until it is ended",
  anyOf: [
    record(
      {
        kind: { enum: FAULT_KINDS.filter((kind) => kind !== "output_control") },
        site: text,
        duration: nullable(DURATION),
      },
      ["duration"],
    ),
    record(
      {
        kind: { const: "output_control" },
        site: text,
        duration: nullable(DURATION),
        limit_pct: { type: "number", minimum: 0, maximum: 100, description: "Of the rated output" },
        reason: { enum: OUTPUT_CONTROL_REASONS, default: "other" },
      },
      ["duration", "reason"],
    ),
  ],
};

interface Endpoint {
  readonly summary: string;
  readonly tag: "Clock" | "Credentials" | "Faults" | "Checkpoints" | "Results";
  /** Schema of the body; absent: `{}` or none. */
  readonly body?: JsonObject;
  readonly examples?: JsonObject;
  readonly answer: JsonObject;
  /** Status of the answer; 204 has no body. */
  readonly status?: 204;
  readonly errors?: readonly number[];
  /** Example of `{id}`. */
  readonly id?: string | null;
}

const EMPTY_BODY: JsonObject = { ...record({}), description: "An empty object, or no body" };
const LIST_OF_CREDENTIALS = (idName: string): JsonObject => ({
  type: "array",
  items: record({ name: text, [idName]: text, refresh_token: text }),
});

function endpoints({ site, target, refreshToken, faultId, checkpointId }: SandboxExamples): Record<string, Endpoint> {
  const clock = json("The clock", ref("Clock"));
  const named = (examples: Readonly<Record<string, unknown>>): JsonObject =>
    Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
  return {
    "GET /sandbox/clock": { summary: "The clock", tag: "Clock", answer: clock },
    "POST /sandbox/clock/advance": {
      summary: "Advance the paused clock; answered when the simulation is there",
      tag: "Clock",
      body: { anyOf: [record({ by: DURATION }), record({ to: instant })] },
      examples: named({ by: { by: "PT90S" }, to: { to: target } }),
      answer: clock,
      errors: [409, 503],
    },
    "POST /sandbox/clock/pause": { summary: "Pause the clock", tag: "Clock", body: EMPTY_BODY, answer: clock },
    "POST /sandbox/clock/resume": {
      summary: "Let the clock run",
      tag: "Clock",
      body: record({ speed: SPEED }, ["speed"]),
      examples: named({ speed: { speed: 60 } }),
      answer: clock,
    },
    "GET /sandbox/credentials": {
      summary: "Ids and refresh tokens of all VPPs and sites",
      tag: "Credentials",
      answer: json("By name", record({ vpps: LIST_OF_CREDENTIALS("vpp_id"), sites: LIST_OF_CREDENTIALS("ems_id") })),
    },
    "POST /sandbox/credentials/revoke": {
      summary: "Revoke a refresh token; access tokens live to their expiry",
      tag: "Credentials",
      body: record({ refresh_token: text }),
      examples: named({ token: { refresh_token: refreshToken } }),
      answer: {},
      status: 204,
      errors: [404],
    },
    "GET /sandbox/faults": {
      summary: "Faults in force, those of the scenario too",
      tag: "Faults",
      answer: json("Oldest first", record({ faults: { type: "array", items: ref("Fault") } })),
    },
    "POST /sandbox/faults": {
      summary: "Begin a fault",
      tag: "Faults",
      body: FAULT_BODY,
      examples: faultExamples(site),
      answer: json("The fault", ref("Fault")),
    },
    "DELETE /sandbox/faults/{id}": {
      summary: "End a fault now",
      tag: "Faults",
      answer: {},
      status: 204,
      errors: [404],
      id: faultId,
    },
    "GET /sandbox/checkpoints": {
      summary: "Checkpoints",
      tag: "Checkpoints",
      answer: json("In order", record({ checkpoints: { type: "array", items: ref("Checkpoint") } })),
    },
    "POST /sandbox/checkpoints": {
      summary: "Mark this instant",
      tag: "Checkpoints",
      body: record({ label: nullable({ ...text, maxLength: 200 }) }, ["label"]),
      examples: named({ label: { label: "before the outage" } }),
      answer: json("The checkpoint", ref("Checkpoint")),
    },
    "POST /sandbox/checkpoints/{id}/restore": {
      summary: "Go back to a checkpoint",
      tag: "Checkpoints",
      body: EMPTY_BODY,
      answer: clock,
      errors: [404, 503],
      id: checkpointId,
    },
    "POST /sandbox/reset": {
      summary: "Go back to the opening instant",
      tag: "Checkpoints",
      body: EMPTY_BODY,
      answer: clock,
      errors: [503],
    },
    "POST /sandbox/report": {
      summary: "Write the report so far to the folder of --report",
      tag: "Results",
      body: EMPTY_BODY,
      answer: json("What was written", record({ report: text, files: { type: "array", items: text } })),
      errors: [409],
    },
    "POST /sandbox/export": {
      summary: "The session so far as a scenario",
      tag: "Results",
      body: EMPTY_BODY,
      answer: { description: "A scenario file", content: { "application/yaml": { schema: text } } },
    },
    "GET /sandbox/state-hash": {
      summary: "Digest of the simulated state",
      tag: "Results",
      answer: json("SHA-256, hexadecimal", record({ now: instant, hash: text })),
    },
  };
}

/** Generates the OpenAPI 3.1 description of the sandbox. @param session  for examples; `null`: fixed ones */
export function sandboxDocument(session: Session | null): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const [line, endpoint] of Object.entries(endpoints(session === null ? FIXED : currentValues(session)))) {
    const [method, path] = line.split(" ");
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(method, path, endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: SANDBOX_TITLE,
      version: "1.0.0",
      description:
        "Clock, faults, checkpoints and results of a session. Callers on the same machine need no token; with " +
        "--sandbox-token the header X-Sandbox-Token is required.",
      contact: CONTACT,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The server that this description comes from" }],
    security: [{}, { sandboxToken: [] }],
    tags: [...TAGS].map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: SCHEMAS,
      securitySchemes: { sandboxToken: { type: "apiKey", in: "header", name: "X-Sandbox-Token" } },
    },
  };
}

const SANDBOX_TITLE = "Sandbox control";

/** For the reference page. */
export const sandboxDescription = (session: Session): PageDescription => ({
  name: "sandbox",
  title: SANDBOX_TITLE,
  document: (showsIds) => sandboxDocument(showsIds ? session : null),
});

const TAGS: ReadonlyMap<Endpoint["tag"], string> = new Map([
  ["Clock", "The simulated clock"],
  ["Credentials", "Ids and tokens"],
  ["Faults", "Outages, maintenance, warnings, link and FCR faults, output control"],
  ["Checkpoints", "Back to an earlier instant"],
  ["Results", "Report, export, digest"],
]);

function operationOf(method: string, path: string, endpoint: Endpoint): JsonObject {
  const { summary, tag, body, examples, answer, status = 200, errors = [], id } = endpoint;
  const hasBody = method === "POST";
  const codes = [...(hasBody ? [400, 413, 415] : []), 401, 403, 500, ...errors].sort((a, b) => a - b);
  return {
    operationId: operationIdOf(method, path),
    summary,
    tags: [tag],
    ...(path.includes("{id}")
      ? {
          parameters: [
            { name: "id", in: "path", required: true, schema: text, ...(id === null ? {} : { example: id }) },
          ],
        }
      : {}),
    ...(hasBody
      ? {
          requestBody: {
            required: body !== EMPTY_BODY,
            content: {
              "application/json": {
                schema: body ?? EMPTY_BODY,
                ...(examples === undefined ? { example: {} } : { examples }),
              },
            },
          },
        }
      : {}),
    responses: {
      [status]: status === 204 ? { description: "Done" } : answer,
      ...Object.fromEntries(codes.map((code) => [code, json(SANDBOX_MESSAGES[code], ref("Error"))])),
    },
  };
}

/** `POST /sandbox/clock/advance` is `postClockAdvance`. */
const operationIdOf = (method: string, path: string): string =>
  method.toLowerCase() +
  path
    .split("/")
    .slice(2)
    .filter((part) => part !== "{id}")
    .flatMap((part) => part.split("-"))
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join("");
