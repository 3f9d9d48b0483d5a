import type { ApiName, Route } from "../../endpoints/route.ts";
import { type ApiRefusal, idKey, type RequestSubject, refusalAnswer } from "../../endpoints/shared/envelope.ts";
import {
  ERROR_CATALOGUE,
  type ErrorType,
  errorEntryOf,
  showsErrorType,
} from "../../endpoints/shared/errorCatalogue.ts";
import { type JsonObject, RETRY_HEADERS } from "./descriptionParts.ts";

const instant = { type: "string", format: "date-time" };
const text = { type: "string" };
const count = { type: "integer", minimum: 0 };

/** The error envelope of one API ("Errors" of each document), of the token endpoint too: an unknown caller has no id. */
export function apiErrorSchema(api: ApiName): JsonObject {
  const kinds = Object.keys(ERROR_CATALOGUE) as ErrorType[];
  return {
    type: "object",
    additionalProperties: false,
    required: ["error", "timestamp"],
    properties: {
      [idKey(api)]: { ...text, description: "The id as received in the path" },
      [api === "vpp-v1" ? "ems_id" : "vpp_id"]: {
        ...text,
        description: "Of the token endpoint alone: the holder of a known token",
      },
      error: {
        type: "object",
        additionalProperties: false,
        required: ["code", "message", "details"],
        properties: {
          code: { type: "integer", description: "The HTTP status" },
          message: text,
          details: text,
          error_type: { ...text, enum: kinds.filter((kind) => showsErrorType(api, kind)) },
          ...detailsOf(api),
        },
      },
      timestamp: instant,
    },
  };
}

/** Keys of the error object that the document of an API does not have. */
const ABSENT_DETAILS: Readonly<Record<ApiName, readonly string[]>> = {
  "vpp-v1": [],
  "site-v2": ["ems_id"],
  "site-v1": ["ems_id", "required_action", "end_time", "idempotency_key"],
};

const detailsOf = (api: ApiName): JsonObject =>
  Object.fromEntries(Object.entries(DETAILS).filter(([key]) => !ABSENT_DETAILS[api].includes(key)));

/** Errors of the token endpoint, the same in all descriptions. */
export const tokenErrorAnswer = (
  error: JsonObject,
  code: number,
  kind: ErrorType,
  headers: JsonObject,
): JsonObject => ({
  description: errorEntryOf("site-v1", kind).message,
  headers: code === 429 || code === 503 ? { ...headers, ...RETRY_HEADERS } : headers,
  content: {
    "application/json": { schema: error, example: exampleOf({ api: "site-v1", id: null }, kind) },
  },
});

