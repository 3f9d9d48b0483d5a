import type { Server } from "node:http";
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyPluginCallback,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { type DestinationStream, destination, type Logger, pino } from "pino";
import type { SandboxRole } from "../../live/session/sandboxReads.ts";
import type { SessionListener } from "../../live/session/sessionListener.ts";
import type { ApiName, Route } from "../endpoints/route.ts";
import { ROUTES } from "../endpoints/routes.ts";
import { wireTime } from "../endpoints/shared/wireTime.ts";
import { Admission } from "./admission.ts";
import { AllowedHosts } from "./allowedHosts.ts";
import type { ApiHost } from "./apiHost.ts";
import { type ApiContext, apiPlugin } from "./apiPlugin.ts";
import { AccessTokens } from "./auth/accessTokens.ts";
import { authPlugin } from "./auth/authPlugin.ts";
import { ClientTraffic, tokenTarget } from "./clients/clientTraffic.ts";
import { addJsonBodyParser, BODY_BYTES_MAX } from "./jsonBody.ts";
import { IdempotencyStore } from "./limits/idempotencyStore.ts";
import { RateLimits } from "./limits/rateLimits.ts";
import { addMetrics } from "./metrics.ts";
import { descriptionPlugin, type PageDescription } from "./openapi/descriptionPlugin.ts";
import type { SitePorts } from "./sitePorts.ts";
import { READERS_MAX, ReaderRegistry } from "./telemetry/readerRegistry.ts";
import { serveTelemetry, type TelemetryContext } from "./telemetry/serveTelemetry.ts";
import { TelemetryBudget } from "./telemetry/telemetryBudget.ts";
import { TelemetryHub } from "./telemetry/telemetryHub.ts";
import {
  answerClientError,
  answerFrameworkError,
  answerTransportErrors,
  refuseForeignHost,
} from "./transportErrors.ts";

type LogLevel = "silent" | "error" | "warn" | "info" | "debug";

/** Real milliseconds after which a slow connection is closed. */
interface Timeouts {
  /** For all headers of a request. */
  readonly headersMs: number;
  /** For a whole request. */
  readonly requestMs: number;
  /** Between an answer and the next request. */
  readonly idleMs: number;
}

const TIMEOUTS: Timeouts = { headersMs: 10_000, requestMs: 30_000, idleMs: 120_000 };

/** Maximum connections of a server, those of telemetry included (docs/model/apis.md#connection-limits). */
const CONNECTIONS_MAX = 1_000 + READERS_MAX;

/** Requests of a connection after which it is closed. */
const REQUESTS_PER_CONNECTION_MAX = 10_000;

export interface ServerOptions {
  /**
   * Signs access tokens: at least 32 random bytes as text, stored in the journal
   * (docs/model/sandbox.md#sandbox-access).
   */
  readonly tokenKey: string;
  /** Names in the Host header; absent: those of the loopback. */
  readonly allowedHosts?: AllowedHosts;
  /** `--rate-limits` */
  readonly rateLimits: "on" | "off";
  readonly logLevel?: LogLevel;
  /** Absent: standard error. */
  readonly logStream?: DestinationStream;
  readonly timeouts?: Timeouts;
  /** Absent: `CONNECTIONS_MAX`. */
  readonly connectionsMax?: number;
  /** Further plugins of the server at `base_url`, such as the sandbox. */
  readonly plugins?: readonly FastifyPluginCallback[];
  /** Descriptions of those plugins, for the reference page. */
  readonly descriptions?: readonly PageDescription[];
  /**
   * The role whose ids a caller sees in examples; absent: none has any
   * (docs/model/apis.md#description-examples).
   */
  readonly readerOf?: (request: FastifyRequest) => SandboxRole | null;
  /** Whether readers are trainees, to whom faults are not reported as such (docs/model/sandbox.md#roles). */
  readonly isSeparated?: boolean;
  /** Bytes that telemetry may hold for all readers together; absent: `BUDGET_BYTES_MAX`. */
  readonly telemetryBytesMax?: number;
  /** Readers of telemetry; absent: `READERS_MAX`. */
  readonly telemetryReadersMax?: number;
  /** Ports of single sites, which the caller opens and closes. */
  readonly sitePorts?: SitePorts;
  /** The endpoint tables; tests supply their own. */
  readonly routes?: Readonly<Record<ApiName, readonly Route[]>>;
}

