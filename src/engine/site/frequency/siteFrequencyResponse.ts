import { Copyable } from "../../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import { STORAGE_BOUND_TOLERANCE_KWH } from "../../device/battery/batteryCapability.ts";
import { firstPositiveMs, newCurve } from "../../device/curve/curve.ts";
import { LIMITING_FACTOR } from "../../device/curve/limitingFactor.ts";
import type { Trajectory } from "../../device/curve/trajectory.ts";
import { deliveredResponseKwMs } from "../../device/frequency/deliveredResponse.ts";
import { orderResponseKw, ResponseProfile } from "../../device/frequency/responseProfile.ts";
import type { ResponseWindowCache } from "../../device/frequency/responseWindow.ts";
import type { Load } from "../components/capabilities.ts";
import type { RespondingComponent } from "../components/parts.ts";
import {
  INSTANT_TOLERANCE_MS,
  isPositiveAhead,
  newSegment,
  type Segment,
  setLinearSegment,
  shiftOrigin,
} from "../components/segment.ts";
import { type FcrOrderResponse, type FcrSetpoint, PLAN_SETPOINT, type Setpoint } from "../components/setpoint.ts";
import type { OrderBook } from "../orders/orderBook.ts";
import type { SiteOrder } from "../orders/siteOrder.ts";
import { type FcrRegisters, ZERO_FCR_REGISTERS } from "./fcrRegisters.ts";

type CurtailedByResponse = "deltas" | "whole_target";

/** Layout of the sums: index 0 is the time at a bound; each order response adds three values. */
const UP = 1;
const DOWN = 2;
const REQUESTED = 3;
const VALUES_PER_ORDER = 3;

/**
 * The frequency response of one resource: its requested profile, and the realised energies by order.
 *
 * Sums are accumulated from one change of trajectory or frequency to the next, so that values do not depend on when they are
 * read. Created with the first FCR set-point of a site.
 */
export class SiteFrequencyResponse extends Copyable {
  readonly profile = new ResponseProfile();
  private readonly component: RespondingComponent;
  private windows: ResponseWindowCache;
  private readonly ratedKw: number;
  private readonly fullKwh: number;
  private readonly emptyKwh: number;
  private readonly orders: OrderBook;
  /** Registers of orders in force, and of ended ones until the next order begins. */
  private readonly registersByOrder = new Map<SiteOrder, FcrRegisters>();
  /** In force since the last `begin`; `null`: none. */
  private fcr: FcrSetpoint | null = null;
  private baselineKw = 0;
  /** Baseline and deltas. */
  private setpoint: Setpoint = PLAN_SETPOINT;
  private originMs: EpochMs = 0;
  /** Cached run of segments without a limiting factor, used by several readers. */
  private unlimitedFromMs: EpochMs = 0;
  private unlimitedUntilMs: EpochMs = Number.NEGATIVE_INFINITY;
  /** Whether the profile is valid; not during an outage or FCR fault. */
  private isResponding = false;
  /** Time at a bound in ms and, per order response, kW·ms up, down and requested: complete pieces up to `accumulatedToMs`. */
  private accumulated = new Float64Array(0);
  private readings = new Float64Array(0);
  private accumulatedToMs: EpochMs = 0;
  private readonly scratchSegment = newSegment();
  private readonly curtailed: CurtailedByResponse;
  private readonly power = newCurve();
  private readonly requested = { kw: 0, kwPerMs: 0 };

  /** @param curtailed  the power that is reduced in favour of the response at a limit: the orders' deltas, or the whole set-point */
  constructor(
    component: RespondingComponent,
    orders: OrderBook,
    windows: ResponseWindowCache,
    ratedKw: number,
    curtailed: CurtailedByResponse = "deltas",
  ) {
    super();
    this.orders = orders;
    this.curtailed = curtailed;
    this.component = component;
    this.windows = windows;
    this.ratedKw = ratedKw;
    this.fullKwh = component.storage?.fullKwh ?? Number.POSITIVE_INFINITY;
    this.emptyKwh = component.storage?.emptyKwh ?? Number.NEGATIVE_INFINITY;
  }

  /** Changes the FCR configuration from the next `begin` on. */
  setWindows(windows: ResponseWindowCache): void {
    this.windows = windows;
  }

