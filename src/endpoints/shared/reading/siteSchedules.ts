import type { History } from "../../../accounting/history/history.ts";
import { roundKw } from "../../../base/rounding.ts";
import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { World } from "../../../simulation/world.ts";
import type { DirectOrder } from "../../../site/orders/directOrder.ts";
import type { Site } from "../../../site/site.ts";
import { DISPATCH, type Instruction, PART } from "../../../vpp/instructions/instruction.ts";
import { baselineOf } from "../directControl.ts";
import type { ScheduleWindow } from "../scheduleWindow.ts";

/** One schedule as a site has it: its owner's, or its part of its VPP's. All kW are rounded. */
export interface SiteEntry {
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
export function siteSchedules(
  world: World,
  history: History,
  site: Site,
  { fromMs, toMs }: ScheduleWindow,
): SiteEntry[] {
  const entries = [...world.direct.past(site), ...site.ownSchedules].map((order) => ownEntry(site, order));
  for (const { index: vpp } of world.vpps)
    for (const { instruction, startMs, endMs } of history.schedules(vpp)) {
      const part = site.disowns(instruction) ? null : partOf(instruction, site.index);
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

function ownEntry(site: Site, order: DirectOrder): SiteEntry {
  const { request, scheduleId, startMs, endMs, createdMs, sku } = order;
  const { deltaKw, siteKw, fcrKw, componentId } = request;
  return {
    scheduleId,
    startMs,
    endMs,
    createdMs,
    sku,
    baselineKw: baselineOf(site, request),
    deltaKw,
    siteKw,
    fcrKw,
    componentId,
  };
}

/** What a VPP's schedule tells one site, planned until its start; `null` for one that is not told anything. */
function partOf(instruction: Instruction, site: number): Pick<SiteEntry, "deltaKw" | "fcrKw" | "baselineKw"> | null {
  const { plan, hasDelta } = instruction;
  const table = instruction.table ?? plan?.table;
  const membership = instruction.table === null ? plan?.membership : instruction.membership;
  if (table === undefined || table === null || membership === undefined) return null;
  const i = membership.sites.indexOf(site);
  if (i < 0 || table.status[i] !== DISPATCH.dispatched) return null;
  const parts = table.widths?.parts[i] ?? PART.delta;
  return {
    deltaKw: hasDelta && (parts & PART.delta) !== 0 ? table.deltaTenths[i] / 10 : null,
    fcrKw: table.widths !== null && (parts & PART.fcr) !== 0 ? table.widths.tenths[i] / 10 : null,
    baselineKw: roundKw(table.baselineKw[i]),
  };
}
