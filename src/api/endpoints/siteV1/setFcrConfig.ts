import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { V1FcrRequest } from "../schemas/siteV1Commands.ts";
import { siteOf } from "../shared/requestSubject.ts";
import { wireTime } from "../shared/wireTime.ts";
import { fcrConfigFields } from "./state.ts";

/** POST fcr/config, effective immediately. */
export function setFcrConfig(context: RequestContext, call: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, call);
  const { freq_ref, up_deadband, low_deadband, up_droop, low_droop } = call.body as V1FcrRequest;
  const fcr = {
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
