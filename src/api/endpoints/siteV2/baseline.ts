import { accepted, type Refusal, type Result, refused } from "../../../base/result.ts";
import { roundKw } from "../../../base/rounding.ts";
import { type EpochMs, floorToHalfHour, MS_PER_DAY, MS_PER_HALF_HOUR } from "../../../base/time.ts";
import type { World } from "../../../engine/simulation/world.ts";
import type { ClientSlot } from "../../../engine/site/baseline/siteBaseline.ts";
import { kindOf } from "../../../engine/site/components/registry.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import { BASELINE_SLOTS_MAX, BaselineRequest, type SiteBaselines } from "../schemas/siteV2Schemas.ts";
import { refusalAnswer } from "../shared/envelope.ts";
import { siteOf } from "../shared/requestSubject.ts";
import { shapeProblems } from "../shared/shapeProblems.ts";
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

/** POST baseline: registers half hours, all or none; a later registration replaces an earlier one. */
export function postBaseline(context: RequestContext, call: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, call);
  const problem = shapeProblems(BaselineRequest, call.body).find(({ keyword }) => keyword !== "maxItems");
  if (problem !== undefined) return refusalAnswer(call, problem.refusal, world.nowMs);
  const read = readSlots(site, call.body);
  if (!read.ok) return refusalAnswer(call, read.refusal, world.nowMs);
  const posted = new Map<EpochMs, ClientSlot>(site.baseline.clientSlots);
  const registered = read.value.map(({ startMs, kw, methodNote }) => {
    const action = isRegistered(world, site, posted, startMs) ? "overwritten" : "created";
    posted.set(startMs, { kw, registeredMs: world.nowMs, methodNote });
    return { start_time: wireTime(startMs), end_time: wireTime(startMs + MS_PER_HALF_HOUR), baseline_kw: kw, action };
  });
  world.applySettings(site, { fcr: site.fcr, baseline: site.baselineWithClientSlots(posted) });
  const body = { ems_id: site.spec.emsId, registered, timestamp: wireTime(world.nowMs) };
  return { status: 200, body };
}

interface ParsedSlot {
  readonly startMs: EpochMs;
  readonly kw: number;
  readonly methodNote: string | null;
}

function readSlots(site: Site, body: unknown): Result<readonly ParsedSlot[]> {
  const { ems_id: emsId, baselines } = body as BaselineRequest;
  if (emsId !== undefined && emsId !== site.spec.emsId) {
    const details = `ems_id is not that of the path, ${site.spec.emsId}`;
    return refused({ kind: "invalid_parameter", details, parameter: "ems_id", receivedValue: emsId });
  }
  if (baselines.length > BASELINE_SLOTS_MAX) {
    return refused({
      kind: "baseline_bulk_too_large",
      details: `${baselines.length} slots are too many for one request`,
      parameter: "baselines",
      validRange: `1 to ${BASELINE_SLOTS_MAX} slots`,
      requiredAction: "Register them in several requests",
    });
  }
  const slots: ParsedSlot[] = [];
  for (const [k, written] of baselines.entries()) {
    const refusal = slotRefusal(site, k, written);
    if (refusal !== null) return refused(refusal);
    const { start_time, baseline_kw, method_note } = written;
    slots.push({ startMs: readWireTime(start_time), kw: roundKw(baseline_kw), methodNote: method_note ?? null });
  }
  return accepted(slots);
}

type WireSlot = BaselineRequest["baselines"][number];

function slotRefusal(site: Site, k: number, written: WireSlot): Refusal | null {
  const { start_time, end_time, baseline_kw } = written;
  const startMs = Date.parse(start_time);
  const endMs = Date.parse(end_time);
  const unaligned = (key: "start_time" | "end_time", details: string): Refusal => ({
    kind: "baseline_unaligned",
    details,
    parameter: `baselines[${k}].${key}`,
    receivedValue: written[key],
    requiredAction: "Use slots of 30 minutes that begin at :00 or :30 UTC",
  });
  if (startMs % MS_PER_HALF_HOUR !== 0) return unaligned("start_time", "A slot begins at :00 or :30 UTC");
  if (endMs !== startMs + MS_PER_HALF_HOUR) return unaligned("end_time", "A slot ends 30 minutes after its start");
  const contractKw = contractOf(site);
  if (contractKw !== null && !(0 <= roundKw(baseline_kw) && roundKw(baseline_kw) <= contractKw)) {
    return {
      kind: "baseline_out_of_range",
      details: "The baseline of a consumer lies between 0 and contract_kw",
      parameter: `baselines[${k}].baseline_kw`,
      receivedValue: baseline_kw,
      validRange: `0 to ${contractKw}`,
    };
  }
  const isLocked = (site.pastReductions ?? []).some((period) => period.startMs < endMs && startMs < period.endMs);
  if (!isLocked) return null;
  return {
    kind: "baseline_locked_after_dr",
    details: "A demand response in this slot is completed; its baseline is fixed",
    parameter: `baselines[${k}].start_time`,
    receivedValue: start_time,
    startMs,
    endMs,
  };
}

/** Contract power of a site with a single consumer, in kW; `null` for other sites. */
function contractOf({ spec: { components } }: Site): number | null {
  const [component] = components;
  return components.length === 1 ? (kindOf(component).operation.loadTerms(component)?.contractKw ?? null) : null;
}

function isRegistered({ spec }: World, site: Site, posted: ReadonlyMap<EpochMs, ClientSlot>, slotMs: EpochMs): boolean {
  if (posted.has(slotMs)) return true;
  return site.baseline.hasRegisteredSlots && spec.startMs < slotMs + MS_PER_HALF_HOUR && slotMs < spec.endMs;
}
