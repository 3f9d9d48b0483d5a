import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import { curveIntegral, curveSlope, curveValue, turningPointMs } from "./curve.ts";
import { nonNegativeDurationMs, positivePartIntegral } from "./curveIntegrals.ts";

/** Limit that separates a battery from its target during a segment. */
export const DEVICE_LIMIT = {
  /** No limit: the battery is at its target. */
  none: 0,
  /** At a SOC bound. */
  socBound: 1,
  /** Limited by rating, taper, grid connection or output control. */
  powerLimit: 2,
  /** Ramping to the target. */
  ramp: 3,
} as const;
export type DeviceLimit = (typeof DEVICE_LIMIT)[keyof typeof DEVICE_LIMIT];

/**
 * An interval with one closed form, τ ms after its start. The AC power of the cells, without auxiliaries, is `cellKw +
 * slopeKwPerMs·τ − expKw·(1 − e^(−ratePerMs·τ))`, linear or purely exponential, so it has no turning point. The stored
 * energy is a curve (curve.ts) of the same rate.
 */
export interface TrajectorySegment {
  /** Real ms after the trajectory's start. */
  afterMs: number;
  cellKw: number;
  slopeKwPerMs: number;
  expKw: number;
  storedKwh: number;
  storedKwhPerMs: number;
  storedKwhPerMs2: number;
  ratePerMs: number;
  limitedBy: DeviceLimit;
}

const NET = 0;
const IMPORT = 1;
const EXPORT = 2;
type Side = typeof NET | typeof IMPORT | typeof EXPORT;

/** Receives the stored energy, kWh, at its turning points. */
export interface StoredEnergyVisitor {
  add(storedKwh: number): void;
}

/**
 * Power and stored energy of one battery from `originMs` until the next plan. The last segment is open-ended. Each
 * component owns one and refills it without allocation. Solved instants are stored as real ms after `originMs`, because
 * an epoch of 1.8e12 ms leaves a resolution of only 2e-4 ms; `startMs` gives them as epoch times.
 */
export class Trajectory extends Copyable {
  count = 0;
  /** Whether power is constant and stored energy linear in every segment. */
  isStepped = true;
  originMs: EpochMs = 0;
  auxiliaryKw = 0;
  startMs = new Float64Array(2);
  afterMs = new Float64Array(2);
  /** AC power with auxiliaries: `constKw + slopeKwPerMs·τ + expKw·e^(−ratePerMs·τ)`, one of the last two being 0. */
  constKw = new Float64Array(2);
  slopeKwPerMs = new Float64Array(2);
  expKw = new Float64Array(2);
  storedKwh = new Float64Array(2);
  storedKwhPerMs = new Float64Array(2);
  storedKwhPerMs2 = new Float64Array(2);
  ratePerMs = new Float64Array(2);
  limitedBy = new Uint8Array(2);
  /** Segment of the last query: queries mostly move forward. */
  private cursor = 0;

  clear(): void {
    this.count = 0;
    this.isStepped = true;
    this.cursor = 0;
  }

  /** Empties the trajectory and sets where it starts. `auxiliaryKw` is constant throughout. */
  begin(originMs: EpochMs, auxiliaryKw: number): void {
    this.clear();
    this.originMs = originMs;
    this.auxiliaryKw = auxiliaryKw;
  }

  /** Adds a segment, which starts at or after the last one; a last one of zero length is replaced. */
  append(segment: Readonly<TrajectorySegment>): void {
    if (0 < this.count && segment.afterMs <= this.afterMs[this.count - 1]) this.count--;
    const k = this.count++;
    if (k === this.startMs.length) this.grow();
    this.startMs[k] = this.originMs + segment.afterMs;
    this.afterMs[k] = segment.afterMs;
    this.constKw[k] = segment.cellKw - segment.expKw + this.auxiliaryKw;
    this.slopeKwPerMs[k] = segment.slopeKwPerMs;
    this.expKw[k] = segment.expKw;
    this.storedKwh[k] = segment.storedKwh;
    this.storedKwhPerMs[k] = segment.storedKwhPerMs;
    this.storedKwhPerMs2[k] = segment.storedKwhPerMs2;
    this.ratePerMs[k] = segment.ratePerMs;
    this.limitedBy[k] = segment.limitedBy;
    if (segment.slopeKwPerMs !== 0 || segment.expKw !== 0 || segment.storedKwhPerMs2 !== 0) this.isStepped = false;
  }