/** The two servers of a session, not listening yet. */
export interface Servers {
  /** `base_url`: the three APIs, telemetry, descriptions, health and metrics. */
  readonly base: FastifyInstance;
  /** `auth_url`: tokens. */
  readonly auth: FastifyInstance;
  /** Idempotency keys and rate-limit counts, which are restored from the journal after a crash. */
  readonly idempotency: IdempotencyStore;
  readonly limits: RateLimits;
  /** Requests of both without a complete answer. */
  readonly openRequestCount: number;
}

const LOOPBACK_HOSTS = new AllowedHosts("127.0.0.1");

/** Builds the HTTP servers of a session. */
export function buildServers(host: ApiHost, options: ServerOptions): Servers {
  const tokens = new AccessTokens(options.tokenKey);
  const limits = new RateLimits("rate_limits", options.rateLimits);
  const authLimits = new RateLimits("auth_rate_limits", options.rateLimits);
  const idempotency = new IdempotencyStore();
  for (const part of [limits, authLimits, idempotency]) host.addRewindable(part);
  const routes = options.routes ?? ROUTES;
  const budget = new TelemetryBudget(options.telemetryBytesMax);
  const readers = new ReaderRegistry(budget, options.telemetryReadersMax);
  const hub = new TelemetryHub(host, readers);
  host.addListener(options.isSeparated === true ? withoutFaults(hub) : hub);
  const admission = new Admission(host, tokens, limits);
  const announce = (api: ApiName, id: string, body: unknown) => announceInstruction(hub, api, id, body);
  const allowedHosts = options.allowedHosts ?? LOOPBACK_HOSTS;
  const context: ApiContext = {
    host,
    admission,
    allowedHosts,
    idempotency,
    routes,
    authPort: () => portOf(auth),
    publishCommand: announce,
  };
  const traffic = new ClientTraffic({ host, tokens, limits, routes });
  const openRequests = new Set<FastifyReply["raw"]>();
  const plugin = authPlugin(host, tokens, authLimits, () => portOf(base));
  const auth: FastifyInstance = authServer(context, { options, openRequests, traffic }, plugin);
  const base: FastifyInstance = baseServer(context, { options, openRequests, traffic }, { hub, readers });
  return {
    base,
    auth,
    idempotency,
    limits,
    get openRequestCount() {
      return openRequests.size;
    },
  };
}

/** What both servers share besides the context of the APIs. */
interface ServerParts {
  readonly options: ServerOptions;
  /** Answers of requests that are not complete. */
  readonly openRequests: Set<FastifyReply["raw"]>;
  readonly traffic: ClientTraffic;
}

/** Where a request goes, if it is one that clients make. */
type TargetOf = Parameters<ClientTraffic["record"]>[1];

/** A listener that receives no faults. */
const withoutFaults = (listener: SessionListener): SessionListener => ({
  observer: listener.observer,
  nextTickMs: (afterMs) => listener.nextTickMs(afterMs),
  onSettled: (nowMs) => listener.onSettled(nowMs),
  onClock: (record) => listener.onClock(record),
  onFault: () => {},
  onRewound: () => listener.onRewound(),
  onRevoked: (holder) => listener.onRevoked(holder),
});

/** Publishes an immediate instruction with the answer that its caller received. Telemetry detects schedules itself. */
function announceInstruction(hub: TelemetryHub, api: ApiName, id: string, body: unknown): void {
  const { control_type, timestamp } = body as Readonly<Record<string, unknown>>;
  if (control_type === "immediate") hub.publishInstruction(api, id, body, String(timestamp));
}

