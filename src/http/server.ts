import type { IncomingMessage, Server } from "node:http";
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyPluginCallback,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { type DestinationStream, destination, pino } from "pino";
import type { ApiName, Route } from "../endpoints/route.ts";
import { ROUTES } from "../endpoints/routes.ts";
import { wireTime } from "../endpoints/shared/wireTime.ts";
import type { SessionListener } from "../session/sessionListener.ts";
import { Admission } from "./admission.ts";
import { AllowedHosts } from "./allowedHosts.ts";
import type { ApiHost } from "./apiHost.ts";
import { type ApiContext, apiPlugin } from "./apiPlugin.ts";
import { AccessTokens } from "./auth/accessTokens.ts";
import { authPlugin } from "./auth/authPlugin.ts";
import { InputTurns } from "./connectionInput.ts";
import { addJsonBodyParser } from "./jsonBody.ts";
import { CONNECTION_MAXIMA, ConnectionLimits, type ConnectionMaxima } from "./limits/connectionLimits.ts";
import { IdempotencyStore } from "./limits/idempotencyStore.ts";
import { RateLimits } from "./limits/rateLimits.ts";
import { LoopTurns } from "./loopTurns.ts";
import { addMetrics } from "./metrics.ts";
import { descriptionPlugin, type PageDescription } from "./openapi/descriptionPlugin.ts";
import { BODY_BYTES_MAX } from "./receivedBody.ts";
import { ReaderRegistry } from "./telemetry/readerRegistry.ts";
import { serveTelemetry, type TelemetryContext } from "./telemetry/serveTelemetry.ts";
import { TelemetryBudget } from "./telemetry/telemetryBudget.ts";
import { TelemetryHub } from "./telemetry/telemetryHub.ts";
import {
  answerClientError,
  answerFrameworkError,
  answerTransportErrors,
  enforceRequestRules,
  refusalText,
} from "./transportErrors.ts";

type LogLevel = "silent" | "error" | "warn" | "info" | "debug";

/** Real milliseconds after which a slow connection is closed. */
interface Timeouts {
  /** For all headers of a request. */
  readonly headersMs: number;
  /** For a whole request. */
  readonly requestMs: number;
  /** Without traffic in either direction. */
  readonly idleMs: number;
}

const TIMEOUTS: Timeouts = { headersMs: 10_000, requestMs: 30_000, idleMs: 120_000 };

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
  /** Absent: `CONNECTION_MAXIMA`. */
  readonly connectionMaxima?: ConnectionMaxima;
  /** Further plugins of the server at `base_url`, such as the sandbox. */
  readonly plugins?: readonly FastifyPluginCallback[];
  /** Descriptions of those plugins, for the reference page. */
  readonly descriptions?: readonly PageDescription[];
  /**
   * Whether a caller may see ids of the scenario in examples; absent: nobody
   * (docs/model/apis.md#description-examples).
   */
  readonly maySeeIds?: (request: FastifyRequest) => boolean;
  /** Whether readers are trainees, to whom faults are not reported as such (docs/model/sandbox.md#roles). */
  readonly isSeparated?: boolean;
  /** Bytes that telemetry may hold for all readers together; absent: `BUDGET_BYTES_MAX`. */
  readonly telemetryBytesMax?: number;
  /** Readers of telemetry; absent: `READERS_MAX`. */
  readonly telemetryReadersMax?: number;
  /** The endpoint tables; tests supply their own. */
  readonly routes?: Readonly<Record<ApiName, readonly Route[]>>;
}

/** What both servers share. */
interface ServerContext extends ApiContext {
  readonly inputs: InputTurns;
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
  const turns = new LoopTurns();
  const inputs = new InputTurns(turns, PROBE_PATH);
  const budget = new TelemetryBudget(options.telemetryBytesMax);
  const readers = new ReaderRegistry(budget, turns, options.telemetryReadersMax);
  const hub = new TelemetryHub(host, readers);
  host.addListener(options.isSeparated === true ? withoutFaults(hub) : hub);
  const admission = new Admission(host, tokens, limits);
  const announce = (api: ApiName, id: string, body: unknown) => announceInstruction(hub, api, id, body);
  const allowedHosts = options.allowedHosts ?? LOOPBACK_HOSTS;
  const context: ServerContext = {
    host,
    admission,
    allowedHosts,
    turns,
    inputs,
    idempotency,
    routes,
    publishCommand: announce,
  };
  const connections = { auth: connectionLimits(context, options), base: connectionLimits(context, options) };
  const plugin = authPlugin(host, tokens, authLimits, () => portOf(base));
  const auth: FastifyInstance = authServer(context, options, connections.auth, plugin);
  const telemetry = { hub, readers };
  const base: FastifyInstance = baseServer(context, options, connections.base, telemetry, () => portOf(auth));
  return {
    base,
    auth,
    idempotency,
    limits,
    get openRequestCount() {
      return connections.base.openRequestCount + connections.auth.openRequestCount;
    },
  };
}

