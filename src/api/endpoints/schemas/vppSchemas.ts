import { Type } from "../../../base/schemaType.ts";
import { SKUS } from "../../../base/sku.ts";
import { OUTPUT_CONTROL_REASONS } from "../../../engine/site/siteSnapshot.ts";
import { RESOURCE_TYPES } from "../../../engine/vpp/vppSpec.ts";
import {
  activeSku,
  binaryFlag,
  boundedKw,
  boundedNonNegativeKw,
  compoundBreakdown,
  DISPATCH_STATUSES,
  EXECUTED_STATUSES,
  frequencyHz,
  id,
  integer,
  integerPct,
  irradianceWm2,
  kw,
  kwh,
  listOf,
  literal,
  nonNegativeKw,
  nullable,
  nullableKw,
  oneOf,
  optional,
  pct,
  record,
  type Static,
  serviceStatus,
  text,
  timestamp,
} from "./baseSchemas.ts";
import {
  componentDetailsSchema,
  componentEnergySchema,
  componentPowerSchema,
  resourceStateSchema,
} from "./componentSchemas.ts";

/** Answers of the VPP API 1.4 that change nothing. */

export const VppMember = record({
  ems_id: id(),
  label: text({ maxLength: 64 }),
  resource_type: oneOf(RESOURCE_TYPES),
  allocation_weight: Type.Number({ minimum: 0, maximum: 999_999.9 }),
  registered_at: timestamp(),
});

export const VppMembers = record({
  vpp_id: id(),
  members: listOf(VppMember),
  total_count: Type.Integer({ minimum: 0 }),
  timestamp: timestamp(),
});
export type VppMembers = Static<typeof VppMembers>;

const summaryPower = {
  current_kw: nullableKw(),
  baseline_kw: kw(),
  delta_kw: nullableKw(),
  dispatched_delta_kw: nullableKw(),
};

/** The member's kind determines which optional keys are present. */
export const VppStatusMember = record({
  ems_id: id(),
  status: serviceStatus(),
  fcr_active: binaryFlag(),
  ...summaryPower,
  dr_active: optional(binaryFlag()),
  import_energy_available: optional(kwh()),
  export_energy_available: optional(kwh()),
  import_power_available: optional(nonNegativeKw()),
  export_power_available: optional(nonNegativeKw()),
  output_control_limit: optional(integerPct()),
  has_warning: binaryFlag(),
  measure_timestamp: timestamp(),
});
export type VppStatusMember = Static<typeof VppStatusMember>;

export const VppStatus = record({
  vpp_id: id(),
  status: serviceStatus(),
  fcr_active: binaryFlag(),
  dr_active: binaryFlag(),
  import_energy_available: kwh(),
  export_energy_available: kwh(),
  import_power_available: nonNegativeKw(),
  export_power_available: nonNegativeKw(),
  ...summaryPower,
  has_warning: binaryFlag(),
  members: listOf(VppStatusMember),
  timestamp: timestamp(),
});
export type VppStatus = Static<typeof VppStatus>;

const lastDispatchStatus = () => nullable(oneOf(EXECUTED_STATUSES));

const detailsPower = {
  ...summaryPower,
  fcr_active: binaryFlag(),
  fcr_response_kw: nullable(nonNegativeKw()),
};

const capacity = {
  import_energy_available: nullable(kwh()),
  export_energy_available: nullable(kwh()),
  import_power_available: nonNegativeKw(),
  export_power_available: nonNegativeKw(),
};

export const VppDetailsMember = record({
  ems_id: id(),
  label: text({ maxLength: 64 }),
  allocation_weight: Type.Number({ minimum: 0 }),
  status: serviceStatus(),
  has_warning: binaryFlag(),
  active_sku: activeSku(),
  last_dispatch_status: lastDispatchStatus(),
  measure_timestamp: timestamp(),
  active_power: record({
    ...detailsPower,
    output_control_limit: nullable(integerPct()),
    output_control_reason: nullable(oneOf(OUTPUT_CONTROL_REASONS)),
  }),
  capacity: record(capacity),
  resource_state: resourceStateSchema(),
  components: optional(listOf(componentDetailsSchema())),
});
export type VppDetailsMember = Static<typeof VppDetailsMember>;

export const VppDetails = record({
  vpp_id: id(),
  status: serviceStatus(),
  active_sku: activeSku(),
  has_warning: binaryFlag(),
  timestamp: timestamp(),
  active_power: record(detailsPower),
  capacity: record(capacity),
  resource_state: record({ dr_active: binaryFlag() }),
  members: listOf(VppDetailsMember),
});
export type VppDetails = Static<typeof VppDetails>;

