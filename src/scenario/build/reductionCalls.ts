import { type EpochMs, MS_PER_MINUTE } from "../../base/time.ts";
import type { Series } from "../../series/model/series.ts";
import type { Period } from "../../site/siteSpec.ts";
import type { AwardKeys, InstructionKeys } from "../schema/awardSchema.ts";
import type { EventKeys } from "../schema/eventSchema.ts";
import type { ExpandedVpp } from "./expandMembers.ts";
import type { ExpandedSite } from "./expandSites.ts";

export interface CallSources {
  readonly sites: readonly ExpandedSite[];
  readonly vpps: readonly ExpandedVpp[];
  readonly awards: readonly AwardKeys[];
  readonly instructions: readonly InstructionKeys[];
  readonly events: readonly EventKeys[];
  /** The activation of an award that names a series. */
  readonly activationOf: (award: AwardKeys) => Series;
}

/** From an instant on, a site takes part in what its VPP is asked for, or does not. */
interface Turn {
  readonly atMs: EpochMs;
  readonly vpp: string;
  readonly takesPart: boolean;
}

interface Call extends Period {
  readonly vpp: string;
}

/**
 * When reductions are asked of each site: by awards and instructions with a delta below 0 of a VPP in which it has a
 * weight above 0 when they start. Those before `--from` count too; what is wrong in the file is passed over.
 */
export class ReductionCalls {
  readonly #calls: readonly Call[];
  readonly #turns: readonly (readonly Turn[])[];

  constructor(sources: CallSources) {
    const calls = [
      ...sources.awards
        .filter((award) => isCalled(award, sources))
        .map(({ vpp, start, end }) => callOf(vpp, start, end)),
      ...sources.instructions
        .filter(({ delta_kw: deltaKw }) => deltaKw !== undefined && deltaKw < 0)
        .map(({ vpp, at, duration_minutes: minutes }) => callOf(vpp, at, at + Math.round(minutes * MS_PER_MINUTE))),
    ];
    this.#calls = calls
      .filter(({ startMs, endMs }) => startMs < endMs)
      // Calls of one period are the same to a site, whatever their order.
      .sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
    this.#turns = turnsBySite(sources);
  }

  /** The same text for sites of which the same is asked. */
  groupOf(site: number): string {
    return this.#turns[site].map(({ atMs, vpp, takesPart }) => `${atMs} ${vpp} ${takesPart}`).join("\n");
  }

  /** Periods in order of time, apart from each other: what overlaps or touches is one. */
  periodsOf(site: number): Period[] {
    const turns = this.#turns[site];
    const periods: Period[] = [];
    let last: { startMs: EpochMs; endMs: EpochMs } | null = null;
    for (const { vpp, startMs, endMs } of this.#calls) {
      if (!takesPart(turns, vpp, startMs)) continue;
      if (last !== null && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
      else periods.push((last = { startMs, endMs }));
    }
    return periods;
  }
}

const callOf = (vpp: string, startMs: EpochMs, endMs: EpochMs): Call => ({ vpp, startMs, endMs });

/** An award that activates nothing asks for nothing. */
function isCalled(award: AwardKeys, { activationOf }: CallSources): boolean {
  if (award.delta_kw === undefined || !(award.delta_kw < 0) || !(award.start < award.end)) return false;
  if (typeof award.activation === "number") return award.activation > 0;
  const series = activationOf(award);
  // A series that does not reach the award may be one that is wrong: the day then counts as it would without it.
  if (!(series.startMs <= award.start && award.start <= series.untilMs)) return true;
  for (let k = series.indexAt(award.start); k < series.values.length && series.timesMs[k] < award.end; k++)
    if (series.values[k] > 0) return true;
  return false;
}

function takesPart(turns: readonly Turn[], vpp: string, atMs: EpochMs): boolean {
  let answer = false;
  for (const turn of turns) if (turn.vpp === vpp && turn.atMs <= atMs) answer = turn.takesPart;
  return answer;
}

/** Each site's turns in order of time, those of one instant in file order. */
function turnsBySite({ sites, vpps, events }: CallSources): Turn[][] {
  const turns = sites.map((): Turn[] => []);
  for (const { keys, members } of vpps)
    for (const { site, keys: member } of members)
      turns[site].push({
        atMs: Number.NEGATIVE_INFINITY,
        vpp: keys.name,
        takesPart: (member.allocation_weight ?? 0) > 0,
      });
  const places = new Map(sites.map(({ name }, place) => [name, place]));
  for (const event of [...events].sort((a, b) => a.at - b.at)) {
    if (event.kind !== "set_weight" && event.kind !== "add_member" && event.kind !== "remove_member") continue;
    const weight = event.kind === "remove_member" ? 0 : event.allocation_weight;
    turns[places.get(event.site) ?? -1]?.push({ atMs: event.at, vpp: event.vpp, takesPart: weight > 0 });
  }
  return turns;
}
