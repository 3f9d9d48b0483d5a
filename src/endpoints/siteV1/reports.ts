import { LeafReader } from "../../accounting/history/leafReader.ts";
import { LEAF } from "../../accounting/meters/leaves.ts";
import type { Refusal } from "../../base/result.ts";
import { type EpochMs, MS_PER_SECOND } from "../../base/time.ts";
import type { GridFrequency } from "../../device/frequency/gridFrequency.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { ReportEnergyRequest, ReportPowerRequest } from "../schemas/historyRequests.ts";
import type { V1EnergyReport } from "../schemas/siteV1Reads.ts";
import { refusalAnswer } from "../shared/envelope.ts";
import { type HistoryLimits, type HistoryPeriod, periodOf, refusesHistory } from "../shared/historyRules.ts";
import { jsonStream } from "../shared/jsonStream.ts";
import { frequencyAt, PowerText } from "../shared/reading/powerText.ts";
import type { SiteReading } from "../shared/reading/siteReading.ts";
import { historyOf, siteOf } from "../shared/subject.ts";
import { isoSeconds, wireTime } from "../shared/wireTime.ts";

/** Answers have one decimal. */
const UNITS_PER_KWH = 10;

const LIMITS: HistoryLimits = { shortestMs: 1000, keptDays: 365, points: 30_000, combined: Number.POSITIVE_INFINITY };

/** POST report/power: site API 1.13, Endpoints 7. */
export function answerPower(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, request);
  const history = historyOf(context);
  const body = request.body as ReportPowerRequest;
  const period = periodOf(body);
  const intervalMs = (body.interval_seconds ?? 60) * MS_PER_SECOND;
  const refusal = refuses(context, period, intervalMs);
  if (refusal !== null) return refusalAnswer(request, refusal, world.nowMs);
  const head = { ...headOf(site.spec.emsId, body, period), interval_seconds: intervalMs / MS_PER_SECOND };
  const text = new PowerText(history.past(site.index), measuredText, limitText, PLAIN);
  const samples = samplesOf(text, period, intervalMs, world.frequency);
  return { status: 200, body: null, stream: jsonStream(head, "data", samples, { timestamp: wireTime(world.nowMs) }) };
}

/** POST report/energy: site API 1.13, Endpoints 8. */
export function answerEnergy(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, request);
  const body = request.body as ReportEnergyRequest;
  const period = periodOf(body);
  const refusal = refuses(context, period, period.endMs - period.startMs);
  if (refusal !== null) return refusalAnswer(request, refusal, world.nowMs);
  const energy = new LeafReader(historyOf(context).past(site.index), UNITS_PER_KWH, period.startMs);
  energy.cut(period.endMs);
  const report: V1EnergyReport = {
    ...headOf(site.spec.emsId, body, period),
    charge_kwh: energy.values[LEAF.import] / UNITS_PER_KWH,
    discharge_kwh: energy.values[LEAF.export] / UNITS_PER_KWH,
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body: report };
}

/** Besides the rules of all histories: a period without any data is refused, not answered empty (decisions.md 150). */
function refuses({ world }: RequestContext, period: HistoryPeriod, intervalMs: number): Refusal | null {
  const refusal = refusesHistory(period, { intervalMs, sites: 1, nowMs: world.nowMs }, LIMITS);
  if (refusal !== null || world.spec.startMs < period.endMs) return refusal;
  return {
    kind: "data_not_available",
    details: `There is no data before ${wireTime(world.spec.startMs)}`,
    parameter: "end_time",
    receivedValue: wireTime(period.endMs),
  };
}

const headOf = (emsId: string, body: ReportEnergyRequest, { startMs, endMs }: HistoryPeriod) => ({
  ems_id: emsId,
  ...(body.request_id === undefined ? {} : { request_id: body.request_id }),
  start_time: wireTime(startMs),
  end_time: wireTime(endMs),
});

const PLAIN = { withParts: false, breakdownOf: null } as const;

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

/** Out of service nothing flows, and the numbers are required: 0 (decisions.md 138). */
const measuredText = ({ inService, currentTenths, baselineTenths, deltaTenths }: SiteReading): string =>
  `"power_kw":${inService ? currentTenths / 10 : 0},"baseline_kw":${baselineTenths / 10},"delta_kw":${inService ? deltaTenths / 10 : 0}`;

const limitText = ({ outputLimitPct }: SiteReading): string =>
  `,"output_control_limit":${Number.isNaN(outputLimitPct) ? 100 : outputLimitPct}`;
