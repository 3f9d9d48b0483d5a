import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import { BOUND_KWH, storedMaxKwh, storedMinKwh } from "../../device/battery/batteryCapability.ts";
import { curveSlope, curveValue, firstRiseMs } from "../../device/curve/curve.ts";
import { BINDING, type Trajectory } from "../../device/curve/trajectory.ts";
import { cutResponseKwMs } from "../../device/frequency/cutResponse.ts";
import { partResponseKw, ResponsePath } from "../../device/frequency/responsePath.ts";
import type { ResponseWindows } from "../../device/frequency/responseWindow.ts";
import type { ConsumerUnit } from "../components/consumerUnit.ts";
import { isAbove, SAME_INSTANT_MS } from "../components/crossing.ts";
import type { Part } from "../components/part.ts";
import { BINDS, fillStraight, newStretch, type Stretch } from "../components/stretch.ts";
import { type FcrPart, type FcrTarget, OWN_PLAN, type Target } from "../components/target.ts";
import type { HeldOrders } from "../orders/heldOrders.ts";
import type { SiteOrder } from "../orders/siteOrder.ts";
import { type FcrRegisters, NO_FCR } from "./fcrRegisters.ts";

type Yields = "deltas" | "whole_target";

/** The sums of one part begin here in an array of sums; before them stands the time at a bound. */
const UP = 1;
const DOWN = 2;
const ASKED = 3;
const PER_PART = 3;

/**
 * The frequency response of one site: what the frequency asks of it, and what it has given, by order.
 *
 * Sums walk from one switch of law or frequency to the next, so that what they say of an instant depends on what happened
 * and not on when they were read. Made when a site is first told to respond: the others have none.
 */
export class SiteResponse extends Copyable {
  readonly path = new ResponsePath();
  private readonly unit: Part;
  private windows: ResponseWindows;
  private readonly ratedKw: number;
  private readonly fullKwh: number;
  private readonly emptyKwh: number;
  private readonly orders: HeldOrders;
  /** Of orders that are in force or have not ended since another one came. */
  private readonly byOrder = new Map<SiteOrder, FcrRegisters>();
  /** What is in force since the last `begin`; `null`: nothing. */
  private fcr: FcrTarget | null = null;
  private baselineKw = 0;
  /** Baseline and deltas. */
  private target: Target = OWN_PLAN;
  private originMs: EpochMs = 0;
  /** A run of stretches in which nothing keeps the device from its target; several accounts walk it in turn. */
  private knownFreeFromMs: EpochMs = 0;
  private knownFreeUntilMs: EpochMs = Number.NEGATIVE_INFINITY;
  /** Whether the path holds; not while out of service or faulty. */
  private responds = false;
  /** Time at a bound in ms and, for each part, kW·ms up, down and asked: over whole pieces up to `walkedMs`. */
  private walked = new Float64Array(0);
  private read = new Float64Array(0);
  private walkedMs: EpochMs = 0;
  private readonly stretch = newStretch();
  private readonly yields: Yields;
  private readonly power = { kw: 0, kwPerMs: 0, kwPerMs2: 0, ratePerMs: 0 };
  private readonly asked = { kw: 0, kwPerMs: 0 };

  /** @param yields  what gives way to the response at a limit: the orders' deltas, or all that the unit is to do besides */
  constructor(unit: Part, orders: HeldOrders, windows: ResponseWindows, ratedKw: number, yields: Yields = "deltas") {
    super();
    this.orders = orders;
    this.yields = yields;
    this.unit = unit;
    this.windows = windows;
    this.ratedKw = ratedKw;
    const { spec } = unit;
    const reservoir = spec.kind === "dispatchable" ? spec.reservoir : null;
    this.fullKwh = spec.kind === "battery" ? storedMaxKwh(spec) : (reservoir?.capacityKwh ?? Number.POSITIVE_INFINITY);
    this.emptyKwh = spec.kind === "battery" ? storedMinKwh(spec) : reservoir === null ? Number.NEGATIVE_INFINITY : 0;
  }

