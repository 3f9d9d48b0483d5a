import { MS_PER_MINUTE, MS_PER_SECOND } from "../../../base/time.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { SiteEnergyRequest, SitePowerRequest } from "../schemas/baseSchemas.ts";
import { refusalAnswer } from "../shared/envelope.ts";
import {
  elapsedPart,
  energyIntervals,
  type HistoryPeriod,
  historyAnswer,
  historyRefusal,
  readPeriod,
  repeatedRequest,
  sampleInstants,
  siteHistoryLimits,
} from "../shared/historyRules.ts";
import { ALL_TIME, MembershipEnergy } from "../shared/reading/membershipEnergy.ts";
import { PowerSampleFormatter, samplesWithFrequency, tenthsJson } from "../shared/reading/powerSampleFormatter.ts";
import { figuresOf } from "../shared/reading/resourceFigures.ts";
import { isPvPlant, type SiteReading } from "../shared/reading/siteReading.ts";
import { historyOf, siteOf } from "../shared/requestSubject.ts";
import { isoSeconds } from "../shared/wireTime.ts";

const ENERGY_LIMITS = siteHistoryLimits(365);

/** POST measurements/energy: site API 2.2, Energy history. */
export function answerEnergy(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, request);
  const history = historyOf(context);
  const body = request.body as SiteEnergyRequest;
  const period = readPeriod(body);
  const { startMs, endMs } = period;
  const intervalMs = body.interval_seconds === undefined ? null : body.interval_seconds * MS_PER_SECOND;
  const query = { intervalMs: intervalMs ?? endMs - startMs, sites: 1, nowMs: world.nowMs };
  const refusal = historyRefusal(period, query, ENERGY_LIMITS);
  if (refusal !== null) return refusalAnswer(request, refusal, world.nowMs);
  const elapsed = elapsedPart(period, world.nowMs);
  const head = {
    ems_id: site.spec.emsId,
    ...repeatedRequest(body, period),
    ...(body.interval_seconds === undefined ? {} : { interval_seconds: body.interval_seconds }),
    ...(site.resource.hasLoad
      ? {
          dr_dispatched_count: history.countSiteReductions(site.index, startMs, endMs),
          dr_total_dispatched_minutes: Math.floor(
            history.reductionDurationMs(site.index, elapsed.startMs, elapsed.endMs) / MS_PER_MINUTE,
          ),
        }
      : {}),
  };
  const energy = new MembershipEnergy(history.pastSite(site.index), ALL_TIME, startMs);
  const records = recordsOf(energy, energyIntervals(period, intervalMs, world.nowMs));
  return historyAnswer(world, head, records);
}

function* recordsOf(energy: MembershipEnergy, intervals: Iterable<HistoryPeriod>): Iterable<string> {
  for (const { startMs, endMs } of intervals) {
    energy.read(startMs, endMs);
    yield JSON.stringify({
      start_time: isoSeconds(startMs),
      end_time: isoSeconds(endMs),
      ...energy.toRecord(),
      ...energy.componentEnergies(),
    });
  }
}

const POWER_LIMITS = siteHistoryLimits(60);

/**
 * POST measurements/active_power: site API 2.2, Power history. It has no gaps during link outages
 * (docs/model/apis.md#history-missing).
 */
export function answerPower(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, request);
  const history = historyOf(context);
  const body = request.body as SitePowerRequest;
  const period = readPeriod(body);
  const intervalMs = (body.interval_seconds ?? 60) * MS_PER_SECOND;
  const refusal = historyRefusal(period, { intervalMs, sites: 1, nowMs: world.nowMs }, POWER_LIMITS);
  if (refusal !== null) return refusalAnswer(request, refusal, world.nowMs);
  const head = {
    ems_id: site.spec.emsId,
    ...repeatedRequest(body, period),
    interval_seconds: intervalMs / MS_PER_SECOND,
  };
  const text = new PowerSampleFormatter(history.pastSite(site.index), measuredText(site), ordersText(site), {
    hasComponents: true,
    breakdownOf: null,
  });
  const samples = samplesWithFrequency(text, sampleInstants(period, intervalMs, world.nowMs), world.gridFrequency);
  return historyAnswer(world, head, samples);
}

/** Fields that vary within a trajectory, by kind. */
function measuredText(site: Site): (reading: SiteReading) => string {
  const hasSoc = figuresOf(site).hasSoc;
  const hasSun = isPvPlant(site);
  const hasLoad = site.resource.hasLoad;
  return (reading) => {
    const deltaText = reading.activeSku === "fcr" ? "null" : tenthsJson(reading.deltaTenths);
    let text = `"current_kw":${tenthsJson(reading.currentTenths)},"baseline_kw":${tenthsJson(reading.baselineTenths)},"delta_kw":${deltaText}`;
    if (hasSoc) text += `,"soc":${tenthsJson(reading.socTenths)}`;
    if (hasSun) text += `,"irradiance_w_m2":${tenthsJson(reading.irradianceTenths)}`;
    if (hasLoad) text += `,"dr_actual_reduction_kw":${tenthsJson(reading.drActualTenths)}`;
    return text;
  };
}

/** Fields that are constant within a trajectory, by kind. */
function ordersText(site: Site): (reading: SiteReading) => string {
  const hasLoad = site.resource.hasLoad;
  const hasLimit = figuresOf(site).hasOutputControl;
  return (reading) => {
    let text = `,"dispatched_delta_kw":${tenthsJson(reading.dispatchedTenths)},"fcr_response_kw":${tenthsJson(reading.fcrTenths)},"active_sku":${JSON.stringify(reading.activeSku)}`;
    if (hasLoad)
      text += `,"dr_active":${Number(reading.isReducing)},"dr_target_reduction_kw":${tenthsJson(reading.drTargetTenths)}`;
    if (hasLimit) text += `,"output_control_limit":${reading.outputLimitPct}`;
    return text;
  };
}