  /** Whether there is an FCR set-point, even if the device cannot respond. */
  get isInForce(): boolean {
    return this.fcr !== null;
  }

  /** Begins a set-point. @returns the response profile from this instant to its end; `null`: none */
  begin(atMs: EpochMs, target: Setpoint, canRespond: boolean, share = 1, longestMs?: number): ResponseProfile | null {
    const { fcr } = target;
    this.fcr = fcr;
    this.accumulatedToMs = atMs;
    this.isResponding = fcr !== null && canRespond;
    if (fcr === null) return null;
    this.baselineKw = target.baselineKw;
    this.setpoint = target;
    this.originMs = atMs;
    this.unlimitedUntilMs = Number.NEGATIVE_INFINITY;
    const length = UP + VALUES_PER_ORDER * fcr.orderResponses.length;
    if (this.accumulated.length === length) this.accumulated.fill(0);
    else {
      this.accumulated = new Float64Array(length);
      this.readings = new Float64Array(length);
    }
    if (!canRespond) return null;
    this.profile.fill(atMs, this.windows.windowAt(atMs), share * this.ratedKw, fcr.orderResponses, longestMs);
    return this.profile;
  }

  /**
   * Ends the current trajectory. A response that continues because of a delay after an order was withdrawn is not credited to it,
   * as with deltas (docs/model/accounting.md#delivered).
   */
  close(atMs: EpochMs): void {
    if (this.fcr === null || atMs <= this.accumulatedToMs) return;
    const sums = this.accumulateUntil(atMs);
    this.fcr.orderResponses.forEach(({ order }, responseIndex) => {
      if (!this.orders.isActive(order)) return;
      const registers = this.openRegisters(order, atMs);
      addSums(registers, sums, responseIndex);
    });
    this.fcr = null;
  }

  /** Registers of an order at an instant of the current trajectory. */
  readRegisters(order: SiteOrder, atMs: EpochMs): Readonly<FcrRegisters> {
    const registers = { ...(this.registersByOrder.get(order) ?? ZERO_FCR_REGISTERS) };
    const responseIndex = this.fcr?.orderResponses.findIndex((candidate) => candidate.order === order) ?? -1;
    if (responseIndex >= 0 && this.orders.isActive(order))
      addSums(registers, this.accumulateUntil(atMs), responseIndex);
    return registers;
  }

  private openRegisters(order: SiteOrder, atMs: EpochMs): FcrRegisters {
    let registers = this.registersByOrder.get(order);
    if (registers === undefined) {
      this.dropRegistersBefore(atMs);
      this.registersByOrder.set(order, (registers = { ...ZERO_FCR_REGISTERS }));
    }
    return registers;
  }

  /** Removes the registers of ended orders, so that a long run does not collect them. */
  private dropRegistersBefore(atMs: EpochMs): void {
    for (const order of this.registersByOrder.keys()) if (order.endMs < atMs) this.registersByOrder.delete(order);
  }

  /**
   * The power without the response. While no limit is active, it is the set-point without the response: one segment for all
   * frequency values.
   */
  segmentWithoutResponseAt(atMs: EpochMs, out: Segment): void {
    const component = this.component;
    const { load, trajectory } = component;
    if (load !== null) return load.segmentWithoutResponseAt(atMs, out);
    component.segmentAt(atMs, out);
    if (!this.isResponding || trajectory === null) return;
    const k = trajectory.indexAt(atMs);
    if (trajectory.limitedByOf(k) === LIMITING_FACTOR.none)
      setLinearSegment(
        out,
        atMs,
        this.findUnlimitedUntilMs(trajectory, k),
        this.setpointKwAt(atMs) + trajectory.auxiliaryKw,
        this.setpoint.kwPerMs ?? 0,
        LIMITING_FACTOR.none,
      );
    else this.subtractResponse(atMs, trajectory.auxiliaryKw, out);
  }

  /** Until when no limit is active. */
  private findUnlimitedUntilMs(trajectory: Trajectory, k: number): EpochMs {
    const startMs = trajectory.startMsOf(k);
    if (this.unlimitedFromMs <= startMs && startMs < this.unlimitedUntilMs) return this.unlimitedUntilMs;
    let next = k + 1;
    while (next < trajectory.count && trajectory.limitedByOf(next) === LIMITING_FACTOR.none) next++;
    this.unlimitedFromMs = startMs;
    this.unlimitedUntilMs = next < trajectory.count ? trajectory.startMsOf(next) : Number.POSITIVE_INFINITY;
    return this.unlimitedUntilMs;
  }

