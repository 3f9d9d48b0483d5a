import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { VariableGeneratorSpec } from "../../device/generator/generatorSpec.ts";
import { clipSeries } from "../../series/model/clipSeries.ts";
import type { Series } from "../../series/model/series.ts";
import type { UnitOrigin } from "../siteMoment.ts";
import type { SiteConstraints } from "../siteSpec.ts";
import { crossingMs, isAbove } from "./crossing.ts";
import { BINDS, copyStretch, fillStraight, newStretch, type Stretch } from "./stretch.ts";
import type { ReplanMs, Surroundings, Target } from "./target.ts";

/** How far the output of a law has been added up: to an end of a stretch, or to the law's start. */
export interface OutputWalk {
  atMs: EpochMs;
  /** Since the law began. */
  sentKwh: number;
}

/** A PV or wind plant at its site: sends what it can, cut by output control and by a set-point. @see models.md §3 */
export class GeneratorUnit extends Copyable {
  readonly kind = "generator";
  readonly spec: VariableGeneratorSpec;
  /** kW that could be sent: generation cut at the rating and the grid limit, both of which are no curtailment. */
  readonly availableKw: Series;
  /** Cap by output control; `Infinity` when there is none. */
  outputControlKw = Number.POSITIVE_INFINITY;
  /** Cap by an instruction; `Infinity` when there is none. */
  setPointKw = Number.POSITIVE_INFINITY;
  inService = true;
  private readonly gridLimitKw: number;
  private cursor = 0;
  /** The stretch of the present law that was asked for last: awards ask for the same one again. */
  private readonly latest = newStretch();
  private latestMs: EpochMs = Number.NaN;
  /** Filled anew for each step of a walk. */
  private readonly walked = newStretch();

  constructor(spec: VariableGeneratorSpec, constraints: SiteConstraints) {
    super();
    this.spec = spec;
    this.gridLimitKw = constraints.siteExportMaxKw;
    this.availableKw = clipSeries(spec.generationKw, Math.min(spec.ratedOutputKw, this.gridLimitKw));
  }

  /** Has no state of its own. */
  advance(_atMs: EpochMs): void {}
  noteOrigin(_out: UnitOrigin): void {}
  recall(_origin: UnitOrigin, _atMs: EpochMs): void {}

  follow(_atMs: EpochMs, target: Target, around: Surroundings): ReplanMs {
    this.latestMs = Number.NaN;
    this.inService = around.inService;
    this.outputControlKw = this.controlledKw(around.outputLimit);
    this.setPointKw = target.instructed ? Math.max(0, -(target.baselineKw + target.deltaKw)) : Number.POSITIVE_INFINITY;
    return Number.POSITIVE_INFINITY;
  }

  private controlledKw(outputLimit: number): number {
    return outputLimit < 1 ? outputLimit * this.spec.ratedOutputKw : Number.POSITIVE_INFINITY;
  }

  /** The most that may be sent whatever the sun does. */
  get capKw(): number {
    return Math.min(this.outputControlKw, this.setPointKw);
  }

  importAvailableKw(): number {
    return 0;
  }

  exportAvailableKw(atMs: EpochMs, outputLimit: number): number {
    return Math.min(this.availableKw.valueAt(atMs), this.controlledKw(outputLimit));
  }

  /** Whether output control, not the primary energy, limits what may be sent. */
  isOutputControlled(atMs: EpochMs, outputLimit: number): boolean {
    return this.controlledKw(outputLimit) < this.availableKw.valueAt(atMs);
  }

  stretchAt(atMs: EpochMs, out: Stretch): void {
    if (atMs !== this.latestMs) {
      this.findStretch(atMs, this.latest);
      this.latestMs = atMs;
    }
    copyStretch(this.latest, out);
  }

  private findStretch(atMs: EpochMs, out: Stretch): void {
    if (!this.inService) return fillStraight(out, atMs, Number.POSITIVE_INFINITY, 0, 0, BINDS.free);
    const cap = this.capKw;
    const series = this.availableKw;
    const k = this.indexAt(atMs);
    if (series.interpolation === "linear") this.linearStretch(k, atMs, cap, out);
    else {
      const kw = Math.min(series.values[k], cap);
      const binds = this.bindsAt(kw, 0, cap < series.values[k]);
      fillStraight(out, atMs, stampMs(series, this.nextOutput(k, cap)), -kw || 0, 0, binds);
    }
  }