/** A listener that receives no faults. */
const withoutFaults = (listener: SessionListener): SessionListener => ({
  observer: listener.observer,
  get isBusy() {
    return listener.isBusy;
  },
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
  context: ServerContext,
  options: ServerOptions,
  connections: ConnectionLimits,
  { hub, readers }: Pick<TelemetryContext, "hub" | "readers">,
  authPort: () => number | null,
): FastifyInstance {
  const server = createServer(context, options, connections);
  server.server.on("upgrade", ({ socket }: IncomingMessage) => connections.release(socket));
  const { host } = context;
  addMetrics(server, host, readers, options.isSeparated === true ? "separated session" : "whole session");
  serveTelemetry(server, { ...context, hub, readers });
  for (const api of ["vpp-v1", "site-v2", "site-v1"] as const) server.register(apiPlugin(context, api));
  server.get(PROBE_PATH, (_request, reply) => reply.send({ status: "ok", now: wireTime(host.nowMs) }));
  const { routes } = context;
  const { maySeeIds, descriptions = [] } = options;
  server.register(descriptionPlugin({ host, routes, authPort, maySeeIds, descriptions }));
  for (const plugin of options.plugins ?? []) server.register(plugin);
  return server;
}

/**
 * Path of the requests that wait only for each other, because a monitor takes a server that does not answer for dead. It counts for
 * the only unanswered request of a connection: monitors wait for each answer.
 */
const PROBE_PATH = "/health";

/**
 * Defers requests to a later turn of the event loop when the present turn is used up. A request whose body has been
 * parsed is not deferred: a waiting parsed body is many objects, which each garbage collection copies.
 */
function takeTurns(server: FastifyInstance, { turns, inputs }: ServerContext, connections: ConnectionLimits): void {
  for (const hook of ["onRequest", "preHandler"] as const)
    server.addHook(hook, (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      const proceed = (): void => void (connections.isEnding(request.raw.socket) ? reply.hijack() : done());
      if (request.body !== undefined || !turns.isUsedUp) proceed();
      else if (request.routeOptions.url === PROBE_PATH && connections.isSequential(request.raw.socket))
        inputs.runProbe(proceed);
      else turns.run(proceed);
    });
}

/** The authentication server has no paths of the three APIs, whatever the method. */
const EMPTY_ROUTES: ApiContext["routes"] = { "vpp-v1": [], "site-v2": [], "site-v1": [] };

function authServer(
  context: ServerContext,
  options: ServerOptions,
  connections: ConnectionLimits,
  plugin: FastifyPluginCallback,
): FastifyInstance {
  const server = createServer({ ...context, routes: EMPTY_ROUTES }, options, connections);
  server.register(plugin);
  return server;
}

const connectionLimits = ({ host, inputs }: ServerContext, { connectionMaxima }: ServerOptions): ConnectionLimits =>
  new ConnectionLimits(connectionMaxima ?? CONNECTION_MAXIMA, inputs, (status, details) =>
    refusalText(status, details, host.nowMs),
  );

/** A server without routes, with the request rules common to both servers. */
function createServer(context: ServerContext, options: ServerOptions, connections: ConnectionLimits): FastifyInstance {
  const { headersMs, requestMs, idleMs } = options.timeouts ?? TIMEOUTS;
  const { logLevel = "info", logStream = destination({ fd: 2, sync: false }) } = options;
  const log = pino({ level: logLevel, base: null }, logStream);
  const settings: FastifyHttpOptions<Server> = {
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: requestMs,
    connectionTimeout: idleMs,
    http: {
      headersTimeout: headersMs,
      connectionsCheckingInterval: Math.min(5_000, headersMs),
      // `enforceRequestRules` checks it, so that the refusal has our envelope.
      requireHostHeader: false,
    },
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 256 },
    forceCloseConnections: true,
    clientErrorHandler: (error, socket) =>
      // Many incomplete requests may end at once.
      connections.afterAnswers(socket, () => context.turns.run(() => answerClientError(context, error, socket))),
    frameworkErrors: (error, request, reply) => answerFrameworkError(context, error, request, reply),
  };
  const server: FastifyInstance = Fastify(settings);
  connections.watch(server);
  takeTurns(server, context, connections);
  addJsonBodyParser(server, context.turns);
  enforceRequestRules(server, context);
  answerTransportErrors(server, context);
  server.addHook("onRequest", ({ method, url }, { raw }, done) => {
    raw.once("close", () => {
      if (!raw.writableFinished)
        log.info({ method, url }, "the connection was closed before the whole answer was sent");
    });
    done();
  });
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
