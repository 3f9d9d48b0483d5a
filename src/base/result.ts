import type { EpochMs } from "./time.ts";

/** A refusal by the rules. `kind` is the `error_type` of the API documents and of the reports. */
export interface Refusal {
  readonly kind: RefusalKind;
  /** The request has the wrong form, whatever the state. */
  readonly isMalformed?: true;
  /** A sentence without a final dot, with the found and the allowed value. */
  readonly details: string;
  readonly parameter?: string;
  readonly receivedValue?: unknown;
  readonly validRange?: string;
  /** How the caller can resolve it. */
  readonly requiredAction?: string;
  /** Id of the member concerned, 32 hex digits. */
  readonly emsId?: string;
  readonly scheduleId?: string;
  /** Period of the schedule or slot concerned. */
  readonly startMs?: EpochMs;
  readonly endMs?: EpochMs;
  readonly currentMs?: EpochMs;
  /** Seconds after which a retry may succeed. */
  readonly retryAfterS?: number;
}

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

export const accepted = <T>(value: T): Result<T> => ({ ok: true, value });
export const refused = (refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } => ({
  ok: false,
  refusal,
});

/** Every `error_type` of the simulated world. */
export type RefusalKind =
  | "invalid_parameter"
  | "member_limit_exceeded"
  | "ems_not_found"
  | "invalid_resource_type"
  | "resource_type_mismatch"
  | "ems_already_registered"
  | "ems_registered_to_other_vpp"
  | "member_not_found"
  | "schedule_not_found"
  | "schedule_not_deletable"
  | "schedule_split_too_narrow"
  | "fcr_response_kw_required"
  | "delta_kw_not_allowed_for_fcr"
  | "delta_kw_required"
  | "fcr_response_kw_not_allowed"
  | "fcr_response_kw_must_be_positive"
  | "compound_breakdown_not_allowed"
  | "compound_breakdown_max_mismatch"
  | "compound_breakdown_value_exceeds_total"
  | "compound_breakdown_invalid_key"
  | "compound_breakdown_sign_mismatch"
  | "member_baselines_required"
  | "member_baselines_incomplete"
  | "member_baselines_unknown_ems"
  | "member_baselines_duplicate"
  | "no_dispatchable_members"
  | "sku_not_marketable"
  | "dr_reduction_below_minimum"
  | "dr_duration_below_minimum"
  | "dr_duplicate_dispatch"
  | "dr_cooldown_active"
  | "baseline_not_configured"
  | "reverse_power_flow_forbidden"
  | "vpp_not_found"
  | "site_not_found"
  | "system_out_of_service"
  | "schedule_query_out_of_range"
  | "data_not_available"
  | "period_too_long"
  | "data_points_exceeded"
  | "baseline_unaligned"
  | "baseline_locked_after_dr"
  | "baseline_bulk_too_large"
  | "baseline_out_of_range"
  | "baseline_query_too_large";
