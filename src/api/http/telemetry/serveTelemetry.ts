import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import { type WebSocket, WebSocketServer } from "ws";
import type { HttpFault } from "../../../live/session/clients/httpFaultBoard.ts";
import type { Answer } from "../../endpoints/route.ts";
import { type ApiRefusal, refusalAnswer } from "../../endpoints/shared/envelope.ts";
import type { Admission } from "../admission.ts";
import type { AllowedHosts } from "../allowedHosts.ts";
import type { ApiHost } from "../apiHost.ts";
import type { ClientTraffic } from "../clients/clientTraffic.ts";
import type { RateState } from "../limits/rateLimits.ts";
import { documentPath, locateRequest, type RequestLocation, TELEMETRY_PATH } from "../paths.ts";
import { JSON_TYPE, rateHeaders, singleHeader } from "../reply.ts";
import { foreignHostRefusal, refusalAnswerAt } from "../transportErrors.ts";
import { READERS_MAX, type ReaderRegistry } from "./readerRegistry.ts";
import type { TelemetryHub } from "./telemetryHub.ts";
import { CLOSE_REASONS, QUEUE_BYTES_MAX, type ReaderConnection, TelemetryReader } from "./telemetryReader.ts";

/** Maximum bytes of a message from a reader; a subscription has about 150. */
const MESSAGE_BYTES_MAX = 16_384;
/** Maximum number of fragments of such a message, because empty fragments do not count against its bytes. */
const FRAGMENTS_MAX = 64;
/** Real milliseconds between pings; a peer that misses two is disconnected. */
const PING_MS = 30_000;
/** Connections beyond which one is destroyed instead of closed: readers, and those whose closing the peer delays. */
const SOCKETS_MAX = 2 * READERS_MAX;
/** Messages and pings of a reader in one turn of the event loop, beyond which it is disconnected. */
const MESSAGES_PER_TURN_MAX = 100;
const SUBPROTOCOL = "bearer";

export interface TelemetryContext {
  readonly host: ApiHost;
  readonly admission: Admission;
  readonly allowedHosts: AllowedHosts;
  readonly hub: TelemetryHub;
  readonly readers: ReaderRegistry;
  readonly traffic: ClientTraffic;
}

/**
 * Accepts WebSocket upgrades on the two telemetry paths of a server, and refuses all others in the envelope of the
 * APIs.
 */
export function serveTelemetry(server: FastifyInstance, context: TelemetryContext): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES_MAX,
    maxFragments: FRAGMENTS_MAX,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  sockets.on("wsClientError", (_error, stream, request) =>
    refuse(stream, request, upgradeRequiredAnswer(request.url ?? "", context), context),
  );
  (server.server as Server).on("upgrade", (request, stream, head) => {
    stream.on("error", () => stream.destroy());
    const target = context.traffic.upgradeTarget(request.url ?? "");
    if (target !== null) context.traffic.begin(request, target);
    stream.once("close", () => logUpgrade(context, request, null));
    context.host.committed().then(
      () => accept(request, stream, head),
      () => stream.destroy(),
    );
  });
  const accept = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    const foreignHost = hostRefusal(request, context);
    if (foreignHost !== null) return refuse(stream, request, foreignHost, context);
    const effect = context.traffic.hit(request, authorizationOf(request));
    if (effect.kind === "cut") stream.destroy();
    else if (effect.kind === "answer") refuse(stream, request, effect.answer, context, effect.rate);
    // not simulated: the latency of a network
    else if (effect.kind === "delay") setTimeout(() => open(request, stream, head), effect.latencyMs);
    else open(request, stream, head);
  };
  const open = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    const refusal = refusalOf(request, context);
    if (refusal !== null) return refuse(stream, request, refusal, context);
    if (sockets.clients.size >= SOCKETS_MAX) {
      stream.destroy();
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      logUpgrade(context, request, { status: 101 });
      openReader(context, request, socket, stream);
    });
  };
  context.host.httpFaults.onBegin((fault) => cutOpenConnections(context, fault));
  // not simulated: detects dead connections
  const ping = setInterval(() => sockets.clients.forEach(pingOrTerminate), PING_MS);
  ping.unref();
  server.addHook("preClose", (done) => {
    clearInterval(ping);
    for (const reader of context.readers.readers()) reader.flush();
    const { serverEnds } = CLOSE_REASONS;
    for (const socket of sockets.clients) socket.close(serverEnds.code, serverEnds.reason);
    // not simulated: grace period for closing a connection
    setTimeout(() => sockets.clients.forEach((socket) => socket.terminate()), 500).unref();
    done();
  });
}

