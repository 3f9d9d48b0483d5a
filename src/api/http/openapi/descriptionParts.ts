import type { TSchema } from "typebox";

/** A part of a generated description. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A description with each of the schemas once, by its name in `components.schemas`, and references where it is used. An optional
 * schema is a copy, so that a schema is found by its text.
 */
export function namedSchemas(
  { components, ...rest }: JsonObject & { readonly components: JsonObject },
  schemas: Readonly<Record<string, TSchema | JsonObject>>,
): JsonObject {
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]));
  const inner = (value: object): unknown =>
    Array.isArray(value)
      ? value.map(referenced)
      : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, referenced(member)]));
  const referenced = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const name = "type" in value || "anyOf" in value ? names.get(JSON.stringify(value)) : undefined;
    return name === undefined ? inner(value) : { $ref: `#/components/schemas/${name}` };
  };
  const written = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inner(schema)]));
  return { ...(inner(rest) as JsonObject), components: { schemas: written, ...components } };
}

const count = (description: string): JsonObject => ({
  description,
  required: true,
  schema: { type: "integer", minimum: 0 },
});

/** Headers of every answer, as components of a description. */
export const HEADERS: JsonObject = {
  RateLimitLimit: count("Requests in a sliding hour that the budget of this endpoint has"),
  RateLimitRemaining: count("How many of them are left"),
  RateLimitReset: count("When the oldest counted request leaves the hour, in UNIX seconds of simulated time"),
  RateLimitResetAfter: count("Seconds of simulated time until then"),
  RetryAfter: count("Seconds of simulated time after which trying again may help: what retry_after in the body says"),
  RequestId: { description: "The X-Request-Id of the request, if it had one", schema: { type: "string" } },
  IdempotencyReplayed: {
    description: "The answer is the stored one of an earlier request with this Idempotency-Key; absent: it is new",
    schema: { type: "string", enum: ["true"] },
  },
};

const header = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });

/** Additional headers of answers that request a delay. */
export const RETRY_HEADERS: JsonObject = { "Retry-After": header("RetryAfter") };

/** Additional header of answers to requests that may have an Idempotency-Key. */
export const REPLAY_HEADERS: JsonObject = { "Idempotency-Replayed": header("IdempotencyReplayed") };

/** References to `HEADERS`, for the answers. */
export const ANSWER_HEADERS: JsonObject = {
  "X-RateLimit-Limit": header("RateLimitLimit"),
  "X-RateLimit-Remaining": header("RateLimitRemaining"),
  "X-RateLimit-Reset": header("RateLimitReset"),
  "X-RateLimit-Reset-After": header("RateLimitResetAfter"),
  "X-Request-Id": header("RequestId"),
};
