/** Requests and answers of the site API 2.2 that change the world. */

import { Type } from "../../../base/schemaType.ts";
import { SKUS } from "../../../base/sku.ts";
import { COMPONENT_TYPES } from "../../../engine/site/components/wireFacet.ts";
import {
  boundedKw,
  boundedNonNegativeKw,
  id,
  integer,
  kw,
  listOf,
  nullable,
  oneOf,
  optional,
  record,
  type Static,
  text,
  timestamp,
} from "./baseSchemas.ts";
import { compoundBreakdown } from "./quantitySchemas.ts";
import { affectedSchedules } from "./vppCommands.ts";

/**
 * One amount: a delta, a target at the grid connection point, or an FCR capacity. A compound with frequency response
 * has delta and capacity.
 */
export const SiteControlRequest = record({
  type: oneOf(["immediate", "schedule"]),
  sku: optional(nullable(oneOf(SKUS))),
  delta_kw: optional(boundedKw()),
  site_kw: optional(boundedKw()),
  fcr_response_kw: optional(boundedNonNegativeKw()),
  compound_breakdown: optional(compoundBreakdown()),
  component_id: optional(
    text({
      minLength: 1,
      maxLength: 64,
      description:
        "One component by itself: baseline_kw (0 when left out) and delta_kw are its own, and it takes no part in the set-point of the whole site",
    }),
  ),
  baseline_kw: optional(boundedKw()),
  duration_minutes: optional(integer(1, 1440)),
  start_time: optional(timestamp()),
  end_time: optional(timestamp()),
});
export type SiteControlRequest = Static<typeof SiteControlRequest>;

export const SiteControlAnswer = record({
  ems_id: id(),
  message: text(),
  control_type: oneOf(["immediate", "schedule"]),
  schedule_id: optional(id()),
  delta_kw: optional(kw()),
  site_kw: optional(kw()),
  fcr_response_kw: optional(boundedNonNegativeKw()),
  compound_breakdown: optional(compoundBreakdown()),
  baseline_kw: kw(),
  sku: nullable(oneOf(SKUS)),
  duration_minutes: optional(integer(1, 1440)),
  start_time: optional(timestamp()),
  end_time: optional(timestamp()),
  scope: optional(oneOf(["component"])),
  component_id: optional(text()),
  component_type: optional(oneOf(COMPONENT_TYPES)),
  dispatched_components: optional(
    listOf(
      record({
        component_id: text(),
        component_type: oneOf(COMPONENT_TYPES),
        delta_kw: nullable(kw()),
        dispatch_status: oneOf(["pending", "dispatched", "skipped_incompatible"]),
      }),
    ),
  ),
  affected_schedules: optional(affectedSchedules()),
  warning: optional(oneOf(["system_out_of_service"])),
  timestamp: timestamp(),
});

export const SiteScheduleDeleted = record({ ems_id: id(), message: text(), schedule_id: id(), timestamp: timestamp() });
export const SITE_SCHEDULE_QUERY = Type.Object({ schedule_id: text({ minLength: 1 }) });

export const BASELINE_SLOTS_MAX = 336;

/** Exceeding the number of slots has an `error_type` of its own. */
export const BaselineRequest = record({
  ems_id: optional(id()),
  baselines: listOf(
    record({
      start_time: timestamp(),
      end_time: timestamp(),
      baseline_kw: boundedKw(),
      method_note: optional(text({ maxLength: 64 })),
    }),
    { minItems: 1, maxItems: BASELINE_SLOTS_MAX },
  ),
});
export type BaselineRequest = Static<typeof BaselineRequest>;

export const BaselineAnswer = record({
  ems_id: id(),
  registered: listOf(
    record({
      start_time: timestamp(),
      end_time: timestamp(),
      baseline_kw: kw(),
      action: oneOf(["created", "overwritten"]),
    }),
  ),
  timestamp: timestamp(),
});
