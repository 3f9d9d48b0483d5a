import { Type } from "../../../base/schemaType.ts";
import { SKUS } from "../../../base/sku.ts";
import { CONSUMER_KINDS } from "../../../engine/device/consumer/consumerSpec.ts";
import { COMPONENT_TYPES } from "../../../engine/site/components/wireFacet.ts";
import { OUTPUT_CONTROL_REASONS } from "../../../engine/site/siteSnapshot.ts";
import {
  activeSku,
  binaryFlag,
  boundedKw,
  boundedNonNegativeKw,
  compoundBreakdown,
  frequencyHz,
  id,
  integer,
  integerPct,
  irradianceWm2,
  kw,
  kwh,
  listOf,
  nonNegativeKw,
  nullable,
  nullableKw,
  oneOf,
  optional,
  partialRecord,
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
  resourceStateKeys,
} from "./componentSchemas.ts";
import { AffectedSchedule } from "./vppSchemas.ts";

/** Answers of the site API 2.2 that change nothing. The site's kind determines which optional keys are present. */

const power = {
  current_kw: nullableKw(),
  baseline_kw: kw(),
  delta_kw: nullableKw(),
  dispatched_delta_kw: nullableKw(),
};

const available = {
  import_energy_available: optional(kwh()),
  export_energy_available: optional(kwh()),
  import_power_available: optional(nonNegativeKw()),
  export_power_available: optional(nonNegativeKw()),
};

export const SiteStatus = record({
  ems_id: id(),
  status: serviceStatus(),
  fcr_active: binaryFlag(),
  dr_active: optional(binaryFlag()),
  ...available,
  ...power,
  output_control_limit: optional(integerPct()),
  has_warning: binaryFlag(),
  measure_timestamp: timestamp(),
  timestamp: timestamp(),
});
export type SiteStatus = Static<typeof SiteStatus>;

export const SiteDetails = record({
  ems_id: id(),
  status: serviceStatus(),
  has_warning: binaryFlag(),
  active_sku: activeSku(),
  last_dispatch_status: nullable(oneOf(["dispatched"])),
  measure_timestamp: timestamp(),
  timestamp: timestamp(),
  active_power: record({
    ...power,
    fcr_active: binaryFlag(),
    fcr_response_kw: nullable(nonNegativeKw()),
    output_control_limit: nullable(integerPct()),
    output_control_reason: nullable(oneOf(OUTPUT_CONTROL_REASONS)),
  }),
  capacity: record(available),
  resource_state: partialRecord({ ...resourceStateKeys(), components: listOf(componentDetailsSchema()) }),
});
export type SiteDetails = Static<typeof SiteDetails>;

const GENERATOR_KINDS = ["thermal", "pumped_storage", "biomass", "hydro", "pv", "wind", "other"] as const;

export const SiteComponent = record({
  component_id: text({ maxLength: 64 }),
  component_type: oneOf(COMPONENT_TYPES),
  fcr_capable: Type.Boolean(),
  rated_cap: optional(kwh()),
  import_pwr_max: optional(nonNegativeKw()),
  export_pwr_max: optional(nonNegativeKw()),
  soc_op_max: optional(pct()),
  soc_op_min: optional(pct()),
  generator_kind: optional(oneOf(GENERATOR_KINDS)),
  pv_capacity_kw: optional(nonNegativeKw()),
  rated_output_kw: optional(nonNegativeKw()),
  fuel_type: optional(text()),
  min_output_kw: optional(nonNegativeKw()),
  ramp_rate_kw_per_min: optional(nonNegativeKw()),
  upper_reservoir_capacity_kwh: optional(kwh()),
  pump_input_max_kw: optional(nonNegativeKw()),
  consumer_kind: optional(oneOf(CONSUMER_KINDS)),
  contract_kw: optional(nonNegativeKw()),
  max_demand_kw: optional(nonNegativeKw()),
  dr_capable: optional(Type.Boolean()),
  min_dr_reduction_kw: optional(nonNegativeKw()),
  max_dr_reduction_kw: optional(nonNegativeKw()),
  min_dr_duration_minutes: optional(Type.Number({ minimum: 1, maximum: 1440 })),
  min_dr_cooldown_minutes: optional(Type.Number({ minimum: 0 })),
});
export type SiteComponent = Static<typeof SiteComponent>;

/** The limits and attributes that the scenario gives the site. */
const SiteConstraints = partialRecord({
  voltage_class: oneOf(["low", "high", "extra_high"]),
  measurement_point: oneOf(["grid", "device"]),
  site_import_max_kw: nonNegativeKw(),
  site_export_max_kw: nonNegativeKw(),
});
export type SiteConstraints = Static<typeof SiteConstraints>;

