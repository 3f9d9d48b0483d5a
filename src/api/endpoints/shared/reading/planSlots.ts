import { toTenths } from "../../../../base/rounding.ts";
import { type EpochMs, floorToHalfHour, MS_PER_HALF_HOUR } from "../../../../base/time.ts";
import type { World } from "../../../../engine/simulation/world.ts";
import type { Site } from "../../../../engine/site/site.ts";
import type { Period } from "../../../../engine/site/siteSpec.ts";
import { readWireTime, wireTime } from "../wireTime.ts";

export const PLAN_SLOTS = 48;

/** One half hour of a service plan. */
export interface PlanSlot {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Whether no planned maintenance overlaps the slot (docs/model/apis.md#service-plan). */
  readonly isInService: boolean;
  readonly baselineTenths: number;
}

/** The requested start, else the start of the present half hour (docs/model/apis.md#direct-control). */
export const planStartMs = (startTime: string | undefined, nowMs: EpochMs): EpochMs =>
  startTime === undefined ? floorToHalfHour(nowMs) : readWireTime(startTime);

/** 48 half hours from an instant on. */
export function planSlots(world: World, site: Site, fromMs: EpochMs): readonly PlanSlot[] {
  const outagePeriods = plannedOutagePeriods(world, site);
  return Array.from({ length: PLAN_SLOTS }, (_, k) => {
    const startMs = fromMs + k * MS_PER_HALF_HOUR;
    const endMs = startMs + MS_PER_HALF_HOUR;
    return {
      startMs,
      endMs,
      isInService: !outagePeriods.some((period) => period.startMs < endMs && startMs < period.endMs),
      baselineTenths: toTenths(plannedBaselineKw(world, site, startMs)),
    };
  });
}

/** Fields of a slot that both site APIs give. */
export const planSlotFields = (slot: PlanSlot) => ({
  start_time: wireTime(slot.startMs),
  end_time: wireTime(slot.endMs),
  status: slot.isInService ? (0 as const) : (9 as const),
  baseline_kw: slot.baselineTenths / 10,
});

/** Slot baseline at an instant, in kW: the posted value where there is one; otherwise 0 outside the scenario period. */
function plannedBaselineKw({ spec }: World, site: Site, atMs: EpochMs): number {
  const postedSlot = site.baseline.clientSlots?.get(floorToHalfHour(atMs));
  if (postedSlot !== undefined) return postedSlot.kw;
  return spec.startMs <= atMs && atMs < spec.endMs ? site.baselineSlotKwAt(atMs) : 0;
}

/** Planned maintenance of the scenario, unless ended early, and maintenance started during the run. */
function plannedOutagePeriods({ spec, nowMs, faults }: World, site: Site): readonly Period[] {
  const periods: Period[] = [...site.spec.maintenance];
  for (const event of spec.events) {
    if (event.kind !== "maintenance" || event.site !== site.index) continue;
    const isOver = event.untilMs <= nowMs;
    if (nowMs < event.atMs || isOver) periods.push({ startMs: event.atMs, endMs: event.untilMs });
  }
  for (const { event, startMs } of faults.activeFaults)
    if (event.kind === "maintenance" && event.site === site.index) periods.push({ startMs, endMs: event.untilMs });
  return periods;
}
