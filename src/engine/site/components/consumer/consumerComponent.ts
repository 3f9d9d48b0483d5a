import type { Sku } from "../../../../base/sku.ts";
import { type EpochMs, MS_PER_HOUR, MS_PER_SECOND } from "../../../../base/time.ts";
import type { ConsumerSpec } from "../../../device/consumer/consumerSpec.ts";
import { LIMITING_FACTOR, type LimitingFactor } from "../../../device/curve/limitingFactor.ts";
import { RampLimitedProfile } from "../../../device/curve/rampLimitedProfile.ts";
import type { ResponseProfile } from "../../../device/frequency/responseProfile.ts";
import { clipSeries } from "../../../series/model/clipSeries.ts";
import { holdSeries } from "../../../series/model/holdSeries.ts";
import type { Series } from "../../../series/model/series.ts";
import { type SiteBaseline, toSlotSeries } from "../../baseline/siteBaseline.ts";
import { isSameFcrSetpoint } from "../../frequency/fcrSetpoint.ts";
import type { PowerLimits } from "../../siteConstraints.ts";
import { NO_REBOUNDS, type Rebound, type ResourceSnapshot } from "../../siteSnapshot.ts";
import { BaseComponent } from "../baseComponent.ts";
import {
  CAPABILITY_LIMIT,
  type DeltaRequest,
  type FcrCapabilityQuery,
  type Load,
  type ResourceSite,
} from "../capabilities.ts";
import type { LoadPart } from "../parts.ts";
import {
  copySegment,
  isPositiveAhead,
  newSegment,
  type Segment,
  setLinearSegment,
  zeroCrossingMs,
} from "../segment.ts";
import type { OperatingConditions, ReplanMs, Setpoint } from "../setpoint.ts";

/**
 * A load that can be reduced: p(t) = min(max_demand, max(0, L(t) − s(t)) + rebound(t)).
 *
 * The shed power s(t) is piecewise linear and planned up to the next change of its inputs. @see docs/model/consumer.md
 */
export class ConsumerComponent extends BaseComponent implements LoadPart {
  readonly kind = "consumer";
  readonly spec: ConsumerSpec;
  /** Demand without instructions, limited to the maximum demand. */
  demandKw: Series;
  /** Registered 30-minute slots; `null` when none are registered. */
  baselineSlotsKw: Series | null;
  inService = true;
  /** Energy in kWh shed since the active reduction began; integrated only for loads with a rebound. */
  shedKwh = 0;
  private readonly rampKwPerMs: number;
  private readonly deliveryRatio: number;
  /** Planned shed power; the actual one is limited by the load. Its pieces start at instants: the origin is 0. */
  private readonly shed = new RampLimitedProfile();
  /** Never modified in place, because snapshots share it. */
  private activeRebounds: readonly Rebound[] = NO_REBOUNDS;
  /** Ramp-limited frequency response; `null` without one. */
  private responseProfile: RampLimitedProfile | null = null;
  private readonly limitedResponse = { kw: 0, kwPerMs: 0, endMs: 0, limitedBy: LIMITING_FACTOR.none as LimitingFactor };
  private readonly limits: PowerLimits;
  /** The segment at `cachedAtMs`: awards and meters read the same segment. */
  private readonly cachedSegment = newSegment();
  private cachedAtMs: EpochMs = Number.NaN;
  private isReducing = false;
  private advancedMs = Number.NaN;

  constructor(spec: ConsumerSpec, slotsKw: Series | null, limits: PowerLimits) {
    super();
    this.spec = spec;
    this.limits = limits;
    this.demandKw = clipSeries(spec.loadKw, spec.maxDemandKw);
    this.baselineSlotsKw = slotsKw;
    this.deliveryRatio = spec.deliveryRatio ?? 1;
    this.rampKwPerMs = spec.rampKwPerS === null ? Number.POSITIVE_INFINITY : spec.rampKwPerS / MS_PER_SECOND;
  }

  get role(): "load" {
    return "load";
  }

  get trajectory(): null {
    return null;
  }

  override get load(): Load {
    return this;
  }

