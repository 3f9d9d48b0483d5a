import { sumOf } from "../../base/lists.ts";
import { roundKw, toTenths } from "../../base/rounding.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import { RandomStreams } from "../../engine/kernel/randomStreams.ts";
import { Series } from "../../engine/series/model/series.ts";
import { OutageClock } from "../../engine/simulation/faults.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import { createSiteBaseline } from "../../engine/site/baseline/createSiteBaseline.ts";
import type { SiteBaseline } from "../../engine/site/baseline/siteBaseline.ts";
import { type ComponentSpec, kindOf } from "../../engine/site/components/registry.ts";
import type { StorageRatings } from "../../engine/site/components/studyFacet.ts";
import { largestLimitKw, limitKwAt } from "../../engine/site/limitsInForce.ts";
import type { Period, SiteSpec } from "../../engine/site/siteSpec.ts";
import type { AwardSpec } from "../../engine/vpp/instructions/instructionSpec.ts";

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
  const baselines = new Map(otherSites.map((site) => [site, createSiteBaseline(world.sites[site], world)] as const));
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

function boundIntervals(world: WorldSpec, vpp: number): BoundInterval[] {
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

/**
 * Upper bound of the energy that a site could deliver to an award, for any set-points and any stored energy, in kWh. It
 * is the time integral of the distance from the baseline to the farthest power that ratings, weather and load allow.
 * Ramps, delays, tapers, reservoirs and refusals can only reduce it.
 *
 * @param inService the periods of the award in which the site is in service
 */
function deliverableKwh(
  site: SiteSpec,
  baseline: SiteBaseline,
  award: AwardSpec,
  inService: readonly Period[],
): number {
  if (!canParticipate(site, award)) return 0;
  const isUpward = (award.deltaKw ?? 0) > 0;
  const baselineKw = farthestBaselineKw(baseline, award, inService, isUpward ? Math.min : Math.max);
  let kwh = 0;
  for (const { startMs, endMs } of inService)
    for (let fromMs = startMs; fromMs < endMs; ) {
      const toMs = Math.min(endMs, Math.min(nextStampMs(site.components, fromMs), nextLimitMs(site, fromMs)));
      const limitKw = isUpward
        ? Math.min(
            Math.max(
              limitKwAt(site.constraints.siteImportMaxKw, fromMs),
              sumOf(site.components, (component) =>
                kindOf(component).study.highestUncontrolledKw(component, fromMs, toMs),
              ),
            ),
            sumOf(site.components, (component) => kindOf(component).study.highestKw(component)),
          )
        : sumOf(site.components, (component) => kindOf(component).study.lowestKw(component, fromMs, toMs));
      kwh += (Math.max(0, isUpward ? limitKw - baselineKw : baselineKw - limitKw) * (toMs - fromMs)) / MS_PER_HOUR;
      fromMs = toMs;
    }
  return kwh;
}

/**
 * Whether the site may be dispatched for such an award, by its ratings and products
 * (docs/model/allocation.md#exclusion, docs/model/allocation.md#compatibility, docs/model/apis.md#site-refusals,
 * docs/model/scenario-format.md#capability-flags).
 */
export function canParticipate({ capability, components }: SiteSpec, { sku, deltaKw }: AwardSpec): boolean {
  if (sku !== null && !capability.marketable.includes(sku)) return false;
  if (components.length !== 1) return true;
  const [component] = components;
  const terms = { sku, isUp: (deltaKw ?? 0) > 0, isDrCapable: capability.drCapable };
  return kindOf(component).study.canParticipate(component, terms);
}

/**
 * The lowest or highest baseline: the value sent at the start, or that of any slot within the award.
 */
function farthestBaselineKw(
  { slotsKw }: SiteBaseline,
  { startMs }: AwardSpec,
  inService: readonly Period[],
  select: typeof Math.min,
): number {
  if (!(slotsKw instanceof Series)) return select(slotsKw, roundKw(slotsKw));
  let kw = roundKw(slotsKw.valueAt(startMs));
  for (const period of inService)
    for (let atMs = period.startMs; atMs < period.endMs; atMs = slotsKw.nextChangeMs(atMs))
      kw = select(kw, slotsKw.valueAt(atMs));
  return kw;
}

/** The next stamp of a limit of the connection point. */
const nextLimitMs = ({ constraints: { siteImportMaxKw } }: SiteSpec, atMs: EpochMs): EpochMs =>
  typeof siteImportMaxKw === "number" ? Number.POSITIVE_INFINITY : siteImportMaxKw.nextChangeMs(atMs);

/** The next stamp of a generation or load series. */
function nextStampMs(components: readonly ComponentSpec[], atMs: EpochMs): EpochMs {
  let nextMs = Number.POSITIVE_INFINITY;
  for (const component of components) {
    const series = kindOf(component).study.drivingSeries(component);
    if (series === null) continue;
    const k = series.indexAt(atMs) + 1;
    if (k < series.timesMs.length) nextMs = Math.min(nextMs, series.timesMs[k]);
  }
  return nextMs;
}

/** A battery whose energy changes by its deliveries alone, so that the bound can model it exactly. */
export interface IdealStorage extends StorageRatings {
  readonly site: number;
}

/**
 * `null` for all other sites. Anything that moves energy outside awards (own plan, delays and ramps that outlast an
 * award, self-discharge, other components) excludes an energy balance: then only the power of the site limits its
 * delivery.
 */
function idealStorageOf(site: SiteSpec, index: number, { startMs, endMs }: Period): IdealStorage | null {
  const [component] = site.components;
  if (site.components.length !== 1 || site.link.latencyMs > 0) return null;
  if (site.baseline.method !== "zero" || site.baselineError !== undefined) return null;
  const ratings = kindOf(component).study.idealStorage(component);
  if (ratings === null) return null;
  // The largest limit of the run: the bound may be higher than what is possible, and never lower.
  const siteImportMaxKw = largestLimitKw(site.constraints.siteImportMaxKw, startMs, endMs);
  const siteExportMaxKw = largestLimitKw(site.constraints.siteExportMaxKw, startMs, endMs);
  return {
    ...ratings,
    site: index,
    importMaxKw: Math.min(ratings.importMaxKw, siteImportMaxKw),
    // The auxiliaries consume part of the discharge before the site's export limit applies.
    exportMaxKw: site.capability.reverseFlowAllowed
      ? Math.min(ratings.exportMaxKw, siteExportMaxKw + ratings.auxiliaryKw)
      : 0,
  };
}

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
function mergePeriods(periods: readonly Period[], startMs: EpochMs, endMs: EpochMs): Period[] {
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
