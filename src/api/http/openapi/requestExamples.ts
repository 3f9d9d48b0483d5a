import {
  type EpochMs,
  floorToHalfHour,
  MS_PER_DAY,
  MS_PER_HALF_HOUR,
  MS_PER_HOUR,
  MS_PER_MINUTE,
} from "../../../base/time.ts";
import type { Route } from "../../endpoints/route.ts";
import { wireTime } from "../../endpoints/shared/wireTime.ts";
import type { ExampleValues } from "./exampleValues.ts";

/** Bodies by name; Swagger UI shows the first. */
export type BodyExamples = Readonly<Record<string, unknown>>;

/** Examples of a request body that a server accepts as they stand; `null` for an endpoint without a body. */
export function bodyExamples({ api, method, path }: Route, values: ExampleValues): BodyExamples | null {
  return BODIES[`${api} ${method} ${path}`]?.(values) ?? null;
}

const BODIES: Readonly<Record<string, (values: ExampleValues) => BodyExamples>> = {
  "vpp-v1 POST /members": ({ newMember }) => ({
    member: { ...newMember, label: "north-01", allocation_weight: 100 },
  }),
  "vpp-v1 POST /members/{ems_id}": () => ({ weight: { allocation_weight: 100, label: "north-01" } }),
  "vpp-v1 POST /control/active_power": vppControl,
  "vpp-v1 POST /measurements/active_power": (values) => ({ hour: { ...hourOf(values), interval_seconds: 1800 } }),
  "vpp-v1 POST /measurements/energy": (values) => ({ hour: { ...hourOf(values), interval_seconds: 1800 } }),
  "site-v2 POST /control/active_power": siteControl,
  "site-v2 POST /baseline": (values) => ({ slot: { baselines: [{ ...nextHalfHour(values), baseline_kw: 0 }] } }),
  "site-v2 POST /measurements/active_power": (values) => ({ hour: { ...hourOf(values), interval_seconds: 1800 } }),
  "site-v2 POST /measurements/energy": (values) => ({ hour: { ...hourOf(values), interval_seconds: 1800 } }),
  "site-v1 POST /control/power": v1Control,
  "site-v1 POST /report/power": (values) => ({ hour: { ...hourOf(values), interval_seconds: 60 } }),
  "site-v1 POST /report/energy": (values) => ({ hour: hourOf(values) }),
  "site-v1 POST /fcr/config": () => ({
    parameters: { freq_ref: 50, up_deadband: 0.01, low_deadband: 0.01, up_droop: 5, low_droop: 5 },
  }),
};

function vppControl(values: ExampleValues): BodyExamples {
  const { vppDeltaKw: delta_kw, vppFcrKw, memberBaselines: member_baselines } = values;
  return {
    immediate: { type: "immediate", delta_kw, duration_minutes: 30, member_baselines },
    schedule: { type: "schedule", sku: "frr", delta_kw, ...nextHalfHour(values), member_baselines },
    ...(vppFcrKw === null
      ? {}
      : {
          fcr: { type: "schedule", sku: "fcr", fcr_response_kw: vppFcrKw, ...nextHalfHour(values), member_baselines },
        }),
  };
}

function siteControl(values: ExampleValues): BodyExamples {
  const { siteDeltaKw: delta_kw, siteFcrKw } = values;
  return {
    schedule: { type: "schedule", delta_kw, ...nextHalfHour(values) },
    ...(siteFcrKw === null
      ? {}
      : { fcr: { type: "schedule", sku: "fcr", fcr_response_kw: siteFcrKw, ...nextHalfHour(values) } }),
    immediate: { type: "immediate", delta_kw, duration_minutes: 30 },
  };
}

function v1Control(values: ExampleValues): BodyExamples {
  const { siteDeltaKw: power_kw } = values;
  return {
    schedule: { type: "schedule", power_kw, baseline_kw: 0, ...nextHalfHour(values) },
    immediate: { type: "immediate", power_kw, baseline_kw: 0, duration_minutes: 30 },
  };
}

interface WirePeriod {
  readonly start_time: string;
  readonly end_time: string;
}

const period = (startMs: EpochMs, endMs: EpochMs): WirePeriod => ({
  start_time: wireTime(startMs),
  end_time: wireTime(endMs),
});

/** The first half hour that a schedule may still take. */
function nextHalfHour({ nowMs }: ExampleValues): WirePeriod {
  const startMs = floorToHalfHour(nowMs + MS_PER_MINUTE - 1) + MS_PER_HALF_HOUR;
  return period(startMs, startMs + MS_PER_HALF_HOUR);
}

/** The last hour, or the first one of the scenario. */
function hourOf({ nowMs, startMs }: ExampleValues): WirePeriod {
  const fromMs = Math.max(startMs, nowMs - MS_PER_HOUR);
  return period(fromMs, fromMs + MS_PER_HOUR);
}

/** Examples of path and query parameters by name; `undefined`: none. */
export function parameterExample({ api, path }: Route, name: string, values: ExampleValues): unknown {
  const { nowMs, scheduleIds } = values;
  const isPlan = path === "/serviceplan";
  switch (name) {
    case "ems_id":
      return api === "vpp-v1" ? values.memberId : values.ids[api];
    case "vpp_id":
      return values.ids[api];
    case "id":
      return path.endsWith("/control/schedules") ? (scheduleIds[api] ?? undefined) : values.ids[api];
    case "schedule_id":
      return scheduleIds[api] ?? undefined;
    case "include_components":
      return true;
    case "start_time":
      return wireTime(isPlan ? floorToHalfHour(nowMs) : nowMs - MS_PER_DAY);
    case "end_time":
      return wireTime(nowMs + MS_PER_DAY);
    case "start_time_from":
      return wireTime(nowMs - MS_PER_DAY);
    case "start_time_to":
      return wireTime(nowMs + MS_PER_DAY);
    default:
      return undefined;
  }
}
