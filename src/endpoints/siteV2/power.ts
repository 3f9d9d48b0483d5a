import { type EpochMs, MS_PER_SECOND } from "../../base/time.ts";
import type { GridFrequency } from "../../device/frequency/gridFrequency.ts";
import type { Site } from "../../site/site.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { SitePowerRequest } from "../schemas/historyRequests.ts";
import { refusalAnswer } from "../shared/envelope.ts";
import { type HistoryLimits, type HistoryPeriod, periodOf, refusesHistory } from "../shared/historyRules.ts";
import { jsonStream } from "../shared/jsonStream.ts";
import { frequencyAt, PowerText, tenthsText } from "../shared/reading/powerText.ts";
import { hasConsumer, isPv, kindOf, type SiteReading } from "../shared/reading/siteReading.ts";
import { historyOf, siteOf } from "../shared/subject.ts";
import { isoSeconds, wireTime } from "../shared/wireTime.ts";

const LIMITS: HistoryLimits = { shortestMs: 1000, keptDays: 60, points: 30_000, combined: Number.POSITIVE_INFINITY };

/** POST measurements/active_power: site API 2.2, Power history. Complete while the link is dead (decisions.md 150). */
export function answerPower(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, request);
  const history = historyOf(context);
  const body = request.body as SitePowerRequest;
  const period = periodOf(body);
  const intervalMs = (body.interval_seconds ?? 60) * MS_PER_SECOND;
  const refusal = refusesHistory(period, { intervalMs, sites: 1, nowMs: world.nowMs }, LIMITS);
  if (refusal !== null) return refusalAnswer(request, refusal, world.nowMs);
  const head = {
    ems_id: site.spec.emsId,
    request_id: body.request_id ?? null,
    start_time: wireTime(period.startMs),
    end_time: wireTime(period.endMs),
    interval_seconds: intervalMs / MS_PER_SECOND,
  };
  const text = new PowerText(history.past(site.index), measuredText(site), toldText(site), {
    withParts: true,
    breakdownOf: null,
  });
  const samples = samplesOf(text, period, intervalMs, world.frequency);
  return { status: 200, body: null, stream: jsonStream(head, "data", samples, { timestamp: wireTime(world.nowMs) }) };
}

function* samplesOf(
  text: PowerText,
  { startMs, endMs }: HistoryPeriod,
  intervalMs: number,
  frequency: GridFrequency,
): Iterable<string> {
  for (let atMs: EpochMs = startMs; atMs < endMs; atMs += intervalMs)
    if (text.read(atMs))
      yield `{"timestamp":"${isoSeconds(atMs)}","actual_frequency":${frequencyAt(frequency, atMs)},${text.text}}`;
}

/** What moves between two laws, by kind. */
function measuredText(site: Site): (reading: SiteReading) => string {
  const hasSoc = kindOf(site) === "battery";
  const hasSun = isPv(site);
  const hasLoad = hasConsumer(site);
  return (reading) => {
    const deltaText = reading.activeSku === "fcr" ? "null" : tenthsText(reading.deltaTenths);
    let text = `"current_kw":${tenthsText(reading.currentTenths)},"baseline_kw":${tenthsText(reading.baselineTenths)},"delta_kw":${deltaText}`;
    if (hasSoc) text += `,"soc":${tenthsText(reading.socTenths)}`;
    if (hasSun) text += `,"irradiance_w_m2":${tenthsText(reading.irradianceTenths)}`;
    if (hasLoad) text += `,"dr_actual_reduction_kw":${tenthsText(reading.drActualTenths)}`;
    return text;
  };
}

/** What the law alone decides, by kind. */
function toldText(site: Site): (reading: SiteReading) => string {
  const hasLoad = hasConsumer(site);
  const hasLimit = kindOf(site) !== "consumer";
  return (reading) => {
    let text = `,"dispatched_delta_kw":${tenthsText(reading.dispatchedTenths)},"fcr_response_kw":${tenthsText(reading.fcrTenths)},"active_sku":${JSON.stringify(reading.activeSku)}`;
    if (hasLoad)
      text += `,"dr_active":${Number(reading.reducing)},"dr_target_reduction_kw":${tenthsText(reading.drTargetTenths)}`;
    if (hasLimit)
      text += `,"output_control_limit":${Number.isNaN(reading.outputLimitPct) ? "null" : reading.outputLimitPct}`;
    return text;
  };
}
