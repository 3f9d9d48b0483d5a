import { MS_PER_HALF_HOUR } from "../../../base/time.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { SitePlanSlot, SiteSchedule, SiteSchedules, SiteServicePlan } from "../schemas/siteV2Schemas.ts";
import { refusalAnswer } from "../shared/envelope.ts";
import { listSiteSchedules, type SiteScheduleEntry } from "../shared/reading/listSiteSchedules.ts";
import { PLAN_SLOTS, planSlotFields, planSlots, planStartMs } from "../shared/reading/planSlots.ts";
import { historyOf, siteOf } from "../shared/requestSubject.ts";
import { scheduleWindow } from "../shared/siteSchedules.ts";
import { wireTime } from "../shared/wireTime.ts";
import { componentType } from "./plannedComponents.ts";

/** GET control/active_power/schedules of a site: the schedules of its owner and of its VPP that overlap the window. */
export function answerSchedules(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, request);
  const { start_time, end_time } = request.query;
  const window = scheduleWindow(
    { parameter: "start_time", text: start_time },
    { parameter: "end_time", text: end_time },
    world.nowMs,
  );
  if (!window.ok) return refusalAnswer(request, window.refusal, world.nowMs);
  const entries = listSiteSchedules(world, historyOf(context), site, window.value);
  const body: SiteSchedules = {
    ems_id: site.spec.emsId,
    schedules: entries.map((entry) => scheduleView(site, entry)),
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body };
}

/** A schedule as the list shows it. */
export function scheduleView(site: Site, entry: SiteScheduleEntry): SiteSchedule {
  return {
    schedule_id: entry.scheduleId,
    ...scopeOf(entry, (componentId) => site.spec.components.find((component) => component.componentId === componentId)),
    start_time: wireTime(entry.startMs),
    end_time: wireTime(entry.endMs),
    ...(entry.deltaKw === null ? {} : { delta_kw: entry.deltaKw }),
    ...(entry.siteKw === null ? {} : { site_kw: entry.siteKw }),
    ...(entry.fcrKw === null ? {} : { fcr_response_kw: entry.fcrKw }),
    baseline_kw: entry.baselineKw,
    sku: entry.sku,
    created_at: wireTime(entry.createdMs),
  };
}

function scopeOf(
  { componentId, siteKw }: SiteScheduleEntry,
  find: (componentId: string) => Parameters<typeof componentType>[0] | undefined,
): Pick<SiteSchedule, "scope" | "component_id" | "component_type"> {
  if (componentId === null) return siteKw === null ? {} : { scope: "site" };
  const component = find(componentId);
  return {
    scope: "component",
    component_id: componentId,
    ...(component === undefined ? {} : { component_type: componentType(component) }),
  };
}

/** GET serviceplan of a site: its plan, and the schedules of each half hour. */
export function answerServicePlan(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, request);
  const startMs = planStartMs(request.query.start_time, world.nowMs);
  const planPeriod = { fromMs: startMs, toMs: startMs + PLAN_SLOTS * MS_PER_HALF_HOUR };
  const entries = listSiteSchedules(world, historyOf(context), site, planPeriod);
  const body: SiteServicePlan = {
    ems_id: site.spec.emsId,
    start_time: wireTime(startMs),
    plans: planSlots(world, site, startMs).map((slot) => ({
      ...planSlotFields(slot),
      ...scheduled(entries.filter((entry) => entry.startMs < slot.endMs && slot.startMs < entry.endMs)),
    })),
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body };
}

/** Sums of the schedules that overlap a half hour; `mixed` for several products. */
function scheduled(
  entries: readonly SiteScheduleEntry[],
): Omit<SitePlanSlot, "start_time" | "end_time" | "status" | "baseline_kw"> {
  const skus = new Set(entries.map(({ sku }) => sku));
  const [sku = null] = skus;
  const siteKw = entries.findLast((entry) => entry.siteKw !== null)?.siteKw ?? null;
  return {
    scheduled_delta_kw: sumOf(entries.map(({ deltaKw }) => deltaKw)),
    ...(siteKw === null ? {} : { scheduled_site_kw: siteKw }),
    scheduled_fcr_response_kw: sumOf(entries.map(({ fcrKw }) => fcrKw)),
    scheduled_sku: skus.size > 1 ? "mixed" : sku,
  };
}

function sumOf(amounts: readonly (number | null)[]): number | null {
  let tenths: number | null = null;
  for (const kw of amounts) if (kw !== null) tenths = (tenths ?? 0) + Math.round(10 * kw);
  return tenths === null ? null : tenths / 10;
}
