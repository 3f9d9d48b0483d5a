import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { EpochMs } from "../../base/time.ts";
import type { Answer, ApiName, RateBucket } from "../endpoints/route.ts";
import { type ApiRefusal, refusalAnswer } from "../endpoints/shared/envelope.ts";
import { ERROR_CATALOGUE } from "../endpoints/shared/errorCatalogue.ts";
import { wireTime } from "../endpoints/shared/wireTime.ts";
import type { AllowedHosts } from "./allowedHosts.ts";
import { type ApiContext, admit } from "./apiPlugin.ts";
import { BODY_BYTES_MAX } from "./jsonBody.ts";
import { locateRequest, methodsAt, REFRESH_PATH, siblingUrl } from "./paths.ts";
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
    case "FST_ERR_CTP_INVALID_JSON_BODY":
      return { kind: "invalid_parameter", details: "The body is not valid JSON", parameter: "body" };
  }
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
  const foreignHost = context.allowedHosts.foreignHostOf(request);
  if (foreignHost !== null) return refuseForeignHost(context, foreignHost, request, reply);
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
  const details = `${method} ${url.split("?")[0].slice(0, 200)} is no endpoint of this server${elsewhere(context, request)}`;
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

/** Where the token endpoint is, for a client that calls it here. */
function elsewhere({ authPort }: ApiContext, { url, headers }: FastifyRequest): string {
  const authUrl = url.split("?")[0] === REFRESH_PATH ? siblingUrl(headers.host, authPort()) : null;
  return authUrl === null ? "" : `; tokens are at POST ${authUrl}${REFRESH_PATH}`;
}

/** Statuses of errors of Node's HTTP parser other than 400. */
const PARSER_STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Answers a request that was sent to another name (docs/model/sandbox.md#host-header). */
export function refuseForeignHost(
  { allowedHosts, admission, host: { nowMs } }: ApiContext,
  foreignHost: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const location = locateRequest(request.url);
  if (location !== null) reply.headers(rateHeaders(admission.peekReadBudget(location), nowMs));
  echoRequestId(request.raw, reply);
  return sendAnswer(reply, refusalAnswerAt(request.url, foreignHostRefusal(allowedHosts, foreignHost), nowMs));
}

export const foreignHostRefusal = (allowedHosts: AllowedHosts, header: string | undefined): ApiRefusal => ({
  kind: "permission_denied",
  details: allowedHosts.refusalText(header),
  requiredAction: "Call the server by a name that it allows",
});

/** Answers a request that could not be parsed, and closes the connection. The envelope has no id, because the path is unknown. */
export function answerClientError({ host }: ApiContext, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = PARSER_STATUSES[error.code ?? ""] ?? "400 Bad Request";
  const [code, message, details] = [Number(status.slice(0, 3)), status.slice(4), error.message];
  const body = JSON.stringify({ error: { code, message, details }, timestamp: wireTime(host.nowMs) });
  const head = [`HTTP/1.1 ${status}`, `Content-Type: ${JSON_TYPE}`, `Content-Length: ${Buffer.byteLength(body)}`];
  socket.end([...head, "Connection: close", "", body].join("\r\n"));
}