  /** Adds a segment of constant power and linear stored energy. */
  appendConstantPower(
    afterMs: number,
    cellKw: number,
    storedKwh: number,
    storedKwhPerMs: number,
    limitedBy: DeviceLimit,
  ): void {
    const k = this.count++;
    if (k === this.startMs.length) this.grow();
    this.startMs[k] = this.originMs + afterMs;
    this.afterMs[k] = afterMs;
    this.constKw[k] = cellKw + this.auxiliaryKw;
    this.slopeKwPerMs[k] = 0;
    this.expKw[k] = 0;
    this.storedKwh[k] = storedKwh;
    this.storedKwhPerMs[k] = storedKwhPerMs;
    this.storedKwhPerMs2[k] = 0;
    this.ratePerMs[k] = 0;
    this.limitedBy[k] = limitedBy;
  }

  /** Index of the segment at an instant (right-continuous). */
  indexAt(atMs: number): number {
    if (this.count === 1) return 0;
    const { startMs, count } = this;
    let k = Math.min(this.cursor, count - 1);
    while (k + 1 < count && startMs[k + 1] <= atMs) k++;
    while (0 < k && atMs < startMs[k]) k--;
    this.cursor = k;
    return k;
  }

  /** Start of the next segment, as a real number; `Infinity` in the last one. */
  nextStartMs(atMs: number): number {
    const k = this.indexAt(atMs) + 1;
    return k < this.count ? this.startMs[k] : Number.POSITIVE_INFINITY;
  }

  limitedByAt(atMs: number): DeviceLimit {
    return this.limitedBy[this.indexAt(atMs)] as DeviceLimit;
  }

  /** AC power at the component's terminals, auxiliaries included. */
  kwAt(atMs: number): number {
    return this.kwInSegment(this.indexAt(atMs), atMs);
  }

  /** As above, for a known segment. */
  kwInSegment(k: number, atMs: number): number {
    const intoMs = this.elapsedInSegmentMs(k, atMs);
    const straightKw = this.constKw[k] + this.slopeKwPerMs[k] * intoMs;
    return this.expKw[k] === 0 ? straightKw : straightKw + decayed(this.expKw[k], this.ratePerMs[k], intoMs);
  }

  /** AC power of the cells, without auxiliaries. */
  cellKwAt(atMs: number): number {
    return this.kwAt(atMs) - this.auxiliaryKw;
  }

  /** Energy in the cells. */
  storedKwhAt(atMs: number): number {
    return this.storedKwhInSegment(this.indexAt(atMs), atMs);
  }

  /** As above, for a known segment. */
  storedKwhInSegment(k: number, atMs: number): number {
    const intoMs = this.elapsedInSegmentMs(k, atMs);
    return curveValue(this.storedKwh[k], this.storedKwhPerMs[k], this.storedKwhPerMs2[k], this.ratePerMs[k], intoMs);
  }

  /** AC energy with auxiliaries, import positive. */
  energyKwh(fromMs: number, toMs: number): number {
    return this.integratePower(fromMs, toMs, 0, NET);
  }

  /** Integral of the positive part of the AC power with auxiliaries. */
  importKwh(fromMs: number, toMs: number): number {
    return this.integratePower(fromMs, toMs, 0, IMPORT);
  }

  /** Integral of the negative part of the AC power with auxiliaries, as a positive number. */
  exportKwh(fromMs: number, toMs: number): number {
    return this.integratePower(fromMs, toMs, 0, EXPORT);
  }

