import type { ScenarioEvent, WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";

/** One world with the VPPs of several: their sites take turns in its order, so that those of one VPP are not neighbours. */
export function joinWorlds(worlds: readonly WorldSpec[]): WorldSpec {
  const places = worlds
    .flatMap(({ sites }, w) => sites.map((_, k) => ({ w, k })))
    .sort((a, b) => a.k - b.k || a.w - b.w);
  const siteOf = (w: number, k: number): number => places.findIndex((place) => place.w === w && place.k === k);
  const vppBase = worlds.map((_, w) => worlds.slice(0, w).reduce((sum, { vpps }) => sum + vpps.length, 0));
  const eventOf = (event: ScenarioEvent, w: number): ScenarioEvent => {
    const atSite = "site" in event ? { ...event, site: siteOf(w, event.site) } : event;
    return "vpp" in atSite ? { ...atSite, vpp: vppBase[w] + atSite.vpp } : atSite;
  };
  const rename = (name: string, w: number): string => `${name} of ${w}`;
  const [first] = worlds;
  return {
    ...first,
    endMs: Math.min(...worlds.map(({ endMs }) => endMs)),
    sites: places.map(({ w, k }) => {
      const site = worlds[w].sites[k];
      return { ...site, name: rename(site.name, w), emsId: rename(site.emsId, w) };
    }),
    vpps: worlds.flatMap(({ vpps }, w) =>
      vpps.map((vpp) => ({
        ...vpp,
        name: rename(vpp.name, w),
        vppId: rename(vpp.vppId, w),
        members: vpp.members.map((member) => ({ ...member, site: siteOf(w, member.site) })),
      })),
    ),
    awards: worlds.flatMap(({ awards }, w) =>
      awards.map((award) => ({ ...award, awardId: rename(award.awardId, w), vpp: vppBase[w] + award.vpp })),
    ),
    instructions: worlds.flatMap(({ instructions }, w) =>
      instructions.map((order) => ({ ...order, awardId: rename(order.awardId, w), vpp: vppBase[w] + order.vpp })),
    ),
    events: worlds.flatMap(({ events }, w) => events.map((event) => eventOf(event, w))),
  };
}
