import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type EpochMs, MS_PER_SECOND } from "../../../base/time.ts";
import type { FaultableRequest, HttpFault } from "../../../live/session/clients/httpFaultBoard.ts";
import type { LoggedRequest } from "../../../live/session/clients/requestLog.ts";
import type { Answer, RateBucket, Route } from "../../endpoints/route.ts";
import { type ApiRefusal, type RequestSubject, refusalAnswer } from "../../endpoints/shared/envelope.ts";
import type { ApiHost } from "../apiHost.ts";
import { type AccessTokens, bearerToken } from "../auth/accessTokens.ts";
import { BUCKET_LIMITS, type RateLimits, type RateState, rateLimitRefusal } from "../limits/rateLimits.ts";
import { documentPath, locateRequest, REFRESH_PATH, routerPath, TELEMETRY_PATH } from "../paths.ts";
import { echoRequestId, REPLAYED_HEADER, rateHeaders, sendAnswer, singleHeader } from "../reply.ts";

/** What a fault makes of a request. */
type FaultEffect =
  | { readonly kind: "answer"; readonly answer: Answer; readonly rate: RateState }
  | { readonly kind: "cut" }
  | { readonly kind: "delay"; readonly latencyMs: number }
  | { readonly kind: "run" };

/** A request of a client that has not been answered. */
interface OpenRequest {
  readonly target: Target;
  readonly atMs: EpochMs;
  readonly receivedMs: number;
  readonly startMs: number;
  fault: HttpFault | null;
}

/** Where a request goes. */
interface Target extends Pick<FaultableRequest, "api" | "route" | "isTelemetry"> {
  readonly subject: RequestSubject;
  readonly owner: string;
  readonly bucket: RateBucket | "auth";
}

interface TrafficContext {
  readonly host: ApiHost;
  readonly tokens: AccessTokens;
  readonly limits: RateLimits;
  readonly routes: Readonly<Record<string, readonly Route[]>>;
}

/**
 * The requests of clients: HTTP faults hit them, and the log has them. Requests of the sandbox and of pages are neither hit nor logged
 * (docs/model/sandbox.md#http-faults, docs/model/sandbox.md#requests).
 */
export class ClientTraffic {
  private readonly context: TrafficContext;
  /** Routes by method and path of the router. */
  private readonly routes: ReadonlyMap<string, Route>;
  private readonly open = new WeakMap<IncomingMessage, OpenRequest>();

  constructor(context: TrafficContext) {
    this.context = context;
    this.routes = new Map(
      Object.values(context.routes).flatMap((routes) =>
        routes.map((route) => [`${route.method} ${routerPath(route.api, route.path)}`, route] as const),
      ),
    );
  }

  /** Logs the requests of a server. Call it before other hooks are added. */
  record(server: FastifyInstance, targetOf: (request: FastifyRequest) => Target | null): void {
    server.addHook("onRequest", (request, reply, done) => {
      const target = targetOf(request);
      if (target !== null) {
        this.begin(request.raw, target);
        reply.raw.once("close", () => this.end(request.raw, { status: null, errorType: null, isReplayed: false }));
      }
      done();
    });
    server.addHook("onSend", (request, reply, payload, done) => {
      const answer = this.open.get(request.raw)?.fault?.spec.answer;
      const isLost = answer !== undefined && "cut" in answer && answer.cut === "after";
      const { statusCode: status } = reply;
      const errorType = errorTypeOf(status, payload);
      this.end(request.raw, { status, errorType, isReplayed: reply.getHeader(REPLAYED_HEADER) === "true" });
      if (isLost) request.raw.socket.destroy();
      done(null, payload);
    });
  }

  /** Lets faults hit the requests of a server. Call it after the hook that checks Host. */
  disturb(server: FastifyInstance): void {
    server.addHook("onRequest", (request, reply, done) => {
      const effect = this.hit(request.raw);
      switch (effect.kind) {
        case "answer":
          reply.headers(rateHeaders(effect.rate, this.context.host.nowMs));
          echoRequestId(request.raw, reply);
          return void sendAnswer(reply, effect.answer);
        case "cut":
          reply.hijack();
          return void request.raw.socket.destroy();
        case "delay":
          // not simulated: the latency of a network
          return void setTimeout(() => {
            if (request.raw.socket.destroyed) reply.hijack();
            else done();
          }, effect.latencyMs);
        case "run":
          done();
      }
    });
  }

  /** The target of a request of the three APIs; `null`: another path. */
  apiTarget({ url, method, routeOptions }: FastifyRequest): Target | null {
    const location = locateRequest(url);
    if (location === null) return null;
    const { api, id } = location;
    const route = this.routes.get(`${method} ${routeOptions.url}`);
    return {
      api,
      route: route === undefined ? null : documentPath(api, route.path),
      isTelemetry: false,
      subject: location,
      owner: `${api} ${id}`,
      bucket: route?.rateBucket ?? (api === "vpp-v1" ? "reference" : "site"),
    };
  }

