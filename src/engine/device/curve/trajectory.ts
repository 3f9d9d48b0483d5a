import { assert } from "../../../base/assert.ts";
import { Copyable } from "../../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import {
  type Curve,
  curveIntegral,
  curveSlope,
  curveValue,
  decayedCurvature,
  newCurve,
  turningPointMs,
} from "./curve.ts";
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
 * A segment as the planner of a device writes it: an interval with one closed form, τ ms after its start. The AC power of the
 * cells, without auxiliaries, is `cellKw + slopeKwPerMs·τ − expKw·(1 − e^(−ratePerMs·τ))`, linear or purely exponential, so it
 * has no turning point. The stored energy is a curve (curve.ts) of the same rate. The site reads only the power, as a `Segment`.
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

export const newTrajectorySegment = (): TrajectorySegment => ({
  afterMs: 0,
  cellKw: 0,
  slopeKwPerMs: 0,
  expKw: 0,
  storedKwh: 0,
  storedKwhPerMs: 0,
  storedKwhPerMs2: 0,
  ratePerMs: 0,
  limitedBy: DEVICE_LIMIT.none,
});

// Offsets of a segment's numbers. One array for all: a battery is planned, read and closed with each award.
const START_MS = 0;
const AFTER_MS = 1;
const CONST_KW = 2;
const SLOPE_KW_PER_MS = 3;
const EXP_KW = 4;
const STORED_KWH = 5;
const STORED_KWH_PER_MS = 6;
const STORED_KWH_PER_MS2 = 7;
const RATE_PER_MS = 8;
const LIMITED_BY = 9;
const STRIDE = 10;

const NET = 0;
const IMPORT = 1;
const EXPORT = 2;
type Side = typeof NET | typeof IMPORT | typeof EXPORT;

