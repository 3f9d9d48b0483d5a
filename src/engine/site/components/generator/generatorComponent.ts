import type { Sku } from "../../../../base/sku.ts";
import { type EpochMs, MS_PER_HOUR } from "../../../../base/time.ts";
import { LIMITING_FACTOR, type LimitingFactor } from "../../../device/curve/limitingFactor.ts";
import type { VariableGeneratorSpec } from "../../../device/generator/generatorSpec.ts";
import { clipSeries } from "../../../series/model/clipSeries.ts";
import { holdSeries } from "../../../series/model/holdSeries.ts";
import { scaleSeries } from "../../../series/model/scaleSeries.ts";
import type { Series } from "../../../series/model/series.ts";
import type { PowerLimits } from "../../siteConstraints.ts";
import type { ResourceSnapshot } from "../../siteSnapshot.ts";
import { BaseComponent } from "../baseComponent.ts";
import { CAPABILITY_LIMIT, type DeltaRequest, type ResourceSite } from "../capabilities.ts";
import type { VariablePart } from "../parts.ts";
import {
  copySegment,
  isPositiveAhead,
  newSegment,
  type Segment,
  setLinearSegment,
  zeroCrossingMs,
} from "../segment.ts";
import type { OperatingConditions, ReplanMs, Setpoint } from "../setpoint.ts";

/** Exported energy of a trajectory, integrated up to a segment end or the start of the trajectory. */
export interface OutputAccumulator {
  atMs: EpochMs;
  /** Since the start of the trajectory. */
  exportedKwh: number;
}

/** A PV or wind plant at its site: its available power, limited by output control and by a set-point. @see docs/model/pv.md */
export class GeneratorComponent extends BaseComponent implements VariablePart {
  readonly kind = "generator";
  readonly spec: VariableGeneratorSpec;
  /** Available power in kW: generation limited by the rating and the connection point, neither of which counts as curtailment. */
  availableKw: Series;
  /** Cap by output control, in kW; `Infinity`: none. */
  outputControlKw = Number.POSITIVE_INFINITY;
  /** Cap by an instruction, in kW; `Infinity`: none. */
  setpointKw = Number.POSITIVE_INFINITY;
  inService = true;
  private readonly limits: PowerLimits;
  /** AC kW that the plant could send before any limit. */
  private generationKw: Series;
  private cursor = 0;
  /** The segment at `cachedAtMs`: several awards read the same segment. */
  private readonly cachedSegment = newSegment();
  private cachedAtMs: EpochMs = Number.NaN;
  /** Reused for each step of an integration. */
  private readonly scratchSegment = newSegment();

  constructor(spec: VariableGeneratorSpec, limits: PowerLimits) {
    super();
    this.spec = spec;
    this.limits = limits;
    this.generationKw = spec.generationKw;
    this.availableKw = this.limitedGeneration();
  }

  override shadeTo(share: number): void {
    if (!this.isSolar) return;
    this.generationKw = scaleSeries(this.spec.generationKw, share);
    this.applyLimits();
  }

  override expectInput(atMs: EpochMs, plan: Series | null): void {
    this.generationKw = plan === null ? holdSeries(this.generationKw, atMs) : scaleSeries(clipSeries(plan, 0), -1);
    this.applyLimits();
  }

  /** The connection limits have changed: the present trajectory is over. */
  override applyLimits(): void {
    this.availableKw = this.limitedGeneration();
    this.cursor = 0;
  }

  private limitedGeneration(): Series {
    return clipSeries(this.generationKw, Math.min(this.spec.ratedOutputKw, this.limits.siteExportMaxKw));
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

  override get drivingSeries(): Series {
    return this.availableKw;
  }

  /** The component has no state to advance, capture or restore. */
  advance(_atMs: EpochMs): void {}
  captureState(_out: ResourceSnapshot): void {}
  restore(_origin: ResourceSnapshot, _atMs: EpochMs): void {}

  planTrajectory(_atMs: EpochMs, target: Setpoint, conditions: OperatingConditions): ReplanMs {
    this.cachedAtMs = Number.NaN;
    this.inService = conditions.inService;
    this.outputControlKw = this.outputControlCapKw(conditions.outputLimitShare);
    this.setpointKw = target.isInstructed
      ? Math.max(0, -(target.baselineKw + target.deltaKw))
      : Number.POSITIVE_INFINITY;
    return Number.POSITIVE_INFINITY;
  }

  private outputControlCapKw(outputLimitShare: number): number {
    return outputLimitShare < 1 ? outputLimitShare * this.spec.ratedOutputKw : Number.POSITIVE_INFINITY;
  }

  /** Cap on the output in kW by output control and set-point; `Infinity`: none. */
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
    const { spec } = this;
    if (this.isOutputControlled(site.advancedToMs, site.outputLimitShare)) return CAPABILITY_LIMIT.outputControl;
    const potentialKw = this.generationKw.valueAt(site.advancedToMs);
    return potentialKw < Math.min(spec.ratedOutputKw, this.limits.siteExportMaxKw)
      ? CAPABILITY_LIMIT.weather
      : CAPABILITY_LIMIT.power;
  }