  /** Answers the frequency by another configuration from the next `begin` on. */
  useWindows(windows: ResponseWindows): void {
    this.windows = windows;
  }

  /** Whether an order has the site respond, or would if it could. */
  get isInForce(): boolean {
    return this.fcr !== null;
  }

  /** What the device is to give from an instant on, up to where the path ends; `null`: nothing. */
  begin(atMs: EpochMs, target: Target, canRespond: boolean, share = 1, longestMs?: number): ResponsePath | null {
    const { fcr } = target;
    this.fcr = fcr;
    this.walkedMs = atMs;
    this.responds = fcr !== null && canRespond;
    if (fcr === null) return null;
    this.baselineKw = target.baselineKw;
    this.target = target;
    this.originMs = atMs;
    this.knownFreeUntilMs = Number.NEGATIVE_INFINITY;
    const length = UP + PER_PART * fcr.parts.length;
    if (this.walked.length === length) this.walked.fill(0);
    else {
      this.walked = new Float64Array(length);
      this.read = new Float64Array(length);
    }
    if (!canRespond) return null;
    this.path.fill(atMs, this.windows.at(atMs), share * this.ratedKw, fcr.parts, longestMs);
    return this.path;
  }

  /**
   * The present law ends here. What was given by a delay after an order had been withdrawn is not its own, as with deltas
   * (decisions.md 83).
   */
  close(atMs: EpochMs): void {
    if (this.fcr === null || atMs <= this.walkedMs) return;
    const sums = this.sumsAt(atMs);
    this.fcr.parts.forEach(({ order }, part) => {
      if (!this.orders.rules(order)) return;
      const registers = this.registersOf(order, atMs);
      addSums(registers, sums, part);
    });
    this.fcr = null;
  }

  /** What an order's response has come to at an instant of the present law. */
  registers(order: SiteOrder, atMs: EpochMs): Readonly<FcrRegisters> {
    const registers = { ...(this.byOrder.get(order) ?? NO_FCR) };
    const part = this.fcr?.parts.findIndex((candidate) => candidate.order === order) ?? -1;
    if (part >= 0 && this.orders.rules(order)) addSums(registers, this.sumsAt(atMs), part);
    return registers;
  }

  private registersOf(order: SiteOrder, atMs: EpochMs): FcrRegisters {
    let registers = this.byOrder.get(order);
    if (registers === undefined) {
      this.forgetBefore(atMs);
      this.byOrder.set(order, (registers = { ...NO_FCR }));
    }
    return registers;
  }

  /** Accounts are closed where their orders end: nobody asks for those of a year. */
  private forgetBefore(atMs: EpochMs): void {
    for (const order of this.byOrder.keys()) if (order.endMs < atMs) this.byOrder.delete(order);
  }

  /**
   * The power without what the response moves; where nothing keeps the device from its target that is the target without
   * the response, and one stretch however the frequency moves.
   */
  stretchWithoutAt(atMs: EpochMs, out: Stretch): void {
    const unit = this.unit;
    if (unit.kind === "consumer") return unit.stretchWithoutResponseAt(atMs, out);
    unit.stretchAt(atMs, out);
    if (!this.responds || unit.kind === "generator") return;
    const { law } = unit;
    const k = law.indexAt(atMs);
    if (law.binds[k] === BINDING.free)
      fillStraight(
        out,
        atMs,
        this.freeUntilMs(law, k),
        this.targetKwAt(atMs) + law.auxiliaryKw,
        this.target.kwPerMs ?? 0,
        BINDS.free,
      );
    else this.takeResponseOff(atMs, law.auxiliaryKw, out);
  }

  /** Until when nothing keeps the device from its target. */
  private freeUntilMs(law: Trajectory, k: number): EpochMs {
    const startMs = law.startMs[k];
    if (this.knownFreeFromMs <= startMs && startMs < this.knownFreeUntilMs) return this.knownFreeUntilMs;
    let next = k + 1;
    while (next < law.count && law.binds[next] === BINDING.free) next++;
    this.knownFreeFromMs = startMs;
    this.knownFreeUntilMs = next < law.count ? law.startMs[next] : Number.POSITIVE_INFINITY;
    return this.knownFreeUntilMs;
  }

