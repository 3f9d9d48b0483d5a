import type { EpochMs } from "../../base/time.ts";
import { RandomStreams } from "../../engine/kernel/randomStreams.ts";
import { OutageClock } from "../../engine/simulation/faults.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { Period } from "../../engine/site/siteSpec.ts";

/**
 * Periods in which each site is out of service: random outages, outages of scenario events, planned maintenance. All
 * are independent of weights.
 *
 * A `fault_end` during an outage of an event may end that outage. Time after it is therefore not counted.
 *
 * @returns per site, sorted, disjoint, within the run
 */
export function outagePeriods(world: WorldSpec): Period[][] {
  const { startMs, endMs } = world;
  const streams = new RandomStreams(world.seed);
  const periods = world.sites.map((site): Period[] => {
    const found = [...site.maintenance];
    if (site.outages !== null) {
      const clock = new OutageClock(site.outages, streams.getStream("outage", site.name), world.streamsFromMs);
      for (; clock.startMs < endMs; clock.advance()) found.push({ startMs: clock.startMs, endMs: clock.endMs });
    }
    return found;
  });
  const endings = world.events.filter(({ kind }) => kind === "fault_end").map(({ atMs }) => atMs);
  for (const event of world.events)
    if (event.kind === "outage" || event.kind === "maintenance") {
      const endsMs = endings.filter((atMs) => event.atMs <= atMs);
      periods[event.site].push({ startMs: event.atMs, endMs: Math.min(event.untilMs, ...endsMs) });
    }
  return periods.map((list) => mergePeriods(list, startMs, endMs));
}

/** Merges overlapping and adjacent periods. @returns sorted, disjoint, clipped to the run */
export function mergePeriods(periods: readonly Period[], startMs: EpochMs, endMs: EpochMs): Period[] {
  const merged: { startMs: EpochMs; endMs: EpochMs }[] = [];
  const sorted = [...periods].sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  for (const period of sorted) {
    const cut = { startMs: Math.max(period.startMs, startMs), endMs: Math.min(period.endMs, endMs) };
    if (cut.endMs <= cut.startMs) continue;
    const last = merged[merged.length - 1];
    if (last !== undefined && cut.startMs <= last.endMs) last.endMs = Math.max(last.endMs, cut.endMs);
    else merged.push(cut);
  }
  return merged;
}

/** The parts of a period outside all others. @param others sorted and disjoint */
export function subtractPeriods({ startMs, endMs }: Period, others: readonly Period[]): Period[] {
  const remaining: Period[] = [];
  let fromMs = startMs;
  for (let k = firstEndingAfter(others, startMs); k < others.length && others[k].startMs < endMs; k++) {
    if (fromMs < others[k].startMs) remaining.push({ startMs: fromMs, endMs: others[k].startMs });
    fromMs = Math.max(fromMs, others[k].endMs);
  }
  if (fromMs < endMs) remaining.push({ startMs: fromMs, endMs });
  return remaining;
}

function firstEndingAfter(periods: readonly Period[], atMs: EpochMs): number {
  let low = 0;
  let high = periods.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (periods[middle].endMs <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