  override get hasOutputControl(): boolean {
    return false;
  }

  override expectInput(atMs: EpochMs, plan: Series | null): void {
    this.demandKw = clipSeries(plan ?? holdSeries(this.demandKw, atMs), this.spec.maxDemandKw);
  }

  override applyBaseline(baseline: SiteBaseline, period: { startMs: EpochMs; endMs: EpochMs }): void {
    this.baselineSlotsKw = toSlotSeries(baseline, period);
  }

  /** Compares deltas: the reduction depends on the delta, not on the sum with the baseline. */
  override isSetpointChange(a: Setpoint, b: Setpoint): boolean {
    return a.isInstructed !== b.isInstructed || !isSameFcrSetpoint(a.fcr, b.fcr) || a.deltaKw !== b.deltaKw;
  }

  override individualSetpointKw(_baselineKw: number, deltaKw: number): number | null {
    return deltaKw < 0 ? Math.max(deltaKw, -this.spec.maxDrReductionKw) : null;
  }

  override get drivingSeries(): Series | null {
    return this.hasNoShedDynamics ? this.demandKw : null;
  }

  /** Whether the shed power is the reduction immediately, without tracking, ramp or rebound. */
  get hasNoShedDynamics(): boolean {
    const { control, rampKwPerS, reboundFraction } = this.spec;
    return control !== "track" && rampKwPerS === null && reboundFraction === 0 && this.deliveryRatio === 1;
  }

  /** Rebounds of past reductions that are part of the present trajectory. */
  get rebounds(): readonly Rebound[] {
    return this.activeRebounds;
  }

  advance(atMs: EpochMs): void {
    if (this.isReducing && this.spec.reboundFraction > 0 && this.inService)
      this.shedKwh += this.shedEnergyKwh(this.advancedMs, atMs);
    this.advancedMs = atMs;
  }

  /** Begins a reduction and resets the shed energy; no effect during a reduction. */
  beginReduction(): void {
    if (!this.isReducing) this.shedKwh = 0;
    this.isReducing = true;
  }

  /** Ends the reduction as of `endMs` (the start of an outage ends it) and adds its rebound, a constant power. */
  endReduction(endMs: EpochMs): void {
    if (!this.isReducing) return;
    this.isReducing = false;
    const { reboundFraction, reboundMs } = this.spec;
    if (reboundFraction > 0 && reboundMs > 0 && this.shedKwh > 0)
      this.activeRebounds = [
        ...this.activeRebounds,
        {
          fromMs: endMs,
          untilMs: endMs + reboundMs,
          kw: (reboundFraction * this.shedKwh * MS_PER_HOUR) / reboundMs,
        },
      ];
    this.shedKwh = 0;
  }

  /** Writes the state at the start of the present trajectory. */
  captureState(out: ResourceSnapshot): void {
    out.flowingKw = this.shed.kw[0];
    out.rebounds = this.activeRebounds;
    out.responseKw = this.responseProfile === null ? 0 : this.responseProfile.kw[0];
  }

  /** Restores the state at the start of a trajectory; `planTrajectory` then reproduces the trajectory. */
  restore({ flowingKw, rebounds, responseKw }: ResourceSnapshot, atMs: EpochMs): void {
    this.shed.hold(atMs, flowingKw);
    this.activeRebounds = rebounds;
    this.responseProfile = responseKw === 0 ? null : new RampLimitedProfile();
    this.responseProfile?.hold(atMs, responseKw);
  }

  planTrajectory(atMs: EpochMs, target: Setpoint, conditions: OperatingConditions): ReplanMs {
    const fromKw = this.shed.count === 0 ? 0 : this.shed.kwAt(atMs);
    this.cachedAtMs = Number.NaN;
    this.inService = conditions.inService;
    this.updateResponse(atMs, conditions.response);
    if (this.activeRebounds.length > 0)
      this.activeRebounds = this.activeRebounds.filter((rebound) => atMs < rebound.untilMs);
    if (target.isInstructed && this.spec.control === "track" && target.deltaKw < 0)
      return this.planTracking(atMs, fromKw, target.deltaKw);
    this.shed.begin(0, this.rampKwPerMs);
    this.shed.addRampTowards(
      atMs,
      Number.POSITIVE_INFINITY,
      fromKw,
      target.isInstructed ? this.deliveryRatio * Math.max(0, Math.min(-target.deltaKw, this.spec.maxDrReductionKw)) : 0,
      0,
    );
    return Number.POSITIVE_INFINITY;
  }