/** A cut of telemetry also ends the connections that are open (docs/model/sandbox.md#http-faults). */
function cutOpenConnections({ host, readers }: TelemetryContext, fault: HttpFault): void {
  if (!("cut" in fault.spec.answer)) return;
  for (const reader of readers.readers()) {
    const route = documentPath(reader.api, TELEMETRY_PATH);
    const connection = { api: reader.api, method: "GET", route, isTelemetry: true, hasToken: () => true };
    if (reader.isConnected && host.httpFaults.takeOpen(fault, connection)) reader.cut();
  }
}

const unansweredPings = new WeakSet<WebSocket>();

function pingOrTerminate(socket: WebSocket): void {
  if (unansweredPings.has(socket)) return socket.terminate();
  unansweredPings.add(socket);
  socket.ping();
}

function openReader(context: TelemetryContext, request: IncomingMessage, socket: WebSocket, stream: Duplex): void {
  const { hub, admission, readers } = context;
  limitMessages(socket);
  socket.on("pong", () => unansweredPings.delete(socket));
  // A broken connection also emits `close`, which does the clean-up.
  socket.on("error", () => {});
  const url = request.url ?? "";
  const view = locateRequest(url) as RequestLocation;
  const connection = { socket, stream, expiresMs: admission.tokenExpiryMs(authorizationOf(request)) };
  const reader = resumedReader(context, connection, view, readResumption(url) as Resumption | null);
  if (reader !== null) return keepAfterClose(context, reader, socket);
  if (!readers.makeRoom()) return socket.close(CLOSE_REASONS.tooMany.code, CLOSE_REASONS.tooMany.reason);
  const { budget } = readers;
  const added = new TelemetryReader(view, { budget, queueBytesMax: QUEUE_BYTES_MAX });
  keepAfterClose(context, added, socket);
  hub.addReader(added, connection);
}

/** Disconnects a peer that floods the server; a subscription is one message. */
function limitMessages(socket: WebSocket): void {
  let count = 0;
  const countMessage = (): void => {
    if (count++ === 0) setImmediate(() => (count = 0));
    if (count > MESSAGES_PER_TURN_MAX) socket.terminate();
  };
  for (const event of ["message", "ping", "pong"] as const) socket.on(event, countMessage);
}

/** The reader that a client continues, or `null` if it is not kept: then the client begins anew. */
function resumedReader(
  { hub, readers }: TelemetryContext,
  connection: ReaderConnection,
  view: RequestLocation,
  resumption: Resumption | null,
): TelemetryReader | null {
  if (resumption === null) return null;
  const { session, lastSeq } = resumption;
  for (const reader of readers.view(view)?.readers ?? [])
    if (reader.session === session && hub.resumeReader(reader, connection, lastSeq)) return reader;
  return null;
}

/** Keeps a reader for a while after its connection has ended. */
function keepAfterClose({ readers }: TelemetryContext, reader: TelemetryReader, socket: WebSocket): void {
  socket.on("close", () => {
    reader.disconnect(socket);
    readers.markDisconnected(reader);
  });
}

/** Refusal of an upgrade that was sent to another name; `null`: none. */
function hostRefusal({ url = "", headers }: IncomingMessage, { host, allowedHosts }: TelemetryContext): Answer | null {
  if (allowedHosts.allows(headers.host)) return null;
  return refusalAnswerAt(url, foreignHostRefusal(allowedHosts, headers.host), host.nowMs);
}

/** Logs an upgrade once. @param answer  `null`: the connection ended without one */
function logUpgrade(
  { traffic }: TelemetryContext,
  request: IncomingMessage,
  answer: Pick<Answer, "status" | "kind"> | null,
): void {
  traffic.end(request, { status: answer?.status ?? null, errorType: answer?.kind ?? null, isReplayed: false });
}

