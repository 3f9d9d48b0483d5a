import { RegisterReader } from "../../../accounting/history/pastSite.ts";
import type { Refusal } from "../../../base/result.ts";
import { MS_PER_SECOND } from "../../../base/time.ts";
import { REGISTER } from "../../../engine/site/meters/energyRegisters.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { ReportEnergyRequest, ReportPowerRequest } from "../schemas/baseSchemas.ts";
import type { V1EnergyReport } from "../schemas/siteV1Schemas.ts";
import { refusalAnswer } from "../shared/envelope.ts";
import {
  elapsedPart,
  type HistoryPeriod,
  historyAnswer,
  historyRefusal,
  readPeriod,
  sampleInstants,
  siteHistoryLimits,
} from "../shared/historyRules.ts";
import { PowerSampleFormatter, samplesWithFrequency } from "../shared/reading/powerSampleFormatter.ts";
import type { SiteReading } from "../shared/reading/siteReading.ts";
import { historyOf, siteOf } from "../shared/requestSubject.ts";
import { wireTime } from "../shared/wireTime.ts";

/** Energies have one decimal. */
const UNITS_PER_KWH = 10;

const LIMITS = siteHistoryLimits(365);

/** POST report/power: site API 1.13, Endpoints 7. */
export function answerPower(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, request);
  const history = historyOf(context);
  const body = request.body as ReportPowerRequest;
  const period = readPeriod(body);
  const intervalMs = (body.interval_seconds ?? 60) * MS_PER_SECOND;
  const refusal = reportRefusal(context, period, intervalMs);
  if (refusal !== null) return refusalAnswer(request, refusal, world.nowMs);
  const head = { ...reportHead(site.spec.emsId, body, period), interval_seconds: intervalMs / MS_PER_SECOND };
  const text = new PowerSampleFormatter(history.pastSite(site.index), measuredText, limitText, MEASUREMENTS_ONLY);
  const samples = samplesWithFrequency(text, sampleInstants(period, intervalMs, world.nowMs), world.gridFrequency);
  return historyAnswer(world, head, samples);
}

/** POST report/energy: site API 1.13, Endpoints 8. */
export function answerEnergy(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, request);
  const body = request.body as ReportEnergyRequest;
  const period = readPeriod(body);
  const refusal = reportRefusal(context, period, period.endMs - period.startMs);
  if (refusal !== null) return refusalAnswer(request, refusal, world.nowMs);
  const energy = new RegisterReader(historyOf(context).pastSite(site.index), UNITS_PER_KWH, period.startMs);
  energy.advanceTo(elapsedPart(period, world.nowMs).endMs);
  const report: V1EnergyReport = {
    ...reportHead(site.spec.emsId, body, period),
    charge_kwh: energy.values[REGISTER.import] / UNITS_PER_KWH,
    discharge_kwh: energy.values[REGISTER.export] / UNITS_PER_KWH,
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body: report };
}

/**
 * Like the rules of all histories; in addition a period without data is refused instead of answered with an empty list
 * (docs/model/apis.md#history-missing).
 */
function reportRefusal({ world }: RequestContext, period: HistoryPeriod, intervalMs: number): Refusal | null {
  const refusal = historyRefusal(period, { intervalMs, sites: 1, nowMs: world.nowMs }, LIMITS);
  if (refusal !== null || world.spec.startMs < period.endMs) return refusal;
  return {
    kind: "data_not_available",
    details: `There is no data before ${wireTime(world.spec.startMs)}`,
    parameter: "end_time",
    receivedValue: wireTime(period.endMs),
  };
}

const reportHead = (emsId: string, body: ReportEnergyRequest, { startMs, endMs }: HistoryPeriod) => ({
  ems_id: emsId,
  ...(body.request_id === undefined ? {} : { request_id: body.request_id }),
  start_time: wireTime(startMs),
  end_time: wireTime(endMs),
});

const MEASUREMENTS_ONLY = { hasComponents: false, breakdownOf: null } as const;

/** Out of service the required numbers are 0 (docs/model/apis.md#v1-view). */
const measuredText = ({ isInService, currentTenths, baselineTenths, deltaTenths }: SiteReading): string =>
  `"power_kw":${isInService ? currentTenths / 10 : 0},"baseline_kw":${baselineTenths / 10},"delta_kw":${isInService ? deltaTenths / 10 : 0}`;

const limitText = ({ outputLimitPct }: SiteReading): string =>
  `,"output_control_limit":${Number.isNaN(outputLimitPct) ? 100 : outputLimitPct}`;