export const SiteSpecifications = record({
  ems_id: id(),
  site_capability: record({
    fcr_capable: Type.Boolean(),
    dr_capable: Type.Boolean(),
    reverse_flow_allowed: Type.Boolean(),
    marketable: listOf(oneOf(SKUS)),
    balancing_responsible: Type.Boolean(),
    non_firm_connection: Type.Boolean(),
  }),
  site_constraints: optional(SiteConstraints),
  components: listOf(SiteComponent),
  effective_from: timestamp(),
  timestamp: timestamp(),
});
export type SiteSpecifications = Static<typeof SiteSpecifications>;

export const SiteSchedule = record({
  schedule_id: id(),
  scope: optional(oneOf(["site", "component"])),
  component_id: optional(text()),
  component_type: optional(oneOf(COMPONENT_TYPES)),
  start_time: timestamp(),
  end_time: timestamp(),
  delta_kw: optional(kw()),
  site_kw: optional(kw()),
  fcr_response_kw: optional(nonNegativeKw()),
  baseline_kw: kw(),
  sku: nullable(oneOf(SKUS)),
  created_at: timestamp(),
});
export type SiteSchedule = Static<typeof SiteSchedule>;

export const SiteSchedules = record({ ems_id: id(), schedules: listOf(SiteSchedule), timestamp: timestamp() });
export type SiteSchedules = Static<typeof SiteSchedules>;

export const BaselineSlot = record({
  start_time: timestamp(),
  end_time: timestamp(),
  baseline_kw: kw(),
  method_note: optional(text({ maxLength: 64 })),
  registered_at: timestamp(),
});

export const SiteBaselines = record({
  ems_id: id(),
  baselines: listOf(BaselineSlot),
  timestamp: timestamp(),
});
export type SiteBaselines = Static<typeof SiteBaselines>;

export const SitePlanSlot = record({
  start_time: timestamp(),
  end_time: timestamp(),
  status: serviceStatus(),
  baseline_kw: kw(),
  scheduled_delta_kw: nullableKw(),
  scheduled_site_kw: optional(nullableKw()),
  scheduled_fcr_response_kw: nullable(nonNegativeKw()),
  scheduled_sku: activeSku(),
});
export type SitePlanSlot = Static<typeof SitePlanSlot>;

export const SiteServicePlan = record({
  ems_id: id(),
  start_time: timestamp(),
  plans: listOf(SitePlanSlot),
  timestamp: timestamp(),
});
export type SiteServicePlan = Static<typeof SiteServicePlan>;

const history = {
  ems_id: id(),
  request_id: nullable(text()),
  start_time: timestamp(),
  end_time: timestamp(),
  timestamp: timestamp(),
};

export const SitePowerHistory = record({
  ...history,
  interval_seconds: integer(1, 86_400),
  data: listOf(
    record({
      timestamp: timestamp(),
      ...power,
      fcr_response_kw: nullable(nonNegativeKw()),
      active_sku: activeSku(),
      actual_frequency: frequencyHz(),
      output_control_limit: optional(integerPct()),
      soc: optional(pct()),
      irradiance_w_m2: optional(irradianceWm2()),
      dr_active: optional(binaryFlag()),
      dr_target_reduction_kw: optional(nullableKw()),
      dr_actual_reduction_kw: optional(nullableKw()),
      components: optional(listOf(componentPowerSchema())),
    }),
  ),
});
export type SitePowerHistory = Static<typeof SitePowerHistory>;

export const SiteEnergyHistory = record({
  ...history,
  interval_seconds: optional(integer(1800, 86_400)),
  dr_dispatched_count: optional(Type.Integer({ minimum: 0 })),
  dr_total_dispatched_minutes: optional(Type.Integer({ minimum: 0 })),
  data: listOf(
    record({
      start_time: timestamp(),
      end_time: timestamp(),
      import_kwh: optional(kwh()),
      export_kwh: optional(kwh()),
      baseline_kwh: optional(kwh()),
      self_consumed_kwh: optional(kwh()),
      grid_to_load_kwh: optional(kwh()),
      consumption_kwh: optional(kwh()),
      imbalance_kwh: optional(kwh()),
      fit_export_kwh: optional(kwh()),
      fip_export_kwh: optional(kwh()),
      non_subsidized_export_kwh: optional(kwh()),
      curtailed_kwh: optional(kwh()),
      fit_curtailed_kwh: optional(kwh()),
      non_firm_curtailed_kwh: optional(kwh()),
      manual_curtailed_kwh: optional(kwh()),
      dr_delivered_kwh: optional(kwh()),
      components: optional(listOf(componentEnergySchema())),
    }),
  ),
});
export type SiteEnergyHistory = Static<typeof SiteEnergyHistory>;

/** Requests and answers of the site API 2.2 that change the world. */

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
  affected_schedules: optional(listOf(AffectedSchedule)),
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
