import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { EpochMs } from "../base/time.ts";
import type { Answer, ApiName, RateBucket } from "../endpoints/route.ts";
import { type ApiRefusal, refusalAnswer } from "../endpoints/shared/envelope.ts";
import { ERROR_CATALOGUE } from "../endpoints/shared/errorCatalogue.ts";
import { wireTime } from "../endpoints/shared/wireTime.ts";
import type { AllowedHosts } from "./allowedHosts.ts";
import { type ApiContext, admit } from "./apiPlugin.ts";
import { BodyError, ContentEncodingError } from "./jsonBody.ts";
import { locateRequest, methodsAt } from "./paths.ts";
import { BODY_BYTES_MAX } from "./receivedBody.ts";
import { echoRequestId, JSON_TYPE, rateHeaders, sendAnswer } from "./reply.ts";

/** A refusal in the envelope of the API that the path belongs to; without an id for other paths. */
export function refusalAnswerAt(url: string, refusal: ApiRefusal, nowMs: EpochMs): Answer {
  const location = locateRequest(url);
  if (location !== null) return refusalAnswer(location, refusal, nowMs);
  const { code, message } = ERROR_CATALOGUE[refusal.kind];
  return { status: code, body: { error: { code, message, details: refusal.details }, timestamp: wireTime(nowMs) } };
}

/** Maps errors of Fastify and Node to refusals. */
function refusalOf(error: Error & { readonly code?: string; readonly statusCode?: number }): ApiRefusal {
  switch (error.code) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
    case "FST_ERR_CTP_INVALID_TYPE":
    case "FST_ERR_CTP_EMPTY_TYPE":
      return {
        kind: "unsupported_media_type",
        details: "A body must come as Content-Type: application/json; charset=utf-8",
      };
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return { kind: "payload_too_large", details: `A body has at most ${BODY_BYTES_MAX} bytes` };
    case "FST_ERR_BAD_URL":
      return { kind: "invalid_parameter", details: "The path has a percent sign that begins no UTF-8 character" };
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return { kind: "invalid_parameter", details: "The body has another length than the Content-Length header says" };
  }
  if (error instanceof ContentEncodingError) return { kind: "unsupported_media_type", details: error.message };
  if (error instanceof BodyError) return { kind: "invalid_parameter", details: error.message, parameter: "body" };
  if (error.statusCode !== undefined && 400 <= error.statusCode && error.statusCode < 500)
    return { kind: "invalid_parameter", details: error.message };
  return { kind: "internal_error", details: "The server failed; its log says why" };
}

/** Answers all requests that match no route, in the envelope of the API of the path. */
export function answerTransportErrors(server: FastifyInstance, context: ApiContext): void {
  server.setErrorHandler((error: Error, request, reply) => {
    // Admission precedes any statement about the body of a request to an unknown path.
    if (request.is404) return answerUnknownPath(context, request, reply);
    // The connection was closed before the first piece of the answer.
    if (reply.raw.destroyed) return reply.hijack();
    const refusal = refusalOf(error);
    if (refusal.kind === "internal_error") request.log.error({ err: error }, "a request failed");
    return sendAnswer(reply, refusalAnswerAt(request.url, refusal, context.host.nowMs));
  });
  server.setNotFoundHandler((request, reply) => answerUnknownPath(context, request, reply));
}

/** Answers a path that the router cannot parse; admission applies to it too. */
export function answerFrameworkError(
  context: ApiContext,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (!hasAllowedHost(context, request, reply)) return;
  const location = locateRequest(request.url);
  if (location !== null && !admit(context, { ...location, bucket: readBucketOf(location.api) }, request, reply)) return;
  return sendAnswer(reply, refusalAnswerAt(request.url, refusalOf(error), context.host.nowMs));
}

/** The rate limit of requests that match no route. */
const readBucketOf = (api: ApiName): RateBucket => (api === "vpp-v1" ? "reference" : "site");

/**
 * Answers unknown paths and methods below an id: subject to admission and counted like any other answer
 * (docs/model/apis.md#unknown-path).
 */
function answerUnknownPath(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const { url, method } = request;
  const location = locateRequest(url);
  const details = `${method} ${url.split("?")[0].slice(0, 200)} is no endpoint of this server`;
  if (location === null)
    return sendAnswer(reply, refusalAnswerAt(url, { kind: "endpoint_not_found", details }, context.host.nowMs));
  if (!admit(context, { ...location, bucket: readBucketOf(location.api) }, request, reply)) return;
  const methods = methodsAt(context.routes[location.api], location.path);
  const refusal: ApiRefusal =
    methods.length === 0
      ? { kind: "endpoint_not_found", details }
      : { kind: "method_not_allowed", details: `${method} is not allowed here; allowed: ${methods.join(", ")}` };
  if (methods.length > 0) reply.header("allow", methods.join(", "));
  return sendAnswer(reply, refusalAnswer(location, refusal, context.host.nowMs));
}

const HTTP_ERRORS: Readonly<Record<string, { readonly status: string; readonly details: string }>> = {
  HPE_HEADER_OVERFLOW: { status: "431 Request Header Fields Too Large", details: "Path and headers are too long" },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: "413 Payload Too Large",
    details: "The extensions of a chunk are too long; none is needed",
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: "408 Request Timeout", details: "The request did not arrive in time" },
};
const MALFORMED_REQUEST = { status: "400 Bad Request", details: "This is not HTTP/1.1" };