  /** Converts a limited segment into the power without the response, up to the next change. */
  private subtractResponse(atMs: EpochMs, auxiliaryKw: number, out: Segment): void {
    const { profile } = this;
    const j = profile.indexAt(atMs);
    const slope = profile.kwPerMs[j];
    const requestedKw = profile.kw[j] + slope * (atMs - profile.originMs - profile.afterMs[j]);
    const pieceEndMs = profile.endMs(j);
    shiftOrigin(out, atMs);
    out.endMs = Math.min(out.endMs, pieceEndMs);
    const sign = isPositiveAhead(requestedKw, slope) ? 1 : -1;
    if (sign * requestedKw <= 0 && sign * slope <= 0) return;
    const referenceKw = this.responseReferenceKw(0 < sign, atMs) + auxiliaryKw;
    const curvature = sign * out.kwPerMs2;
    const realisedKw = sign * (out.kw - referenceKw);
    const referenceSlope = this.responseReferenceKwPerMs(0 < sign, atMs);
    const realisedSlope = sign * (out.kwPerMs - referenceSlope);
    const beyondKw = realisedKw - sign * requestedKw;
    const beyondSlope = realisedSlope - sign * slope;
    const endMs = Math.min(
      curveCrossingMs(atMs, realisedKw, realisedSlope, curvature, out.ratePerMs),
      curveCrossingMs(atMs, beyondKw, beyondSlope, curvature, out.ratePerMs),
    );
    out.endMs = Math.min(out.endMs, endMs);
    if (isPositiveAhead(beyondKw, beyondSlope)) {
      out.kw -= requestedKw;
      out.kwPerMs -= slope;
    } else if (isPositiveAhead(realisedKw, realisedSlope)) {
      out.kw = referenceKw;
      out.kwPerMs = referenceSlope;
      out.kwPerMs2 = out.ratePerMs = 0;
    }
  }

  /** Baseline and deltas. */
  private setpointKwAt(atMs: EpochMs): number {
    const { baselineKw, deltaKw, kwPerMs = 0 } = this.setpoint;
    return baselineKw + deltaKw + kwPerMs * (atMs - this.originMs);
  }

  /** Sets the set-point of a trajectory that has just begun, if it was not known at `begin`. */
  updateSetpoint(target: Setpoint): void {
    this.setpoint = target;
  }

  /** The power from which a response is counted: opposing deltas are reduced to 0 first. */
  private responseReferenceKw(up: boolean, atMs: EpochMs): number {
    if (this.curtailed === "whole_target")
      return up ? Math.min(0, this.setpointKwAt(atMs)) : Math.max(0, this.setpointKwAt(atMs));
    const { downDeltaKw: downKw, upDeltaKw: upKw } = this.fcr as FcrSetpoint;
    return this.baselineKw + (up ? downKw : upKw);
  }

  /** Slope of that power; a linear set-point is replanned where it changes its sign. */
  private responseReferenceKwPerMs(up: boolean, atMs: EpochMs): number {
    const { kwPerMs = 0 } = this.setpoint;
    if (kwPerMs === 0 || this.curtailed !== "whole_target") return 0;
    const targetKw = this.setpointKwAt(atMs);
    return isPositiveAhead(up ? -targetKw : targetKw, up ? -kwPerMs : kwPerMs) ? kwPerMs : 0;
  }

  /** Accumulates complete pieces permanently, and the incomplete one in `readings`; the result is valid until the next call. */
  private accumulateUntil(atMs: EpochMs): Float64Array {
    const component = this.component;
    const orderResponses = this.fcr?.orderResponses ?? [];
    if (component.load !== null) this.accumulateLoad(component.load, orderResponses, atMs);
    else if (component.trajectory !== null) this.accumulateTrajectory(component.trajectory, orderResponses, atMs);
    return this.readings;
  }

