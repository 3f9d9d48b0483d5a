import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import { STORAGE_BOUND_TOLERANCE_KWH } from "../../device/battery/batteryCapability.ts";
import { curveSlope, curveValue, firstPositiveMs } from "../../device/curve/curve.ts";
import { DEVICE_LIMIT, type Trajectory } from "../../device/curve/trajectory.ts";
import { deliveredResponseKwMs } from "../../device/frequency/deliveredResponse.ts";
import { orderResponseKw, ResponseProfile } from "../../device/frequency/responseProfile.ts";
import type { ResponseWindowCache } from "../../device/frequency/responseWindow.ts";
import type { Load } from "../components/capabilities.ts";
import type { Component } from "../components/registry.ts";
import { LIMITING_FACTOR, newSegment, type Segment, setLinearSegment } from "../components/segment.ts";
import { type FcrOrderResponse, type FcrSetpoint, PLAN_SETPOINT, type Setpoint } from "../components/setpoint.ts";
import { INSTANT_TOLERANCE_MS, isPositiveAhead } from "../components/zeroCrossing.ts";
import type { OrderBook } from "../orders/orderBook.ts";
import type { SiteOrder } from "../orders/siteOrder.ts";
import { type FcrRegisters, ZERO_FCR_REGISTERS } from "./fcrRegisters.ts";

type CurtailedByResponse = "deltas" | "whole_target";

/** The sums of one part begin here in an array of sums; before them stands the time at a bound. */
const UP = 1;
const DOWN = 2;
const REQUESTED = 3;
const VALUES_PER_ORDER = 3;

/**
 * The frequency response of one site: what the frequency asks of it, and what it has given, by order.
 *
 * Sums walk from one switch of law or frequency to the next, so that what they say of an instant depends on what happened
 * and not on when they were read. Made when a site is first told to respond: the others have none.
 */
export class SiteFrequencyResponse extends Copyable {
  readonly profile = new ResponseProfile();
  private readonly component: Component;
  private windows: ResponseWindowCache;
  private readonly ratedKw: number;
  private readonly fullKwh: number;
  private readonly emptyKwh: number;
  private readonly orders: OrderBook;
  /** Of orders that are in force or have not ended since another one came. */
  private readonly registersByOrder = new Map<SiteOrder, FcrRegisters>();
  /** What is in force since the last `begin`; `null`: nothing. */
  private fcr: FcrSetpoint | null = null;
  private baselineKw = 0;
  /** Baseline and deltas. */
  private setpoint: Setpoint = PLAN_SETPOINT;
  private originMs: EpochMs = 0;
  /** A run of stretches in which nothing keeps the device from its target; several accounts walk it in turn. */
  private unlimitedFromMs: EpochMs = 0;
  private unlimitedUntilMs: EpochMs = Number.NEGATIVE_INFINITY;
  /** Whether the path holds; not while out of service or faulty. */
  private isResponding = false;
  /** Time at a bound in ms and, for each part, kW·ms up, down and asked: over whole pieces up to `accumulatedToMs`. */
  private accumulated = new Float64Array(0);
  private readings = new Float64Array(0);
  private accumulatedToMs: EpochMs = 0;
  private readonly scratchSegment = newSegment();
  private readonly curtailed: CurtailedByResponse;
  private readonly power = { kw: 0, kwPerMs: 0, kwPerMs2: 0, ratePerMs: 0 };
  private readonly requested = { kw: 0, kwPerMs: 0 };

  /** @param yields  what gives way to the response at a limit: the orders' deltas, or all that the unit is to do besides */
  constructor(
    unit: Component,
    orders: OrderBook,
    windows: ResponseWindowCache,
    ratedKw: number,
    yields: CurtailedByResponse = "deltas",
  ) {
    super();
    this.orders = orders;
    this.curtailed = yields;
    this.component = unit;
    this.windows = windows;
    this.ratedKw = ratedKw;
    this.fullKwh = unit.storage?.fullKwh ?? Number.POSITIVE_INFINITY;
    this.emptyKwh = unit.storage?.emptyKwh ?? Number.NEGATIVE_INFINITY;
  }