  /**
   * Plans the frequency response. Its ramp is separate from that of a reduction, and the limits of demand response do not
   * apply to it (docs/model/frequency-response.md#energy-test).
   */
  private updateResponse(atMs: EpochMs, profile: ResponseProfile | null): void {
    const fromKw = this.responseProfile === null || !this.inService ? 0 : this.responseProfile.kwAt(atMs);
    if (profile === null && fromKw === 0) this.responseProfile = null;
    else (this.responseProfile ??= new RampLimitedProfile()).fill(atMs, fromKw, profile, this.rampKwPerMs);
  }

  /** Plans the shed power, at least 0, that brings the load down to the slot's baseline plus delta, until the load or the slot changes (docs/model/consumer.md#track, docs/model/allocation.md#activation). */
  private planTracking(atMs: EpochMs, fromKw: number, deltaKw: number): ReplanMs {
    const demand = this.demandKw;
    const slot = this.baselineSlotKwAt(atMs);
    const slope = demand.slopeAt(demand.indexAt(atMs));
    const requestedKw = demand.valueAt(atMs) - (slot + deltaKw);
    const { maxDrReductionKw } = this.spec;
    const { deliveryRatio } = this;
    const untilMs = Math.min(
      demand.nextChangeMs(atMs),
      this.baselineSlotsKw?.nextChangeMs(atMs) ?? Number.POSITIVE_INFINITY,
    );
    this.shed.begin(0, this.rampKwPerMs);
    let fromMs = atMs;
    let shedKw = fromKw;
    for (const cornerMs of corners(atMs, untilMs, requestedKw, slope, maxDrReductionKw)) {
      const middleKw = requestedKw + slope * ((fromMs + Math.min(cornerMs, fromMs + MS_PER_HOUR)) / 2 - atMs);
      const clamped = middleKw <= 0 ? 0 : maxDrReductionKw <= middleKw ? maxDrReductionKw : Number.NaN;
      const targetKw = Number.isNaN(clamped) ? requestedKw + slope * (fromMs - atMs) : clamped;
      const targetSlope = Number.isNaN(clamped) ? slope : 0;
      shedKw = this.shed.addRampTowards(
        fromMs,
        cornerMs,
        shedKw,
        deliveryRatio * targetKw,
        deliveryRatio * targetSlope,
      );
      fromMs = cornerMs;
    }
    return untilMs;
  }

  baselineSlotKwAt(atMs: EpochMs): number {
    return this.baselineSlotsKw === null ? 0 : this.baselineSlotsKw.valueAt(atMs);
  }

  maxSetpointKw(): number {
    return 0;
  }

  exportAvailableKw(): number {
    return 0;
  }

  override gridExportAvailableKw(): number {
    return 0;
  }

  override headroomKw({ spec }: ResourceSite, _baselineKw: number, up: boolean): number {
    return up || !spec.capability.drCapable ? 0 : this.spec.maxDrReductionKw;
  }

  /** A reduction that ends at this instant can continue only under its own product. */
  override reductionAvailableKw(site: ResourceSite, sku: Sku | null, atMs: EpochMs): number {
    const { reduction, spec } = site;
    if (!spec.capability.drCapable) return 0;
    const continues = reduction.reducing && (site.isLoadReduced || reduction.sku === sku);
    const endedMs = reduction.reducing ? atMs : reduction.endedMs;
    return !continues && atMs - endedMs < this.spec.minDrCooldownMs ? 0 : this.spec.maxDrReductionKw;
  }

  takesDelta({ spec }: ResourceSite, _baselineKw: number, { direction, sku }: DeltaRequest): boolean {
    if (sku === "exchange-da" || sku === "exchange-ttv") return false;
    return direction === 0 || (direction < 0 && spec.capability.drCapable);
  }

