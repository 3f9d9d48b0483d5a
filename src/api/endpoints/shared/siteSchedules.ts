import { accepted, type Refusal, type Result, refused } from "../../../base/result.ts";
import { type EpochMs, MS_PER_DAY } from "../../../base/time.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import { refusalAnswer } from "./envelope.ts";
import { siteOf } from "./requestSubject.ts";
import { floorToSecond, readWireTime, wireTime } from "./wireTime.ts";

const WINDOW_BACK_DAYS = 30;
const WINDOW_AHEAD_DAYS = 90;

/** A closed interval. */
export interface ScheduleWindow {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
}

/** One end of a window in a query: parameter name and text. */
interface QueryParameter {
  readonly parameter: string;
  readonly text: string | undefined;
}

/** The widest window of a list of schedules: from 30 days ago to 90 days ahead. */
export function widestWindow(nowMs: EpochMs): ScheduleWindow {
  const now = floorToSecond(nowMs);
  return { fromMs: now - WINDOW_BACK_DAYS * MS_PER_DAY, toMs: now + WINDOW_AHEAD_DAYS * MS_PER_DAY };
}

/** The window of a list of schedules; by default the widest (docs/model/apis.md#schedule-list). */
export function scheduleWindow(from: QueryParameter, to: QueryParameter, nowMs: EpochMs): Result<ScheduleWindow> {
  const { fromMs: oldestMs, toMs: latestMs } = widestWindow(nowMs);
  const fromMs = from.text === undefined ? oldestMs : readWireTime(from.text);
  const toMs = to.text === undefined ? latestMs : readWireTime(to.text);
  const validRange = `${wireTime(oldestMs)} to ${wireTime(latestMs)}`;
  if (toMs < fromMs && from.text !== undefined && to.text !== undefined)
    return refused({
      kind: "invalid_parameter",
      details: `${to.parameter} must not be before ${from.parameter}`,
      parameter: to.parameter,
      receivedValue: to.text,
      validRange: `${wireTime(fromMs)} to ${wireTime(latestMs)}`,
    });
  if (fromMs < oldestMs || latestMs < fromMs) return refused(outOfRange(from, validRange));
  if (toMs < oldestMs || latestMs < toMs) return refused(outOfRange(to, validRange));
  return accepted({ fromMs, toMs });
}

const outOfRange = ({ parameter, text }: QueryParameter, validRange: string): Refusal => ({
  kind: "schedule_query_out_of_range",
  details: `${parameter} must lie between ${WINDOW_BACK_DAYS} days ago and ${WINDOW_AHEAD_DAYS} days ahead`,
  parameter,
  receivedValue: text,
  validRange,
  requiredAction: "Take older data from the histories",
});

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