  /** Variable generation has no symmetric frequency response. */
  override get canRespond(): boolean {
    return false;
  }

  fcrHeadroomKw(): number {
    return 0;
  }

  override isFcrOutputControlled(): boolean {
    return false;
  }

  exportAvailableKw(atMs: EpochMs, outputLimitShare: number): number {
    return Math.min(this.availableKw.valueAt(atMs), this.outputControlCapKw(outputLimitShare));
  }

  /** Whether output control is the limiting factor of export, rather than sun or wind. */
  override isOutputControlled(atMs: EpochMs, outputLimitShare: number): boolean {
    return this.outputControlCapKw(outputLimitShare) < this.availableKw.valueAt(atMs);
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
      const limitedBy = this.limitingFactorAt(kw, 0, cap < series.values[k]);
      setLinearSegment(out, atMs, sampleTimeMs(series, this.nextOutputIndex(k, cap)), -kw || 0, 0, limitedBy);
    }
  }

  /** Index of the sample at which the segment of constant output that contains sample k ends. */
  private nextOutputIndex(k: number, cap: number): number {
    const { values } = this.availableKw;
    return this.setpointKw === 0 ? values.length : endOfEqualOutput(values, k, cap);
  }

  /**
   * Energy exported from the start of the present trajectory until an instant, in kWh.
   *
   * @param walk  state of an earlier integration; advanced to the end of the last complete segment
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

  /** `exportedKwhUntil` for a linearly interpolated series. */
  private integrateLinearOutput(atMs: EpochMs, walk: OutputAccumulator): number {
    const { scratchSegment: segment } = this;
    for (;;) {
      this.segmentAt(walk.atMs, segment);
      const spanMs = Math.min(atMs, segment.endMs) - walk.atMs;
      const kwh = (-(segment.kw + 0.5 * segment.kwPerMs * spanMs) * spanMs) / MS_PER_HOUR;
      if (atMs < segment.endMs) return walk.exportedKwh + kwh;
      walk.exportedKwh += kwh;
      walk.atMs = segment.endMs;
    }
  }

  /**
   * Limiting factor of the output. The plant's rating counts as weather (docs/model/accounting.md#delivery-layer), and so
   * does available power that equals the cap.
   */
  private limitingFactorAt(kw: number, slope: number, capped: boolean): LimitingFactor {
    if (capped) return this.outputControlKw < this.setpointKw ? LIMITING_FACTOR.outputControl : LIMITING_FACTOR.none;
    // An output that falls from the limit is below the limit immediately after.
    return kw === this.limits.siteExportMaxKw && slope === 0 ? LIMITING_FACTOR.powerLimit : LIMITING_FACTOR.weather;
  }

  private setLinearOutput(k: number, atMs: EpochMs, cap: number, out: Segment): void {
    const series = this.availableKw;
    const slope = series.slopeAt(k);
    const kw = series.values[k] + slope * (atMs - series.timesMs[k]);
    const endMs = k + 1 < series.timesMs.length ? series.timesMs[k + 1] : Number.POSITIVE_INFINITY;
    const capped = isPositiveAhead(kw - cap, slope);
    const untilMs = Math.min(endMs, zeroCrossingMs(atMs, kw - cap, slope));
    const limitedBy = this.limitingFactorAt(kw, slope, capped);
    setLinearSegment(out, atMs, untilMs, -(capped ? cap : kw) || 0, capped ? 0 : -slope || 0, limitedBy);
  }

  /** `indexAt` from a cursor, because successive reads are mostly a sample or two apart. */
  private indexAt(atMs: EpochMs): number {
    const { timesMs } = this.availableKw;
    let k = this.cursor;
    if (atMs < timesMs[k] || timesMs.length <= k + 8 || timesMs[k + 8] <= atMs) k = this.availableKw.indexAt(atMs);
    else while (timesMs[k + 1] <= atMs) k++;
    this.cursor = k;
    return k;
  }
}

/** Maximum length of a segment of constant output; longer ones are split. */
const MAX_EQUAL_OUTPUT_SAMPLES = 64;

/** Index after the samples from k on with the same output and limiting factor: night and saturation are one segment each. */
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
