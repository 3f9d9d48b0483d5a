import { MS_PER_HOUR } from "../../base/time.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import { createSiteBaseline } from "../../site/baseline/createSiteBaseline.ts";
import type { Period } from "../../site/siteSpec.ts";
import { boundIntervals } from "./boundIntervals.ts";
import { canParticipate, deliverableKwh } from "./deliverableKwh.ts";
import { type IdealStorage, idealStorageOf } from "./idealStorage.ts";
import { outagePeriods, subtractPeriods } from "./outagePeriods.ts";

/** The awards of one VPP as an energy problem that is independent of weights. All energies in kWh. */
export interface BoundProblem {
  readonly storages: readonly IdealStorage[];
  readonly steps: readonly BoundStep[];
  /**
   * After a failed transmission, members may run at more than their share. Storages may then deliver more than
   * requested.
   */
  readonly canOverDeliver: boolean;
}

/** In order of time. Between two steps the storages' energy is constant. */
type BoundStep = { readonly kind: "free" } | AwardStep;

export interface AwardStep {
  readonly kind: "award";
  /** The award moves energy into the storages. */
  readonly isCharging: boolean;
  readonly requestedKwh: number;
  /** Largest energy that the other members and the storages' auxiliaries could deliver. */
  readonly otherMembersMaxKwh: number;
  /** Largest energy that the power of each storage allows, one per storage, same order. */
  readonly storageMaxKwh: Float64Array;
}

/**
 * One problem per VPP. They are independent, since a site is a member of at most one VPP.
 *
 * @param outages periods out of service, one list per site
 */
export function createBoundProblems(
  world: WorldSpec,
  outages: readonly (readonly Period[])[] = outagePeriods(world),
): BoundProblem[] {
  return world.vpps.map((_, vpp) => createBoundProblem(world, vpp, outages));
}

function createBoundProblem(world: WorldSpec, vpp: number, outages: readonly (readonly Period[])[]): BoundProblem {
  const movableSites = new Set<number>();
  const sites = new Set(world.vpps[vpp].members.map(({ site }) => site));
  for (const event of world.events) {
    if (event.kind === "add_member") {
      movableSites.add(event.site);
      if (event.vpp === vpp) sites.add(event.site);
    }
    if (event.kind === "direct_schedule") movableSites.add(event.site);
  }
  const storages: IdealStorage[] = [];
  const otherSites: number[] = [];
  for (const site of sites) {
    const storage = movableSites.has(site) ? null : idealStorageOf(world.sites[site], site, world);
    if (storage === null) otherSites.push(site);
    else storages.push(storage);
  }
  const baselines = new Map(
    otherSites.map((site) => [site, createSiteBaseline(world.sites[site], world.startMs, world.endMs)] as const),
  );
  const hasLossyLinks = [...sites].some((site) => world.sites[site].link.lossProbability > 0);
  return {
    storages,
    canOverDeliver: hasLossyLinks || world.events.some(({ kind }) => kind === "link_down"),
    steps: boundIntervals(world, vpp).map((interval): BoundStep => {
      if (interval.kind === "free") return { kind: "free" };
      const isCharging = (interval.award.deltaKw ?? 0) > 0;
      const hours = (site: number) => hoursOf(subtractPeriods(interval, outages[site]));
      let otherMembersMaxKwh = 0;
      for (const site of otherSites) {
        const baseline = baselines.get(site);
        if (baseline !== undefined)
          otherMembersMaxKwh += deliverableKwh(
            world.sites[site],
            baseline,
            interval.award,
            subtractPeriods(interval, outages[site]),
          );
      }
      const storageMaxKwh = Float64Array.from(storages, (storage) => {
        if (!canParticipate(world.sites[storage.site], interval.award)) return 0;
        if (isCharging) otherMembersMaxKwh += storage.auxiliaryKw * hours(storage.site);
        return (isCharging ? storage.importMaxKw : storage.exportMaxKw) * hours(storage.site);
      });
      return {
        kind: "award",
        isCharging,
        requestedKwh: interval.requestedKwh,
        otherMembersMaxKwh,
        storageMaxKwh,
      };
    }),
  };
}

const hoursOf = (periods: readonly Period[]): number => {
  let ms = 0;
  for (const { startMs, endMs } of periods) ms += endMs - startMs;
  return ms / MS_PER_HOUR;
};
