import { formatValue } from "../../../base/inputError.ts";
import type { DocumentChecker } from "../../../inputs/scenario/parse/documentChecker.ts";
import { allowedName } from "../../../inputs/scenario/parse/nearestName.ts";
import { type HttpFault, hitsLeft } from "../../../live/session/clients/httpFaultBoard.ts";
import { type LoggedRequest, shownStatus } from "../../../live/session/clients/requestLog.ts";
import { HttpFaultRecord, HttpFaultRequest, SandboxHttpFaults } from "../../../live/session/sandboxCommands.ts";
import { type RequestEntry, SandboxRequests } from "../../../live/session/sandboxReads.ts";
import { SessionRefusal } from "../../../live/session/sessionRefusal.ts";
import type { Route } from "../../endpoints/route.ts";
import { ROUTES } from "../../endpoints/routes.ts";
import { oneOf, optional, record, text } from "../../endpoints/schemas/baseSchemas.ts";
import { wireTime, wireTimeOrNull } from "../../endpoints/shared/wireTime.ts";
import { documentPath, REFRESH_PATH, TELEMETRY_PATH } from "../paths.ts";
import { readDurationMs } from "./clockRoutes.ts";
import { count, type SandboxRoute, sandboxRoute } from "./sandboxRoute.ts";

const FAULTS = { tag: "Clients", callers: "instructor", path: "/sandbox/http-faults" } as const;
const REQUESTS = { tag: "Clients", callers: "instructor", path: "/sandbox/requests" } as const;
const HTTP_FAULTS_MAX = 100;

/** HTTP faults, and the requests of clients (docs/model/sandbox.md#http-faults). */
export const CLIENT_ROUTES: readonly SandboxRoute[] = [
  sandboxRoute({
    ...FAULTS,
    method: "GET",
    summary: "HTTP faults in force, oldest first",
    answer: SandboxHttpFaults,
    handle: ({ session }) => ({ http_faults: session.httpFaults.list.map(httpFaultRecord) }),
  }),
  sandboxRoute({
    ...FAULTS,
    method: "POST",
    summary: "Begin an HTTP fault, which hits requests of clients",
    body: HttpFaultRequest,
    bodyExamples: () => ({
      limited: { match: { api: "vpp-v1", next: 1 }, answer: { status: 429, retry_after_s: 20 } },
      lost_answer: {
        match: { method: "POST", route: documentPath("vpp-v1", "/control/active_power"), next: 1 },
        answer: { cut: "after" },
      },
      slow: { match: { api: "site-v2", share: 0.5 }, answer: { latency_ms: 200 }, for: "PT10M" },
    }),
    checkBody: checkHttpFault,
    answer: HttpFaultRecord,
    errors: [409],
    handle: async ({ session: { httpFaults }, body: { match, answer, for: duration } }) => {
      if (httpFaults.list.length >= HTTP_FAULTS_MAX)
        throw new SessionRefusal(409, `${HTTP_FAULTS_MAX} HTTP faults are in force, the largest number; end one first`);
      const durationMs = duration === undefined ? null : positiveDurationMs(duration);
      return httpFaultRecord(await httpFaults.begin({ match: { ...match }, answer: { ...answer }, durationMs }));
    },
  }),
  sandboxRoute({
    ...FAULTS,
    method: "DELETE",
    summary: "End all HTTP faults",
    answer: null,
    handle: ({ session }) => session.httpFaults.endAll(),
  }),
  sandboxRoute({
    ...FAULTS,
    method: "DELETE",
    path: "/sandbox/http-faults/{id}",
    summary: "End an HTTP fault",
    pathExample: ({ httpFaultId }) => httpFaultId,
    answer: null,
    errors: [404],
    handle: async ({ session, variables: { id } }) => {
      if (!(await session.httpFaults.end(id)))
        throw new SessionRefusal(404, `No HTTP fault in force has the id ${id}`, "http_fault_id");
    },
  }),
  sandboxRoute({
    ...REQUESTS,
    method: "GET",
    summary: "The latest requests of clients, oldest first",
    query: record({
      after: count(0, Number.MAX_SAFE_INTEGER, "Sequence number after which to begin; default 0"),
      limit: count(1, 2_000, "Largest number of entries; default 200"),
      api: optional(oneOf(["vpp-v1", "site-v2", "site-v1", "auth"])),
      method: optional(text()),
      route: optional(text({ description: "Path as in the description" })),
      status: count(100, 599, "Of the answer"),
      idempotency_key: optional(text()),
      path: optional(text({ description: "Start of the path" })),
    }),
    answer: SandboxRequests,
    handle: ({ session: { requestLog }, query }) => {
      const { after = 0, limit = 200, idempotency_key: idempotencyKey, ...filter } = query;
      return {
        requests: requestLog.list({ ...filter, idempotencyKey }, after, limit).map(requestEntry),
        last_seq: requestLog.lastSeq,
        dropped: requestLog.dropped,
      };
    },
  }),
  sandboxRoute({
    ...REQUESTS,
    method: "DELETE",
    summary: "Delete the list of requests; the numbers go on",
    answer: null,
    handle: ({ session }) => session.requestLog.clear(),
  }),
];

