import type { FcrConfig } from "../../../engine/device/frequency/frequencyResponse.ts";
import { kindOf } from "../../../engine/site/components/registry.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { V1FcrConfig, V1ServicePlan, V1Specifications, V1Status } from "../schemas/siteV1Schemas.ts";
import { siteAvailability } from "../shared/reading/availability.ts";
import { planSlotFields, planSlots, planStartMs } from "../shared/reading/planSlots.ts";
import { figuresOf } from "../shared/reading/resourceFigures.ts";
import { fromTenths, hasWarning, isFcrActive, newSiteReading, readSite } from "../shared/reading/siteReading.ts";
import { siteOf } from "../shared/requestSubject.ts";
import { wireTime } from "../shared/wireTime.ts";
import { measuredAtMs } from "../siteV2/status.ts";

// Site API 1.13 covers battery sites only and has no nulls. Quantities that a site does not have, or does not measure
// while out of service, are 0 (docs/model/apis.md#v1-view).

/** GET status. A warning is a status of its own in v1 (docs/model/apis.md#v1-status). */
export function answerStatus(context: RequestContext, request: ApiRequest): Answer {
  const { nowMs } = context.world;
  const site = siteOf(context, request);
  const reading = readSite(site, nowMs, newSiteReading());
  const availability = siteAvailability(site, nowMs);
  const isWarning = hasWarning(site, nowMs);
  const body: V1Status = {
    ems_id: site.spec.emsId,
    status: reading.isInService ? (isWarning ? 1 : 0) : 9,
    in_fcr_mode: isFcrActive(site) ? 1 : 0,
    charge_capacity_available: fromTenths(availability.importEnergyTenths) ?? 0,
    discharge_capacity_available: fromTenths(availability.exportEnergyTenths) ?? 0,
    charge_power_available: figuresOf(site).offersImport ? availability.importTenths / 10 : 0,
    discharge_power_available: availability.exportTenths / 10,
    current_kw: fromTenths(reading.currentTenths) ?? 0,
    baseline_kw: reading.baselineTenths / 10,
    soc: fromTenths(reading.socTenths) ?? 0,
    output_control_limit: Number.isNaN(reading.outputLimitPct) ? 100 : reading.outputLimitPct,
    measure_timestamp: wireTime(measuredAtMs(site, nowMs)),
    timestamp: wireTime(nowMs),
  };
  return { status: 200, body };
}

/** GET specifications. */
export function answerSpecifications(context: RequestContext, request: ApiRequest): Answer {
  const site = siteOf(context, request);
  const body: V1Specifications = {
    ems_id: site.spec.emsId,
    ...ratings(site),
    timestamp: wireTime(context.world.nowMs),
  };
  return { status: 200, body };
}

function ratings({ spec, limits }: Site): Omit<V1Specifications, "ems_id" | "timestamp"> {
  let exportKw = 0;
  for (const component of spec.components) {
    const { wire } = kindOf(component);
    const battery = wire.v1Ratings(component);
    if (battery !== null) return battery;
    exportKw += wire.v1OutputKw(component);
  }
  return {
    rated_cap: 0,
    dis_pwr_max: Math.min(exportKw, limits.siteExportMaxKw),
    chg_pwr_max: 0,
    soc_op_max: 0,
    soc_op_min: 0,
  };
}

/** The five numbers of an FCR configuration. */
export const fcrConfigFields = ({ freqRefHz, upDeadbandHz, lowDeadbandHz, upDroopPct, lowDroopPct }: FcrConfig) => ({
  freq_ref: freqRefHz,
  up_deadband: upDeadbandHz,
  low_deadband: lowDeadbandHz,
  up_droop: upDroopPct,
  low_droop: lowDroopPct,
});

/** GET fcr/config. */
export function answerFcrConfig(context: RequestContext, request: ApiRequest): Answer {
  const { spec, fcr } = siteOf(context, request);
  const body: V1FcrConfig = {
    ems_id: spec.emsId,
    ...fcrConfigFields(fcr),
    timestamp: wireTime(context.world.nowMs),
  };
  return { status: 200, body };
}

/** GET serviceplan. */
export function answerServicePlan(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, request);
  const startMs = planStartMs(request.query.start_time, world.nowMs);
  const body: V1ServicePlan = {
    ems_id: site.spec.emsId,
    start_time: wireTime(startMs),
    plans: planSlots(world, site, startMs).map(planSlotFields),
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body };
}
