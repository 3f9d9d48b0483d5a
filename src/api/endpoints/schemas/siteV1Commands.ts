/** Requests and answers of the commands of site API 1.13. */
import { Type } from "../../../base/schemaType.ts";
import { id, integer, oneOf, optional, record, type Static, text, timestamp } from "./baseSchemas.ts";

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
