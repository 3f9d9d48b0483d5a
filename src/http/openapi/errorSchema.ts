import type { ApiName } from "../../endpoints/route.ts";
import type { ApiRefusal } from "../../endpoints/shared/envelope.ts";
import { idKey, refusalAnswer } from "../../endpoints/shared/envelope.ts";
import { type ErrorType, errorEntryOf, showsErrorType } from "../../endpoints/shared/errorCatalogue.ts";
import { RETRY_HEADERS } from "./headers.ts";
import type { JsonObject } from "./jsonObject.ts";

const instant = { type: "string", format: "date-time" };
const text = { type: "string" };
const count = { type: "integer", minimum: 0 };

/** The error envelope of one API ("Errors" of each document), for one status and its kinds. */
function errorSchema(api: ApiName, code: number, kinds: readonly ErrorType[]): JsonObject {
  const shown = kinds.filter((kind) => showsErrorType(api, kind));
  return {
    type: "object",
    additionalProperties: false,
    required: [idKey(api), "error", "timestamp"],
    properties: {
      [idKey(api)]: { ...text, description: "The id as it stood in the path" },
      error: {
        type: "object",
        additionalProperties: false,
        required: ["code", "message", "details", ...(shown.length === kinds.length ? ["error_type"] : [])],
        properties: {
          code: { const: code, type: "integer", description: "The HTTP status" },
          message: text,
          details: text,
          ...(shown.length > 0 ? { error_type: { ...text, enum: shown } } : {}),
          ...DETAILS,
        },
      },
      timestamp: instant,
    },
  };
}

/** Optional keys of an error; the kind determines which are present. */
const DETAILS: JsonObject = {
  parameter: text,
  received_value: { description: "What was sent, of any type" },
  valid_range: text,
  required_action: text,
  ems_id: text,
  schedule_id: text,
  start_time: instant,
  end_time: instant,
  current_time: instant,
  idempotency_key: text,
  expires_at: instant,
  limit: count,
  remaining: count,
  reset_time: instant,
  retry_after: { ...count, description: "Seconds of simulated time" },
};

/** The answer for all refusals of an endpoint with one status: their names, and an example of each. */
export const errorAnswer = (
  api: ApiName,
  code: number,
  kinds: readonly ErrorType[],
  headers: JsonObject,
): JsonObject => ({
  description: [...new Set(kinds.map((kind) => errorEntryOf(api, kind).message))].join(", or "),
  headers: code === 429 || code === 503 ? { ...headers, ...RETRY_HEADERS } : headers,
  content: {
    "application/json": {
      schema: errorSchema(api, code, kinds),
      examples: Object.fromEntries(kinds.map((kind) => [kind, { value: exampleOf(api, kind) }])),
    },
  },
});

const EXAMPLE_ID = "0123456789abcdef0123456789abcdef";
const EXAMPLE_MS = Date.UTC(2026, 3, 1);

const EXAMPLE_EXTRAS: Partial<Record<ErrorType, JsonObject>> = {
  token_expired: { expires_at: "2026-04-01T00:00:00Z" },
  rate_limit_exceeded: { limit: 1000, remaining: 0, reset_time: "2026-04-01T00:59:00Z", retry_after: 3540 },
  idempotency_conflict: { idempotency_key: "order-17" },
};

function exampleOf(api: ApiName, kind: ErrorType): unknown {
  const { message } = errorEntryOf(api, kind);
  const extra = EXAMPLE_EXTRAS[kind];
  const refusal: ApiRefusal = { kind, details: `${message}: what was found and what is allowed`, extra };
  return refusalAnswer({ api, id: EXAMPLE_ID }, refusal, EXAMPLE_MS).body;
}