  /** AC energy into the cells, without auxiliaries. */
  cellImportKwh(fromMs: number, toMs: number): number {
    return this.integratePower(fromMs, toMs, this.auxiliaryKw, IMPORT);
  }

  /** AC energy out of the cells, without auxiliaries, as a positive number. */
  cellExportKwh(fromMs: number, toMs: number): number {
    return this.integratePower(fromMs, toMs, this.auxiliaryKw, EXPORT);
  }

  storedMinKwh(fromMs: number, toMs: number): number {
    return -this.signedStoredMaxKwh(fromMs, toMs, -1);
  }

  storedMaxKwh(fromMs: number, toMs: number): number {
    return this.signedStoredMaxKwh(fromMs, toMs, 1);
  }

  /** Integral of the stored energy, in kWh·ms; divided by the length it is the mean. */
  storedIntegralKwhMs(fromMs: number, toMs: number): number {
    let sum = 0;
    for (let k = this.indexAt(fromMs), last = this.indexAt(toMs); k <= last; k++) {
      const fromInto = this.elapsedInSegmentMs(k, fromMs);
      const spanMs = this.segmentExitMs(k, toMs) - fromInto;
      const rate = this.ratePerMs[k];
      const slope = this.storedKwhPerMs[k];
      const bend = this.storedKwhPerMs2[k];
      sum += curveIntegral(
        curveValue(this.storedKwh[k], slope, bend, rate, fromInto),
        curveSlope(slope, bend, rate, fromInto),
        decayed(bend, rate, fromInto),
        rate,
        spanMs,
      );
    }
    return sum;
  }

  /**
   * Passes every local extremum of the stored energy of a period in order, with its start and end, for cycle counts.
   */
  visitStoredExtrema(fromMs: number, toMs: number, turns: StoredEnergyVisitor): void {
    turns.add(this.storedKwhAt(fromMs));
    for (let k = this.indexAt(fromMs), last = this.indexAt(toMs); k <= last; k++) {
      const leaveMs = this.segmentExitMs(k, toMs);
      const rate = this.ratePerMs[k];
      const slope = this.storedKwhPerMs[k];
      const bend = this.storedKwhPerMs2[k];
      const turnMs = turningPointMs(slope, bend, rate);
      if (this.elapsedInSegmentMs(k, fromMs) < turnMs && turnMs < leaveMs)
        turns.add(curveValue(this.storedKwh[k], slope, bend, rate, turnMs));
      turns.add(curveValue(this.storedKwh[k], slope, bend, rate, leaveMs));
    }
  }

  /** How long the stored energy is at least `kwh` within a period. */
  storedAtLeastDurationMs(kwh: number, fromMs: number, toMs: number): number {
    return this.beyondDurationMs(kwh, fromMs, toMs, 1);
  }

  /** How long the stored energy is at most `kwh` within a period. */
  storedAtMostDurationMs(kwh: number, fromMs: number, toMs: number): number {
    return this.beyondDurationMs(kwh, fromMs, toMs, -1);
  }

  /** @param lessKw subtracted from the power */
  private integratePower(fromMs: number, toMs: number, lessKw: number, side: Side): number {
    assert(this.originMs <= fromMs && fromMs <= toMs, "a trajectory is asked for a period after its start, in order");
    let sum = 0;
    for (let k = this.indexAt(fromMs), last = this.indexAt(toMs); k <= last; k++) {
      const fromInto = this.elapsedInSegmentMs(k, fromMs);
      const spanMs = this.segmentExitMs(k, toMs) - fromInto;
      if (this.slopeKwPerMs[k] === 0 && this.expKw[k] === 0) {
        const kw = this.constKw[k] - lessKw;
        if (side === NET) sum += kw * spanMs;
        else if (side === IMPORT) sum += kw <= 0 ? 0 : kw * spanMs;
        else sum -= 0 <= kw ? 0 : kw * spanMs;
      } else sum += this.integrateCurvedPower(k, fromInto, spanMs, lessKw, side);
    }
    return sum / MS_PER_HOUR;
  }

