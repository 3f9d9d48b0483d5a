import type { TSchema } from "typebox";
import { isoUtc, MS_PER_HOUR, MS_PER_MINUTE } from "../../../base/time.ts";
import { sitesForFault } from "../../../engine/simulation/faultSites.ts";
import { alarmId } from "../../../live/session/alarms/alarm.ts";
import { SandboxErrorBody, type SandboxRole } from "../../../live/session/sandboxReads.ts";
import type { Session } from "../../../live/session/session.ts";
import { keywordsOf } from "../../endpoints/schemas/baseSchemas.ts";
import { floorToSecond } from "../../endpoints/shared/wireTime.ts";
import { type JsonObject, namedSchemas } from "../openapi/descriptionParts.ts";
import type { PageDescription } from "../openapi/descriptionPlugin.ts";
import { CONTACT } from "../openapi/openApiDocument.ts";
import { takesBody } from "./sandboxAccess.ts";
import { SANDBOX_MESSAGES, SANDBOX_ROUTES } from "./sandboxPlugin.ts";
import { NO_BODY, type SandboxExamples, type SandboxRoute } from "./sandboxRoute.ts";
import { SANDBOX_SCHEMAS } from "./sandboxSchemas.ts";

const FIXED: SandboxExamples = {
  scenario: "fleet",
  site: "battery-1",
  faultSite: () => "battery-1",
  target: "2026-04-01T09:00:00Z",
  refreshToken: "a-refresh-token",
  vpp: "vpp-1",
  startsAt: "2026-04-01T10:00:00Z",
  endsAt: "2026-04-01T11:00:00Z",
  awardId: "award-1",
  faultId: "fault-1",
  checkpointId: "checkpoint-1",
  injectId: "inject-1",
  preparedId: "prepared-1",
  initialCondition: {
    scenario: "fleet",
    hash: "4f0c…",
    seed: 1,
    openedMs: Date.parse("2026-04-01T08:00:00Z"),
    atMs: Date.parse("2026-04-01T08:30:00Z"),
    label: "before the outage",
    stateHash: "9a1b…",
    inputs: [],
  },
  alarmId: "alarm-1",
  httpFaultId: "http-fault-1",
};

function currentValues({
  scenario,
  credentials,
  faults,
  httpFaults,
  prepared,
  rewinds,
  checkpoints,
  nowMs,
  hosted,
}: Session): SandboxExamples {
  const startMs = Math.ceil(nowMs / MS_PER_HOUR) * MS_PER_HOUR + MS_PER_HOUR;
  const awards = hosted.record?.awardsOf(0).within(scenario.world.startMs, scenario.world.endMs) ?? [];
  const targetMs = Math.min(floorToSecond(nowMs) + 10 * MS_PER_MINUTE, scenario.world.endMs);
  // A long one would be the largest part of the description.
  const shortest = checkpoints.find(({ stateHash, inputCount }) => stateHash !== null && inputCount <= 10);
  return {
    scenario: scenario.name,
    site: scenario.world.sites[0].name,
    faultSite: (kind) => sitesForFault({ kind }, scenario.world.sites).names[0] ?? null,
    target: isoUtc(targetMs),
    refreshToken: credentials.at(-1)?.refreshToken ?? FIXED.refreshToken,
    vpp: scenario.world.vpps[0].name,
    startsAt: isoUtc(startMs),
    endsAt: isoUtc(startMs + MS_PER_HOUR),
    awardId: awards[0]?.awardId ?? null,
    faultId: faults[0]?.fault_id ?? null,
    checkpointId: checkpoints[0]?.checkpointId ?? null,
    alarmId: hosted.alarmBoard.list.map(alarmId)[0] ?? null,
    injectId: hosted.board.injects.find(({ state }) => state === "planned")?.injectId ?? null,
    httpFaultId: httpFaults.list[0]?.id ?? null,
    preparedId: prepared.rows[0]?.preparedId ?? null,
    initialCondition: shortest === undefined ? FIXED.initialCondition : rewinds.initialCondition(shortest.checkpointId),
  };
}

