import type { RunHistory } from "../../../../accounting/history/runHistory.ts";
import type { ScheduleRecord } from "../../../../accounting/history/scheduleHistory.ts";
import { roundKw } from "../../../../base/rounding.ts";
import type { Sku } from "../../../../base/sku.ts";
import type { EpochMs } from "../../../../base/time.ts";
import type { World } from "../../../../engine/simulation/world.ts";
import type { DirectOrder } from "../../../../engine/site/orders/directOrder.ts";
import type { Site } from "../../../../engine/site/site.ts";
import { DISPATCH_OUTCOME, type Instruction, SERVICE } from "../../../../engine/vpp/instructions/instruction.ts";
import { requestBaselineKw } from "../executeDirectRequest.ts";
import type { ScheduleWindow } from "../siteSchedules.ts";

/** A schedule of a site: one of its owner, or the site's share of one of its VPP. All kW are rounded. */
export interface SiteScheduleEntry {
  readonly scheduleId: string;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly createdMs: EpochMs;
  readonly sku: Sku | null;
  readonly baselineKw: number;
  /** Exactly one of the first two, except for frequency response alone. */
  readonly deltaKw: number | null;
  readonly siteKw: number | null;
  readonly fcrKw: number | null;
  readonly componentId: string | null;
}

/**
 * The schedules of a site that overlap a period, sorted by start, registration time and id: those of its owner, including
 * executed ones, and the site's shares of VPP schedules that the owner has not revoked.
 */
export function listSiteSchedules(
  world: World,
  history: RunHistory,
  site: Site,
  window: ScheduleWindow,
): SiteScheduleEntry[] {
  const { fromMs, toMs } = window;
  const isWithin = ({ startMs, endMs }: Pick<SiteScheduleEntry, "startMs" | "endMs">): boolean =>
    startMs <= toMs && fromMs < endMs && startMs < endMs;
  const own = [...world.directOrders.pastSchedules(site), ...site.directSchedules].filter(isWithin);
  const entries = own.map((order) => directOrderEntry(site, order));
  for (const { index: vpp } of world.vpps)
    for (const record of history.schedules(vpp, window)) {
      const entry = isWithin(record) ? shareEntry(site, record) : null;
      if (entry !== null) entries.push(entry);
    }
  return entries.sort(compareSiteSchedules);
}

/** By start, registration time and id. */
export const compareSiteSchedules = (a: SiteScheduleEntry, b: SiteScheduleEntry): number =>
  a.startMs - b.startMs || a.createdMs - b.createdMs || (a.scheduleId < b.scheduleId ? -1 : 1);

/** A schedule of the owner, as in the list; `null` if there is none of this id. */
export function ownScheduleEntry(world: World, site: Site, scheduleId: string): SiteScheduleEntry | null {
  const order = world.directOrders.findSchedule(site, scheduleId);
  return order === undefined || order.endMs <= order.startMs ? null : directOrderEntry(site, order);
}

/** A site's share of a VPP schedule, as in the list; `null` if the site has none. */
export function memberScheduleEntry(history: RunHistory, site: Site, schedule: Instruction): SiteScheduleEntry | null {
  const record = history.schedule(schedule);
  return record === undefined || record.endMs <= record.startMs ? null : shareEntry(site, record);
}

/** A site's share of a VPP schedule; `null` for a site without one, or one that the owner revoked. */
function shareEntry(site: Site, { instruction, startMs, endMs }: ScheduleRecord): SiteScheduleEntry | null {
  const share = site.orderBook.isRevoked(instruction) ? null : siteShareOf(instruction, site.index);
  if (share === null) return null;
  const { scheduleId, registeredMs, sku } = instruction;
  return { scheduleId, startMs, endMs, createdMs: registeredMs, sku, siteKw: null, componentId: null, ...share };
}

function directOrderEntry(site: Site, order: DirectOrder): SiteScheduleEntry {
  const { request, scheduleId, startMs, endMs, createdMs, sku } = order;
  const { deltaKw, siteKw, fcrKw, componentId } = request;
  return {
    scheduleId,
    startMs,
    endMs,
    createdMs,
    sku,
    baselineKw: requestBaselineKw(site, request),
    deltaKw,
    siteKw,
    fcrKw,
    componentId,
  };
}

/** One site's share of a VPP schedule, from the plan until the schedule starts; `null` for a site without a share. */
function siteShareOf(
  instruction: Instruction,
  site: number,
): Pick<SiteScheduleEntry, "deltaKw" | "fcrKw" | "baselineKw"> | null {
  const { plan, hasDelta } = instruction;
  const table = instruction.table ?? plan?.table;
  const membership = instruction.table === null ? plan?.membership : instruction.membership;
  if (table === undefined || table === null || membership === undefined) return null;
  const i = membership.siteIndices.indexOf(site);
  if (i < 0 || table.status[i] !== DISPATCH_OUTCOME.dispatched) return null;
  const services = table.fcrCapacities?.services[i] ?? SERVICE.delta;
  return {
    deltaKw: hasDelta && (services & SERVICE.delta) !== 0 ? table.deltaTenths[i] / 10 : null,
    fcrKw:
      table.fcrCapacities !== null && (services & SERVICE.fcr) !== 0
        ? table.fcrCapacities.capacityTenths[i] / 10
        : null,
    baselineKw: roundKw(table.baselineKw[i]),
  };
}
