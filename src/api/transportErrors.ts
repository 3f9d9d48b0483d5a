import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { EpochMs } from "../base/time.ts";
import { type ApiRefusal, refusalAnswer } from "../requests/envelope.ts";
import { ERROR_CATALOGUE } from "../requests/errorCatalogue.ts";
import type { Answer, ApiName, RateBucket } from "../requests/route.ts";
import { wireTime } from "../requests/wireTime.ts";
import { admit, type Face } from "./apiPlugin.ts";
import { BODY_BYTES_MAX, BodyError } from "./jsonBody.ts";
import { methodsAt, placeOf } from "./paths.ts";
import { JSON_TYPE, sendAnswer } from "./reply.ts";

/** A refusal in the envelope of the API that the path belongs to; elsewhere without an id. */
export function answerAt(url: string, refusal: ApiRefusal, nowMs: EpochMs): Answer {
  const place = placeOf(url);
  if (place !== null) return refusalAnswer(place, refusal, nowMs);
  const { code, message } = ERROR_CATALOGUE[refusal.kind];
  return { status: code, body: { error: { code, message, details: refusal.details }, timestamp: wireTime(nowMs) } };
}

/** What Fastify and Node find wrong with a request, in our words. */
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
  if (error instanceof BodyError) return { kind: "invalid_parameter", details: error.message, parameter: "body" };
  if (error.statusCode !== undefined && 400 <= error.statusCode && error.statusCode < 500)
    return { kind: "invalid_parameter", details: error.message };
  return { kind: "internal_error", details: "The server failed; its log says why" };
}

/** Answers everything that is no row of a table, in the form of the API that was meant. */
export function answerTransportErrors(server: FastifyInstance, face: Face): void {
  server.setErrorHandler((error: Error, request, reply) => {
    // Nobody learns of the body of a request that goes nowhere before the gate has seen the caller.
    if (request.is404) return answerUnknownPath(face, request, reply);
    const refusal = refusalOf(error);
    if (refusal.kind === "internal_error") request.log.error({ err: error }, "a request failed");
    return sendAnswer(reply, answerAt(request.url, refusal, face.host.nowMs));
  });
  server.setNotFoundHandler((request, reply) => answerUnknownPath(face, request, reply));
}

/** A path that the router could not read: it is behind the gate too. */
export function answerFrameworkError(
  face: Face,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const place = placeOf(request.url);
  if (place !== null && !admit(face, { ...place, bucket: spareBucket(place.api) }, request, reply)) return;
  return sendAnswer(reply, answerAt(request.url, refusalOf(error), face.host.nowMs));
}

/** The budget of what is no row of a table. */
const spareBucket = (api: ApiName): RateBucket => (api === "vpp-v1" ? "reference" : "site");

/** Unknown paths and methods below an id: behind the same gate, and counted like any other answer (decisions.md 160). */
export function answerUnknownPath(face: Face, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const { url, method } = request;
  const place = placeOf(url);
  const details = `${method} ${url.split("?")[0].slice(0, 200)} is no endpoint of this server`;
  if (place === null) return sendAnswer(reply, answerAt(url, { kind: "endpoint_not_found", details }, face.host.nowMs));
  if (!admit(face, { ...place, bucket: spareBucket(place.api) }, request, reply)) return;
  const methods = methodsAt(face.routes[place.api], place.path);
  const refusal: ApiRefusal =
    methods.length === 0
      ? { kind: "endpoint_not_found", details }
      : { kind: "method_not_allowed", details: `${method} is not allowed here; allowed: ${methods.join(", ")}` };
  if (methods.length > 0) reply.header("allow", methods.join(", "));
  return sendAnswer(reply, refusalAnswer(place, refusal, face.host.nowMs));
}

const HTTP_ERRORS: Readonly<Record<string, { readonly status: string; readonly details: string }>> = {
  HPE_HEADER_OVERFLOW: { status: "431 Request Header Fields Too Large", details: "Path and headers are too long" },
  ERR_HTTP_REQUEST_TIMEOUT: { status: "408 Request Timeout", details: "The request did not arrive in time" },
};
const NO_HTTP = { status: "400 Bad Request", details: "This is not HTTP/1.1" };

/** Answers what never became a request, and hangs up. */
export function answerClientError({ host }: Face, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
  else socket.end(rawAnswer(error, host.nowMs));
}

/** The answer to what never became a request: the path is not known, so the envelope has no id. */
function rawAnswer(error: NodeJS.ErrnoException, nowMs: EpochMs): string {
  const { status, details } = HTTP_ERRORS[error.code ?? ""] ?? NO_HTTP;
  const code = Number(status.slice(0, 3));
  const body = JSON.stringify({ error: { code, message: status.slice(4), details }, timestamp: wireTime(nowMs) });
  return [
    `HTTP/1.1 ${status}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