/** Optional keys of an error; the kind determines which are present. */
const DETAILS: JsonObject = {
  parameter: text,
  received_value: { description: "The received value, of any type" },
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
  { api, error }: { readonly api: ApiName; readonly error: JsonObject },
  code: number,
  kinds: readonly ErrorType[],
  headers: JsonObject,
): JsonObject => ({
  description: [...new Set(kinds.map((kind) => errorEntryOf(api, kind).message))].join(", or "),
  headers: code === 429 || code === 503 ? { ...headers, ...RETRY_HEADERS } : headers,
  content: {
    "application/json": {
      schema: error,
      examples: Object.fromEntries(kinds.map((kind) => [kind, { value: exampleOf({ api, id: EXAMPLE_ID }, kind) }])),
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

function exampleOf(subject: RequestSubject, kind: ErrorType): unknown {
  const { message } = errorEntryOf(subject.api, kind);
  const extra = EXAMPLE_EXTRAS[kind];
  const refusal: ApiRefusal = { kind, details: `${message}: what was found and what is allowed`, extra };
  return refusalAnswer(subject, refusal, EXAMPLE_MS).body;
}

/** Refusals of single endpoints by `METHOD path`, as in the error tables of the documents. */
type ErrorTypesByOperation = Readonly<Record<string, readonly ErrorType[]>>;

const AMOUNTS: readonly ErrorType[] = [
  "fcr_response_kw_required",
  "delta_kw_not_allowed_for_fcr",
  "delta_kw_required",
  "fcr_response_kw_not_allowed",
  "fcr_response_kw_must_be_positive",
  "compound_breakdown_not_allowed",
  "compound_breakdown_max_mismatch",
  "compound_breakdown_value_exceeds_total",
  "compound_breakdown_invalid_key",
  "compound_breakdown_sign_mismatch",
];

const VPP_CONTROL: readonly ErrorType[] = [
  ...AMOUNTS,
  "member_baselines_required",
  "member_baselines_incomplete",
  "member_baselines_unknown_ems",
  "member_baselines_duplicate",
  "schedule_split_too_narrow",
  "no_dispatchable_members",
];

const HISTORY: readonly ErrorType[] = ["period_too_long", "data_points_exceeded", "data_not_available"];

const ERROR_TYPES: Readonly<Record<ApiName, ErrorTypesByOperation>> = {
  "vpp-v1": {
    "POST /members": [
      "member_limit_exceeded",
      "ems_not_found",
      "invalid_resource_type",
      "resource_type_mismatch",
      "ems_already_registered",
      "ems_registered_to_other_vpp",
    ],
    "POST /members/{ems_id}": ["member_not_found"],
    "DELETE /members/{ems_id}": ["member_not_found"],
    "POST /control/active_power": VPP_CONTROL,
    "GET /control/active_power/schedules": ["schedule_query_out_of_range"],
    "DELETE /control/active_power/schedules": ["schedule_not_found", "schedule_not_deletable"],
    "POST /measurements/active_power": HISTORY,
    "POST /measurements/energy": HISTORY,
  },
  "site-v2": {
    "POST /control/active_power": [
      ...AMOUNTS,
      "schedule_split_too_narrow",
      "dr_reduction_below_minimum",
      "dr_duration_below_minimum",
      "dr_duplicate_dispatch",
      "dr_cooldown_active",
      "sku_not_marketable",
      "baseline_not_configured",
      "reverse_power_flow_forbidden",
      "system_out_of_service",
    ],
    "GET /control/active_power/schedules": ["schedule_query_out_of_range"],
    "DELETE /control/active_power/schedules": ["schedule_not_found", "schedule_not_deletable"],
    "POST /baseline": [
      "baseline_unaligned",
      "baseline_bulk_too_large",
      "baseline_out_of_range",
      "baseline_locked_after_dr",
    ],
    "GET /baseline": ["baseline_query_too_large"],
    "POST /measurements/active_power": HISTORY,
    "POST /measurements/energy": HISTORY,
  },
  "site-v1": {
    "POST /control/power": ["schedule_split_too_narrow", "dr_duplicate_dispatch"],
    "DELETE /control/schedules": ["schedule_not_found", "schedule_not_deletable"],
    "POST /report/power": HISTORY,
    "POST /report/energy": HISTORY,
  },
};

/** Refusals common to all endpoints, from admission and transport. */
const sharedErrorTypes = (api: ApiName): readonly ErrorType[] => [
  "authentication_error",
  "permission_denied",
  api === "vpp-v1" ? "vpp_not_found" : "site_not_found",
  "method_not_allowed",
  "rate_limit_exceeded",
  "token_expired",
  "internal_error",
  // The document of 1.13 lists 503 for every endpoint.
  ...(api === "site-v1" ? (["system_out_of_service"] as const) : []),
];

/** Every refusal with which an endpoint can answer. */
export function errorTypesOf({
  api,
  method,
  path,
  bodySchema: body,
  isIdempotent: idempotent,
}: Route): readonly ErrorType[] {
  const endpointTypes = ERROR_TYPES[api][`${method} ${path}`] ?? [];
  return [
    // A repeated query parameter is refused by every endpoint.
    "invalid_parameter",
    ...endpointTypes,
    ...(idempotent ? (["idempotency_conflict"] as const) : []),
    ...(body === undefined && method === "GET" ? [] : (["payload_too_large", "unsupported_media_type"] as const)),
    ...sharedErrorTypes(api),
  ];
}
