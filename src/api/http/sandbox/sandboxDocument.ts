import { isoUtc, MS_PER_HOUR, MS_PER_MINUTE } from "../../../base/time.ts";
import { FAULT_KINDS, type FaultKind } from "../../../live/session/fault.ts";
import type { Session } from "../../../live/session/session.ts";
import { floorToSecond } from "../../endpoints/shared/wireTime.ts";
import type { PageDescription } from "../openapi/descriptionPlugin.ts";
import type { JsonObject } from "../openapi/jsonObject.ts";
import { CONTACT } from "../openapi/openApiDocument.ts";
import { drillEndpoints } from "./drillEndpoints.ts";
import { readEndpoints } from "./readEndpoints.ts";
import { OUTPUT_CONTROL_REASONS, SANDBOX_MESSAGES } from "./sandboxBody.ts";
import type { Endpoint, SandboxExamples } from "./sandboxEndpoint.ts";
import { DURATION, SCHEMAS, SPEED } from "./sandboxSchemas.ts";
import { instant, json, list, nullable, record, ref, text } from "./schemaParts.ts";

const FIXED: SandboxExamples = {
  site: "battery-1",
  target: "2026-04-01T09:00:00Z",
  refreshToken: "a-refresh-token",
  vpp: "vpp-1",
  startsAt: "2026-04-01T10:00:00Z",
  endsAt: "2026-04-01T11:00:00Z",
  awardId: "award-1",
  faultId: "fault-1",
  checkpointId: "checkpoint-1",
  injectId: "inject-1",
};

function currentValues({ scenario, credentials, faults, checkpoints, nowMs, hosted }: Session): SandboxExamples {
  const startMs = Math.ceil(nowMs / MS_PER_HOUR) * MS_PER_HOUR + MS_PER_HOUR;
  const awards = hosted.record?.awardsOf(0).within(scenario.world.startMs, scenario.world.endMs) ?? [];
  const targetMs = Math.min(floorToSecond(nowMs) + 10 * MS_PER_MINUTE, scenario.world.endMs);
  return {
    site: scenario.world.sites[0].name,
    target: isoUtc(targetMs),
    refreshToken: credentials.at(-1)?.refreshToken ?? FIXED.refreshToken,
    vpp: scenario.world.vpps[0].name,
    startsAt: isoUtc(startMs),
    endsAt: isoUtc(startMs + MS_PER_HOUR),
    awardId: awards[0]?.awardId ?? null,
    faultId: faults[0]?.fault_id ?? null,
    checkpointId: checkpoints[0]?.checkpointId ?? null,
    injectId: hosted.board.injects.find(({ state }) => state === "planned")?.injectId ?? null,
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

const EMPTY_BODY: JsonObject = { ...record({}), description: "An empty object, or no body" };
const LIST_OF_CREDENTIALS = (idName: string): JsonObject => ({
  type: "array",
  items: record({ name: text, [idName]: text, refresh_token: text }),
});

function endpoints(values: SandboxExamples): Record<string, Endpoint> {
  const { site, target, refreshToken, faultId, checkpointId } = values;
  const clock = json("The clock", ref("Clock"));
  const named = (examples: Readonly<Record<string, unknown>>): JsonObject =>
    Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
  return {
    ...readEndpoints(values),
    ...drillEndpoints(values),
    "GET /sandbox/clock": { summary: "The clock", tag: "Clock", answer: clock },
    "POST /sandbox/clock/advance": {
      summary: "Advance the paused clock; answered at the target",
      tag: "Clock",
      body: { anyOf: [record({ by: DURATION }), record({ to: instant })] },
      examples: named({ by: { by: "PT90S" }, to: { to: target } }),
      answer: clock,
      errors: [409, 503],
    },
    "POST /sandbox/clock/pause": { summary: "Pause the clock", tag: "Clock", body: EMPTY_BODY, answer: clock },
    "POST /sandbox/clock/resume": {
      summary: "Start the clock",
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
      summary: "Revoke a refresh token and its access tokens",
      tag: "Credentials",
      body: record({ refresh_token: text }),
      examples: named({ token: { refresh_token: refreshToken } }),
      answer: {},
      status: 204,
      errors: [404],
    },
    "GET /sandbox/faults": {
      summary: "Faults in force, including those of the scenario",
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
      summary: "Restore a checkpoint",
      tag: "Checkpoints",
      body: EMPTY_BODY,
      answer: clock,
      errors: [404, 503],
      id: checkpointId,
    },
    "POST /sandbox/reset": {
      summary: "Restore the opening instant",
      tag: "Checkpoints",
      body: EMPTY_BODY,
      answer: clock,
      errors: [503],
    },
    "POST /sandbox/report": {
      summary: "Write the report so far to the folder of --report",
      tag: "Results",
      body: EMPTY_BODY,
      answer: json("What was written", record({ report: text, files: list(text), opens_at: nullable(text) })),
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
        "Reads of a session, and its clock, faults, checkpoints, drills and results. Callers on the same machine need no token; " +
        "with --sandbox-token the header X-Sandbox-Token is required. In a session with --instructor-token, faults, " +
        "checkpoints and results belong to the instructor.",
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
  document: (examples) => sandboxDocument(examples === "fixed" ? null : session),
});

const TAGS: ReadonlyMap<Endpoint["tag"], string> = new Map([
  ["Session", "What the fleet does, what is promised and what is missing"],
  ["Clock", "The simulated clock"],
  ["Credentials", "Ids and tokens"],
  ["Faults", "Outages, maintenance, warnings, link and FCR faults, output control"],
  ["Checkpoints", "Back to an earlier instant"],
  ["Results", "Report, export, digest"],
  ["Training", "Actions of persons, and notes"],
  ["Drills", "Planned malfunctions, calls to owners, grade and debriefing"],
]);

function operationOf(method: string, path: string, endpoint: Endpoint): JsonObject {
  const { summary, tag, body, examples, answer, status = 200, errors = [] } = endpoint;
  const hasBody = method === "POST";
  const queryCodes = endpoint.query === undefined ? [] : [400];
  const codes = [...(hasBody ? [400, 413, 415] : queryCodes), 401, 403, 500, ...errors].sort((a, b) => a - b);
  return {
    operationId: operationIdOf(method, path),
    summary,
    tags: [tag],
    ...parametersOf(path, endpoint),
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

/** Parameters in the path and in the query. */
function parametersOf(path: string, { id, query = [] }: Endpoint): { readonly parameters?: readonly JsonObject[] } {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: text,
    ...(id === null || id === undefined ? {} : { example: id }),
  }));
  const inQuery = query.map(({ name, description, schema }) => ({ name, in: "query", description, schema }));
  return inPath.length + inQuery.length === 0 ? {} : { parameters: [...inPath, ...inQuery] };
}

/** `POST /sandbox/clock/advance` is `postClockAdvance`. */
const operationIdOf = (method: string, path: string): string =>
  method.toLowerCase() +
  path
    .split("/")
    .slice(2)
    .filter((part) => !part.startsWith("{"))
    .flatMap((part) => part.split("-"))
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join("");
