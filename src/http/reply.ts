import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type EpochMs, MS_PER_SECOND } from "../base/time.ts";
import type { Answer } from "../endpoints/route.ts";
import { secondsUntil } from "./admission.ts";
import type { RateState } from "./limits/rateLimits.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

/**
 * The value of a header that may occur once; `null` where it occurred more often, because its meaning is then
 * ambiguous.
 */
export function singleHeader(request: FastifyRequest["raw"], name: string): string | null | undefined {
  const value = request.headers[name];
  if (value === undefined) return undefined;
  const { rawHeaders } = request;
  let count = 0;
  for (let k = 0; k < rawHeaders.length; k += 2) {
    if (rawHeaders[k].length === name.length && rawHeaders[k].toLowerCase() === name) count++;
  }
  return count === 1 ? (value as string) : null;
}

/** The called endpoint's rate limit, sent with every answer (docs/model/apis.md#rate-headers). */
export function rateHeaders(rate: RateState, nowMs: EpochMs): Record<string, string> {
  return {
    "x-ratelimit-limit": String(rate.limit),
    "x-ratelimit-remaining": String(rate.remaining),
    "x-ratelimit-reset": String(Math.ceil(rate.resetMs / MS_PER_SECOND)),
    "x-ratelimit-reset-after": String(secondsUntil(rate.resetMs, nowMs)),
  };
}

/** Echoes the caller's request id. */
export function echoRequestId(request: FastifyRequest["raw"], reply: FastifyReply): void {
  const requestId = request.headers["x-request-id"];
  if (typeof requestId === "string") reply.header("x-request-id", requestId);
}

/** Sends JSON text, or a long one in pieces. */
export function sendAnswer(reply: FastifyReply, { status, body, stream, retryAfterS }: Answer): FastifyReply {
  reply.code(status).header("content-type", JSON_TYPE);
  // The value of `retry_after` as a header, in simulated seconds like every time of the APIs.
  if (retryAfterS !== undefined) reply.header("retry-after", String(retryAfterS));
  return reply.send(stream === undefined ? JSON.stringify(body) : Readable.from(stream));
}
