import { Type } from "../../../base/schemaType.ts";
import {
  binaryFlag,
  frequencyHz,
  id,
  integer,
  kw,
  listOf,
  nonNegativeKw,
  nonNegativeKwh,
  oneOf,
  optional,
  pct,
  record,
  type Static,
  serviceStatus,
  text,
  timestamp,
} from "./baseSchemas.ts";

/** Requests and answers of the commands of site API 1.13. */

export const V1_SKUS = ["fcr", "s-frr", "frr", "rr", "rr-fit", "exchange-da", "exchange-ttv", "unknown"] as const;
const KW_MAX = 999_999;
const power = () => Type.Number({ minimum: -KW_MAX, maximum: KW_MAX, description: "kW, charging positive" });

/** The keys of both types: `duration_minutes` for `immediate`, `start_time` and `end_time` for `schedule`. */
export const V1ControlRequest = record({
  type: oneOf(["immediate", "schedule"]),
  power_kw: power(),
  baseline_kw: optional(power()),
  duration_minutes: optional(integer(1, 1440)),
  start_time: optional(timestamp()),
  end_time: optional(timestamp()),
  sku: optional(oneOf(V1_SKUS)),
});
export type V1ControlRequest = Static<typeof V1ControlRequest>;

export const V1ControlAnswer = record({
  ems_id: id(),
  message: text(),
  control_type: oneOf(["immediate", "schedule"]),
  power_kw: power(),
  baseline_kw: power(),
  sku: optional(oneOf(V1_SKUS)),
  start_time: optional(timestamp()),
  end_time: optional(timestamp()),
  timestamp: timestamp(),
});

export const V1ScheduleDeleted = record({ ems_id: id(), message: text(), schedule_id: id(), timestamp: timestamp() });
export const V1_SCHEDULE_QUERY = Type.Object({ id: text({ minLength: 1 }) });

const fcrParameters = {
  freq_ref: Type.Number({ minimum: 49.5, maximum: 60.5, description: "Hz" }),
  up_deadband: Type.Number({ minimum: 0, maximum: 0.2, description: "Hz" }),
  low_deadband: Type.Number({ minimum: 0, maximum: 0.2, description: "Hz" }),
  up_droop: Type.Number({ minimum: 0.2, maximum: 10, description: "%" }),
  low_droop: Type.Number({ minimum: 0.2, maximum: 10, description: "%" }),
};
export const V1FcrRequest = record(fcrParameters);
export type V1FcrRequest = Static<typeof V1FcrRequest>;
export const V1FcrConfigAnswer = record({ ems_id: id(), message: text(), ...fcrParameters, timestamp: timestamp() });

/** Answers of the reads of site API 1.13; all keys are always present. */

export const V1Status = record({
  ems_id: id(),
  status: Type.Unsafe<0 | 1 | 9>({ type: "integer", enum: [0, 1, 9] }),
  in_fcr_mode: binaryFlag(),
  charge_capacity_available: nonNegativeKwh(),
  discharge_capacity_available: nonNegativeKwh(),
  charge_power_available: nonNegativeKw(),
  discharge_power_available: nonNegativeKw(),
  current_kw: kw(),
  baseline_kw: kw(),
  soc: pct(),
  output_control_limit: pct(),
  measure_timestamp: timestamp(),
  timestamp: timestamp(),
});
export type V1Status = Static<typeof V1Status>;

export const V1Specifications = record({
  ems_id: id(),
  rated_cap: nonNegativeKwh(),
  dis_pwr_max: nonNegativeKw(),
  chg_pwr_max: nonNegativeKw(),
  soc_op_max: pct(),
  soc_op_min: pct(),
  timestamp: timestamp(),
});
export type V1Specifications = Static<typeof V1Specifications>;

export const V1Schedule = record({
  id: id(),
  start_time: timestamp(),
  end_time: timestamp(),
  power_kw: kw(),
  /** `unknown` for a product that v1 does not list (docs/model/apis.md#v1-view). */
  sku: optional(oneOf(V1_SKUS)),
  created_at: timestamp(),
});

export const V1Schedules = record({ ems_id: id(), schedules: listOf(V1Schedule), timestamp: timestamp() });
export type V1Schedules = Static<typeof V1Schedules>;

export const V1FcrConfig = record({
  ems_id: id(),
  freq_ref: Type.Number({ minimum: 49.5, maximum: 60.5 }),
  up_deadband: Type.Number({ minimum: 0, maximum: 0.2 }),
  low_deadband: Type.Number({ minimum: 0, maximum: 0.2 }),
  up_droop: Type.Number({ minimum: 0.2, maximum: 10 }),
  low_droop: Type.Number({ minimum: 0.2, maximum: 10 }),
  timestamp: timestamp(),
});
export type V1FcrConfig = Static<typeof V1FcrConfig>;

export const V1ServicePlan = record({
  ems_id: id(),
  start_time: timestamp(),
  plans: listOf(
    record({ start_time: timestamp(), end_time: timestamp(), status: serviceStatus(), baseline_kw: kw() }),
    {
      minItems: 48,
      maxItems: 48,
    },
  ),
  timestamp: timestamp(),
});
export type V1ServicePlan = Static<typeof V1ServicePlan>;

const history = {
  ems_id: id(),
  request_id: optional(text()),
  start_time: timestamp(),
  end_time: timestamp(),
  timestamp: timestamp(),
};

export const V1PowerReport = record({
  ...history,
  interval_seconds: integer(1, 3600),
  data: listOf(
    record({
      power_kw: kw(),
      baseline_kw: kw(),
      delta_kw: kw(),
      actual_frequency: frequencyHz(),
      output_control_limit: pct(),
      timestamp: timestamp(),
    }),
    { maxItems: 30_000 },
  ),
});
export type V1PowerReport = Static<typeof V1PowerReport>;

export const V1EnergyReport = record({ ...history, charge_kwh: nonNegativeKwh(), discharge_kwh: nonNegativeKwh() });
export type V1EnergyReport = Static<typeof V1EnergyReport>;
