import type { Refusal } from "../../../base/result.ts";
import { roundKw } from "../../../base/rounding.ts";
import { MS_PER_MINUTE } from "../../../base/time.ts";
import type { World } from "../../../engine/simulation/world.ts";
import type { DirectRequest } from "../../../engine/site/orders/directOrder.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { V1ControlRequest, V1FcrRequest } from "../schemas/siteV1Schemas.ts";
import { periodRefusal, timeKeysRefusal } from "../shared/controlTimes.ts";
import { refusalAnswer } from "../shared/envelope.ts";
import { executeDirectRequest } from "../shared/executeDirectRequest.ts";
import { siteOf } from "../shared/requestSubject.ts";
import { readWireTime, wireTime } from "../shared/wireTime.ts";
import { fcrConfigFields } from "./state.ts";

/** POST control/power; the body satisfies its schema. */
export function postPower(context: RequestContext, call: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, call);
  const written = call.body as V1ControlRequest;
  const refusal = timesRefusal(world, written);
  if (refusal !== null) return refusalAnswer(call, refusal, world.nowMs);
  const request = requestOf(world, written);
  const done = executeDirectRequest(world, site, request, "power_kw");
  if (!done.ok) return refusalAnswer(call, done.refusal, world.nowMs);
  const body = {
    ems_id: site.spec.emsId,
    message: messageOf(written, site),
    control_type: written.type,
    power_kw: roundKw(written.power_kw),
    baseline_kw: request.baselineKw,
    ...(written.sku === undefined ? {} : { sku: written.sku }),
    ...(written.type === "immediate"
      ? {}
      : { start_time: wireTime(request.startMs), end_time: wireTime(request.endMs) }),
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body };
}

function messageOf({ type }: V1ControlRequest, { isInService }: Site): string {
  if (type === "immediate") return "Power control accepted";
  return isInService ? "Schedule registered" : "Schedule registered. System failure or under maintenance";
}

/** Schedules begin and end on whole minutes (docs/model/apis.md#control-times). */
function timesRefusal(world: World, written: V1ControlRequest): Refusal | null {
  const refusal = timeKeysRefusal(written);
  const { start_time, end_time } = written;
  if (refusal !== null || start_time === undefined || end_time === undefined) return refusal;
  for (const key of ["start_time", "end_time"] as const) {
    const receivedValue = written[key] ?? "";
    if (Date.parse(receivedValue) % MS_PER_MINUTE === 0) continue;
    return { kind: "invalid_parameter", details: `${key} must be a whole minute`, parameter: key, receivedValue };
  }
  return periodRefusal({ start_time, end_time }, world.nowMs);
}

/** Maps a v1 request: `power` is the FCR capacity for frequency response, and an absent baseline is 0. */
function requestOf({ nowMs }: World, written: V1ControlRequest): DirectRequest {
  const { type, power_kw, baseline_kw = 0, duration_minutes = 0, start_time, end_time, sku } = written;
  const isFcr = sku === "fcr";
  return {
    kind: type,
    sku: sku === undefined || sku === "unknown" ? null : sku,
    startMs: start_time === undefined ? nowMs : readWireTime(start_time),
    endMs: end_time === undefined ? nowMs + duration_minutes * MS_PER_MINUTE : readWireTime(end_time),
    deltaKw: isFcr ? null : roundKw(power_kw),
    siteKw: null,
    fcrKw: isFcr ? Math.abs(roundKw(power_kw)) : null,
    compoundBreakdown: null,
    baselineKw: roundKw(baseline_kw),
    componentId: null,
    overwrites: "every",
  };
}

/** POST fcr/config, effective immediately. */
export function setFcrConfig(context: RequestContext, call: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, call);
  const { freq_ref, up_deadband, low_deadband, up_droop, low_droop } = call.body as V1FcrRequest;
  const fcr = {
    ...site.fcr,
    freqRefHz: freq_ref,
    upDeadbandHz: up_deadband,
    lowDeadbandHz: low_deadband,
    upDroopPct: up_droop,
    lowDroopPct: low_droop,
  };
  world.applySettings(site, { baseline: site.baseline, fcr });
  const body = {
    ems_id: site.spec.emsId,
    message: "FCR configuration updated successfully",
    ...fcrConfigFields(site.fcr),
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body };
}
