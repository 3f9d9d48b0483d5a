import type { Server } from "node:http";
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyPluginCallback,
  LogController,
} from "fastify";
import { destination, pino } from "pino";
import type { ApiName, Route } from "../endpoints/route.ts";
import { ROUTES } from "../endpoints/routes.ts";
import { wireTime } from "../endpoints/shared/wireTime.ts";
import { Admission } from "./admission.ts";
import type { ApiHost } from "./apiHost.ts";
import { type ApiContext, apiPlugin } from "./apiPlugin.ts";
import { AccessTokens } from "./auth/accessTokens.ts";
import { authPlugin } from "./auth/authPlugin.ts";
import { addJsonBodyParser, BODY_BYTES_MAX } from "./jsonBody.ts";
import { IdempotencyStore } from "./limits/idempotencyStore.ts";
import { RateLimits } from "./limits/rateLimits.ts";
import { addMetrics } from "./metrics.ts";
import { descriptionPlugin } from "./openapi/descriptionPlugin.ts";
import { asyncApiDocument } from "./telemetry/asyncApiDocument.ts";
import { serveTelemetry } from "./telemetry/serveTelemetry.ts";
import { TelemetryHub } from "./telemetry/telemetryHub.ts";
import {
  answerClientError,
  answerFrameworkError,
  answerTransportErrors,
  enforceRequestRules,
} from "./transportErrors.ts";

export type LogLevel = "silent" | "error" | "warn" | "info" | "debug";

/** How long a peer may take, in real milliseconds; a connection that dawdles is closed. */
export interface Timeouts {
  /** For all headers of a request. */
  readonly headersMs: number;
  /** For a whole request. */
  readonly requestMs: number;
  /** Without a byte either way. */
  readonly idleMs: number;
}

export const TIMEOUTS: Timeouts = { headersMs: 10_000, requestMs: 30_000, idleMs: 120_000 };

export interface ServerOptions {
  /** Access tokens are signed with it: at least 32 random bytes as text, kept with the journal (docs/model/sandbox.md#sandbox-access). */
  readonly tokenKey: string;
  /** `--rate-limits` */
  readonly rateLimits: "on" | "off";
  readonly logLevel?: LogLevel;
  readonly timeouts?: Timeouts;
  /** Further parts of the server on `base_url`, such as the sandbox. */
  readonly plugins?: readonly FastifyPluginCallback[];
  /** The endpoint tables; tests give their own. */
  readonly routes?: Readonly<Record<ApiName, readonly Route[]>>;
}

/** The two servers of a session, not listening yet. */
export interface Servers {
  /** `base_url`: the three APIs, telemetry, descriptions, health and metrics. */
  readonly base: FastifyInstance;
  /** `auth_url`: tokens. */
  readonly auth: FastifyInstance;
  /** For a session that takes up a journal: keys of commands, and what they took of the budgets, outlive a crash. */
  readonly idempotency: IdempotencyStore;
  readonly limits: RateLimits;
}

/** Builds the HTTP face of a session. */
export function buildServers(host: ApiHost, options: ServerOptions): Servers {
  const tokens = new AccessTokens(options.tokenKey);
  const limits = new RateLimits("rate_limits", options.rateLimits === "on");
  const authLimits = new RateLimits("auth_rate_limits", options.rateLimits === "on");
  const idempotency = new IdempotencyStore();
  for (const part of [limits, authLimits, idempotency]) host.addRewindable(part);
  const routes = options.routes ?? ROUTES;
  const hub = new TelemetryHub(host);
  host.addListener(hub);
  const admission = new Admission(host, tokens, limits);
  const announce = (api: ApiName, id: string, body: unknown) => announceInstruction(hub, api, id, body);
  const face: ApiContext = { host, admission, idempotency, routes, publishCommand: announce };
  const base = baseServer(face, hub, options);
  return { base, auth: authServer(face, tokens, authLimits, options), idempotency, limits };
}

/** Telemetry tells of immediate instructions what their caller was told; schedules it sees by itself. */
function announceInstruction(hub: TelemetryHub, api: ApiName, id: string, body: unknown): void {
  const { control_type, timestamp } = body as Readonly<Record<string, unknown>>;
  if (control_type === "immediate") hub.publishInstruction(api, id, body, String(timestamp));
}

function baseServer(face: ApiContext, hub: TelemetryHub, options: ServerOptions): FastifyInstance {
  const server = createServer(face, options);
  const { host } = face;
  addMetrics(server, host, () => hub.readerCount);
  serveTelemetry(server, { host, admission: face.admission, hub });
  for (const api of ["vpp-v1", "site-v2", "site-v1"] as const) server.register(apiPlugin(face, api));
  server.get("/health", (_request, reply) => reply.send({ status: "ok", now: wireTime(host.nowMs) }));
  server.register(descriptionPlugin(face.routes, () => asyncApiDocument(face.routes)));
  for (const plugin of options.plugins ?? []) server.register(plugin);
  return server;
}

/** Paths of the three APIs are no endpoints of the authentication host, whatever the method. */
const EMPTY_ROUTES: ApiContext["routes"] = { "vpp-v1": [], "site-v2": [], "site-v1": [] };

function authServer(
  face: ApiContext,
  tokens: AccessTokens,
  limits: RateLimits,
  options: ServerOptions,
): FastifyInstance {
  const server = createServer({ ...face, routes: EMPTY_ROUTES }, options);
  server.register(authPlugin(face.host, tokens, limits));
  return server;
}

/** A server that knows no path yet, with the manners that both have. */
function createServer(face: ApiContext, options: ServerOptions): FastifyInstance {
  const { headersMs, requestMs, idleMs } = options.timeouts ?? TIMEOUTS;
  const log = pino({ level: options.logLevel ?? "info", base: null }, destination({ fd: 2, sync: false }));
  const settings: FastifyHttpOptions<Server> = {
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: requestMs,
    connectionTimeout: idleMs,
    http: {
      headersTimeout: headersMs,
      connectionsCheckingInterval: Math.min(5_000, headersMs),
      // `enforceRequestRules` answers in our own form.
      requireHostHeader: false,
    },
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 256 },
    forceCloseConnections: true,
    clientErrorHandler: (error, socket) => answerClientError(face, error, socket),
    frameworkErrors: (error, request, reply) => answerFrameworkError(face, error, request, reply),
  };
  const server: FastifyInstance = Fastify(settings);
  addJsonBodyParser(server);
  enforceRequestRules(server);
  answerTransportErrors(server, face);
  server.addHook("onResponse", (request, reply, done) => {
    const { statusCode } = reply;
    const level = statusCode >= 500 ? "error" : statusCode >= 400 ? "info" : "debug";
    if (log.isLevelEnabled(level))
      request.log[level](
        {
          method: request.method,
          url: request.url,
          status: statusCode,
          ms: reply.elapsedTime,
          request_id: request.headers["x-request-id"],
        },
        "answered",
      );
    done();
  });
  return server;
}
