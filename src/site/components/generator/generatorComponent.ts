import type { Sku } from "../../../base/sku.ts";
import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import type { VariableGeneratorSpec } from "../../../device/generator/generatorSpec.ts";
import { clipSeries } from "../../../series/model/clipSeries.ts";
import type { Series } from "../../../series/model/series.ts";
import type { SiteConstraints } from "../../siteConstraints.ts";
import type { ResourceSnapshot } from "../../siteSnapshot.ts";
import { BaseComponent } from "../baseComponent.ts";
import { CAPABILITY_LIMIT, type DeltaRequest, type ResourceSite } from "../capabilities.ts";
import { copySegment, LIMITING_FACTOR, newSegment, type Segment, setLinearSegment } from "../segment.ts";
import type { OperatingConditions, ReplanMs, Setpoint } from "../setpoint.ts";
import { isPositiveAhead, zeroCrossingMs } from "../zeroCrossing.ts";

/** How far the output of a law has been added up: to an end of a stretch, or to the law's start. */
export interface OutputAccumulator {
  atMs: EpochMs;
  /** Since the law began. */
  exportedKwh: number;
}

/** A PV or wind plant at its site: sends what it can, cut by output control and by a set-point. @see docs/model/pv.md */
export class GeneratorComponent extends BaseComponent {
  readonly kind = "generator";
  readonly spec: VariableGeneratorSpec;
  /** kW that could be sent: generation cut at the rating and the grid limit, both of which are no curtailment. */
  readonly availableKw: Series;
  /** Cap by output control; `Infinity` when there is none. */
  outputControlKw = Number.POSITIVE_INFINITY;
  /** Cap by an instruction; `Infinity` when there is none. */
  setpointKw = Number.POSITIVE_INFINITY;
  inService = true;
  private readonly gridLimitKw: number;
  private cursor = 0;
  /** The stretch of the present law that was asked for last: awards ask for the same one again. */
  private readonly cachedSegment = newSegment();
  private cachedAtMs: EpochMs = Number.NaN;
  /** Filled anew for each step of a walk. */
  private readonly scratchSegment = newSegment();

  constructor(spec: VariableGeneratorSpec, constraints: SiteConstraints) {
    super();
    this.spec = spec;
    this.gridLimitKw = constraints.siteExportMaxKw;
    this.availableKw = clipSeries(spec.generationKw, Math.min(spec.ratedOutputKw, this.gridLimitKw));
  }

  get role(): "variable" {
    return "variable";
  }

  get trajectory(): null {
    return null;
  }

  override get irradiance(): Series | null {
    return this.spec.irradianceWm2;
  }

  override get isSolar(): boolean {
    return this.spec.generatorKind === "pv";
  }

  override get isBatchable(): boolean {
    return true;
  }

  override get drivingSeries(): Series {
    return this.availableKw;
  }

  /** Has no state of its own. */
  advance(_atMs: EpochMs): void {}
  captureState(_out: ResourceSnapshot): void {}
  restore(_origin: ResourceSnapshot, _atMs: EpochMs): void {}

  planTrajectory(_atMs: EpochMs, target: Setpoint, around: OperatingConditions): ReplanMs {
    this.cachedAtMs = Number.NaN;
    this.inService = around.inService;
    this.outputControlKw = this.outputControlCapKw(around.outputLimit);
    this.setpointKw = target.isInstructed
      ? Math.max(0, -(target.baselineKw + target.deltaKw))
      : Number.POSITIVE_INFINITY;
    return Number.POSITIVE_INFINITY;
  }

  private outputControlCapKw(outputLimit: number): number {
    return outputLimit < 1 ? outputLimit * this.spec.ratedOutputKw : Number.POSITIVE_INFINITY;
  }

  /** The most that may be sent whatever the sun does. */
  get capKw(): number {
    return Math.min(this.outputControlKw, this.setpointKw);
  }

  maxSetpointKw(): number {
    return 0;
  }

  override isOutsideMarkets(sku: Sku | null): boolean {
    return sku !== null && this.spec.subsidy === "fit";
  }

  takesDelta(_site: ResourceSite, _baselineKw: number, { direction, sku }: DeltaRequest): boolean {
    return !this.isOutsideMarkets(sku) && direction <= 0;
  }

  override capabilityLimit(site: ResourceSite, up: boolean): number {
    if (!up && !site.spec.capability.reverseFlowAllowed) return CAPABILITY_LIMIT.power;
    return this.isOutputControlled(site.advancedToMs, site.outputLimit)
      ? CAPABILITY_LIMIT.outputControl
      : CAPABILITY_LIMIT.weather;
  }

  /** Sun and wind cannot go up and down alike. */
  override get canRespond(): boolean {
    return false;
  }

  fcrHeadroomKw(): number {
    return 0;
  }

  override isFcrOutputControlled(): boolean {
    return false;
  }

  exportAvailableKw(atMs: EpochMs, outputLimit: number): number {
    return Math.min(this.availableKw.valueAt(atMs), this.outputControlCapKw(outputLimit));
  }

