import type { JsonObject } from "./jsonObject.ts";

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
};

const header = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });

/** Additional headers of answers that request a delay. */
export const RETRY_HEADERS: JsonObject = { "Retry-After": header("RetryAfter") };

/** References to `HEADERS`, for the answers. */
export const ANSWER_HEADERS: JsonObject = {
  "X-RateLimit-Limit": header("RateLimitLimit"),
  "X-RateLimit-Remaining": header("RateLimitRemaining"),
  "X-RateLimit-Reset": header("RateLimitReset"),
  "X-RateLimit-Reset-After": header("RateLimitResetAfter"),
  "X-Request-Id": header("RequestId"),
};
