import { toTenths } from "../../../base/rounding.ts";
import { type EpochMs, floorToHalfHour, MS_PER_HALF_HOUR } from "../../../base/time.ts";
import type { World } from "../../../simulation/world.ts";
import type { Site } from "../../../site/site.ts";
import type { Period } from "../../../site/siteSpec.ts";
import { readWireTime } from "../wireTime.ts";

export const PLAN_SLOTS = 48;

/** One half hour of a service plan. */
export interface PlanSlot {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Not under planned maintenance at any time of it (docs/model/apis.md#service-plan). */
  readonly isInService: boolean;
  readonly baselineTenths: number;
}

/** The start that a call asks for, else the half hour that contains now (docs/model/apis.md#direct-control). */
export const planStartMs = (startTime: string | undefined, nowMs: EpochMs): EpochMs =>
  startTime === undefined ? floorToHalfHour(nowMs) : readWireTime(startTime);

/** 48 half hours from an instant on; outside the scenario nothing is planned. */
export function planSlots(world: World, site: Site, fromMs: EpochMs): readonly PlanSlot[] {
  const away = plannedOutagePeriods(world, site);
  return Array.from({ length: PLAN_SLOTS }, (_, k) => {
    const startMs = fromMs + k * MS_PER_HALF_HOUR;
    const endMs = startMs + MS_PER_HALF_HOUR;
    return {
      startMs,
      endMs,
      isInService: !away.some((period) => period.startMs < endMs && startMs < period.endMs),
      baselineTenths: toTenths(plannedBaselineKw(world, site, startMs)),
    };
  });
}

/** The slot's baseline at an instant; 0 outside the scenario, where no slot is known. */
export function plannedBaselineKw({ spec }: World, site: Site, atMs: EpochMs): number {
  const posted = site.baseline.clientSlots?.get(floorToHalfHour(atMs));
  if (posted !== undefined) return posted.kw;
  return spec.startMs <= atMs && atMs < spec.endMs ? site.baselineSlotKwAt(atMs) : 0;
}

/** The scenario's planned maintenance as far as it has not been ended early, and what somebody began besides. */
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