/** A member of an instruction with its dispatched or planned share. */
export const VppScheduleMember = record({
  ems_id: id(),
  label: text({ maxLength: 64 }),
  allocation_weight: Type.Number({ minimum: 0 }),
  fcr_response_kw: nullable(nonNegativeKw()),
  baseline_kw: nullableKw(),
  delta_kw: nullableKw(),
  compound_breakdown: nullable(compoundBreakdown()),
  dispatch_status: oneOf(DISPATCH_STATUSES),
  skip_reason: nullable(text()),
});
export type VppScheduleMember = Static<typeof VppScheduleMember>;

export const VppSchedule = record({
  schedule_id: id(),
  control_type: Type.Literal("schedule"),
  delta_kw: nullableKw(),
  fcr_response_kw: nullable(nonNegativeKw()),
  compound_breakdown: nullable(compoundBreakdown()),
  sku: nullable(oneOf(SKUS)),
  start_time: timestamp(),
  end_time: timestamp(),
  created_at: timestamp(),
  uncovered_kw: kw(),
  members: listOf(VppScheduleMember),
});
export type VppSchedule = Static<typeof VppSchedule>;

export const VppSchedules = record({ vpp_id: id(), schedules: listOf(VppSchedule), timestamp: timestamp() });
export type VppSchedules = Static<typeof VppSchedules>;

const powerTotals = {
  ...summaryPower,
  fcr_response_kw: nullable(nonNegativeKw()),
  compound_breakdown: nullable(compoundBreakdown()),
  active_sku: activeSku(),
};

const VppPowerMember = record({
  ems_id: id(),
  ...powerTotals,
  output_control_limit: nullable(integerPct()),
  soc: nullable(pct()),
  dr_active: nullable(binaryFlag()),
  dr_target_reduction_kw: nullableKw(),
  dr_actual_reduction_kw: nullableKw(),
  irradiance_w_m2: irradianceWm2(),
  actual_frequency: frequencyHz(),
  components: optional(listOf(componentPowerSchema())),
});

export const VppPowerHistory = record({
  vpp_id: id(),
  request_id: nullable(text()),
  start_time: timestamp(),
  end_time: timestamp(),
  interval_seconds: integer(1, 86_400),
  data: listOf(record({ timestamp: timestamp(), ...powerTotals, members: listOf(VppPowerMember) })),
  timestamp: timestamp(),
});
export type VppPowerHistory = Static<typeof VppPowerHistory>;

const energySums = {
  import_kwh: optional(kwh()),
  export_kwh: optional(kwh()),
  self_consumed_kwh: optional(kwh()),
  dr_delivered_kwh: optional(kwh()),
  curtailed_kwh: optional(kwh()),
  imbalance_kwh: optional(kwh()),
};

const VppEnergyMember = record({
  ems_id: id(),
  ...energySums,
  baseline_kwh: optional(kwh()),
  grid_to_load_kwh: optional(kwh()),
  consumption_kwh: optional(kwh()),
  fit_export_kwh: optional(kwh()),
  fip_export_kwh: optional(kwh()),
  non_subsidized_export_kwh: optional(kwh()),
  fit_curtailed_kwh: optional(kwh()),
  non_firm_curtailed_kwh: optional(kwh()),
  manual_curtailed_kwh: optional(kwh()),
  components: optional(listOf(componentEnergySchema())),
});

export const VppEnergyHistory = record({
  vpp_id: id(),
  request_id: nullable(text()),
  start_time: timestamp(),
  end_time: timestamp(),
  interval_seconds: optional(integer(1800, 86_400)),
  dr_dispatched_count: Type.Integer({ minimum: 0 }),
  dr_total_dispatched_minutes: Type.Integer({ minimum: 0 }),
  data: listOf(
    record({ start_time: timestamp(), end_time: timestamp(), ...energySums, members: listOf(VppEnergyMember) }),
  ),
  timestamp: timestamp(),
});
export type VppEnergyHistory = Static<typeof VppEnergyHistory>;

/** Requests and answers of the commands of VPP API 1.4. */

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

export const MemberBaseline = record({ ems_id: id(), baseline_kw: boundedKw() });

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
  member_baselines: listOf(MemberBaseline, { minItems: 1 }),
});
export type VppControlRequest = Static<typeof VppControlRequest>;

export const AffectedSchedule = record({
  schedule_id: id(),
  action: oneOf(["created", "inherited", "split", "deleted"]),
  start_time: timestamp(),
  end_time: timestamp(),
});

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
    affected_schedules: listOf(AffectedSchedule),
  }),
]);

export const ScheduleQuery = Type.Object({ schedule_id: text({ minLength: 1 }) });
export const VppScheduleDeleted = record({ vpp_id: id(), message: text(), schedule_id: id(), timestamp: timestamp() });
