import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Series } from "../../series/model/series.ts";
import type { Site } from "../site.ts";

/** The law that sites of a group began last, and what they had been told. */
class GroupTrajectory extends Copyable {
  number = 0;
  startMs: EpochMs = Number.NaN;
  deltaKw = Number.NaN;
  baselineKw = Number.NaN;
}

/**
 * Which of the arrays and loads in a bank follow one law. Nothing that they did before bears on what they do, so those that
 * are alike do the same from the instant on at which they are told the same; whoever has worked out for one of them what
 * comes of it knows it for all.
 *
 * Alike are arrays that could send the same, and loads that would draw the same, with the same registered slots. Clients
 * register none in a run with a bank.
 */
export class TrajectoryCache extends Copyable {
  /** By the index of their sites: the number of the group of those that are alike, from 0; means nothing for other sites. */
  readonly groups: Int32Array;
  /** By the index of their sites: the number of the law that it follows, above 0, while it stands in the bank. */
  readonly trajectoryNumbers: Int32Array;
  /** By group. */
  private readonly latest: GroupTrajectory[] = [];
  private trajectoryCount = 0;

  constructor(sites: readonly Site[]) {
    super();
    const byKind = new Map<string, Groups>();
    this.groups = Int32Array.from(sites, ({ resource: unit, baseline: { slotsKw: slots } }) => {
      const { drivingSeries } = unit;
      if (drivingSeries === null) return 0;
      let groups = byKind.get(unit.kind);
      if (groups === undefined) byKind.set(unit.kind, (groups = new Map()));
      return this.groupOf(groups, drivingSeries, slots);
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

  /** A site comes in with a law that it has begun by itself. */
  beginUnshared(index: number): void {
    this.trajectoryNumbers[index] = ++this.trajectoryCount;
  }

  /** A site begins a law. Amount and baseline of what it executes are NaN where that is nothing. */
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

/** Numbers by what an array could send, or a load would draw, and by slots. */
type Groups = Map<Series, Map<Series | number, number>>;
