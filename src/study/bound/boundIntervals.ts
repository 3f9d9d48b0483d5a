import { toTenths } from "../../base/rounding.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import { Series } from "../../series/model/series.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import type { Period } from "../../site/siteSpec.ts";
import type { AwardSpec } from "../../vpp/instructions/instructionSpec.ts";
import { mergePeriods } from "./outagePeriods.ts";

/** An interval in which exactly one award, and no instruction, requests power from a VPP. */
interface AwardInterval extends Period {
  readonly award: AwardSpec;
  /** kWh requested within the run, at least 0. */
  readonly requestedKwh: number;
}

/**
 * Requests to one VPP in order of time. `award`: an award that overlaps no other request. `free`: an interval without
 * assumptions, because awards or instructions overlap in it or request FCR capacity.
 */
type BoundInterval = (AwardInterval & { readonly kind: "award" }) | (Period & { readonly kind: "free" });

export function boundIntervals(world: WorldSpec, vpp: number): BoundInterval[] {
  const { endMs } = world;
  const awards = world.awards.filter((award) => award.vpp === vpp && award.startMs < endMs);
  const instructions = world.instructions.filter((order) => order.vpp === vpp);
  const free: Period[] = [
    ...instructions.map(({ atMs, durationMs }) => ({ startMs: atMs, endMs: atMs + durationMs })),
    ...awards.filter((award) => !isDeltaOnly(award)),
    ...overlappingAwards(awards),
  ];
  const freeIntervals = mergePeriods(free, world.startMs, endMs);
  // A free interval may overlap further awards. These join it.
  for (let changed = true; changed; ) {
    changed = false;
    for (const award of awards)
      if (
        freeIntervals.some(
          (time) =>
            overlaps(award, time) && (award.startMs < time.startMs || Math.min(award.endMs, endMs) > time.endMs),
        )
      ) {
        freeIntervals.splice(0, freeIntervals.length, ...mergePeriods([...freeIntervals, award], world.startMs, endMs));
        changed = true;
      }
  }
  const alone = awards.filter((award) => !freeIntervals.some((time) => overlaps(award, time)));
  const intervals: BoundInterval[] = [
    ...freeIntervals.map((time) => ({ kind: "free" as const, ...time })),
    ...alone.map((award) => ({
      kind: "award" as const,
      award,
      startMs: award.startMs,
      endMs: Math.min(award.endMs, endMs),
      requestedKwh: requestedKwhUntil(award, Math.min(award.endMs, endMs)),
    })),
  ];
  return intervals.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
}

const overlaps = (a: Period, b: Period): boolean => a.startMs < b.endMs && b.startMs < a.endMs;

const isDeltaOnly = ({ deltaKw, fcrResponseKw, sku }: AwardSpec): boolean =>
  deltaKw !== null && fcrResponseKw === null && sku !== "compound";

/** The awards that overlap another one. */
function overlappingAwards(awards: readonly AwardSpec[]): AwardSpec[] {
  const sorted = [...awards].sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  const found = new Set<AwardSpec>();
  let longest: AwardSpec | null = null;
  for (const award of sorted) {
    if (longest !== null && award.startMs < longest.endMs) {
      found.add(longest);
      found.add(award);
    }
    if (longest === null || longest.endMs < award.endMs) longest = award;
  }
  return [...found];
}

function requestedKwhUntil({ deltaKw, activation, startMs }: AwardSpec, endMs: EpochMs): number {
  const kw = Math.abs(toTenths(deltaKw ?? 0)) / 10;
  const hours =
    activation instanceof Series
      ? activation.integrate(startMs, endMs)
      : (activation * (endMs - startMs)) / MS_PER_HOUR;
  return kw * hours;
}