  /** Answers the frequency by another configuration from the next `begin` on. */
  setWindows(windows: ResponseWindowCache): void {
    this.windows = windows;
  }

  /** Whether an order has the site respond, or would if it could. */
  get isInForce(): boolean {
    return this.fcr !== null;
  }

  /** What the device is to give from an instant on, up to where the path ends; `null`: nothing. */
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
   * The present law ends here. What was given by a delay after an order had been withdrawn is not its own, as with deltas
   * (docs/model/accounting.md#delivered).
   */
  close(atMs: EpochMs): void {
    if (this.fcr === null || atMs <= this.accumulatedToMs) return;
    const sums = this.accumulateUntil(atMs);
    this.fcr.orderResponses.forEach(({ order }, part) => {
      if (!this.orders.isActive(order)) return;
      const registers = this.openRegisters(order, atMs);
      addSums(registers, sums, part);
    });
    this.fcr = null;
  }

  /** What an order's response has come to at an instant of the present law. */
  readRegisters(order: SiteOrder, atMs: EpochMs): Readonly<FcrRegisters> {
    const registers = { ...(this.registersByOrder.get(order) ?? ZERO_FCR_REGISTERS) };
    const part = this.fcr?.orderResponses.findIndex((candidate) => candidate.order === order) ?? -1;
    if (part >= 0 && this.orders.isActive(order)) addSums(registers, this.accumulateUntil(atMs), part);
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

  /** Accounts are closed where their orders end: nobody asks for those of a year. */
  private dropRegistersBefore(atMs: EpochMs): void {
    for (const order of this.registersByOrder.keys()) if (order.endMs < atMs) this.registersByOrder.delete(order);
  }

  /**
   * The power without what the response moves; where nothing keeps the device from its target that is the target without
   * the response, and one stretch however the frequency moves.
   */
  segmentWithoutResponseAt(atMs: EpochMs, out: Segment): void {
    const unit = this.component;
    const { load, trajectory: law } = unit;
    if (load !== null) return load.segmentWithoutResponseAt(atMs, out);
    unit.segmentAt(atMs, out);
    if (!this.isResponding || law === null) return;
    const k = law.indexAt(atMs);
    if (law.limitedBy[k] === DEVICE_LIMIT.none)
      setLinearSegment(
        out,
        atMs,
        this.findUnlimitedUntilMs(law, k),
        this.setpointKwAt(atMs) + law.auxiliaryKw,
        this.setpoint.kwPerMs ?? 0,
        LIMITING_FACTOR.none,
      );
    else this.subtractResponse(atMs, law.auxiliaryKw, out);
  }

  /** Until when nothing keeps the device from its target. */
  private findUnlimitedUntilMs(law: Trajectory, k: number): EpochMs {
    const startMs = law.startMs[k];
    if (this.unlimitedFromMs <= startMs && startMs < this.unlimitedUntilMs) return this.unlimitedUntilMs;
    let next = k + 1;
    while (next < law.count && law.limitedBy[next] === DEVICE_LIMIT.none) next++;
    this.unlimitedFromMs = startMs;
    this.unlimitedUntilMs = next < law.count ? law.startMs[next] : Number.POSITIVE_INFINITY;
    return this.unlimitedUntilMs;
  }

  /** Turns the stretch of a power that cannot follow its target into that without the response, up to where that changes. */
  private subtractResponse(atMs: EpochMs, auxiliaryKw: number, out: Segment): void {
    const { profile: path } = this;
    const j = path.indexAt(atMs);
    const slope = path.kwPerMs[j];
    const askedKw = path.kw[j] + slope * (atMs - path.originMs - path.afterMs[j]);
    const pieceEndMs = path.endMs(j);
    shiftSegmentTo(atMs, out);
    out.endMs = Math.min(out.endMs, pieceEndMs);
    const sign = isPositiveAhead(askedKw, slope) ? 1 : -1;
    if (sign * askedKw <= 0 && sign * slope <= 0) return;
    const roomFromKw = this.responseReferenceKw(0 < sign, atMs) + auxiliaryKw;
    const bend = sign * out.kwPerMs2;
    const givenKw = sign * (out.kw - roomFromKw);
    const roomSlope = this.responseReferenceKwPerMs(0 < sign, atMs);
    const givenSlope = sign * (out.kwPerMs - roomSlope);
    const beyondKw = givenKw - sign * askedKw;
    const beyondSlope = givenSlope - sign * slope;
    const endMs = Math.min(
      curveCrossingMs(atMs, givenKw, givenSlope, bend, out.ratePerMs),
      curveCrossingMs(atMs, beyondKw, beyondSlope, bend, out.ratePerMs),
    );
    out.endMs = Math.min(out.endMs, endMs);
    if (isPositiveAhead(beyondKw, beyondSlope)) {
      out.kw -= askedKw;
      out.kwPerMs -= slope;
    } else if (isPositiveAhead(givenKw, givenSlope)) {
      out.kw = roomFromKw;
      out.kwPerMs = roomSlope;
      out.kwPerMs2 = out.ratePerMs = 0;
    }
  }

  /** Baseline and deltas. */
  private setpointKwAt(atMs: EpochMs): number {
    const { baselineKw, deltaKw, kwPerMs = 0 } = this.setpoint;
    return baselineKw + deltaKw + kwPerMs * (atMs - this.originMs);
  }

  /** Takes another target for the law that has just begun, which was not known then. */
  updateSetpoint(target: Setpoint): void {
    this.setpoint = target;
  }

  /** The power from which a response counts: deltas that oppose it have given way down to nothing. */
  private responseReferenceKw(up: boolean, atMs: EpochMs): number {
    if (this.curtailed === "whole_target")
      return up ? Math.min(0, this.setpointKwAt(atMs)) : Math.max(0, this.setpointKwAt(atMs));
    const { downDeltaKw: downKw, upDeltaKw: upKw } = this.fcr as FcrSetpoint;
    return this.baselineKw + (up ? downKw : upKw);
  }

  /** How that moves: a target is made anew where it turns round. */
  private responseReferenceKwPerMs(up: boolean, atMs: EpochMs): number {
    const { kwPerMs = 0 } = this.setpoint;
    if (kwPerMs === 0 || this.curtailed !== "whole_target") return 0;
    const targetKw = this.setpointKwAt(atMs);
    return isPositiveAhead(up ? -targetKw : targetKw, up ? -kwPerMs : kwPerMs) ? kwPerMs : 0;
  }

  /** Whole pieces up to an instant for good, and what is left until there; good until the next call. */
  private accumulateUntil(atMs: EpochMs): Float64Array {
    const unit = this.component;
    const parts = this.fcr?.orderResponses ?? [];
    if (unit.load !== null) this.accumulateLoad(unit.load, parts, atMs);
    else if (unit.trajectory !== null) this.accumulateTrajectory(unit.trajectory, parts, atMs);
    return this.readings;
  }

  private accumulateTrajectory(law: Trajectory, parts: readonly FcrOrderResponse[], atMs: EpochMs): void {
    const { profile: path } = this;
    let k = law.indexAt(this.accumulatedToMs);
    let j = this.isResponding ? path.indexAt(this.accumulatedToMs) : -1;
    for (;;) {
      const lawEndMs = k + 1 < law.count ? law.startMs[k + 1] : Number.POSITIVE_INFINITY;
      const pathEndMs = 0 <= j ? path.endMs(j) : Number.POSITIVE_INFINITY;
      const endMs = lawEndMs < pathEndMs ? lawEndMs : pathEndMs;
      if (atMs < endMs) break;
      this.accumulatePiece(this.accumulated, parts, law, k, j, endMs);
      this.accumulatedToMs = endMs;
      if (lawEndMs === endMs) k++;
      if (pathEndMs === endMs) j++;
    }
    this.readings.set(this.accumulated);
    if (this.accumulatedToMs < atMs) this.accumulatePiece(this.readings, parts, law, k, j, atMs);
  }

  /** A piece of one stretch and one step of the frequency. @param j  piece of the path; -1: no response */
  private accumulatePiece(
    sums: Float64Array,
    parts: readonly FcrOrderResponse[],
    law: Trajectory,
    k: number,
    j: number,
    toMs: EpochMs,
  ): void {
    const fromMs = this.accumulatedToMs;
    const spanMs = toMs - fromMs;
    sums[0] += this.atBoundMs(law, k, fromMs, toMs);
    if (j < 0) return;
    const { profile: path } = this;
    const slope = path.kwPerMs[j];
    const askedKw = path.kw[j] + slope * (fromMs - path.originMs - path.afterMs[j]);
    const askedKwMs = (askedKw + 0.5 * slope * spanMs) * spanMs;
    if (askedKwMs === 0) return;
    const givenKwMs =
      law.limitedBy[k] === DEVICE_LIMIT.none ? askedKwMs : this.deliveredKwMs(law, k, fromMs, spanMs, askedKw, slope);
    this.allocateToOrders(sums, parts, j, fromMs, spanMs, askedKwMs, givenKwMs);
  }

  private deliveredKwMs(
    law: Trajectory,
    k: number,
    fromMs: EpochMs,
    spanMs: number,
    askedKw: number,
    slope: number,
  ): number {
    const power = this.power;
    const asked = this.requested;
    const intoMs = Math.max(0, fromMs - law.startMs[k]);
    const rate = law.ratePerMs[k];
    const expKw = law.expKw[k] === 0 ? 0 : law.expKw[k] * Math.exp(-rate * intoMs);
    power.kw = law.constKw[k] - law.auxiliaryKw + law.slopeKwPerMs[k] * intoMs + expKw;
    const up = 0 < askedKw + 0.5 * slope * spanMs;
    // Told from the room's start, which may move too.
    power.kw -= this.responseReferenceKw(up, fromMs);
    power.kwPerMs = law.slopeKwPerMs[k] - rate * expKw - this.responseReferenceKwPerMs(up, fromMs);
    power.kwPerMs2 = rate * rate * expKw;
    power.ratePerMs = rate;
    asked.kw = askedKw;
    asked.kwPerMs = slope;
    return deliveredResponseKwMs(power, asked, 0, spanMs);
  }

  /** How long a store stands at one of its bounds within a stretch. */
  private atBoundMs(law: Trajectory, k: number, fromMs: EpochMs, toMs: EpochMs): number {
    const fullKwh = this.fullKwh - STORAGE_BOUND_TOLERANCE_KWH;
    const emptyKwh = this.emptyKwh + STORAGE_BOUND_TOLERANCE_KWH;
    const slope = law.storedKwhPerMs[k];
    const bend = law.storedKwhPerMs2[k];
    if (bend !== 0)
      return law.storedAtLeastDurationMs(fullKwh, fromMs, toMs) + law.storedAtMostDurationMs(emptyKwh, fromMs, toMs);
    const fromKwh = law.storedKwh[k] + slope * (fromMs - law.startMs[k]);
    const toKwh = law.storedKwh[k] + slope * (toMs - law.startMs[k]);
    const overKwh = Math.max(fromKwh, toKwh) - fullKwh;
    const underKwh = emptyKwh - Math.min(fromKwh, toKwh);
    if (overKwh < 0 && underKwh < 0) return 0;
    const rangeKwh = Math.abs(toKwh - fromKwh);
    const beyondKwh = Math.max(overKwh, underKwh);
    return rangeKwh <= beyondKwh ? toMs - fromMs : (beyondKwh / rangeKwh) * (toMs - fromMs);
  }

  private accumulateLoad(unit: Load, parts: readonly FcrOrderResponse[], atMs: EpochMs): void {
    const { profile: path } = this;
    const stretch = this.scratchSegment;
    for (;;) {
      const fromMs = this.accumulatedToMs;
      unit.responseSegmentAt(fromMs, stretch);
      const j = this.isResponding ? path.indexAt(fromMs) : -1;
      const pathEndMs = 0 <= j ? path.endMs(j) : Number.POSITIVE_INFINITY;
      const endMs = Math.min(stretch.endMs, pathEndMs);
      if (atMs < endMs) {
        this.readings.set(this.accumulated);
        this.accumulateLoadPiece(this.readings, parts, j, atMs - fromMs);
        return;
      }
      this.accumulateLoadPiece(this.accumulated, parts, j, endMs - fromMs);
      this.accumulatedToMs = endMs;
    }
  }

  private accumulateLoadPiece(sums: Float64Array, parts: readonly FcrOrderResponse[], j: number, spanMs: number): void {
    const { kw, kwPerMs } = this.scratchSegment;
    const { profile: path } = this;
    const fromMs = this.accumulatedToMs;
    const slope = j < 0 ? 0 : path.kwPerMs[j];
    const askedKw = j < 0 ? 0 : path.kw[j] + slope * (fromMs - path.originMs - path.afterMs[j]);
    const givenKwMs = (kw + 0.5 * kwPerMs * spanMs) * spanMs;
    this.allocateToOrders(sums, parts, j, fromMs, spanMs, (askedKw + 0.5 * slope * spanMs) * spanMs, givenKwMs);
  }

  /** Several orders share what is given as they share what is asked; where nothing is asked any more, the first has it. */
  private allocateToOrders(
    sums: Float64Array,
    parts: readonly FcrOrderResponse[],
    j: number,
    fromMs: EpochMs,
    spanMs: number,
    askedKwMs: number,
    givenKwMs: number,
  ): void {
    const direction = givenKwMs < 0 ? DOWN : UP;
    const givenSize = Math.abs(givenKwMs);
    if (parts.length === 1 || askedKwMs === 0) {
      sums[direction] += givenSize;
      sums[REQUESTED] += Math.abs(askedKwMs);
      return;
    }
    const { profile: path } = this;
    const intoMs = fromMs - path.originMs - path.afterMs[j];
    const siteKw = path.requestedKw[j] + path.requestedKwPerMs[j] * intoMs;
    for (let part = 0; part < parts.length; part++) {
      const startKw = orderResponseKw(parts[part], siteKw);
      const endKw = orderResponseKw(parts[part], siteKw + path.requestedKwPerMs[j] * spanMs);
      const partKwMs = 0.5 * (startKw + endKw) * spanMs;
      sums[VALUES_PER_ORDER * part + direction] += givenSize * (partKwMs / askedKwMs);
      sums[VALUES_PER_ORDER * part + REQUESTED] += Math.abs(partKwMs);
    }
  }
}

/** Counts a stretch from an instant within it. */
function shiftSegmentTo(atMs: EpochMs, out: Segment): void {
  const intoMs = atMs - out.originMs;
  const { kw, kwPerMs, kwPerMs2, ratePerMs } = out;
  out.kw = curveValue(kw, kwPerMs, kwPerMs2, ratePerMs, intoMs);
  out.kwPerMs = curveSlope(kwPerMs, kwPerMs2, ratePerMs, intoMs);
  out.kwPerMs2 = kwPerMs2 === 0 ? 0 : kwPerMs2 * Math.exp(-ratePerMs * intoMs);
  out.originMs = atMs;
}

/** When a curve next changes its sign, other than at the instant itself. */
function curveCrossingMs(atMs: EpochMs, kw: number, slope: number, bend: number, ratePerMs: number): EpochMs {
  const sign = isPositiveAhead(kw, slope) ? -1 : 1;
  const aheadMs = firstPositiveMs(sign * kw, sign * slope, sign * bend, ratePerMs);
  return INSTANT_TOLERANCE_MS < aheadMs ? atMs + aheadMs : Number.POSITIVE_INFINITY;
}

function addSums(registers: FcrRegisters, sums: Float64Array, part: number): void {
  const first = VALUES_PER_ORDER * part;
  registers.upKwh += sums[first + UP] / MS_PER_HOUR;
  registers.downKwh += sums[first + DOWN] / MS_PER_HOUR;
  registers.requestedKwh += sums[first + REQUESTED] / MS_PER_HOUR;
  registers.atBoundMs += sums[0];
}