  override capabilityLimit(): number {
    return CAPABILITY_LIMIT.power;
  }

  fcrHeadroomKw(_site: ResourceSite, { baselineKw }: FcrCapabilityQuery, up: boolean): number {
    if (up) return this.importMaxKw - baselineKw;
    return Math.min(this.spec.maxDrReductionKw, baselineKw);
  }

  /** Largest power with frequency response, in kW. */
  private get importMaxKw(): number {
    return Math.min(this.spec.contractKw, this.limits.siteImportMaxKw);
  }

  segmentAt(atMs: EpochMs, out: Segment): void {
    if (atMs !== this.cachedAtMs) {
      this.computeSegment(atMs, this.cachedSegment);
      this.cachedAtMs = atMs;
    }
    copySegment(this.cachedSegment, out);
  }

  private computeSegment(atMs: EpochMs, out: Segment): void {
    this.segmentWithoutResponseAt(atMs, out);
    if (this.responseProfile === null || !this.inService) return;
    const { kw, kwPerMs, endMs, limitedBy } = this.limitResponse(this.responseProfile, atMs, out);
    setLinearSegment(out, atMs, endMs, out.kw + kw || 0, out.kwPerMs + kwPerMs || 0, limitedBy);
  }

  /** Fills `out` with the frequency response alone. */
  responseSegmentAt(atMs: EpochMs, out: Segment): void {
    this.segmentWithoutResponseAt(atMs, out);
    if (this.responseProfile === null || !this.inService)
      setLinearSegment(out, atMs, out.endMs, 0, 0, LIMITING_FACTOR.none);
    else {
      const { kw, kwPerMs, endMs, limitedBy } = this.limitResponse(this.responseProfile, atMs, out);
      setLinearSegment(out, atMs, endMs, kw, kwPerMs, limitedBy);
    }
  }

  /**
   * Limits the response to the headroom of the load: the power stays at or above 0, and at or below the contract and the
   * connection limit unless the load alone exceeds them. The result is valid until the next call.
   *
   * @param load  the power without response, from the instant on
   */
  private limitResponse(response: RampLimitedProfile, atMs: EpochMs, load: Segment) {
    const k = response.indexAt(atMs);
    const slope = response.kwPerMs[k];
    const kw = response.kw[k] + slope * (atMs - response.originMs - response.afterMs[k]);
    const up = isPositiveAhead(kw, slope);
    const headroomKw = up ? this.importMaxKw - load.kw : load.kw;
    const headroomSlope = up ? -load.kwPerMs : load.kwPerMs;
    const size = up ? kw : -kw;
    const sizeSlope = up ? slope : -slope;
    const hasHeadroom = isPositiveAhead(headroomKw, headroomSlope);
    const isCut = isPositiveAhead(size - headroomKw, sizeSlope - headroomSlope);
    const { limitedResponse } = this;
    limitedResponse.endMs = Math.min(
      load.endMs,
      response.endMs(k),
      zeroCrossingMs(atMs, kw, slope),
      zeroCrossingMs(atMs, headroomKw, headroomSlope),
      zeroCrossingMs(atMs, size - headroomKw, sizeSlope - headroomSlope),
    );
    const sign = up ? 1 : -1;
    limitedResponse.kw = isCut ? (hasHeadroom ? sign * headroomKw : 0) : kw;
    limitedResponse.kwPerMs = isCut ? (hasHeadroom ? sign * headroomSlope : 0) : slope;
    limitedResponse.limitedBy = isCut ? (up ? LIMITING_FACTOR.powerLimit : LIMITING_FACTOR.load) : load.limitedBy;
    return limitedResponse;
  }

  /** The power without frequency response. */
  segmentWithoutResponseAt(atMs: EpochMs, out: Segment): void {
    this.segmentWithoutReboundAt(atMs, out);
    if (this.activeRebounds.length > 0 && this.inService) this.addRebound(atMs, out);
  }