  private integrateCurvedPower(k: number, fromInto: number, spanMs: number, lessKw: number, side: Side): number {
    const rate = this.ratePerMs[k];
    const expKw = decayed(this.expKw[k], rate, fromInto);
    const kw = this.constKw[k] - lessKw + this.slopeKwPerMs[k] * fromInto + expKw;
    const slope = this.slopeKwPerMs[k] - rate * expKw;
    const bend = rate * rate * expKw;
    if (side === NET) return curveIntegral(kw, slope, bend, rate, spanMs);
    return side === IMPORT
      ? positivePartIntegral(kw, slope, bend, rate, spanMs)
      : positivePartIntegral(-kw, -slope, -bend, rate, spanMs);
  }

  /** Largest sign·E. */
  private signedStoredMaxKwh(fromMs: number, toMs: number, sign: 1 | -1): number {
    let largest = sign * this.storedKwhAt(fromMs);
    for (let k = this.indexAt(fromMs), last = this.indexAt(toMs); k <= last; k++) {
      const leaveMs = this.segmentExitMs(k, toMs);
      const rate = this.ratePerMs[k];
      const slope = this.storedKwhPerMs[k];
      const bend = this.storedKwhPerMs2[k];
      largest = Math.max(largest, sign * curveValue(this.storedKwh[k], slope, bend, rate, leaveMs));
      const turnMs = turningPointMs(slope, bend, rate);
      if (this.elapsedInSegmentMs(k, fromMs) < turnMs && turnMs < leaveMs)
        largest = Math.max(largest, sign * curveValue(this.storedKwh[k], slope, bend, rate, turnMs));
    }
    return largest;
  }

  private beyondDurationMs(kwh: number, fromMs: number, toMs: number, sign: 1 | -1): number {
    let sum = 0;
    for (let k = this.indexAt(fromMs), last = this.indexAt(toMs); k <= last; k++) {
      const fromInto = this.elapsedInSegmentMs(k, fromMs);
      const spanMs = this.segmentExitMs(k, toMs) - fromInto;
      const rate = this.ratePerMs[k];
      const slope = this.storedKwhPerMs[k];
      const bend = this.storedKwhPerMs2[k];
      sum += nonNegativeDurationMs(
        sign * (curveValue(this.storedKwh[k], slope, bend, rate, fromInto) - kwh),
        sign * curveSlope(slope, bend, rate, fromInto),
        sign * decayed(bend, rate, fromInto),
        rate,
        spanMs,
      );
    }
    return sum;
  }

  /** Ms since the start of segment k at an instant; 0 before it. */
  private elapsedInSegmentMs(k: number, atMs: number): number {
    return Math.max(0, atMs - this.originMs - this.afterMs[k]);
  }

  /** Ms since the start of segment k at an instant, at most the length of the segment. */
  private segmentExitMs(k: number, atMs: number): number {
    const intoMs = this.elapsedInSegmentMs(k, atMs);
    return k + 1 < this.count ? Math.min(intoMs, this.afterMs[k + 1] - this.afterMs[k]) : intoMs;
  }

  private grow(): void {
    this.startMs = doubled(this.startMs);
    this.afterMs = doubled(this.afterMs);
    this.constKw = doubled(this.constKw);
    this.slopeKwPerMs = doubled(this.slopeKwPerMs);
    this.expKw = doubled(this.expKw);
    this.storedKwh = doubled(this.storedKwh);
    this.storedKwhPerMs = doubled(this.storedKwhPerMs);
    this.storedKwhPerMs2 = doubled(this.storedKwhPerMs2);
    this.ratePerMs = doubled(this.ratePerMs);
    const limitedBy = new Uint8Array(2 * this.limitedBy.length);
    limitedBy.set(this.limitedBy);
    this.limitedBy = limitedBy;
  }
}

const decayed = (bend: number, ratePerMs: number, afterMs: number): number =>
  bend === 0 ? 0 : bend * Math.exp(-ratePerMs * afterMs);

function doubled(values: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * values.length);
  larger.set(values);
  return larger;
}
