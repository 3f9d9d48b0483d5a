import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type EpochMs, MS_PER_SECOND } from "../../base/time.ts";
import type { Answer } from "../endpoints/route.ts";
import { jsonStream } from "../endpoints/shared/jsonStream.ts";
import { type RateState, secondsUntil } from "./limits/rateLimits.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

/** Of an answer that was stored under the Idempotency-Key of its request (docs/model/apis.md#idempotency). */
export const REPLAYED_HEADER = "idempotency-replayed";

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

/** Sends a short answer. */
export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  return sendHead(reply, answer).send(JSON.stringify(answer.body));
}

/** Sends an answer that may be long: then in pieces, with a turn of the event loop in between. */
export function sendInPieces(reply: FastifyReply, answer: Answer): FastifyReply {
  const pieces = answer.stream ?? listPieces(answer.body);
  if (pieces === null) return sendAnswer(reply, answer);
  const rest = pieces[Symbol.iterator]();
  const first = rest.next();
  const second = rest.next();
  // An answer of one piece is sent at once: a stream would cost more than the text.
  if (first.done !== true && second.done === true) return sendHead(reply, answer).send(first.value);
  const paced = pacedPieces(continued([first, second], rest));
  return sendHead(reply, answer).send(Readable.from(paced, { highWaterMark: 1 }));
}

/** Pieces of a long answer, each made when the previous one is sent, with a turn of the event loop in between. */
export async function* pacedPieces(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    if (piece !== "") yield piece;
    // not simulated: other requests are answered meanwhile
    await setImmediate();
  }
}

/** The results already taken from an iterator, then its further values. */
function* continued(begun: readonly IteratorResult<string>[], rest: Iterator<string>): Iterable<string> {
  let next = begun[0];
  for (let k = 1; next.done !== true; k++) {
    yield next.value;
    next = k < begun.length ? begun[k] : rest.next();
  }
}

function sendHead(reply: FastifyReply, { status, retryAfterS }: Answer): FastifyReply {
  reply.code(status).header("content-type", JSON_TYPE);
  // The value of `retry_after` as a header, in simulated seconds like every time of the APIs.
  if (retryAfterS !== undefined) reply.header("retry-after", String(retryAfterS));
  return reply;
}

/** Lists of at least this many elements are sent in pieces; 50 schedules of 100 members are 0.4 MB. */
const LONG_LIST = 50;

const isLongList = (value: unknown): boolean => Array.isArray(value) && value.length >= LONG_LIST;

/** The text of an object with a long list between other members, in pieces; `null` for any other. */
function listPieces(body: unknown): Iterable<string> | null {
  if (body === null || typeof body !== "object" || !Object.values(body).some(isLongList)) return null;
  const entries = Object.entries(body);
  const at = entries.findIndex(([, value]) => isLongList(value));
  if (at < 1 || at === entries.length - 1) return null;
  const [name, list] = entries[at] as [string, readonly unknown[]];
  const [head, tail] = [Object.fromEntries(entries.slice(0, at)), Object.fromEntries(entries.slice(at + 1))];
  return jsonStream(head, name, textsOf(list), tail);
}

/** Number of elements that are serialised together; 10 schedules of 100 members are 80 KB. */
const TEXT_ELEMENTS = 10;

/** The elements as JSON text, several at a time. */
function* textsOf(list: readonly unknown[]): Iterable<string> {
  for (let k = 0; k < list.length; k += TEXT_ELEMENTS)
    yield JSON.stringify(list.slice(k, k + TEXT_ELEMENTS)).slice(1, -1);
}
