import type { RefusalKind } from "../../../base/result.ts";
import type { ApiName } from "../route.ts";

/** Refusals of the transport, which never reach the simulated world. */
type TransportKind =
  | "authentication_error"
  | "permission_denied"
  | "token_expired"
  | "rate_limit_exceeded"
  | "idempotency_conflict"
  | "endpoint_not_found"
  | "method_not_allowed"
  | "payload_too_large"
  | "unsupported_media_type"
  | "internal_error";

/** Every `error_type` of the three APIs. */
export type ErrorType = RefusalKind | TransportKind;

interface ErrorEntry {
  readonly code: number;
  readonly message: string;
}

const invalid = (message: string): ErrorEntry => ({ code: 400, message });
const unprocessable = (message: string): ErrorEntry => ({ code: 422, message });

/** One answer for each kind of refusal; a kind without an answer does not compile. */
export const ERROR_CATALOGUE = {
  invalid_parameter: invalid("Invalid parameter"),
  member_limit_exceeded: invalid("Member limit exceeded"),
  ems_not_found: invalid("EMS not found"),
  invalid_resource_type: invalid("Invalid resource type"),
  resource_type_mismatch: invalid("Resource type mismatch"),
  schedule_query_out_of_range: invalid("Schedule query out of range"),
  schedule_split_too_narrow: invalid("Schedule split too narrow"),
  fcr_response_kw_required: invalid("fcr_response_kw is required"),
  delta_kw_not_allowed_for_fcr: invalid("delta_kw is not allowed for FCR"),
  delta_kw_required: invalid("delta_kw is required"),
  fcr_response_kw_not_allowed: invalid("fcr_response_kw is not allowed"),
  fcr_response_kw_must_be_positive: invalid("fcr_response_kw must be positive"),
  compound_breakdown_not_allowed: invalid("compound_breakdown is not allowed"),
  compound_breakdown_max_mismatch: invalid("compound_breakdown does not match its total"),
  compound_breakdown_value_exceeds_total: invalid("compound_breakdown value exceeds the total"),
  compound_breakdown_invalid_key: invalid("Invalid compound_breakdown key"),
  compound_breakdown_sign_mismatch: invalid("compound_breakdown sign mismatch"),
  member_baselines_required: invalid("member_baselines is required"),
  member_baselines_incomplete: invalid("member_baselines is incomplete"),
  member_baselines_unknown_ems: invalid("Unknown EMS in member_baselines"),
  member_baselines_duplicate: invalid("Duplicate EMS in member_baselines"),
  dr_reduction_below_minimum: invalid("Demand response reduction below minimum"),
  dr_duration_below_minimum: invalid("Demand response duration below minimum"),
  baseline_unaligned: invalid("Baseline slot is not aligned"),
  baseline_bulk_too_large: invalid("Too many baseline slots"),
  baseline_out_of_range: invalid("Baseline out of range"),
  authentication_error: { code: 401, message: "Authentication failed" },
  permission_denied: { code: 403, message: "Permission denied" },
  vpp_not_found: { code: 404, message: "VPP not found" },
  site_not_found: { code: 404, message: "EMS not found" },
  member_not_found: { code: 404, message: "Member not found" },
  schedule_not_found: { code: 404, message: "Schedule not found" },
  data_not_available: { code: 404, message: "Data not available" },
  endpoint_not_found: { code: 404, message: "Endpoint not found" },
  method_not_allowed: { code: 405, message: "Method not allowed" },
  ems_already_registered: { code: 409, message: "EMS already registered" },
  ems_registered_to_other_vpp: { code: 409, message: "EMS registered to another VPP" },
  schedule_not_deletable: { code: 409, message: "Schedule cannot be deleted" },
  idempotency_conflict: { code: 409, message: "Idempotency key conflict" },
  dr_duplicate_dispatch: { code: 409, message: "Demand response already dispatched" },
  period_too_long: { code: 410, message: "Period too long" },
  data_points_exceeded: { code: 410, message: "Data points exceeded" },
  baseline_query_too_large: { code: 410, message: "Baseline query too large" },
  payload_too_large: { code: 413, message: "Payload too large" },
  unsupported_media_type: { code: 415, message: "Unsupported media type" },
  sku_not_marketable: unprocessable("SKU is not marketable"),
  dr_cooldown_active: unprocessable("Demand response cooldown active"),
  baseline_not_configured: unprocessable("Baseline is not configured"),
  baseline_locked_after_dr: unprocessable("Baseline is locked after demand response"),
  reverse_power_flow_forbidden: unprocessable("Reverse power flow forbidden"),
  rate_limit_exceeded: { code: 429, message: "Rate limit exceeded" },
  token_expired: { code: 498, message: "JWT token expired" },
  internal_error: { code: 500, message: "Internal error" },
  no_dispatchable_members: { code: 503, message: "No dispatchable members" },
  system_out_of_service: { code: 503, message: "System failure or under maintenance" },
} as const satisfies Record<ErrorType, ErrorEntry>;

/** The `error_type`s of site API v1; its other refusals have none. */
const SHOWN_BY_V1: readonly ErrorType[] = ["authentication_error", "token_expired"];

/** Site v1 has no status 422 and uses 400 instead. */
export function errorEntryOf(api: ApiName, kind: ErrorType): ErrorEntry {
  const entry: ErrorEntry = ERROR_CATALOGUE[kind];
  return api === "site-v1" && entry.code === 422 ? { ...entry, code: 400 } : entry;
}

export const showsErrorType = (api: ApiName, kind: ErrorType): boolean =>
  api !== "site-v1" || SHOWN_BY_V1.includes(kind);