/** `null` before it listens. */
function portOf({ server }: FastifyInstance): number | null {
  const address = server.address();
  return address === null || typeof address === "string" ? null : address.port;
}

function baseServer(
  context: ApiContext,
  parts: ServerParts,
  { hub, readers }: Pick<TelemetryContext, "hub" | "readers">,
): FastifyInstance {
  const { options, traffic } = parts;
  const server = createServer(context, parts, (request) => traffic.apiTarget(request));
  const { host, routes, authPort } = context;
  options.sitePorts?.guard(server, host);
  addMetrics(server, host, readers, options.isSeparated === true ? "separated session" : "whole session");
  serveTelemetry(server, { ...context, hub, readers, traffic });
  for (const api of ["vpp-v1", "site-v2", "site-v1"] as const) server.register(apiPlugin(context, api));
  server.get("/health", (_request, reply) => reply.send({ status: "ok", now: wireTime(host.nowMs) }));
  const { readerOf, descriptions = [] } = options;
  server.register(descriptionPlugin({ host, routes, authPort, readerOf, descriptions }));
  for (const plugin of options.plugins ?? []) server.register(plugin);
  return server;
}

/** The authentication server has no paths of the three APIs, whatever the method. */
const EMPTY_ROUTES: ApiContext["routes"] = { "vpp-v1": [], "site-v2": [], "site-v1": [] };

function authServer(context: ApiContext, parts: ServerParts, plugin: FastifyPluginCallback): FastifyInstance {
  const server = createServer({ ...context, routes: EMPTY_ROUTES }, parts, tokenTarget);
  server.register(plugin);
  return server;
}

/** A server without routes, with the request rules common to both servers. */
function createServer(
  context: ApiContext,
  { options, openRequests, traffic }: ServerParts,
  targetOf: TargetOf,
): FastifyInstance {
  const { headersMs, requestMs, idleMs } = options.timeouts ?? TIMEOUTS;
  const { logLevel = "info", logStream = destination({ fd: 2, sync: false }) } = options;
  const log = pino({ level: logLevel, base: null }, logStream);
  const settings: FastifyHttpOptions<Server> = {
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    maxRequestsPerSocket: REQUESTS_PER_CONNECTION_MAX,
    http: {
      headersTimeout: headersMs,
      connectionsCheckingInterval: Math.min(5_000, headersMs),
    },
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 256 },
    forceCloseConnections: true,
    clientErrorHandler: (error, socket) => answerClientError(context, error, socket),
    frameworkErrors: (error, request, reply) => answerFrameworkError(context, error, request, reply),
  };
  const server: FastifyInstance = Fastify(settings);
  server.server.maxConnections = options.connectionsMax ?? CONNECTIONS_MAX;
  addJsonBodyParser(server);
  answerTransportErrors(server, context);
  traffic.record(server, targetOf);
  server.addHook("onRequest", (request, reply, done) => {
    const foreignHost = context.allowedHosts.foreignHostOf(request);
    if (foreignHost === null) done();
    else refuseForeignHost(context, foreignHost, request, reply);
  });
  traffic.disturb(server);
  server.addHook("onRequest", ({ method, url, raw: incoming }, { raw }, done) => {
    openRequests.add(raw);
    // An answer behind another one has no socket yet, whose end it would see.
    incoming.once("close", () => incoming.socket.destroyed && openRequests.delete(raw));
    raw.once("close", () => {
      openRequests.delete(raw);
      if (!raw.writableFinished)
        log.info({ method, url }, "the connection was closed before the whole answer was sent");
    });
    done();
  });
  logAnswers(server, log);
  return server;
}

/** Logs each answer, failures of the server as errors. */
function logAnswers(server: FastifyInstance, log: Logger): void {
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
}