/** Texts for errors of the HTTP parser. */
const PARSER_MESSAGES: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD: "The method is none that HTTP has; methods are written in capitals",
  HPE_INVALID_VERSION: "The version is not HTTP/1.1",
  HPE_INVALID_HEADER_TOKEN: "A header has a character that it may not have, in its name or in its value",
  HPE_INVALID_CONTENT_LENGTH: "Content-Length is no whole number that can be",
  HPE_UNEXPECTED_CONTENT_LENGTH: "Content-Length came twice, or beside Transfer-Encoding",
  HPE_INVALID_TRANSFER_ENCODING: "Transfer-Encoding came beside Content-Length, or does not end in chunked",
  HPE_INVALID_CHUNK_SIZE: "A piece of a body in pieces does not begin with its size",
  HPE_INVALID_EOF_STATE: "The request ends in its middle",
  HPE_LF_EXPECTED: "A line does not end in CR LF",
  HPE_CR_EXPECTED: "A line does not end in CR LF",
};

/**
 * Refuses requests to a foreign Host before anything else, and replaces Node's own answers, which have an empty body: a
 * request without a Host is refused in our envelope, and an unknown expectation is ignored, as HTTP allows.
 */
export function enforceRequestRules(server: FastifyInstance, context: ApiContext): void {
  server.server.on("checkExpectation", (request, response) => server.server.emit("request", request, response));
  server.addHook("onRequest", (request, reply, done) => {
    if (hasAllowedHost(context, request, reply)) done();
  });
  server.addHook("preParsing", ({ raw }, reply, _payload, done) => {
    const refusal = headRefusal(raw);
    // A client that sends such a head will not send a valid request next.
    if (refusal !== null) reply.header("connection", "close");
    done(refusal);
  });
}

/**
 * Whether the Host header names this server, or is absent, as HTTP/1.0 allows; otherwise the request is answered
 * (docs/model/sandbox.md#host-header).
 */
function hasAllowedHost(context: ApiContext, request: FastifyRequest, reply: FastifyReply): boolean {
  const { allowedHosts, admission, host } = context;
  // Of a request with an absolute URL, the host is in the URL.
  const header = /^[a-z]+:\/\/([^/?#]*)/i.exec(request.url)?.[1] ?? request.headers.host;
  if (header === undefined || allowedHosts.allows(header)) return true;
  const { nowMs } = host;
  const location = locateRequest(request.url);
  if (location !== null) reply.headers(rateHeaders(admission.peekReadBudget(location), nowMs));
  echoRequestId(request.raw, reply);
  sendAnswer(reply, refusalAnswerAt(request.url, foreignHostRefusal(allowedHosts, header), nowMs));
  return false;
}

export const foreignHostRefusal = (allowedHosts: AllowedHosts, header: string | undefined): ApiRefusal => ({
  kind: "permission_denied",
  details: allowedHosts.refusalText(header),
  requiredAction: "Call the server by a name that it allows",
});

/** Refusal because of the protocol headers, or `null`. */
function headRefusal({ httpVersion, headers, rawHeaders }: FastifyRequest["raw"]): Error | null {
  let hosts = 0;
  for (let k = 0; k < rawHeaders.length; k += 2) if (rawHeaders[k].toLowerCase() === "host") hosts++;
  if (hosts !== 1 && httpVersion === "1.1") {
    const found = hosts === 0 ? "is missing" : "came more than once";
    return Object.assign(new Error(`The Host header ${found}`), { statusCode: 400 });
  }
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked")
    return new ContentEncodingError(`Found Transfer-Encoding: ${coding}, allowed chunked`);
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity")
    return new ContentEncodingError(
      `Found Content-Encoding: ${encoding}; a body must come as it is, without compression`,
    );
  return null;
}

/** Answers a request that could not be parsed, and closes the connection. */
export function answerClientError({ host }: ApiContext, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, details } = HTTP_ERRORS[error.code ?? ""] ?? {
    ...MALFORMED_REQUEST,
    details: PARSER_MESSAGES[error.code ?? ""] ?? MALFORMED_REQUEST.details,
  };
  socket.end(rawAnswer(status, details, host.nowMs));
}

/** Answer to a connection that exceeds a limit, or that the server cannot serve now (docs/model/apis.md#connection-limits). */
export const refusalText = (status: 400 | 503, details: string, nowMs: EpochMs): string =>
  status === 503
    ? rawAnswer("503 Service Unavailable", details, nowMs, ["Retry-After: 1"])
    : rawAnswer(MALFORMED_REQUEST.status, details, nowMs);

/** An answer outside the routes; the envelope has no id, because the path is unknown. */
function rawAnswer(status: string, details: string, nowMs: EpochMs, headers: readonly string[] = []): string {
  const code = Number(status.slice(0, 3));
  const body = JSON.stringify({ error: { code, message: status.slice(4), details }, timestamp: wireTime(nowMs) });
  return [
    `HTTP/1.1 ${status}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