/** Values of the session without those that are the instructor's: faults, injects and checkpoints. */
function traineeValues(session: Session): SandboxExamples {
  const { faultId, checkpointId, injectId, preparedId, initialCondition, httpFaultId } = FIXED;
  return { ...currentValues(session), faultId, checkpointId, injectId, preparedId, initialCondition, httpFaultId };
}

/** Generates the OpenAPI 3.1 description of the sandbox. @param reader  whose ids the examples have; `null`: fixed ones */
export function sandboxDocument(session: Session | null, reader: SandboxRole | null = null): JsonObject {
  const values =
    session === null || reader === null
      ? FIXED
      : reader === "instructor"
        ? currentValues(session)
        : traineeValues(session);
  const paths: Record<string, JsonObject> = {};
  for (const route of SANDBOX_ROUTES)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, values) };
  return namedSchemas(
    {
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
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths,
      components: {
        securitySchemes: { sandboxToken: { type: "apiKey", in: "header", name: "X-Sandbox-Token" } },
      },
    },
    SANDBOX_SCHEMAS,
  );
}

const SANDBOX_TITLE = "Sandbox control";

/** For the reference page. */
export const sandboxDescription = (session: Session): PageDescription => ({
  name: "sandbox",
  title: SANDBOX_TITLE,
  document: (reader) => sandboxDocument(session, reader),
});

const TAGS: Readonly<Record<SandboxRoute["tag"], string>> = {
  Session: "What the fleet does, what is promised and what is missing",
  Alarms: "What is to be acted on, the same for every reader",
  Clock: "The simulated clock",
  Credentials: "Ids and tokens",
  Faults: "Outages, maintenance, warnings, link and FCR faults, output control",
  Checkpoints: "Back to an earlier instant",
  Results: "Report, export, digest",
  Training: "Actions of persons, and notes",
  Clients: "HTTP faults, and the requests of client programs",
  Drills: "Planned and prepared malfunctions, calls to owners, grade and debriefing",
};

function operationOf(route: SandboxRoute, values: SandboxExamples): JsonObject {
  const { method, path, summary, tag, query, body = NO_BODY, bodyExamples, answer, errors = [] } = route;
  const ofInput = takesBody(method) ? [400, 413, 415] : query === undefined ? [] : [400];
  const codes = [...ofInput, 401, 403, 500, ...errors].sort((a, b) => a - b);
  const examples = Object.entries(bodyExamples?.(values) ?? {}).map(([name, value]) => [name, { value }] as const);
  const shown = examples.length === 0 ? { example: {} } : { examples: Object.fromEntries(examples) };
  const parameters = parametersOf(route, values);
  return {
    operationId: operationIdOf(method, path),
    summary,
    tags: [tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(takesBody(method)
      ? { requestBody: { required: body !== NO_BODY, content: { "application/json": { schema: body, ...shown } } } }
      : {}),
    responses: {
      [answer === null ? 204 : 200]: {
        description: "Done",
        ...(answer === null ? {} : { content: "files" in answer ? answer.files : json(answer) }),
      },
      ...Object.fromEntries(
        codes.map((code) => [code, { description: SANDBOX_MESSAGES[code], content: json(SandboxErrorBody) }]),
      ),
    },
  };
}

const json = (schema: TSchema): JsonObject => ({ "application/json": { schema } });

/** Parameters in the path and in the query. */
function parametersOf({ path, pathExample, query }: SandboxRoute, values: SandboxExamples): readonly JsonObject[] {
  const example = pathExample?.(values) ?? null;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    ...(example === null ? {} : { example }),
  }));
  const { properties = {} } = keywordsOf(query ?? NO_BODY);
  const inQuery = Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    description,
    schema,
  }));
  return [...inPath, ...inQuery];
}

/** `POST /sandbox/clock/advance` is `postClockAdvance`. */
function operationIdOf(method: string, path: string): string {
  const all = path.replace(/\/\{\w+\}$/, "");
  const isOneOfMany = all !== path && SANDBOX_ROUTES.some((route) => route.method === method && route.path === all);
  const words = path
    .split("/")
    .slice(2)
    .filter((part) => !part.startsWith("{"))
    .flatMap((part) => part.split("-"))
    .map((word) => word[0].toUpperCase() + word.slice(1));
  return [method.toLowerCase(), ...words, ...(isOneOfMany ? ["ById"] : [])].join("");
}