  /** Turns the stretch of a power that cannot follow its target into that without the response, up to where that changes. */
  private takeResponseOff(atMs: EpochMs, auxiliaryKw: number, out: Stretch): void {
    const { path } = this;
    const j = path.indexAt(atMs);
    const slope = path.kwPerMs[j];
    const askedKw = path.kw[j] + slope * (atMs - path.originMs - path.afterMs[j]);
    const pieceEndMs = path.endMs(j);
    shiftTo(atMs, out);
    out.endMs = Math.min(out.endMs, pieceEndMs);
    const sign = isAbove(askedKw, slope) ? 1 : -1;
    if (sign * askedKw <= 0 && sign * slope <= 0) return;
    const roomFromKw = this.roomFromKw(0 < sign, atMs) + auxiliaryKw;
    const bend = sign * out.kwPerMs2;
    const givenKw = sign * (out.kw - roomFromKw);
    const roomSlope = this.roomFromKwPerMs(0 < sign, atMs);
    const givenSlope = sign * (out.kwPerMs - roomSlope);
    const beyondKw = givenKw - sign * askedKw;
    const beyondSlope = givenSlope - sign * slope;
    const endMs = Math.min(
      curveCrossingMs(atMs, givenKw, givenSlope, bend, out.ratePerMs),
      curveCrossingMs(atMs, beyondKw, beyondSlope, bend, out.ratePerMs),
    );
    out.endMs = Math.min(out.endMs, endMs);
    if (isAbove(beyondKw, beyondSlope)) {
      out.kw -= askedKw;
      out.kwPerMs -= slope;
    } else if (isAbove(givenKw, givenSlope)) {
      out.kw = roomFromKw;
      out.kwPerMs = roomSlope;
      out.kwPerMs2 = out.ratePerMs = 0;
    }
  }

  /** Baseline and deltas. */
  private targetKwAt(atMs: EpochMs): number {
    const { baselineKw, deltaKw, kwPerMs = 0 } = this.target;
    return baselineKw + deltaKw + kwPerMs * (atMs - this.originMs);
  }

  /** Takes another target for the law that has just begun, which was not known then. */
  aimAt(target: Target): void {
    this.target = target;
  }

  /** The power from which a response counts: deltas that oppose it have given way down to nothing. */
  private roomFromKw(up: boolean, atMs: EpochMs): number {
    if (this.yields === "whole_target")
      return up ? Math.min(0, this.targetKwAt(atMs)) : Math.max(0, this.targetKwAt(atMs));
    const { downKw, upKw } = this.fcr as FcrTarget;
    return this.baselineKw + (up ? downKw : upKw);
  }

  /** How that moves: a target is made anew where it turns round. */
  private roomFromKwPerMs(up: boolean, atMs: EpochMs): number {
    const { kwPerMs = 0 } = this.target;
    if (kwPerMs === 0 || this.yields !== "whole_target") return 0;
    const targetKw = this.targetKwAt(atMs);
    return isAbove(up ? -targetKw : targetKw, up ? -kwPerMs : kwPerMs) ? kwPerMs : 0;
  }

  /** Whole pieces up to an instant for good, and what is left until there; good until the next call. */
  private sumsAt(atMs: EpochMs): Float64Array {
    const unit = this.unit;
    const parts = this.fcr?.parts ?? [];
    if (unit.kind === "consumer") this.walkLoad(unit, parts, atMs);
    else if (unit.kind !== "generator") this.walkLaw(unit.law, parts, atMs);
    return this.read;
  }