  private accumulateTrajectory(
    trajectory: Trajectory,
    orderResponses: readonly FcrOrderResponse[],
    atMs: EpochMs,
  ): void {
    const { profile } = this;
    let k = trajectory.indexAt(this.accumulatedToMs);
    let j = this.isResponding ? profile.indexAt(this.accumulatedToMs) : -1;
    for (;;) {
      const trajectoryEndMs = trajectory.endMsOf(k);
      const profileEndMs = 0 <= j ? profile.endMs(j) : Number.POSITIVE_INFINITY;
      const endMs = trajectoryEndMs < profileEndMs ? trajectoryEndMs : profileEndMs;
      if (atMs < endMs) break;
      this.accumulatePiece(this.accumulated, orderResponses, trajectory, k, j, endMs);
      this.accumulatedToMs = endMs;
      if (trajectoryEndMs === endMs) k++;
      if (profileEndMs === endMs) j++;
    }
    this.readings.set(this.accumulated);
    if (this.accumulatedToMs < atMs) this.accumulatePiece(this.readings, orderResponses, trajectory, k, j, atMs);
  }

  /** Accumulates a piece within one segment and one frequency step. @param j  index in the profile; -1: no response */
  private accumulatePiece(
    sums: Float64Array,
    orderResponses: readonly FcrOrderResponse[],
    trajectory: Trajectory,
    k: number,
    j: number,
    toMs: EpochMs,
  ): void {
    const fromMs = this.accumulatedToMs;
    const spanMs = toMs - fromMs;
    sums[0] += this.atBoundMs(trajectory, k, fromMs, toMs);
    if (j < 0) return;
    const { profile } = this;
    const slope = profile.kwPerMs[j];
    const requestedKw = profile.kw[j] + slope * (fromMs - profile.originMs - profile.afterMs[j]);
    const requestedKwMs = (requestedKw + 0.5 * slope * spanMs) * spanMs;
    if (requestedKwMs === 0) return;
    const realisedKwMs =
      trajectory.limitedByOf(k) === LIMITING_FACTOR.none
        ? requestedKwMs
        : this.deliveredKwMs(trajectory, k, fromMs, spanMs, requestedKw, slope);
    this.allocateToOrders(sums, orderResponses, j, fromMs, spanMs, requestedKwMs, realisedKwMs);
  }

  private deliveredKwMs(
    trajectory: Trajectory,
    k: number,
    fromMs: EpochMs,
    spanMs: number,
    requestedKw: number,
    slope: number,
  ): number {
    const power = this.power;
    const requested = this.requested;
    trajectory.readCellPower(k, Math.max(0, fromMs - trajectory.startMsOf(k)), power);
    const up = 0 < requestedKw + 0.5 * slope * spanMs;
    // Counted from the response reference, which may change linearly.
    power.kw -= this.responseReferenceKw(up, fromMs);
    power.kwPerMs -= this.responseReferenceKwPerMs(up, fromMs);
    requested.kw = requestedKw;
    requested.kwPerMs = slope;
    return deliveredResponseKwMs(power, requested, 0, spanMs);
  }

  /** Time at an energy bound within a segment, in ms. */
  private atBoundMs(trajectory: Trajectory, k: number, fromMs: EpochMs, toMs: EpochMs): number {
    const fullKwh = this.fullKwh - STORAGE_BOUND_TOLERANCE_KWH;
    const emptyKwh = this.emptyKwh + STORAGE_BOUND_TOLERANCE_KWH;
    const slope = trajectory.storedKwhPerMsOf(k);
    const curvature = trajectory.storedKwhPerMs2Of(k);
    if (curvature !== 0)
      return (
        trajectory.storedBeyondMs(fullKwh, 1, fromMs, toMs) + trajectory.storedBeyondMs(emptyKwh, -1, fromMs, toMs)
      );
    const fromKwh = trajectory.storedKwhOf(k) + slope * (fromMs - trajectory.startMsOf(k));
    const toKwh = trajectory.storedKwhOf(k) + slope * (toMs - trajectory.startMsOf(k));
    const overKwh = Math.max(fromKwh, toKwh) - fullKwh;
    const underKwh = emptyKwh - Math.min(fromKwh, toKwh);
    if (overKwh < 0 && underKwh < 0) return 0;
    const rangeKwh = Math.abs(toKwh - fromKwh);
    const beyondKwh = Math.max(overKwh, underKwh);
    return rangeKwh <= beyondKwh ? toMs - fromMs : (beyondKwh / rangeKwh) * (toMs - fromMs);
  }

