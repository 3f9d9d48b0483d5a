import type { ApiName, Route } from "../../endpoints/route.ts";
import type { ErrorType } from "../../endpoints/shared/errorCatalogue.ts";

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
