import { Type } from "typebox";
import type { Answer, ApiName, ApiRequest, Method, RequestContext, Route } from "../../src/api/endpoints/route.ts";
import { ROUTES } from "../../src/api/endpoints/routes.ts";
import { wireTime } from "../../src/api/endpoints/shared/wireTime.ts";
import type { ApiHost } from "../../src/api/http/apiHost.ts";
import { buildServers, type ServerOptions, type Servers } from "../../src/api/http/server.ts";
import { HttpFaultBoard } from "../../src/live/session/clients/httpFaultBoard.ts";
import { RequestLog } from "../../src/live/session/clients/requestLog.ts";
import { SessionHttpFaults } from "../../src/live/session/clients/sessionHttpFaults.ts";
import type { KeyedCommand } from "../../src/live/session/keyedCommand.ts";
import type { ClockRecord } from "../../src/live/session/sandboxCommands.ts";
import type { Rewindable, SessionListener } from "../../src/live/session/sessionListener.ts";

export const START_MS = Date.UTC(2026, 3, 1);
export const VPP = "a".repeat(32);
export const OTHER_VPP = "b".repeat(32);
export const SITE = "c".repeat(32);

/** A session without a world: it records requests and answers with them. */
export class FakeHost implements ApiHost {
  nowMs = START_MS;
  readonly credentials: ApiHost["credentials"] = [
    { kind: "vpp", id: VPP, refreshToken: "refresh-vpp" },
    { kind: "vpp", id: OTHER_VPP, refreshToken: "refresh-other" },
    { kind: "site", id: SITE, refreshToken: "refresh-site" },
  ];
  /** Digests of refresh tokens. */
  readonly revoked = new Set<string>();
  readonly requests: { readonly request: ApiRequest; readonly idempotencyKey: string | undefined }[] = [];
  readonly rewindables: Rewindable[] = [];
  readonly listeners: SessionListener[] = [];
  mode: ClockRecord["mode"] = "paused";
  eventCount = 7;
  /** The answer to a request; tests replace it. */
  answerOf: (request: ApiRequest) => Answer | Promise<Answer> = ({ method, path, query, body }) => ({
    status: 200,
    body: { n: this.requests.length, method, path, query, body: body ?? null },
  });

  get context(): RequestContext {
    throw new Error("there is no world");
  }

  isRevoked(tokenSha256: string): boolean {
    return this.revoked.has(tokenSha256);
  }

  clock(): ClockRecord {
    const { nowMs, mode } = this;
    return {
      now: wireTime(nowMs),
      mode,
      speed: 1,
      achieved_speed: 0,
      lag_seconds: 0,
      scenario_end: wireTime(START_MS + 86_400_000),
    };
  }

  private readonly board = new HttpFaultBoard();
  readonly httpFaults = new SessionHttpFaults({
    board: this.board,
    nowMs: () => this.nowMs,
    append: async (entry) => {
      const place = { atMs: this.nowMs, afterInputs: 0 };
      if (entry.kind === "http_fault") this.board.begin(entry.http_fault, place);
      if (entry.kind === "http_fault_end") this.board.end(entry.http_fault_id, place);
    },
  });
  readonly requestLog = new RequestLog();
  readonly isCommitted = true;
  async committed(): Promise<void> {}

  answer(request: ApiRequest, keyed?: KeyedCommand): Answer | Promise<Answer> {
    this.requests.push({ request, idempotencyKey: keyed?.key });
    const answer = this.answerOf(request);
    const kept = (found: Answer): Answer => {
      keyed?.storeAnswer(found, this.nowMs);
      return found;
    };
    return answer instanceof Promise ? answer.then(kept) : kept(answer);
  }

  addListener(listener: SessionListener): void {
    this.listeners.push(listener);
  }

  addRewindable(part: Rewindable): void {
    this.rewindables.push(part);
  }
}

function fakeRoute(api: ApiName, method: Method, path: string, rest: Partial<Route> = {}): Route {
  return {
    api,
    method,
    path,
    operationId: `${method.toLowerCase()}${path.replaceAll(/\W/g, "_")}`,
    summary: path,
    rateBucket: api === "vpp-v1" ? (method === "GET" ? "reference" : "control") : "site",
    isCommand: method !== "GET",
    ...(method === "POST" ? { bodySchema: Type.Object({}) } : {}),
    answerSchema: Type.Object({}),
    handle: () => ({ status: 200, body: {} }),
    ...rest,
  };
}

/** The endpoint tables of the three documents. */
export const DOCUMENTED_ROUTES: Readonly<Record<ApiName, readonly string[]>> = {
  "vpp-v1": [
    "GET /members",
    "POST /members",
    "POST /members/{ems_id}",
    "DELETE /members/{ems_id}",
    "GET /status",
    "GET /status/details",
    "POST /control/active_power",
    "GET /control/active_power/schedules",
    "DELETE /control/active_power/schedules",
    "POST /measurements/active_power",
    "POST /measurements/energy",
  ],
  "site-v2": [
    "GET /status",
    "GET /status/details",
    "GET /specifications",
    "POST /control/active_power",
    "GET /control/active_power/schedules",
    "DELETE /control/active_power/schedules",
    "POST /baseline",
    "GET /baseline",
    "POST /measurements/active_power",
    "POST /measurements/energy",
    "GET /serviceplan",
  ],
  "site-v1": [
    "GET /status",
    "GET /specifications",
    "POST /control/power",
    "GET /control/schedules",
    "DELETE /control/schedules",
    "POST /report/power",
    "POST /report/energy",
    "GET /fcr/config",
    "POST /fcr/config",
    "GET /serviceplan",
  ],
};

const IDEMPOTENT = [
  "vpp-v1 POST /control/active_power",
  "site-v2 POST /control/active_power",
  "site-v2 POST /baseline",
];

function fakeRoutes(api: ApiName): readonly Route[] {
  return DOCUMENTED_ROUTES[api].map((text) => {
    const [method, path] = text.split(" ") as [Method, string];
    return fakeRoute(api, method, path, IDEMPOTENT.includes(`${api} ${text}`) ? { isIdempotent: true } : {});
  });
}

/** All rows with trivial handlers, for tests of the code around them. */
export const FAKE_ROUTES: Readonly<Record<ApiName, readonly Route[]>> = {
  "vpp-v1": fakeRoutes("vpp-v1"),
  "site-v2": fakeRoutes("site-v2"),
  "site-v1": fakeRoutes("site-v1"),
};

/** The rows of the documents, with the real handlers where they exist. */
export const ROUTE_TABLES: Readonly<Record<ApiName, readonly Route[]>> = {
  "vpp-v1": documentedRoutes("vpp-v1"),
  "site-v2": documentedRoutes("site-v2"),
  "site-v1": documentedRoutes("site-v1"),
};

function documentedRoutes(api: ApiName): readonly Route[] {
  const real = new Map(ROUTES[api].map((route) => [`${route.method} ${route.path}`, route]));
  return FAKE_ROUTES[api].map((route) => real.get(`${route.method} ${route.path}`) ?? route);
}

/** 32 characters; signs the access tokens of tests. */
export const TOKEN_KEY = "a key of thirty-two characters..";

export const fakeServers = (host: ApiHost, options: Partial<ServerOptions> = {}): Servers =>
  buildServers(host, { tokenKey: TOKEN_KEY, rateLimits: "on", logLevel: "silent", routes: FAKE_ROUTES, ...options });
