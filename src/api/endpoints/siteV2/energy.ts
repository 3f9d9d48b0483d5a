import { MS_PER_MINUTE, MS_PER_SECOND } from "../../../base/time.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { SiteEnergyRequest } from "../schemas/historyRequests.ts";
import { refusalAnswer } from "../shared/envelope.ts";
import { historyAnswer, repeatedRequest } from "../shared/historyAnswer.ts";
import {
  elapsedPart,
  energyIntervals,
  type HistoryPeriod,
  historyRefusal,
  readPeriod,
  siteHistoryLimits,
} from "../shared/historyRules.ts";
import { ALL_TIME, MembershipEnergy } from "../shared/reading/membershipEnergy.ts";
import { historyOf, siteOf } from "../shared/requestSubject.ts";
import { isoSeconds } from "../shared/wireTime.ts";

const LIMITS = siteHistoryLimits(365);

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
  const refusal = historyRefusal(period, query, LIMITS);
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
