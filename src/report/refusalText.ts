import type { RefusalKind } from "../base/result.ts";

/** Reason of a refusal by `error_type`, as the end of a sentence with "because". */
export const REFUSAL_TEXT: Readonly<Record<RefusalKind, string>> = {
  invalid_parameter: "a value of the request is out of range",
  member_limit_exceeded: "the VPP has reached its maximum number of members",
  ems_not_found: "no site has this id",
  invalid_resource_type: "the resource type is unknown",
  resource_type_mismatch: "the site has another resource type",
  ems_already_registered: "the site is already a member",
  ems_registered_to_other_vpp: "the site is a member of another VPP",
  member_not_found: "the site is not a member",
  schedule_not_found: "there is no such schedule",
  schedule_not_deletable: "the schedule starts in less than a minute or has started",
  schedule_split_too_narrow: "it would leave part of another schedule shorter than a minute",
  fcr_response_kw_required: "a frequency product requires an FCR capacity in kW",
  delta_kw_not_allowed_for_fcr: "a frequency product takes an FCR capacity, not a change of power",
  delta_kw_required: "the change of power in kW is missing",
  fcr_response_kw_not_allowed: "only frequency products take an FCR capacity",
  fcr_response_kw_must_be_positive: "the FCR capacity is negative",
  compound_breakdown_not_allowed: "only the compound product takes a breakdown",
  compound_breakdown_max_mismatch: "the largest part of the breakdown differs from the total",
  compound_breakdown_value_exceeds_total: "a part of the breakdown is larger than the total",
  compound_breakdown_invalid_key: "the breakdown names an unknown product",
  compound_breakdown_sign_mismatch: "a part of the breakdown has the opposite sign",
  member_baselines_required: "the baselines of the members are missing",
  member_baselines_incomplete: "the baseline of a member in service is missing",
  member_baselines_unknown_ems: "a baseline names a site that is not a member",
  member_baselines_duplicate: "a site has two baselines",
  no_dispatchable_members: "no dispatchable member was in service",
  sku_not_marketable: "the site is not admitted to this product",
  dr_reduction_below_minimum: "the load reduction is below the site's minimum",
  dr_duration_below_minimum: "the load reduction is shorter than the site's minimum duration",
  dr_duplicate_dispatch: "the site is already reducing its load",
  dr_cooldown_active: "the site is in its cooldown after the last load reduction",
  baseline_not_configured: "the site has no registered baseline for the period",
  reverse_power_flow_forbidden: "the site may not export power to the grid",
  vpp_not_found: "no VPP has this id",
  site_not_found: "no site has this id",
  system_out_of_service: "the site is out of service",
  schedule_query_out_of_range: "the query period is too long",
  data_not_available: "no data is retained for the period",
  period_too_long: "the period is longer than allowed",
  data_points_exceeded: "the response would have too many records",
  baseline_unaligned: "a baseline slot is not a UTC half hour",
  baseline_locked_after_dr: "a load reduction in the slot is over, its baseline is final",
  baseline_bulk_too_large: "there are too many baseline slots in one request",
  baseline_out_of_range: "a baseline exceeds the site's limits",
  baseline_query_too_large: "the query period for baselines is too long",
};

/** `null`: no refusal kind. */
export function parseRefusalKind(text: string | undefined): RefusalKind | null {
  // The keys of REFUSAL_TEXT are exactly the refusal kinds.
  return text !== undefined && Object.hasOwn(REFUSAL_TEXT, text) ? (text as RefusalKind) : null;
}
