import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import { Series } from "../series/model/series.ts";
import { type ComponentSpec, kindOf } from "./components/registry.ts";
import type { PowerLimits, SiteConstraints } from "./siteConstraints.ts";

/** The limits of a connection point that are in force (docs/model/connection-point.md#limits-by-time). */
export class LimitsInForce extends Copyable implements PowerLimits {
  siteImportMaxKw: number;
  siteExportMaxKw: number;
  /** Share of the rated power that a derated site has left, 0..1 (docs/model/sandbox.md#derate). */
  derateShare = 1;
  private readonly constraints: SiteConstraints;
  private readonly components: readonly ComponentSpec[];

  constructor(constraints: SiteConstraints, components: readonly ComponentSpec[], atMs: EpochMs) {
    super();
    this.constraints = constraints;
    this.components = components;
    this.siteImportMaxKw = limitKwAt(constraints.siteImportMaxKw, atMs);
    this.siteExportMaxKw = limitKwAt(constraints.siteExportMaxKw, atMs);
  }

  /** Whether a limit is a series. */
  get isVariable(): boolean {
    const { siteImportMaxKw, siteExportMaxKw } = this.constraints;
    return siteImportMaxKw instanceof Series || siteExportMaxKw instanceof Series;
  }

  /** Sets the limits to those of an instant. */
  setTo(atMs: EpochMs): void {
    this.siteImportMaxKw = limitKwAt(this.constraints.siteImportMaxKw, atMs);
    this.siteExportMaxKw = limitKwAt(this.constraints.siteExportMaxKw, atMs);
    const { derateShare } = this;
    if (derateShare === 1) return;
    let importKw = 0;
    let exportKw = 0;
    for (const component of this.components) {
      const { operation } = kindOf(component);
      importKw += operation.ratedImportKw(component);
      exportKw += operation.ratedExportKw(component);
    }
    this.siteImportMaxKw = Math.min(this.siteImportMaxKw, derateShare * importKw);
    this.siteExportMaxKw = Math.min(this.siteExportMaxKw, derateShare * exportKw);
  }

  /** The first whole millisecond after an instant from which a limit has another value; `Infinity` if none changes. */
  nextChangeMs(atMs: EpochMs): EpochMs {
    const { siteImportMaxKw, siteExportMaxKw } = this.constraints;
    return Math.ceil(Math.min(nextLimitChangeMs(siteImportMaxKw, atMs), nextLimitChangeMs(siteExportMaxKw, atMs)));
  }
}

export const limitKwAt = (limit: Series | number, atMs: EpochMs): number =>
  typeof limit === "number" ? limit : limit.valueAt(atMs);

/** The largest value of a limit in a period. */
export const largestLimitKw = (limit: Series | number, fromMs: EpochMs, toMs: EpochMs): number =>
  foldLimit(limit, fromMs, toMs, Math.max);

/** The smallest value of a limit in a period. */
export const smallestLimitKw = (limit: Series | number, fromMs: EpochMs, toMs: EpochMs): number =>
  foldLimit(limit, fromMs, toMs, Math.min);

function foldLimit(
  limit: Series | number,
  fromMs: EpochMs,
  toMs: EpochMs,
  choose: (kw: number, otherKw: number) => number,
): number {
  if (typeof limit === "number") return limit;
  let kw = limit.valueAt(fromMs);
  for (let k = limit.indexAt(fromMs) + 1; k < limit.timesMs.length && limit.timesMs[k] < toMs; k++)
    kw = choose(kw, limit.values[k]);
  return kw;
}

function nextLimitChangeMs(limit: Series | number, atMs: EpochMs): EpochMs {
  if (typeof limit === "number") return Number.POSITIVE_INFINITY;
  const { timesMs, values } = limit;
  const k = limit.indexAt(atMs);
  let next = k + 1;
  while (next < values.length && values[next] === values[k]) next++;
  return next < values.length ? timesMs[next] : Number.POSITIVE_INFINITY;
}
