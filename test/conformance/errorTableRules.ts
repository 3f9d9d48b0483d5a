import { beforeAll, expect } from "vitest";
import { type Document, sectionOf } from "./ruleSections.ts";
import { errorsSeen } from "./scenarioServer.ts";

/** Rows of the VPP document's table and of its validation table. */
const VPP_ROWS = `
400 invalid_parameter member_limit_exceeded ems_not_found invalid_resource_type resource_type_mismatch
400 schedule_query_out_of_range fcr_response_kw_required delta_kw_not_allowed_for_fcr delta_kw_required
400 fcr_response_kw_not_allowed fcr_response_kw_must_be_positive compound_breakdown_not_allowed
400 compound_breakdown_max_mismatch compound_breakdown_value_exceeds_total compound_breakdown_invalid_key
400 compound_breakdown_sign_mismatch member_baselines_required member_baselines_incomplete
400 member_baselines_unknown_ems member_baselines_duplicate schedule_split_too_narrow
401 authentication_error
403 permission_denied
404 vpp_not_found member_not_found schedule_not_found data_not_available
409 ems_already_registered ems_registered_to_other_vpp schedule_not_deletable idempotency_conflict
410 period_too_long data_points_exceeded
429 rate_limit_exceeded
498 token_expired
503 no_dispatchable_members`;

/** Rows of site API 2.2; those without a type there have the one of docs/model/apis.md#error-types. */
const SITE_V2_ROWS = `
400 baseline_unaligned
401 authentication_error
403 permission_denied
404 schedule_not_found
409 idempotency_conflict schedule_not_deletable
410 period_too_long
422 baseline_locked_after_dr baseline_not_configured reverse_power_flow_forbidden
429 rate_limit_exceeded
498 token_expired`;

const wordsOf = (table: string, api: string) =>
  table
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [code, ...types] = line.split(" ");
      return types.map((type) => [`${code} ${type} was answered`, `${api} ${code} ${type}`] as const);
    });

// Site API 1.13 has types for tokens alone: its other rows differ by code.
const SITE_V1_CODES = [400, 401, 403, 404, 409, 410, 429, 498, 503];

/** The beginnings of `errorsSeen` that the rows of each table leave. */
const ROWS: Readonly<Record<Document, readonly (readonly [string, string])[]>> = {
  "VPP API 1.4": wordsOf(VPP_ROWS, "vpp-v1"),
  "Site API 2.2": wordsOf(SITE_V2_ROWS, "site-v2"),
  "Site API 1.13": SITE_V1_CODES.map((code) => [`${code} was answered`, `site-v1 ${code} `] as const),
};

/** The other rules of a document met each row of its error table: declare these rules after them. */
export function errorTableRules(document: Document): void {
  // Another file of this worker may have met it too.
  beforeAll(() => errorsSeen.clear());
  sectionOf(document, "Errors").rules<readonly [string, string]>(ROWS[document], (_, row) =>
    expect(
      [...errorsSeen].some((seen) => seen.startsWith(row)),
      [...errorsSeen].join("\n"),
    ).toBe(true),
  );
}