  /** Index of the sample at which a stretch of equal output ends that is in force at sample k. */
  private nextOutput(k: number, cap: number): number {
    const { values } = this.availableKw;
    return this.setPointKw === 0 ? values.length : endOfEqualOutput(values, k, cap);
  }

  /**
   * kWh sent until an instant of the present law, stretch by stretch.
   *
   * @param walk  where an earlier walk came to; it goes on to the end of the last stretch that is over
   */
  sentUntil(atMs: EpochMs, walk: OutputWalk): number {
    const series = this.availableKw;
    if (!this.inService || series.interpolation === "linear") return this.walkLines(atMs, walk);
    const cap = this.capKw;
    let k = this.indexAt(walk.atMs);
    let fromMs = walk.atMs;
    let sentKwh = walk.sentKwh;
    for (;;) {
      const next = this.nextOutput(k, cap);
      const endMs = stampMs(series, next);
      const kwh = (Math.min(series.values[k], cap) * (Math.min(atMs, endMs) - fromMs)) / MS_PER_HOUR;
      if (atMs < endMs) {
        walk.atMs = fromMs;
        walk.sentKwh = sentKwh;
        return sentKwh + kwh;
      }
      sentKwh += kwh;
      fromMs = endMs;
      k = next;
    }
  }

  /** The same where the output moves in straight lines. */
  private walkLines(atMs: EpochMs, walk: OutputWalk): number {
    const { walked } = this;
    for (;;) {
      this.stretchAt(walk.atMs, walked);
      const spanMs = Math.min(atMs, walked.endMs) - walk.atMs;
      const kwh = (-(walked.kw + 0.5 * walked.kwPerMs * spanMs) * spanMs) / MS_PER_HOUR;
      if (atMs < walked.endMs) return walk.sentKwh + kwh;
      walk.sentKwh += kwh;
      walk.atMs = walked.endMs;
    }
  }

  /**
   * What keeps the output where it is; the rating is the array's own and counts as weather (decisions.md 172), and so
   * does a sun that gives no more than a control would leave.
   */
  private bindsAt(kw: number, slope: number, capped: boolean): number {
    if (capped) return this.outputControlKw < this.setPointKw ? BINDS.outputControl : BINDS.free;
    // What falls from the limit is below it from then on.
    return kw === this.gridLimitKw && slope === 0 ? BINDS.powerLimit : BINDS.weather;
  }

  private linearStretch(k: number, atMs: EpochMs, cap: number, out: Stretch): void {
    const series = this.availableKw;
    const slope = series.slopeAt(k);
    const kw = series.values[k] + slope * (atMs - series.timesMs[k]);
    const endMs = k + 1 < series.timesMs.length ? series.timesMs[k + 1] : Number.POSITIVE_INFINITY;
    const capped = isAbove(kw - cap, slope);
    const untilMs = Math.min(endMs, crossingMs(atMs, kw - cap, slope));
    const binds = this.bindsAt(kw, slope, capped);
    fillStraight(out, atMs, untilMs, -(capped ? cap : kw) || 0, capped ? 0 : -slope || 0, binds);
  }

  /** `indexAt` with a memory: time mostly moves forward by a sample or two. */
  private indexAt(atMs: EpochMs): number {
    const { timesMs } = this.availableKw;
    let k = this.cursor;
    if (atMs < timesMs[k] || timesMs.length <= k + 8 || timesMs[k + 8] <= atMs) k = this.availableKw.indexAt(atMs);
    else while (timesMs[k + 1] <= atMs) k++;
    this.cursor = k;
    return k;
  }
}

/** How far ahead a stretch of equal output is sought; longer ones are simply cut. */
const LOOK_AHEAD = 64;

/** Index after the samples from k on that give the same output by the same limit: night and saturation are one stretch each. */
function endOfEqualOutput(values: Float64Array, k: number, cap: number): number {
  const last = Math.min(k + LOOK_AHEAD, values.length - 1);
  const kw = values[k];
  let next = k + 1;
  if (cap < kw) while (next <= last && cap < values[next]) next++;
  else while (next <= last && values[next] === kw) next++;
  return next;
}

const stampMs = ({ timesMs }: Series, k: number): EpochMs =>
  k < timesMs.length ? timesMs[k] : Number.POSITIVE_INFINITY;