  private walkLaw(law: Trajectory, parts: readonly FcrPart[], atMs: EpochMs): void {
    const { path } = this;
    let k = law.indexAt(this.walkedMs);
    let j = this.responds ? path.indexAt(this.walkedMs) : -1;
    for (;;) {
      const lawEndMs = k + 1 < law.count ? law.startMs[k + 1] : Number.POSITIVE_INFINITY;
      const pathEndMs = 0 <= j ? path.endMs(j) : Number.POSITIVE_INFINITY;
      const endMs = lawEndMs < pathEndMs ? lawEndMs : pathEndMs;
      if (atMs < endMs) break;
      this.addPiece(this.walked, parts, law, k, j, endMs);
      this.walkedMs = endMs;
      if (lawEndMs === endMs) k++;
      if (pathEndMs === endMs) j++;
    }
    this.read.set(this.walked);
    if (this.walkedMs < atMs) this.addPiece(this.read, parts, law, k, j, atMs);
  }

  /** A piece of one stretch and one step of the frequency. @param j  piece of the path; -1: no response */
  private addPiece(
    sums: Float64Array,
    parts: readonly FcrPart[],
    law: Trajectory,
    k: number,
    j: number,
    toMs: EpochMs,
  ): void {
    const fromMs = this.walkedMs;
    const spanMs = toMs - fromMs;
    sums[0] += this.atBoundMs(law, k, fromMs, toMs);
    if (j < 0) return;
    const { path } = this;
    const slope = path.kwPerMs[j];
    const askedKw = path.kw[j] + slope * (fromMs - path.originMs - path.afterMs[j]);
    const askedKwMs = (askedKw + 0.5 * slope * spanMs) * spanMs;
    if (askedKwMs === 0) return;
    const givenKwMs = law.binds[k] === BINDING.free ? askedKwMs : this.cutKwMs(law, k, fromMs, spanMs, askedKw, slope);
    this.share(sums, parts, j, fromMs, spanMs, askedKwMs, givenKwMs);
  }

  private cutKwMs(law: Trajectory, k: number, fromMs: EpochMs, spanMs: number, askedKw: number, slope: number): number {
    const power = this.power;
    const asked = this.asked;
    const intoMs = Math.max(0, fromMs - law.startMs[k]);
    const rate = law.ratePerMs[k];
    const expKw = law.expKw[k] === 0 ? 0 : law.expKw[k] * Math.exp(-rate * intoMs);
    power.kw = law.constKw[k] - law.auxiliaryKw + law.slopeKwPerMs[k] * intoMs + expKw;
    const up = 0 < askedKw + 0.5 * slope * spanMs;
    // Told from the room's start, which may move too.
    power.kw -= this.roomFromKw(up, fromMs);
    power.kwPerMs = law.slopeKwPerMs[k] - rate * expKw - this.roomFromKwPerMs(up, fromMs);
    power.kwPerMs2 = rate * rate * expKw;
    power.ratePerMs = rate;
    asked.kw = askedKw;
    asked.kwPerMs = slope;
    return cutResponseKwMs(power, asked, 0, spanMs);
  }

  /** How long a store stands at one of its bounds within a stretch. */
  private atBoundMs(law: Trajectory, k: number, fromMs: EpochMs, toMs: EpochMs): number {
    const fullKwh = this.fullKwh - BOUND_KWH;
    const emptyKwh = this.emptyKwh + BOUND_KWH;
    const slope = law.storedKwhPerMs[k];
    const bend = law.storedKwhPerMs2[k];
    if (bend !== 0) return law.msStoredAtLeast(fullKwh, fromMs, toMs) + law.msStoredAtMost(emptyKwh, fromMs, toMs);
    const fromKwh = law.storedKwh[k] + slope * (fromMs - law.startMs[k]);
    const toKwh = law.storedKwh[k] + slope * (toMs - law.startMs[k]);
    const overKwh = Math.max(fromKwh, toKwh) - fullKwh;
    const underKwh = emptyKwh - Math.min(fromKwh, toKwh);
    if (overKwh < 0 && underKwh < 0) return 0;
    const rangeKwh = Math.abs(toKwh - fromKwh);
    const beyondKwh = Math.max(overKwh, underKwh);
    return rangeKwh <= beyondKwh ? toMs - fromMs : (beyondKwh / rangeKwh) * (toMs - fromMs);
  }

