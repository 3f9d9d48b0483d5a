import type { ScenarioEvent, WorldSpec } from "./worldSpec.ts";

/** Some VPPs of a world with their sites: indices in the whole world, ascending. */
export interface WorldPart {
  readonly sites: readonly number[];
  readonly vpps: readonly number[];
  readonly awards: readonly number[];
  readonly instructions: readonly number[];
  readonly events: readonly number[];
}

/**
 * Divides a world into parts that cannot influence each other (docs/model/parts.md): VPPs that share a site stay together. Sites
 * without a VPP go into the last part. Calls of the APIs and ends of faults name objects of any part, so a world with such
 * events is one part.
 *
 * @param sitesMin  neighbouring VPPs are joined until their part has as many sites
 */
export function divideWorld(spec: WorldSpec, sitesMin: number): readonly WorldPart[] {
  const { sites, vpps, awards, instructions, events } = spec;
  const isWhole = events.some(({ kind }) => kind === "request" || kind === "fault_end");
  const partOfVpp = isWhole ? new Int32Array(vpps.length) : joinNeighbours(spec, firstRelatives(spec), sitesMin);
  const partOfSite = new Int32Array(sites.length).fill(-1);
  forEachMembership(spec, (vpp, site) => {
    partOfSite[site] = partOfVpp[vpp];
  });
  const last = partOfVpp.reduce((most, part) => Math.max(most, part), 0);
  const parts = Array.from({ length: last + 1 }, (): { -readonly [Key in keyof WorldPart]: number[] } => ({
    sites: [],
    vpps: [],
    awards: [],
    instructions: [],
    events: [],
  }));
  sites.forEach((_, site) => {
    if (partOfSite[site] < 0) partOfSite[site] = last;
    parts[partOfSite[site]].sites.push(site);
  });
  vpps.forEach((_, vpp) => parts[partOfVpp[vpp]].vpps.push(vpp));
  awards.forEach(({ vpp }, k) => parts[partOfVpp[vpp]].awards.push(k));
  instructions.forEach(({ vpp }, k) => parts[partOfVpp[vpp]].instructions.push(k));
  events.forEach((event, k) => parts["site" in event ? partOfSite[event.site] : 0].events.push(k));
  return parts;
}

/** The world of one part. Its objects are those of the whole world but for the indices that they hold. */
export function worldOfPart(spec: WorldSpec, part: WorldPart): WorldSpec {
  if (part.sites.length === spec.sites.length && part.vpps.length === spec.vpps.length) return spec;
  const siteIn = new Map(part.sites.map((site, k) => [site, k]));
  const vppIn = new Map(part.vpps.map((vpp, k) => [vpp, k]));
  const siteOf = (site: number) => siteIn.get(site) as number;
  const vppOf = (vpp: number) => vppIn.get(vpp) as number;
  const eventIn = (event: ScenarioEvent): ScenarioEvent => {
    const atSite = "site" in event ? { ...event, site: siteOf(event.site) } : event;
    return "vpp" in atSite ? { ...atSite, vpp: vppOf(atSite.vpp) } : atSite;
  };
  return {
    startMs: spec.startMs,
    endMs: spec.endMs,
    seed: spec.seed,
    streamsFromMs: spec.streamsFromMs,
    sites: part.sites.map((site) => spec.sites[site]),
    vpps: part.vpps.map((vpp) => {
      const members = spec.vpps[vpp].members.map((member) => ({ ...member, site: siteOf(member.site) }));
      return { ...spec.vpps[vpp], members };
    }),
    awards: part.awards.map((k) => ({ ...spec.awards[k], vpp: vppOf(spec.awards[k].vpp) })),
    instructions: part.instructions.map((k) => ({ ...spec.instructions[k], vpp: vppOf(spec.instructions[k].vpp) })),
    events: part.events.map((k) => eventIn(spec.events[k])),
    frequencyHz: spec.frequencyHz,
    energyPriceJpyPerKwh: spec.energyPriceJpyPerKwh,
    charges: spec.charges,
    investment: spec.investment,
    currency: spec.currency,
  };
}

/** Every site that is a member of a VPP at some time of the run. */
function forEachMembership({ vpps, events }: WorldSpec, visit: (vpp: number, site: number) => void): void {
  vpps.forEach(({ members }, vpp) => {
    for (const { site } of members) visit(vpp, site);
  });
  for (const event of events) if ("vpp" in event && "site" in event) visit(event.vpp, event.site);
}

/** For each VPP the first one that shares a site with it, directly or through others. */
function firstRelatives(spec: WorldSpec): Int32Array {
  const relative = Int32Array.from(spec.vpps, (_, vpp) => vpp);
  const first = (vpp: number): number => {
    while (relative[vpp] !== vpp) vpp = relative[vpp] = relative[relative[vpp]];
    return vpp;
  };
  const vppAtSite = new Int32Array(spec.sites.length).fill(-1);
  forEachMembership(spec, (vpp, site) => {
    if (vppAtSite[site] < 0) vppAtSite[site] = vpp;
    const [a, b] = [first(vpp), first(vppAtSite[site])];
    relative[Math.max(a, b)] = Math.min(a, b);
  });
  return relative.map((_, vpp) => first(vpp));
}

/** The part of each VPP. */
function joinNeighbours({ vpps }: WorldSpec, relatives: Int32Array, sitesMin: number): Int32Array {
  const memberCount = new Float64Array(vpps.length);
  relatives.forEach((first, vpp) => {
    memberCount[first] += vpps[vpp].members.length;
  });
  const partOf = new Int32Array(vpps.length);
  let part = -1;
  let sites = Number.POSITIVE_INFINITY;
  relatives.forEach((first, vpp) => {
    if (first !== vpp) {
      partOf[vpp] = partOf[first];
      return;
    }
    if (sites >= sitesMin) {
      part++;
      sites = 0;
    }
    partOf[vpp] = part;
    sites += memberCount[vpp];
  });
  return partOf;
}
