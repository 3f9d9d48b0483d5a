/** Requests and answers of the commands of VPP API 1.4. */
import { Type } from "../../../base/schemaType.ts";
import { SKUS } from "../../../base/sku.ts";
import { RESOURCE_TYPES } from "../../../engine/vpp/vppSpec.ts";
import {
  boundedKw,
  boundedNonNegativeKw,
  id,
  integer,
  kw,
  listOf,
  literal,
  nullable,
  oneOf,
  optional,
  record,
  type Static,
  text,
  timestamp,
} from "./baseSchemas.ts";
import { compoundBreakdown } from "./quantitySchemas.ts";
import { VppScheduleMember } from "./vppReads.ts";

const LABEL_MAX = 64;
export const WEIGHT_MAX = 999_999.9;
const label = () => text({ maxLength: LABEL_MAX });
const weight = () => Type.Number({ minimum: 0, maximum: WEIGHT_MAX });

export const AddMemberRequest = record({
  ems_id: id(),
  resource_type: oneOf(RESOURCE_TYPES),
  label: optional(label()),
  allocation_weight: optional(weight()),
});
export type AddMemberRequest = Static<typeof AddMemberRequest>;

export const UpdateMemberRequest = record({ allocation_weight: optional(weight()), label: optional(label()) });
export type UpdateMemberRequest = Static<typeof UpdateMemberRequest>;

const memberHead = { vpp_id: id(), message: text(), ems_id: id() };
const memberFields = { label: label(), resource_type: oneOf(RESOURCE_TYPES), allocation_weight: weight() };

export const MemberAdded = record({
  ...memberHead,
  ...memberFields,
  registered_at: timestamp(),
  timestamp: timestamp(),
});
export const MemberUpdated = record({ ...memberHead, ...memberFields, timestamp: timestamp() });
export const MemberRemoved = record({ ...memberHead, timestamp: timestamp() });

/**
 * The keys of both control types. `immediate` requires `duration_minutes`; `schedule` requires `start_time` and
 * `end_time`. The amounts that a product requires are checked by rules with an `error_type` of their own.
 */
export const VppControlRequest = record({
  type: oneOf(["immediate", "schedule"]),
  sku: optional(nullable(oneOf(SKUS))),
  delta_kw: optional(boundedKw()),
  fcr_response_kw: optional(boundedNonNegativeKw()),
  compound_breakdown: optional(compoundBreakdown()),
  duration_minutes: optional(integer(1, 1440)),
  start_time: optional(timestamp()),
  end_time: optional(timestamp()),
  member_baselines: listOf(record({ ems_id: id(), baseline_kw: boundedKw() }), { minItems: 1 }),
});
export type VppControlRequest = Static<typeof VppControlRequest>;

export const affectedSchedules = () =>
  listOf(
    record({
      schedule_id: id(),
      action: oneOf(["created", "inherited", "split", "deleted"]),
      start_time: timestamp(),
      end_time: timestamp(),
    }),
  );

const controlHead = {
  vpp_id: id(),
  message: text(),
  delta_kw: nullable(kw()),
  fcr_response_kw: nullable(boundedNonNegativeKw()),
  compound_breakdown: nullable(compoundBreakdown()),
  uncovered_kw: kw(),
  sku: nullable(oneOf(SKUS)),
  members: listOf(VppScheduleMember),
  timestamp: timestamp(),
};

export const VppControlAnswer = Type.Union([
  record({ ...controlHead, control_type: literal("immediate"), duration_minutes: integer(1, 1440) }),
  record({
    ...controlHead,
    control_type: literal("schedule"),
    schedule_id: id(),
    start_time: timestamp(),
    end_time: timestamp(),
    affected_schedules: affectedSchedules(),
  }),
]);

export const ScheduleQuery = Type.Object({ schedule_id: text({ minLength: 1 }) });
export const VppScheduleDeleted = record({ vpp_id: id(), message: text(), schedule_id: id(), timestamp: timestamp() });