  private accumulateLoad(component: Load, orderResponses: readonly FcrOrderResponse[], atMs: EpochMs): void {
    const { profile } = this;
    const segment = this.scratchSegment;
    for (;;) {
      const fromMs = this.accumulatedToMs;
      component.responseSegmentAt(fromMs, segment);
      const j = this.isResponding ? profile.indexAt(fromMs) : -1;
      const profileEndMs = 0 <= j ? profile.endMs(j) : Number.POSITIVE_INFINITY;
      const endMs = Math.min(segment.endMs, profileEndMs);
      if (atMs < endMs) {
        this.readings.set(this.accumulated);
        this.accumulateLoadPiece(this.readings, orderResponses, j, atMs - fromMs);
        return;
      }
      this.accumulateLoadPiece(this.accumulated, orderResponses, j, endMs - fromMs);
      this.accumulatedToMs = endMs;
    }
  }

  private accumulateLoadPiece(
    sums: Float64Array,
    orderResponses: readonly FcrOrderResponse[],
    j: number,
    spanMs: number,
  ): void {
    const { kw, kwPerMs } = this.scratchSegment;
    const { profile } = this;
    const fromMs = this.accumulatedToMs;
    const slope = j < 0 ? 0 : profile.kwPerMs[j];
    const requestedKw = j < 0 ? 0 : profile.kw[j] + slope * (fromMs - profile.originMs - profile.afterMs[j]);
    const realisedKwMs = (kw + 0.5 * kwPerMs * spanMs) * spanMs;
    this.allocateToOrders(
      sums,
      orderResponses,
      j,
      fromMs,
      spanMs,
      (requestedKw + 0.5 * slope * spanMs) * spanMs,
      realisedKwMs,
    );
  }

  /** Divides the realised response among orders in proportion to their requested responses; without a request, the first gets it. */
  private allocateToOrders(
    sums: Float64Array,
    orderResponses: readonly FcrOrderResponse[],
    j: number,
    fromMs: EpochMs,
    spanMs: number,
    requestedKwMs: number,
    realisedKwMs: number,
  ): void {
    const direction = realisedKwMs < 0 ? DOWN : UP;
    const realisedSize = Math.abs(realisedKwMs);
    if (orderResponses.length === 1 || requestedKwMs === 0) {
      sums[direction] += realisedSize;
      sums[REQUESTED] += Math.abs(requestedKwMs);
      return;
    }
    const { profile } = this;
    const intoMs = fromMs - profile.originMs - profile.afterMs[j];
    const siteKw = profile.requestedKw[j] + profile.requestedKwPerMs[j] * intoMs;
    for (let responseIndex = 0; responseIndex < orderResponses.length; responseIndex++) {
      const startKw = orderResponseKw(orderResponses[responseIndex], siteKw);
      const endKw = orderResponseKw(orderResponses[responseIndex], siteKw + profile.requestedKwPerMs[j] * spanMs);
      const partKwMs = 0.5 * (startKw + endKw) * spanMs;
      sums[VALUES_PER_ORDER * responseIndex + direction] += realisedSize * (partKwMs / requestedKwMs);
      sums[VALUES_PER_ORDER * responseIndex + REQUESTED] += Math.abs(partKwMs);
    }
  }
}

/** When a curve next changes its sign after the instant. */
function curveCrossingMs(atMs: EpochMs, kw: number, slope: number, curvature: number, ratePerMs: number): EpochMs {
  const sign = isPositiveAhead(kw, slope) ? -1 : 1;
  const aheadMs = firstPositiveMs(sign * kw, sign * slope, sign * curvature, ratePerMs);
  return INSTANT_TOLERANCE_MS < aheadMs ? atMs + aheadMs : Number.POSITIVE_INFINITY;
}

function addSums(registers: FcrRegisters, sums: Float64Array, responseIndex: number): void {
  const first = VALUES_PER_ORDER * responseIndex;
  registers.upKwh += sums[first + UP] / MS_PER_HOUR;
  registers.downKwh += sums[first + DOWN] / MS_PER_HOUR;
  registers.requestedKwh += sums[first + REQUESTED] / MS_PER_HOUR;
  registers.atBoundMs += sums[0];
}