  /** Whether output control, not the primary energy, limits what may be sent. */
  override isOutputControlled(atMs: EpochMs, outputLimit: number): boolean {
    return this.outputControlCapKw(outputLimit) < this.availableKw.valueAt(atMs);
  }

  segmentAt(atMs: EpochMs, out: Segment): void {
    if (atMs !== this.cachedAtMs) {
      this.computeSegment(atMs, this.cachedSegment);
      this.cachedAtMs = atMs;
    }
    copySegment(this.cachedSegment, out);
  }

  private computeSegment(atMs: EpochMs, out: Segment): void {
    if (!this.inService) return setLinearSegment(out, atMs, Number.POSITIVE_INFINITY, 0, 0, LIMITING_FACTOR.none);
    const cap = this.capKw;
    const series = this.availableKw;
    const k = this.indexAt(atMs);
    if (series.interpolation === "linear") this.setLinearOutput(k, atMs, cap, out);
    else {
      const kw = Math.min(series.values[k], cap);
      const binds = this.limitingFactorAt(kw, 0, cap < series.values[k]);
      setLinearSegment(out, atMs, sampleTimeMs(series, this.nextOutputIndex(k, cap)), -kw || 0, 0, binds);
    }
  }

  /** Index of the sample at which a stretch of equal output ends that is in force at sample k. */
  private nextOutputIndex(k: number, cap: number): number {
    const { values } = this.availableKw;
    return this.setpointKw === 0 ? values.length : endOfEqualOutput(values, k, cap);
  }

  /**
   * kWh sent until an instant of the present law, stretch by stretch.
   *
   * @param walk  where an earlier walk came to; it goes on to the end of the last stretch that is over
   */
  exportedKwhUntil(atMs: EpochMs, walk: OutputAccumulator): number {
    const series = this.availableKw;
    if (!this.inService || series.interpolation === "linear") return this.integrateLinearOutput(atMs, walk);
    const cap = this.capKw;
    let k = this.indexAt(walk.atMs);
    let fromMs = walk.atMs;
    let sentKwh = walk.exportedKwh;
    for (;;) {
      const next = this.nextOutputIndex(k, cap);
      const endMs = sampleTimeMs(series, next);
      const kwh = (Math.min(series.values[k], cap) * (Math.min(atMs, endMs) - fromMs)) / MS_PER_HOUR;
      if (atMs < endMs) {
        walk.atMs = fromMs;
        walk.exportedKwh = sentKwh;
        return sentKwh + kwh;
      }
      sentKwh += kwh;
      fromMs = endMs;
      k = next;
    }
  }

  /** The same where the output moves in straight lines. */
  private integrateLinearOutput(atMs: EpochMs, walk: OutputAccumulator): number {
    const { scratchSegment: walked } = this;
    for (;;) {
      this.segmentAt(walk.atMs, walked);
      const spanMs = Math.min(atMs, walked.endMs) - walk.atMs;
      const kwh = (-(walked.kw + 0.5 * walked.kwPerMs * spanMs) * spanMs) / MS_PER_HOUR;
      if (atMs < walked.endMs) return walk.exportedKwh + kwh;
      walk.exportedKwh += kwh;
      walk.atMs = walked.endMs;
    }
  }

  /**
   * What keeps the output where it is; the rating is the array's own and counts as weather (docs/model/accounting.md#delivery-layer), and so
   * does a sun that gives no more than a control would leave.
   */
  private limitingFactorAt(kw: number, slope: number, capped: boolean): number {
    if (capped) return this.outputControlKw < this.setpointKw ? LIMITING_FACTOR.outputControl : LIMITING_FACTOR.none;
    // What falls from the limit is below it from then on.
    return kw === this.gridLimitKw && slope === 0 ? LIMITING_FACTOR.powerLimit : LIMITING_FACTOR.weather;
  }

  private setLinearOutput(k: number, atMs: EpochMs, cap: number, out: Segment): void {
    const series = this.availableKw;
    const slope = series.slopeAt(k);
    const kw = series.values[k] + slope * (atMs - series.timesMs[k]);
    const endMs = k + 1 < series.timesMs.length ? series.timesMs[k + 1] : Number.POSITIVE_INFINITY;
    const capped = isPositiveAhead(kw - cap, slope);
    const untilMs = Math.min(endMs, zeroCrossingMs(atMs, kw - cap, slope));
    const binds = this.limitingFactorAt(kw, slope, capped);
    setLinearSegment(out, atMs, untilMs, -(capped ? cap : kw) || 0, capped ? 0 : -slope || 0, binds);
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
const MAX_EQUAL_OUTPUT_SAMPLES = 64;

/** Index after the samples from k on that give the same output by the same limit: night and saturation are one stretch each. */
function endOfEqualOutput(values: Float64Array, k: number, cap: number): number {
  const last = Math.min(k + MAX_EQUAL_OUTPUT_SAMPLES, values.length - 1);
  const kw = values[k];
  let next = k + 1;
  if (cap < kw) while (next <= last && cap < values[next]) next++;
  else while (next <= last && values[next] === kw) next++;
  return next;
}

const sampleTimeMs = ({ timesMs }: Series, k: number): EpochMs =>
  k < timesMs.length ? timesMs[k] : Number.POSITIVE_INFINITY;