  private walkLoad(unit: ConsumerUnit, parts: readonly FcrPart[], atMs: EpochMs): void {
    const { path } = this;
    const stretch = this.stretch;
    for (;;) {
      const fromMs = this.walkedMs;
      unit.responseStretchAt(fromMs, stretch);
      const j = this.responds ? path.indexAt(fromMs) : -1;
      const pathEndMs = 0 <= j ? path.endMs(j) : Number.POSITIVE_INFINITY;
      const endMs = Math.min(stretch.endMs, pathEndMs);
      if (atMs < endMs) {
        this.read.set(this.walked);
        this.addLoadPiece(this.read, parts, j, atMs - fromMs);
        return;
      }
      this.addLoadPiece(this.walked, parts, j, endMs - fromMs);
      this.walkedMs = endMs;
    }
  }

  private addLoadPiece(sums: Float64Array, parts: readonly FcrPart[], j: number, spanMs: number): void {
    const { kw, kwPerMs } = this.stretch;
    const { path } = this;
    const fromMs = this.walkedMs;
    const slope = j < 0 ? 0 : path.kwPerMs[j];
    const askedKw = j < 0 ? 0 : path.kw[j] + slope * (fromMs - path.originMs - path.afterMs[j]);
    const givenKwMs = (kw + 0.5 * kwPerMs * spanMs) * spanMs;
    this.share(sums, parts, j, fromMs, spanMs, (askedKw + 0.5 * slope * spanMs) * spanMs, givenKwMs);
  }

  /** Several orders share what is given as they share what is asked; where nothing is asked any more, the first has it. */
  private share(
    sums: Float64Array,
    parts: readonly FcrPart[],
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
      sums[ASKED] += Math.abs(askedKwMs);
      return;
    }
    const { path } = this;
    const intoMs = fromMs - path.originMs - path.afterMs[j];
    const siteKw = path.askedKw[j] + path.askedKwPerMs[j] * intoMs;
    for (let part = 0; part < parts.length; part++) {
      const startKw = partResponseKw(parts[part], siteKw);
      const endKw = partResponseKw(parts[part], siteKw + path.askedKwPerMs[j] * spanMs);
      const partKwMs = 0.5 * (startKw + endKw) * spanMs;
      sums[PER_PART * part + direction] += givenSize * (partKwMs / askedKwMs);
      sums[PER_PART * part + ASKED] += Math.abs(partKwMs);
    }
  }
}

/** Counts a stretch from an instant within it. */
function shiftTo(atMs: EpochMs, out: Stretch): void {
  const intoMs = atMs - out.originMs;
  const { kw, kwPerMs, kwPerMs2, ratePerMs } = out;
  out.kw = curveValue(kw, kwPerMs, kwPerMs2, ratePerMs, intoMs);
  out.kwPerMs = curveSlope(kwPerMs, kwPerMs2, ratePerMs, intoMs);
  out.kwPerMs2 = kwPerMs2 === 0 ? 0 : kwPerMs2 * Math.exp(-ratePerMs * intoMs);
  out.originMs = atMs;
}

/** When a curve next changes its sign, other than at the instant itself. */
function curveCrossingMs(atMs: EpochMs, kw: number, slope: number, bend: number, ratePerMs: number): EpochMs {
  const sign = isAbove(kw, slope) ? -1 : 1;
  const aheadMs = firstRiseMs(sign * kw, sign * slope, sign * bend, ratePerMs);
  return SAME_INSTANT_MS < aheadMs ? atMs + aheadMs : Number.POSITIVE_INFINITY;
}

function addSums(registers: FcrRegisters, sums: Float64Array, part: number): void {
  const first = PER_PART * part;
  registers.upKwh += sums[first + UP] / MS_PER_HOUR;
  registers.downKwh += sums[first + DOWN] / MS_PER_HOUR;
  registers.askedKwh += sums[first + ASKED] / MS_PER_HOUR;
  registers.atBoundMs += sums[0];
}