  /** The target of an upgrade; `null`: another path. */
  upgradeTarget(url: string): Target | null {
    const location = locateRequest(url);
    if (location === null) return null;
    const { api, id, path } = location;
    const isTelemetry = path === TELEMETRY_PATH && api !== "site-v1";
    return {
      api,
      route: isTelemetry ? documentPath(api, path) : null,
      isTelemetry,
      subject: location,
      owner: `${api} ${id}`,
      bucket: api === "vpp-v1" ? "reference" : "site",
    };
  }

  begin(request: IncomingMessage, target: Target): void {
    const { host } = this.context;
    // not simulated: the log shows when a request arrived, and how long it took
    const [receivedMs, startMs] = [Date.now(), performance.now()];
    this.open.set(request, { target, atMs: host.nowMs, receivedMs, startMs, fault: null });
  }

  /** Logs a request with its answer; the first call counts. */
  end(
    request: IncomingMessage,
    { status, errorType, isReplayed }: Pick<LoggedRequest, "status" | "errorType" | "isReplayed">,
  ): void {
    const open = this.open.get(request);
    if (open === undefined) return;
    this.open.delete(request);
    const { target, fault, atMs, receivedMs, startMs } = open;
    this.context.host.requestLog.add({
      atMs,
      receivedMs,
      api: target.api,
      method: request.method ?? "",
      path: request.url ?? "",
      route: target.route,
      status,
      isAnswerLost: status === null || (fault !== null && "cut" in fault.spec.answer),
      errorType,
      // not simulated: see above
      durationMs: Math.round(performance.now() - startMs),
      idempotencyKey: singleHeader(request, "idempotency-key") ?? null,
      isReplayed,
      requestId: singleHeader(request, "x-request-id") ?? null,
      httpFaultId: fault?.id ?? null,
    });
  }

  /** Counts the fault that hits a request, and says what it does. */
  hit(request: IncomingMessage, authorization = singleHeader(request, "authorization")): FaultEffect {
    const open = this.open.get(request);
    const { method = "" } = request;
    // The preflight of a browser is no request of a client program.
    if (open === undefined || method === "OPTIONS") return { kind: "run" };
    const { host, tokens } = this.context;
    const token = bearerToken(authorization ?? undefined);
    const hasToken = (): boolean => token !== null && tokens.verify(token) !== null;
    const { api, route, isTelemetry } = open.target;
    const fault = host.httpFaults.take({ api, method, route, isTelemetry, hasToken });
    if (fault === null) return { kind: "run" };
    open.fault = fault;
    const { answer } = fault.spec;
    if ("latency_ms" in answer) return { kind: "delay", latencyMs: answer.latency_ms };
    if ("cut" in answer) return { kind: answer.cut === "before" || isTelemetry ? "cut" : "run" };
    if ("status" in answer) return { kind: "answer", ...this.refusal(open.target, answer) };
    if (token !== null) tokens.expire(token, host.nowMs);
    return { kind: "run" };
  }

  private refusal(
    { subject, bucket, owner }: Target,
    answer: Extract<HttpFault["spec"]["answer"], { status: number }>,
  ): { readonly answer: Answer; readonly rate: RateState } {
    const { host, limits } = this.context;
    const { nowMs } = host;
    const limit = BUCKET_LIMITS[bucket];
    if (answer.status === 429) {
      const retryAfterS = answer.retry_after_s ?? RETRY_AFTER_429_S;
      const rate = { isAllowed: false, limit, remaining: 0, resetMs: nowMs + retryAfterS * MS_PER_SECOND };
      return { answer: refusalAnswer(subject, rateLimitRefusal(rate, nowMs, host.clock()), nowMs), rate };
    }
    const rate =
      bucket === "auth"
        ? { isAllowed: true, limit, remaining: limit, resetMs: nowMs }
        : limits.peek(bucket, owner, nowMs);
    const refusal: ApiRefusal =
      answer.status === 500
        ? { kind: "internal_error", details: "The server failed; its log says why" }
        : {
            kind: "system_out_of_service",
            details: "The system does not answer for a while",
            retryAfterS: answer.retry_after_s ?? RETRY_AFTER_503_S,
          };
    return { answer: refusalAnswer(subject, refusal, nowMs), rate };
  }
}

const RETRY_AFTER_429_S = 20;
const RETRY_AFTER_503_S = 60;

/** The target of a request of the authentication host; `null`: another path than that of tokens. */
export function tokenTarget({ url, method }: FastifyRequest): Target | null {
  if (url.split("?")[0] !== REFRESH_PATH) return null;
  return {
    api: "auth",
    route: method === "POST" ? REFRESH_PATH : null,
    isTelemetry: false,
    subject: { api: "site-v1", id: null },
    owner: "",
    bucket: "auth",
  };
}

/** The `error_type` of a refusal; `null`: it has none. */
function errorTypeOf(status: number, payload: unknown): string | null {
  if (status < 400 || typeof payload !== "string") return null;
  return /"error_type":"(\w+)"/.exec(payload)?.[1] ?? null;
}