/**
 * Checks path, token, id and permission as for any call; nothing counts against a rate limit
 * (docs/model/apis.md#rate-limits).
 */
function refusalOf(request: IncomingMessage, { host, admission, traffic }: TelemetryContext): Answer | null {
  const url = request.url ?? "";
  const location = locateRequest(url);
  const isTelemetry = traffic.upgradeTarget(url)?.isTelemetry === true;
  const authorization = authorizationOf(request);
  const refusal = location === null ? null : admission.accessRefusal({ ...location, authorization }, host.nowMs);
  if (refusal !== null) return refusalAnswerAt(url, refusal, host.nowMs);
  if (location !== null && isTelemetry) {
    const found = readResumption(url);
    return found === null || "session" in found
      ? null
      : refusalAnswer(location, { kind: "invalid_parameter", ...found }, host.nowMs);
  }
  const details = "Nothing can be upgraded here; telemetry is at /v1/vpp/{vpp_id}/telemetry and /v2/ems/{id}/telemetry";
  return refusalAnswerAt(url, { kind: "endpoint_not_found", details }, host.nowMs);
}

/** From the header, or from the subprotocols `bearer, <token>` that browsers can send. */
function authorizationOf(request: IncomingMessage): string | null | undefined {
  const header = singleHeader(request, "authorization");
  if (header !== undefined) return header;
  const [scheme, token] = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
  return scheme === SUBPROTOCOL && token !== undefined ? `Bearer ${token}` : undefined;
}

function upgradeRequiredAnswer(url: string, { host }: TelemetryContext): Answer {
  const refusal: ApiRefusal = {
    kind: "invalid_parameter",
    details: "This is no opening handshake of WebSocket version 13",
  };
  const location = locateRequest(url);
  return location === null ? refusalAnswerAt(url, refusal, host.nowMs) : refusalAnswer(location, refusal, host.nowMs);
}

function refuse(
  stream: Duplex,
  request: IncomingMessage,
  answer: Answer,
  context: TelemetryContext,
  faultRate?: RateState,
): void {
  const { status, body, retryAfterS } = answer;
  logUpgrade(context, request, answer);
  const text = JSON.stringify(body);
  const location = locateRequest(request.url ?? "");
  const rate = faultRate ?? (location === null ? null : context.admission.peekReadBudget(location));
  const requestId = request.headers["x-request-id"];
  const headers: Record<string, string> = {
    "content-type": JSON_TYPE,
    "content-length": String(Buffer.byteLength(text)),
    connection: "close",
    ...(rate === null ? {} : rateHeaders(rate, context.host.nowMs)),
    ...(retryAfterS === undefined ? {} : { "retry-after": String(retryAfterS) }),
    ...(typeof requestId === "string" ? { "x-request-id": requestId } : {}),
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  stream.end([`HTTP/1.1 ${status} Refused`, ...head, "", text].join("\r\n"));
}

/** A client's request to continue a session (docs/model/sandbox.md#telemetry-resumption). */
interface Resumption {
  /** `session` of the last hello. */
  readonly session: string;
  /** The last number that the client has received. */
  readonly lastSeq: number;
}

/** Why the query of a resumption is invalid. */
interface ResumptionFault {
  readonly parameter: "session" | "last_seq";
  readonly details: string;
}

/**
 * Reads the parameters `session` and `last_seq` of a URL.
 *
 * @returns `null` without both of them
 */
function readResumption(url: string): Resumption | ResumptionFault | null {
  const at = url.indexOf("?");
  const query = new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
  const [sessions, numbers] = [query.getAll("session"), query.getAll("last_seq")];
  if (sessions.length === 0 && numbers.length === 0) return null;
  if (sessions.length !== 1 || !SESSION.test(sessions[0]))
    return { parameter: "session", details: "session must be given once: the session of the last hello message" };
  if (numbers.length !== 1 || !WHOLE_NUMBER.test(numbers[0]))
    return { parameter: "last_seq", details: "last_seq must be given once: the last seq that was received, or 0" };
  return { session: sessions[0], lastSeq: Number(numbers[0]) };
}

const SESSION = /^[0-9a-f]{24}$/;
const WHOLE_NUMBER = /^\d{1,15}$/;