/** What HTTP faults may match: the routes of the three APIs, those of telemetry, and the token endpoint. */
const FAULTABLE: readonly { readonly api: string; readonly method: string; readonly route: string }[] = [
  ...Object.values(ROUTES)
    .flat()
    .map(({ api, method, path }: Route) => ({ api, method, route: documentPath(api, path) })),
  ...(["vpp-v1", "site-v2"] as const).map((api) => ({ api, method: "GET", route: documentPath(api, TELEMETRY_PATH) })),
  { api: "auth", method: "POST", route: REFRESH_PATH },
];

/** Reports keys that exclude each other, and a fault that could hit nothing. */
function checkHttpFault(checker: DocumentChecker, { match, answer }: HttpFaultRequest): void {
  const { api, method, route, share, next } = match;
  if (share !== undefined && next !== undefined)
    checker.reportError(match, "share", "both share and next", "one of them");
  const ofApi = FAULTABLE.filter((each) => api === undefined || each.api === api);
  const routes = [...new Set(ofApi.map((each) => each.route))];
  if (route !== undefined && !routes.includes(route))
    return checker.reportError(
      match,
      "route",
      formatValue(route),
      allowedName("a route of the description", route, routes),
    );
  const methods = ofApi.filter((each) => route === undefined || each.route === route).map((each) => each.method);
  if (method !== undefined && !methods.includes(method))
    checker.reportError(match, "method", method, [...new Set(methods)].join(", "));
  if ("token" in answer && (api === "auth" || route === REFRESH_PATH))
    checker.reportError(answer, "token", "token for the token endpoint", "another answer: it takes no access token");
}

function positiveDurationMs(duration: string): number {
  const ms = readDurationMs("for", duration);
  if (ms > 0) return ms;
  throw new SessionRefusal(400, `Found ${formatValue(duration)}, allowed a duration longer than nothing`, "for");
}

const httpFaultRecord = (fault: HttpFault): HttpFaultRecord => ({
  http_fault_id: fault.id,
  match: fault.spec.match,
  answer: fault.spec.answer,
  created_at: wireTime(fault.createdMs),
  ends_at: wireTimeOrNull(fault.endsMs),
  hits: fault.hits,
  left: hitsLeft(fault),
});

const requestEntry = (entry: LoggedRequest): RequestEntry => ({
  seq: entry.seq,
  at: wireTime(entry.atMs),
  received_at: new Date(entry.receivedMs).toISOString(),
  api: entry.api,
  method: entry.method,
  path: entry.path,
  route: entry.route,
  status: shownStatus(entry),
  error_type: entry.isAnswerLost ? null : entry.errorType,
  duration_ms: entry.durationMs,
  idempotency_key: entry.idempotencyKey,
  replayed: entry.isReplayed,
  request_id: entry.requestId,
  http_fault_id: entry.httpFaultId,
});