/** Receives the stored energy, kWh, at its turning points. */
interface StoredEnergyVisitor {
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
  /** `STRIDE` numbers per segment, at the offsets below. */
  private values = new Float64Array(2 * STRIDE);
  /** Segment of the last query: queries mostly move forward. */
  private cursor = 0;
  /** Reused for each segment that is integrated. */
  private readonly power = newCurve();

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
    if (0 < this.count && segment.afterMs <= this.afterMsOf(this.count - 1)) this.count--;
    const at = STRIDE * this.count++;
    if (at === this.values.length) this.grow();
    const { values } = this;
    values[at + START_MS] = this.originMs + segment.afterMs;
    values[at + AFTER_MS] = segment.afterMs;
    values[at + CONST_KW] = segment.cellKw - segment.expKw + this.auxiliaryKw;
    values[at + SLOPE_KW_PER_MS] = segment.slopeKwPerMs;
    values[at + EXP_KW] = segment.expKw;
    values[at + STORED_KWH] = segment.storedKwh;
    values[at + STORED_KWH_PER_MS] = segment.storedKwhPerMs;
    values[at + STORED_KWH_PER_MS2] = segment.storedKwhPerMs2;
    values[at + RATE_PER_MS] = segment.ratePerMs;
    values[at + LIMITED_BY] = segment.limitedBy;
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
    const at = STRIDE * this.count++;
    if (at === this.values.length) this.grow();
    const { values } = this;
    values[at + START_MS] = this.originMs + afterMs;
    values[at + AFTER_MS] = afterMs;
    values[at + CONST_KW] = cellKw + this.auxiliaryKw;
    values[at + SLOPE_KW_PER_MS] = 0;
    values[at + EXP_KW] = 0;
    values[at + STORED_KWH] = storedKwh;
    values[at + STORED_KWH_PER_MS] = storedKwhPerMs;
    values[at + STORED_KWH_PER_MS2] = 0;
    values[at + RATE_PER_MS] = 0;
    values[at + LIMITED_BY] = limitedBy;
  }

  /** Start of segment k as an epoch time. */
  startMsOf(k: number): number {
    return this.values[STRIDE * k + START_MS];
  }

  /** End of segment k as an epoch time; `Infinity` of the last one. */
  endMsOf(k: number): number {
    return k + 1 < this.count ? this.startMsOf(k + 1) : Number.POSITIVE_INFINITY;
  }

  /** Start of segment k in real ms after `originMs`. */
  afterMsOf(k: number): number {
    return this.values[STRIDE * k + AFTER_MS];
  }

  /** AC power with auxiliaries in segment k: `constKw + slopeKwPerMs·τ + expKw·e^(−ratePerMs·τ)`, one of the last two being 0. */
  constKwOf(k: number): number {
    return this.values[STRIDE * k + CONST_KW];
  }

  slopeKwPerMsOf(k: number): number {
    return this.values[STRIDE * k + SLOPE_KW_PER_MS];
  }

  expKwOf(k: number): number {
    return this.values[STRIDE * k + EXP_KW];
  }

  storedKwhOf(k: number): number {
    return this.values[STRIDE * k + STORED_KWH];
  }

  storedKwhPerMsOf(k: number): number {
    return this.values[STRIDE * k + STORED_KWH_PER_MS];
  }

  storedKwhPerMs2Of(k: number): number {
    return this.values[STRIDE * k + STORED_KWH_PER_MS2];
  }

  ratePerMsOf(k: number): number {
    return this.values[STRIDE * k + RATE_PER_MS];
  }

  limitedByOf(k: number): DeviceLimit {
    return this.values[STRIDE * k + LIMITED_BY] as DeviceLimit;
  }

  /** Index of the segment at an instant (right-continuous). */
  indexAt(atMs: number): number {
    if (this.count === 1) return 0;
    const { values, count } = this;
    let k = Math.min(this.cursor, count - 1);
    while (k + 1 < count && values[STRIDE * (k + 1)] <= atMs) k++;
    while (0 < k && atMs < values[STRIDE * k]) k--;
    this.cursor = k;
    return k;
  }

  /** Start of the next segment, as a real number; `Infinity` in the last one. */
  nextStartMs(atMs: number): number {
    return this.endMsOf(this.indexAt(atMs));
  }

  limitedByAt(atMs: number): DeviceLimit {
    return this.limitedByOf(this.indexAt(atMs)) as DeviceLimit;
  }

  /** AC power at the component's terminals, auxiliaries included. */
  kwAt(atMs: number): number {
    return this.kwInSegment(this.indexAt(atMs), atMs);
  }

  /** As above, for a known segment. */
  kwInSegment(k: number, atMs: number): number {
    const intoMs = this.elapsedInSegmentMs(k, atMs);
    const straightKw = this.constKwOf(k) + this.slopeKwPerMsOf(k) * intoMs;
    return this.expKwOf(k) === 0
      ? straightKw
      : straightKw + decayedCurvature(this.expKwOf(k), this.ratePerMsOf(k), intoMs);
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
    return curveValue(
      this.storedKwhOf(k),
      this.storedKwhPerMsOf(k),
      this.storedKwhPerMs2Of(k),
      this.ratePerMsOf(k),
      intoMs,
    );
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
      const rate = this.ratePerMsOf(k);
      const slope = this.storedKwhPerMsOf(k);
      const curvature = this.storedKwhPerMs2Of(k);
      sum += curveIntegral(
        curveValue(this.storedKwhOf(k), slope, curvature, rate, fromInto),
        curveSlope(slope, curvature, rate, fromInto),
        decayedCurvature(curvature, rate, fromInto),
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
      const rate = this.ratePerMsOf(k);
      const slope = this.storedKwhPerMsOf(k);
      const curvature = this.storedKwhPerMs2Of(k);
      const turnMs = turningPointMs(slope, curvature, rate);
      if (this.elapsedInSegmentMs(k, fromMs) < turnMs && turnMs < leaveMs)
        turns.add(curveValue(this.storedKwhOf(k), slope, curvature, rate, turnMs));
      turns.add(curveValue(this.storedKwhOf(k), slope, curvature, rate, leaveMs));
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
    assert(this.originMs <= fromMs && fromMs <= toMs, "the period lies after the start of the trajectory, in order");
    let sum = 0;
    for (let k = this.indexAt(fromMs), last = this.indexAt(toMs); k <= last; k++) {
      const fromInto = this.elapsedInSegmentMs(k, fromMs);
      const spanMs = this.segmentExitMs(k, toMs) - fromInto;
      if (this.slopeKwPerMsOf(k) === 0 && this.expKwOf(k) === 0) {
        const kw = this.constKwOf(k) - lessKw;
        if (side === NET) sum += kw * spanMs;
        else if (side === IMPORT) sum += kw <= 0 ? 0 : kw * spanMs;
        else sum -= 0 <= kw ? 0 : kw * spanMs;
      } else sum += this.integrateCurvedPower(k, fromInto, spanMs, lessKw, side);
    }
    return sum / MS_PER_HOUR;
  }

  private integrateCurvedPower(k: number, fromInto: number, spanMs: number, lessKw: number, side: Side): number {
    this.readPower(k, fromInto, lessKw, this.power);
    const { kw, kwPerMs, kwPerMs2, ratePerMs } = this.power;
    if (side === NET) return curveIntegral(kw, kwPerMs, kwPerMs2, ratePerMs, spanMs);
    return side === IMPORT
      ? positivePartIntegral(kw, kwPerMs, kwPerMs2, ratePerMs, spanMs)
      : positivePartIntegral(-kw, -kwPerMs, -kwPerMs2, ratePerMs, spanMs);
  }

  /** AC power as a curve from some time after the start of segment k on. @param lessKw subtracted from the power */
  private readPower(k: number, intoMs: number, lessKw: number, out: Curve): void {
    const rate = this.ratePerMsOf(k);
    const expKw = decayedCurvature(this.expKwOf(k), rate, intoMs);
    out.kw = this.constKwOf(k) - lessKw + this.slopeKwPerMsOf(k) * intoMs + expKw;
    out.kwPerMs = this.slopeKwPerMsOf(k) - rate * expKw;
    out.kwPerMs2 = rate * rate * expKw;
    out.ratePerMs = rate;
  }

  /** AC power of the cells, without auxiliaries, as a curve from some time after the start of segment k on. */
  readCellPower(k: number, intoMs: number, out: Curve): void {
    this.readPower(k, intoMs, this.auxiliaryKw, out);
  }

  /** Segment k as a curve of the AC power at the component's terminals. */
  readSegment(k: number, out: Curve & { originMs: EpochMs; endMs: EpochMs }): void {
    this.readPower(k, 0, 0, out);
    out.originMs = this.startMsOf(k);
    out.endMs = this.endMsOf(k);
  }

  /** Largest sign·E. */
  private signedStoredMaxKwh(fromMs: number, toMs: number, sign: 1 | -1): number {
    let largest = sign * this.storedKwhAt(fromMs);
    for (let k = this.indexAt(fromMs), last = this.indexAt(toMs); k <= last; k++) {
      const leaveMs = this.segmentExitMs(k, toMs);
      const rate = this.ratePerMsOf(k);
      const slope = this.storedKwhPerMsOf(k);
      const curvature = this.storedKwhPerMs2Of(k);
      largest = Math.max(largest, sign * curveValue(this.storedKwhOf(k), slope, curvature, rate, leaveMs));
      const turnMs = turningPointMs(slope, curvature, rate);
      if (this.elapsedInSegmentMs(k, fromMs) < turnMs && turnMs < leaveMs)
        largest = Math.max(largest, sign * curveValue(this.storedKwhOf(k), slope, curvature, rate, turnMs));
    }
    return largest;
  }

  private beyondDurationMs(kwh: number, fromMs: number, toMs: number, sign: 1 | -1): number {
    let sum = 0;
    for (let k = this.indexAt(fromMs), last = this.indexAt(toMs); k <= last; k++) {
      const fromInto = this.elapsedInSegmentMs(k, fromMs);
      const spanMs = this.segmentExitMs(k, toMs) - fromInto;
      const rate = this.ratePerMsOf(k);
      const slope = this.storedKwhPerMsOf(k);
      const curvature = this.storedKwhPerMs2Of(k);
      sum += nonNegativeDurationMs(
        sign * (curveValue(this.storedKwhOf(k), slope, curvature, rate, fromInto) - kwh),
        sign * curveSlope(slope, curvature, rate, fromInto),
        sign * decayedCurvature(curvature, rate, fromInto),
        rate,
        spanMs,
      );
    }
    return sum;
  }

  /** Ms since the start of segment k at an instant; 0 before it. */
  private elapsedInSegmentMs(k: number, atMs: number): number {
    return Math.max(0, atMs - this.originMs - this.afterMsOf(k));
  }

  /** Ms since the start of segment k at an instant, at most the length of the segment. */
  private segmentExitMs(k: number, atMs: number): number {
    const intoMs = this.elapsedInSegmentMs(k, atMs);
    return k + 1 < this.count ? Math.min(intoMs, this.afterMsOf(k + 1) - this.afterMsOf(k)) : intoMs;
  }

  private grow(): void {
    const larger = new Float64Array(2 * this.values.length);
    larger.set(this.values);
    this.values = larger;
  }
}
