import { MS_PER_HOUR } from "../../base/time.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import { createSiteBaseline } from "../../site/baseline/createSiteBaseline.ts";
import type { Period } from "../../site/siteSpec.ts";
import { boundIntervals } from "./boundIntervals.ts";
import { canParticipate, deliverableKwh } from "./deliverableKwh.ts";
import { type IdealStorage, idealStorageOf } from "./idealStorage.ts";
import { outagePeriods, subtractPeriods } from "./outagePeriods.ts";

/** One VPP's awards as an energy problem that knows nothing of weights. All energies in kWh. */
export interface BoundProblem {
  readonly storages: readonly IdealStorage[];
  readonly steps: readonly BoundStep[];
  /** Deliveries may fail, and leave members with more than their share: then stores may deliver more than is asked. */
  readonly canOverDeliver: boolean;
}

/** In order of time; stores stand still in between. */
export type BoundStep = { readonly kind: "free" } | AwardStep;

export interface AwardStep {
  readonly kind: "award";
  /** Towards the stores. */
  readonly isCharging: boolean;
  readonly requestedKwh: number;
  /** The most that members without a plain store, and auxiliaries, could deliver. */
  readonly otherMembersMaxKwh: number;
  /** The most that each store could deliver by its power alone, same order. */
  readonly storageMaxKwh: Float64Array;
}

/**
 * One problem per VPP; they share nothing, since a site belongs to one of them.
 *
 * @param out per site, when it is out of service
 */
export function createBoundProblems(
  world: WorldSpec,
  out: readonly (readonly Period[])[] = outagePeriods(world),
): BoundProblem[] {
  return world.vpps.map((_, vpp) => createBoundProblem(world, vpp, out));
}

function createBoundProblem(world: WorldSpec, vpp: number, out: readonly (readonly Period[])[]): BoundProblem {
  const moving = new Set<number>();
  const sites = new Set(world.vpps[vpp].members.map(({ site }) => site));
  for (const event of world.events) {
    if (event.kind === "add_member") {
      moving.add(event.site);
      if (event.vpp === vpp) sites.add(event.site);
    }
    if (event.kind === "direct_schedule") moving.add(event.site);
  }
  const storages: IdealStorage[] = [];
  const others: number[] = [];
  for (const site of sites) {
    const store = moving.has(site) ? null : idealStorageOf(world.sites[site], site);
    if (store === null) others.push(site);
    else storages.push(store);
  }
  const baselines = new Map(
    others.map((site) => [site, createSiteBaseline(world.sites[site], world.startMs, world.endMs)] as const),
  );
  const linksFail = [...sites].some((site) => world.sites[site].link.lossProbability > 0);
  return {
    storages,
    canOverDeliver: linksFail || world.events.some(({ kind }) => kind === "link_down"),
    steps: boundIntervals(world, vpp).map((slot): BoundStep => {
      if (slot.kind === "free") return { kind: "free" };
      const isCharging = (slot.award.deltaKw ?? 0) > 0;
      const hours = (site: number) => hoursOf(subtractPeriods(slot, out[site]));
      let otherMembersMaxKwh = 0;
      for (const site of others) {
        const baseline = baselines.get(site);
        if (baseline !== undefined)
          otherMembersMaxKwh += deliverableKwh(
            world.sites[site],
            baseline,
            slot.award,
            subtractPeriods(slot, out[site]),
          );
      }
      const storageMaxKwh = Float64Array.from(storages, (store) => {
        if (!canParticipate(world.sites[store.site], slot.award)) return 0;
        if (isCharging) otherMembersMaxKwh += store.auxiliaryKw * hours(store.site);
        return (isCharging ? store.importMaxKw : store.exportMaxKw) * hours(store.site);
      });
      return {
        kind: "award",
        isCharging,
        requestedKwh: slot.requestedKwh,
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
