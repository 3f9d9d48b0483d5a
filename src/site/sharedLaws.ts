import { Copyable } from "../base/copyState.ts";
import type { EpochMs } from "../base/time.ts";
import type { Site } from "./site.ts";

/** The law that sites of a group began last, and what they had been told. */
class GroupLaw extends Copyable {
  number = 0;
  startMs: EpochMs = Number.NaN;
  deltaKw = Number.NaN;
  baselineKw = Number.NaN;
}

/**
 * Which of the arrays and loads in a bank follow one law. Nothing that they did before bears on what they do, so sites that
 * are alike do the same from the instant on at which they are told the same; whoever has worked out for one of them what
 * comes of it knows it for all.
 */
export class SharedLaws extends Copyable {
  /** By the index of their sites: the number of the group of those that are alike, from 0. */
  readonly groups: Int32Array;
  readonly groupCount: number;
  /** By the index of their sites: the number of the law that it follows, above 0. Batteries have none. */
  readonly laws: Int32Array;
  private readonly latest: readonly GroupLaw[];
  private lawCount = 0;

  constructor(sites: readonly Site[]) {
    super();
    const firsts: Site[] = [];
    this.groups = Int32Array.from(sites, (site) => {
      const known = firsts.findIndex((first) => areAlike(first, site));
      return known < 0 ? firsts.push(site) - 1 : known;
    });
    this.groupCount = firsts.length;
    this.latest = firsts.map(() => new GroupLaw());
    this.laws = new Int32Array(sites.length);
  }

  /** A site comes in with a law that it has begun by itself. */
  beginAlone(index: number): void {
    this.laws[index] = ++this.lawCount;
  }

  /** A site begins a law. Amount and baseline of what it executes are NaN where that is nothing. */
  begin(index: number, deltaKw: number, baselineKw: number, startMs: EpochMs): void {
    const latest = this.latest[this.groups[index]];
    const isSame =
      latest.startMs === startMs && Object.is(latest.deltaKw, deltaKw) && Object.is(latest.baselineKw, baselineKw);
    if (!isSame) {
      latest.number = ++this.lawCount;
      latest.startMs = startMs;
      latest.deltaKw = deltaKw;
      latest.baselineKw = baselineKw;
    }
    this.laws[index] = latest.number;
  }
}

/** Whether two sites do the same, and report the same baseline, when they are told the same. */
function areAlike(a: Site, b: Site): boolean {
  return (
    a.unit.spec === b.unit.spec &&
    a.spec.constraints.siteImportMaxKw === b.spec.constraints.siteImportMaxKw &&
    a.spec.constraints.siteExportMaxKw === b.spec.constraints.siteExportMaxKw &&
    a.baseline.slots === b.baseline.slots &&
    a.baseline.posted === b.baseline.posted
  );
}
