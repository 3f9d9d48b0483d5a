import { roundKw } from "../../../base/rounding.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import { V1_SKUS, type V1Schedules } from "../schemas/siteV1Schemas.ts";
import { listSiteSchedules } from "../shared/reading/listSiteSchedules.ts";
import { historyOf, siteOf } from "../shared/requestSubject.ts";
import { widestWindow } from "../shared/siteSchedules.ts";
import { wireTime } from "../shared/wireTime.ts";

/** GET control/schedules of site API 1.13, where FCR capacity is shown as the power. */
export function answerSchedules(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, request);
  const entries = listSiteSchedules(world, historyOf(context), site, widestWindow(world.nowMs));
  const body: V1Schedules = {
    ems_id: site.spec.emsId,
    schedules: entries.map((entry) => ({
      id: entry.scheduleId,
      start_time: wireTime(entry.startMs),
      end_time: wireTime(entry.endMs),
      power_kw:
        entry.deltaKw ?? (entry.siteKw === null ? (entry.fcrKw ?? 0) : roundKw(entry.siteKw - entry.baselineKw)),
      ...(entry.sku === null ? {} : { sku: V1_SKUS.find((sku) => sku === entry.sku) ?? "unknown" }),
      created_at: wireTime(entry.createdMs),
    })),
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body };
}
