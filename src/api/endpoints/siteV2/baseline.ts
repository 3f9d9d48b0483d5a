import { roundKw } from "../../../base/rounding.ts";
import { type EpochMs, floorToHalfHour, MS_PER_DAY, MS_PER_HALF_HOUR } from "../../../base/time.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { SiteBaselines } from "../schemas/siteV2Reads.ts";
import { refusalAnswer } from "../shared/envelope.ts";
import { siteOf } from "../shared/requestSubject.ts";
import { floorToSecond, readWireTime, wireTime } from "../shared/wireTime.ts";

const LONGEST_DAYS = 7;

/**
 * GET baseline: the registered half hours that overlap a window; half hours without a value are omitted
 * (docs/model/apis.md#baseline-query).
 */
export function answerBaseline(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, request);
  const { start_time, end_time } = request.query;
  const now = floorToSecond(world.nowMs);
  const startMs = start_time === undefined ? Math.floor(now / MS_PER_DAY) * MS_PER_DAY : readWireTime(start_time);
  const fallbackMs = (start_time === undefined ? now : startMs) + LONGEST_DAYS * MS_PER_DAY;
  const endMs = end_time === undefined ? fallbackMs : readWireTime(end_time);
  if (end_time !== undefined && endMs <= startMs)
    return refusalAnswer(
      request,
      {
        kind: "invalid_parameter",
        details: `end_time must be after start_time, which is ${wireTime(startMs)}`,
        parameter: "end_time",
        receivedValue: end_time,
      },
      world.nowMs,
    );
  if (end_time !== undefined && endMs - startMs > LONGEST_DAYS * MS_PER_DAY)
    return refusalAnswer(
      request,
      {
        kind: "baseline_query_too_large",
        details: `The window is ${(endMs - startMs) / MS_PER_DAY} days long; at most ${LONGEST_DAYS} days are allowed`,
        parameter: "end_time - start_time",
        receivedValue: `${(endMs - startMs) / 1000} seconds`,
        validRange: `up to ${LONGEST_DAYS} days`,
        requiredAction: "Ask for a shorter window",
      },
      world.nowMs,
    );
  const body: SiteBaselines = {
    ems_id: site.spec.emsId,
    baselines: slotsOf(context, request, startMs, endMs),
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body };
}

function slotsOf(
  context: RequestContext,
  request: ApiRequest,
  startMs: EpochMs,
  endMs: EpochMs,
): SiteBaselines["baselines"] {
  const site = siteOf(context, request);
  const { spec } = context.world;
  const { hasRegisteredSlots: registered, clientSlots: posted } = site.baseline;
  const slots: SiteBaselines["baselines"] = [];
  const add = (atMs: EpochMs, kw: number, registeredMs: EpochMs, note: string | null) =>
    slots.push({
      start_time: wireTime(atMs),
      end_time: wireTime(atMs + MS_PER_HALF_HOUR),
      baseline_kw: roundKw(kw),
      ...(note === null ? {} : { method_note: note }),
      registered_at: wireTime(registeredMs),
    });
  for (let atMs = floorToHalfHour(startMs); atMs < endMs; atMs += MS_PER_HALF_HOUR) {
    const slot = posted?.get(atMs);
    if (slot !== undefined) add(atMs, slot.kw, slot.registeredMs, slot.methodNote);
    else if (registered && floorToHalfHour(spec.startMs) <= atMs && atMs < spec.endMs)
      add(atMs, site.baselineSlotKwAt(Math.max(atMs, spec.startMs)), spec.startMs, null);
  }
  return slots;
}
