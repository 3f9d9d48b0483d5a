import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Series } from "../../series/model/series.ts";
import type { Site } from "../site.ts";

/** The latest trajectory of a group and its set-point. */
class GroupTrajectory extends Copyable {
  number = 0;
  startMs: EpochMs = Number.NaN;
  deltaKw = Number.NaN;
  baselineKw = Number.NaN;
}

/**
 * Finds batched plants and consumers that follow the same trajectory, so that results computed for one can be used for all.
 * Their trajectories do not depend on the past: equal sites with equal set-points from the same instant behave the same.
 *
 * PV and wind plants are equal if their available power is the same series, consumers if their demand is, with the same
 * registered slots. Clients register no slots in a run with batching.
 */
export class TrajectoryCache extends Copyable {
  /** By site index: number of the group of equal sites, from 0; unused for other sites. */
  readonly groups: Int32Array;
  /** By site index: number of the current trajectory, above 0, while the site is batched. */
  readonly trajectoryNumbers: Int32Array;
  /** The latest trajectory of each group. */
  private readonly latest: GroupTrajectory[] = [];
  private trajectoryCount = 0;

  constructor(sites: readonly Site[]) {
    super();
    const byKind = new Map<string, Groups>();
    this.groups = Int32Array.from(sites, ({ resource, baseline: { slotsKw } }) => {
      const { drivingSeries } = resource;
      if (drivingSeries === null) return 0;
      let groups = byKind.get(resource.kind);
      if (groups === undefined) byKind.set(resource.kind, (groups = new Map()));
      return this.groupOf(groups, drivingSeries, slotsKw);
    });
    this.trajectoryNumbers = new Int32Array(sites.length);
  }

  get groupCount(): number {
    return this.latest.length;
  }

  private groupOf(groups: Groups, series: Series, slots: Series | number): number {
    let bySlots = groups.get(series);
    if (bySlots === undefined) groups.set(series, (bySlots = new Map()));
    let group = bySlots.get(slots);
    if (group === undefined) bySlots.set(slots, (group = this.latest.push(new GroupTrajectory()) - 1));
    return group;
  }

  /** A site joins with a trajectory that it began outside the batch. */
  beginUnshared(index: number): void {
    this.trajectoryNumbers[index] = ++this.trajectoryCount;
  }

  /** A site begins a trajectory. Delta and baseline are NaN without an order. */
  begin(index: number, deltaKw: number, baselineKw: number, startMs: EpochMs): void {
    const latest = this.latest[this.groups[index]];
    const isSame =
      latest.startMs === startMs && Object.is(latest.deltaKw, deltaKw) && Object.is(latest.baselineKw, baselineKw);
    if (!isSame) {
      latest.number = ++this.trajectoryCount;
      latest.startMs = startMs;
      latest.deltaKw = deltaKw;
      latest.baselineKw = baselineKw;
    }
    this.trajectoryNumbers[index] = latest.number;
  }
}

/** Group numbers by available power or demand, then by slots. */
type Groups = Map<Series, Map<Series | number, number>>;
