import { type EpochMs, MS_PER_MINUTE } from "../../../base/time.ts";
import type { Series } from "../../../engine/series/model/series.ts";
import type { Period } from "../../../engine/site/siteSpec.ts";
import type { AwardConfig, InstructionConfig } from "../schema/awardSchema.ts";
import type { EventConfig } from "../schema/eventSchema.ts";
import type { ExpandedSite, ExpandedVpp } from "./expandEntries.ts";

interface ReductionCallSources {
  readonly sites: readonly ExpandedSite[];
  readonly vpps: readonly ExpandedVpp[];
  readonly awards: readonly AwardConfig[];
  readonly instructions: readonly InstructionConfig[];
  readonly events: readonly EventConfig[];
  /** Resolves the activation series of an award. */
  readonly readActivation: (award: AwardConfig) => Series;
}

/** The instant from which a site participates, or no longer participates, in the requests of its VPP. */
interface ParticipationChange {
  readonly atMs: EpochMs;
  readonly vpp: string;
  readonly participates: boolean;
}

interface ReductionCall extends Period {
  readonly vpp: string;
}

/**
 * Demand-response events of each site: awards and instructions with a delta below 0, of a VPP in which the site has a
 * weight above 0 at their start. Events before `--from` count too. Entries with errors are skipped.
 */
export class ReductionCalls {
  private readonly calls: readonly ReductionCall[];
  private readonly participationChanges: readonly (readonly ParticipationChange[])[];

  constructor(sources: ReductionCallSources) {
    const calls = [
      ...sources.awards
        .filter((award) => isCalled(award, sources))
        .map(({ vpp, start, end }) => callOf(vpp, start, end)),
      ...sources.instructions
        .filter(({ delta_kw: deltaKw }) => deltaKw !== undefined && deltaKw < 0)
        .map(({ vpp, at, duration_minutes: minutes }) => callOf(vpp, at, at + Math.round(minutes * MS_PER_MINUTE))),
    ];
    this.calls = calls
      .filter(({ startMs, endMs }) => startMs < endMs)
      // The order of calls with equal periods is irrelevant.
      .sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
    this.participationChanges = participationChangesBySite(sources);
  }

  /** A key that is equal for sites with equal events. */
  groupKeyOf(site: number): string {
    return this.participationChanges[site]
      .map(({ atMs, vpp, participates }) => `${atMs} ${vpp} ${participates}`)
      .join("\n");
  }

  /** Sorted, disjoint periods; overlapping and adjacent ones are merged. */
  periodsOf(site: number): Period[] {
    const changes = this.participationChanges[site];
    const periods: Period[] = [];
    let last: { startMs: EpochMs; endMs: EpochMs } | null = null;
    for (const { vpp, startMs, endMs } of this.calls) {
      if (!isParticipating(changes, vpp, startMs)) continue;
      if (last !== null && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
      else periods.push((last = { startMs, endMs }));
    }
    return periods;
  }
}

const callOf = (vpp: string, startMs: EpochMs, endMs: EpochMs): ReductionCall => ({ vpp, startMs, endMs });

/** An award without activation requests nothing. */
function isCalled(award: AwardConfig, { readActivation }: ReductionCallSources): boolean {
  if (award.delta_kw === undefined || !(award.delta_kw < 0) || !(award.start < award.end)) return false;
  if (typeof award.activation === "number") return award.activation > 0;
  const series = readActivation(award);
  // A series that does not cover the award may be a faulty one, which is reported elsewhere.
  if (!(series.startMs <= award.start && award.start <= series.untilMs)) return true;
  for (let k = series.indexAt(award.start); k < series.values.length && series.timesMs[k] < award.end; k++)
    if (series.values[k] > 0) return true;
  return false;
}

function isParticipating(changes: readonly ParticipationChange[], vpp: string, atMs: EpochMs): boolean {
  let answer = false;
  for (const change of changes) if (change.vpp === vpp && change.atMs <= atMs) answer = change.participates;
  return answer;
}

/** Participation changes of each site in order of time, at equal instants in file order. */
function participationChangesBySite({ sites, vpps, events }: ReductionCallSources): ParticipationChange[][] {
  const changes = sites.map((): ParticipationChange[] => []);
  for (const { config, members } of vpps)
    for (const { siteIndex, config: member } of members)
      changes[siteIndex].push({
        atMs: Number.NEGATIVE_INFINITY,
        vpp: config.name,
        participates: (member.allocation_weight ?? 0) > 0,
      });
  const siteIndexByName = new Map(sites.map(({ name }, place) => [name, place]));
  for (const event of [...events].sort((a, b) => a.at - b.at)) {
    if (event.kind !== "set_weight" && event.kind !== "add_member" && event.kind !== "remove_member") continue;
    const weight = event.kind === "remove_member" ? 0 : event.allocation_weight;
    changes[siteIndexByName.get(event.site) ?? -1]?.push({ atMs: event.at, vpp: event.vpp, participates: weight > 0 });
  }
  return changes;
}
