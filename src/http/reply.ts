import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type EpochMs, MS_PER_SECOND } from "../base/time.ts";
import type { Answer } from "../endpoints/route.ts";
import { secondsUntil } from "./admission.ts";
import type { RateState } from "./limits/rateLimits.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

/** The value of a header that may come once; `null` where it came more often: which of them counts would be a guess. */
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

/** The budget of the called endpoint, on every answer (docs/model/apis.md#rate-headers). */
export function rateHeaders(rate: RateState, nowMs: EpochMs): Record<string, string> {
  return {
    "x-ratelimit-limit": String(rate.limit),
    "x-ratelimit-remaining": String(rate.remaining),
    "x-ratelimit-reset": String(Math.ceil(rate.resetMs / MS_PER_SECOND)),
    "x-ratelimit-reset-after": String(secondsUntil(rate.resetMs, nowMs)),
  };
}

/** Echoes the caller's own number of the request. */
export function echoRequestId(request: FastifyRequest["raw"], reply: FastifyReply): void {
  const requestId = request.headers["x-request-id"];
  if (typeof requestId === "string") reply.header("x-request-id", requestId);
}

/** Sends JSON text, or the pieces of a long one as they come. */
export function sendAnswer(reply: FastifyReply, { status, body, stream, retryAfterS }: Answer): FastifyReply {
  reply.code(status).header("content-type", JSON_TYPE);
  // What `retry_after` in the body says, where HTTP looks for it: in simulated seconds like every time of the APIs.
  if (retryAfterS !== undefined) reply.header("retry-after", String(retryAfterS));
  return reply.send(stream === undefined ? JSON.stringify(body) : Readable.from(stream));
}
