import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Series } from "../series/model/series.ts";
import type { Site } from "./site.ts";

/** The latest trajectory of a group and its set-point. */
class GroupTrajectory extends Copyable {
  number = 0;
  startMs: EpochMs = Number.NaN;
  deltaKw = Number.NaN;
  baselineKw = Number.NaN;
}

/**
 * Finds plants and loads that follow the same trajectory, so that what is computed for one can be used for all. Their
 * trajectories do not depend on the past: equal sites with equal set-points from the same instant behave the same.
 *
 * PV and wind plants are equal if their available power is the same series, loads if their demand is, with the same registered
 * slots of the scenario.
 */
export class SharedTrajectories extends Copyable {
  /** By site index: number of the group of equal sites, from 0; -1 for other sites. */
  private readonly groups: Int32Array;
  /** The latest trajectory of each group. */
  private readonly latest: GroupTrajectory[] = [];
  private trajectoryCount = 0;

  constructor(sites: readonly Site[]) {
    super();
    const byKind = new Map<string, Groups>();
    const groups = sites.map(({ resource, isUndelayed, limits, baseline: { slotsKw } }) => {
      const { drivingSeries } = resource;
      if (drivingSeries === null || !isUndelayed || limits.isVariable) return -1;
      let ofKind = byKind.get(resource.kind);
      if (ofKind === undefined) byKind.set(resource.kind, (ofKind = new Map()));
      return this.groupOf(ofKind, drivingSeries, slotsKw);
    });
    const sizes = new Int32Array(this.latest.length);
    for (const group of groups) if (group >= 0) sizes[group]++;
    // A group of one site shares nothing.
    this.groups = Int32Array.from(groups, (group) => (group >= 0 && sizes[group] > 1 ? group : -1));
  }

  private groupOf(groups: Groups, series: Series, slots: Series | number): number {
    let bySlots = groups.get(series);
    if (bySlots === undefined) groups.set(series, (bySlots = new Map()));
    let group = bySlots.get(slots);
    if (group === undefined) bySlots.set(slots, (group = this.latest.push(new GroupTrajectory()) - 1));
    return group;
  }

  /** Gives a site the number of the trajectory that it has planned from an instant on; 0 where it may differ from that of its group. */
  assignNumber({ record, clientSettings, index }: Site, startMs: EpochMs): void {
    const group = this.groups[index];
    if (group < 0) return;
    const { order, deltaKw, baselineKw } = record;
    record.trajectoryNumber = 0;
    if (
      order === null ||
      order.activation !== 1 ||
      !record.isInService ||
      record.isRestricted ||
      clientSettings !== null
    )
      return;
    const latest = this.latest[group];
    if (latest.startMs !== startMs || latest.deltaKw !== deltaKw || latest.baselineKw !== baselineKw) {
      latest.number = ++this.trajectoryCount;
      latest.startMs = startMs;
      latest.deltaKw = deltaKw;
      latest.baselineKw = baselineKw;
    }
    record.trajectoryNumber = latest.number;
  }
}

/** Slots of a `TrajectoryCache`; two trajectories in one slot only cost time. */
const CACHE_SLOTS = 64;

/** What was computed last for shared trajectories, by number. */
export class TrajectoryCache<Value extends { trajectoryNumber: number }> extends Copyable {
  private readonly slots: readonly Value[];

  constructor(create: () => Value) {
    super();
    this.slots = Array.from({ length: CACHE_SLOTS }, create);
  }

  /** The value that a trajectory may have, or that of another trajectory in the same slot. */
  slotOf(trajectoryNumber: number): Value {
    return this.slots[trajectoryNumber % CACHE_SLOTS];
  }
}

/** Group numbers by available power or demand, then by slots. */
type Groups = Map<Series, Map<Series | number, number>>;
