import { type EpochMs, MS_PER_SECOND } from "../../base/time.ts";
import type { RandomStreams } from "../../engine/kernel/randomStreams.ts";

export interface Outage {
  readonly atMs: EpochMs;
  readonly site: string;
  readonly durationMs: number;
}

interface OutageRates {
  readonly meanUptimeMs: number;
  readonly meanRepairMs: number;
}

/**
 * Outages of sites that are up at the start: exponential up and repair times, rounded up to whole seconds, the last
 * repair cut at the end. By time, then in the order of the sites.
 */
export function drawOutages(
  { startMs, endMs }: { readonly startMs: EpochMs; readonly endMs: EpochMs },
  sites: readonly string[],
  { meanUptimeMs, meanRepairMs }: OutageRates,
  random: RandomStreams,
): Outage[] {
  const outages: (Outage & { readonly order: number })[] = [];
  sites.forEach((site, order) => {
    const stream = random.getStream("outages", site);
    const wholeSeconds = (meanMs: number) =>
      Math.max(1, Math.ceil(stream.nextExponential(meanMs) / MS_PER_SECOND)) * MS_PER_SECOND;
    for (let atMs = startMs + wholeSeconds(meanUptimeMs); atMs < endMs; atMs += wholeSeconds(meanUptimeMs)) {
      const durationMs = wholeSeconds(meanRepairMs);
      outages.push({ atMs, site, durationMs: Math.min(durationMs, endMs - atMs), order });
      atMs += durationMs;
    }
  });
  outages.sort((a, b) => a.atMs - b.atMs || a.order - b.order);
  return outages.map(({ atMs, site, durationMs }) => ({ atMs, site, durationMs }));
}
