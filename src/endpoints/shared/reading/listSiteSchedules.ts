import type { RunHistory } from "../../../accounting/history/runHistory.ts";
import { roundKw } from "../../../base/rounding.ts";
import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { World } from "../../../simulation/world.ts";
import type { DirectOrder } from "../../../site/orders/directOrder.ts";
import type { Site } from "../../../site/site.ts";
import { DISPATCH_OUTCOME, type Instruction, SERVICE } from "../../../vpp/instructions/instruction.ts";
import { requestBaselineKw } from "../executeDirectRequest.ts";
import type { ScheduleWindow } from "../scheduleWindow.ts";

/** One schedule as a site has it: its owner's, or its part of its VPP's. All kW are rounded. */
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
 * The schedules of a site that meet a period, by start, registration time and id: its owner's, executed ones too, and what
 * its VPP delivered, as long as the owner has not taken that back.
 */
export function listSiteSchedules(
  world: World,
  history: RunHistory,
  site: Site,
  { fromMs, toMs }: ScheduleWindow,
): SiteScheduleEntry[] {
  const entries = [...world.directOrders.pastSchedules(site), ...site.directSchedules].map((order) =>
    directOrderEntry(site, order),
  );
  for (const { index: vpp } of world.vpps)
    for (const { instruction, startMs, endMs } of history.schedules(vpp)) {
      const part = site.isRevoked(instruction) ? null : siteShareOf(instruction, site.index);
      if (part === null) continue;
      const { scheduleId, registeredMs, sku } = instruction;
      entries.push({
        scheduleId,
        startMs,
        endMs,
        createdMs: registeredMs,
        sku,
        siteKw: null,
        componentId: null,
        ...part,
      });
    }
  return entries
    .filter(({ startMs, endMs }) => startMs <= toMs && fromMs < endMs && startMs < endMs)
    .sort((a, b) => a.startMs - b.startMs || a.createdMs - b.createdMs || (a.scheduleId < b.scheduleId ? -1 : 1));
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

/** What a VPP's schedule tells one site, planned until its start; `null` for one that is not told anything. */
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
  const parts = table.fcrCapacities?.services[i] ?? SERVICE.delta;
  return {
    deltaKw: hasDelta && (parts & SERVICE.delta) !== 0 ? table.deltaTenths[i] / 10 : null,
    fcrKw:
      table.fcrCapacities !== null && (parts & SERVICE.fcr) !== 0 ? table.fcrCapacities.capacityTenths[i] / 10 : null,
    baselineKw: roundKw(table.baselineKw[i]),
  };
}