  /** The load minus the shed power, without frequency response and rebound. */
  segmentWithoutReboundAt(atMs: EpochMs, out: Segment): void {
    if (!this.inService) return setLinearSegment(out, atMs, Number.POSITIVE_INFINITY, 0, 0, LIMITING_FACTOR.none);
    const demand = this.demandKw;
    const k = demand.indexAt(atMs);
    const j = this.shed.indexAt(atMs);
    const demandSlope = demand.slopeAt(k);
    const netKw = demand.values[k] + demandSlope * (atMs - demand.timesMs[k]) - this.shed.kwAt(atMs);
    const netSlope = demandSlope - this.shed.kwPerMs[j];
    const empty = !isPositiveAhead(netKw, netSlope);
    const endMs = Math.min(this.constantDemandUntilMs(k), this.shed.endMs(j), zeroCrossingMs(atMs, netKw, netSlope));
    setLinearSegment(
      out,
      atMs,
      endMs,
      empty ? 0 : netKw,
      empty ? 0 : netSlope,
      this.shed.isRamping[j] ? LIMITING_FACTOR.ramp : LIMITING_FACTOR.load,
    );
  }

  /** End of the segment of constant demand: a step series with equal successive samples is one segment. */
  private constantDemandUntilMs(k: number): EpochMs {
    const { timesMs, values, interpolation } = this.demandKw;
    let next = k + 1;
    if (interpolation === "step") while (next < values.length && values[next] === values[k]) next++;
    return next < values.length ? timesMs[next] : Number.POSITIVE_INFINITY;
  }

  private addRebound(atMs: EpochMs, out: Segment): void {
    let kw = 0;
    for (const { fromMs, untilMs, kw: reboundKw } of this.activeRebounds) {
      if (atMs < fromMs) out.endMs = Math.min(out.endMs, fromMs);
      else if (atMs < untilMs) {
        kw += reboundKw;
        out.endMs = Math.min(out.endMs, untilMs);
      }
    }
    const { maxDemandKw } = this.spec;
    const overKw = out.kw + kw - maxDemandKw;
    const capped = isPositiveAhead(overKw, out.kwPerMs);
    out.endMs = Math.min(out.endMs, zeroCrossingMs(atMs, overKw, out.kwPerMs));
    out.kw = capped ? maxDemandKw : out.kw + kw;
    if (capped) out.kwPerMs = 0;
  }

  /** Energy actually shed: ∫ min(L, s) dt, in kWh. */
  private shedEnergyKwh(fromMs: EpochMs, toMs: EpochMs): number {
    const demand = this.demandKw;
    let sum = 0;
    let atMs = fromMs;
    while (atMs < toMs) {
      const k = demand.indexAt(atMs);
      const j = this.shed.indexAt(atMs);
      const shedSlope = this.shed.kwPerMs[j];
      const demandSlope = demand.slopeAt(k);
      const shedKw = this.shed.kwAt(atMs);
      const loadKw = demand.values[k] + demandSlope * (atMs - demand.timesMs[k]);
      const endMs = Math.min(
        toMs,
        demand.nextChangeMs(atMs),
        zeroCrossingMs(atMs, loadKw - shedKw, demandSlope - shedSlope),
        this.shed.endMs(j),
      );
      const isLimitedByLoad = isPositiveAhead(shedKw - loadKw, shedSlope - demandSlope);
      const spanMs = endMs - atMs;
      sum +=
        ((isLimitedByLoad ? loadKw : shedKw) + 0.5 * (isLimitedByLoad ? demandSlope : shedSlope) * spanMs) * spanMs;
      atMs = endMs;
    }
    return sum / MS_PER_HOUR;
  }
}

/** Ends of the pieces of a linear function, `kw` at `fromMs`, split where it crosses 0 and `max`; the last is `untilMs`. */
function corners(fromMs: EpochMs, untilMs: EpochMs, kw: number, slope: number, max: number): EpochMs[] {
  const inside = [zeroCrossingMs(fromMs, kw, slope), zeroCrossingMs(fromMs, kw - max, slope)].filter(
    (ms) => ms < untilMs,
  );
  return [...inside.sort((a, b) => a - b), untilMs];
}
