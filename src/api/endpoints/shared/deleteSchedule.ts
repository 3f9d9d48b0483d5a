import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import { refusalAnswer } from "./envelope.ts";
import { siteOf } from "./requestSubject.ts";
import { wireTime } from "./wireTime.ts";

/**
 * DELETE of a schedule through either site API: one of its owner's, or the site's share of one of its VPP's.
 *
 * @param scheduleId  from the query of the request
 */
export function deleteSchedule(context: RequestContext, call: ApiRequest, scheduleId: string): Answer {
  const { world } = context;
  const site = siteOf(context, call);
  const removed = world.directOrders.removeSchedule(site, scheduleId);
  if (!removed.ok) return refusalAnswer(call, removed.refusal, world.nowMs);
  const body = {
    ems_id: site.spec.emsId,
    message: "Schedule deleted successfully",
    schedule_id: removed.value.scheduleId,
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body };
}
