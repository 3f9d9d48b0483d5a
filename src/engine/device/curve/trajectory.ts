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
import { LIMITING_FACTOR, type LimitingFactor } from "./limitingFactor.ts";
import { grown } from "./linearPieces.ts";

/**
 * A segment as the planner of a device writes it: an interval with one closed form, τ ms after its start. The AC power of the
 * cells, without auxiliaries, is `cellKw + slopeKwPerMs·τ − expKw·(1 − e^(−ratePerMs·τ))`, linear or purely exponential, so it
 * has no turning point. The stored energy is a curve (curve.ts) of the same rate. The site reads only the power, as a `Segment`.
 */
interface TrajectorySegment {
  /** Real ms after the trajectory's start. */
  afterMs: number;
  cellKw: number;
  slopeKwPerMs: number;
  expKw: number;
  storedKwh: number;
  storedKwhPerMs: number;
  storedKwhPerMs2: number;
  ratePerMs: number;
  limitedBy: LimitingFactor;
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
  limitedBy: LIMITING_FACTOR.none,
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

/** Sums and extremes of a battery's cells and store over any number of periods. */
export interface StoreRegisters {
  /** AC energy into and out of the cells, without auxiliaries. */
  cellInKwh: number;
  cellOutKwh: number;
  storedMinKwh: number;
  storedMaxKwh: number;
  storedKwhMs: number;
  /** Time with at least and at most these energies in store. */
  atMaxMs: number;
  atMinMs: number;
  readonly fullThresholdKwh: number;
  readonly emptyThresholdKwh: number;
  /** Receives each local extremum of the stored energy in order, with the start and the end of a period. */
  readonly cycleCounter: { add(storedKwh: number): void } | null;
}

/** Registers at 0, without thresholds and cycles. */
export const newStoreRegisters = () => ({
  cellInKwh: 0,
  cellOutKwh: 0,
  storedMinKwh: Number.POSITIVE_INFINITY,
  storedMaxKwh: Number.NEGATIVE_INFINITY,
  storedKwhMs: 0,
  atMaxMs: 0,
  atMinMs: 0,
  fullThresholdKwh: Number.POSITIVE_INFINITY,
  emptyThresholdKwh: Number.NEGATIVE_INFINITY,
  cycleCounter: null,
});

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
    if (at === this.values.length) this.values = grown(this.values);
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
    limitedBy: LimitingFactor,
  ): void {
    const at = STRIDE * this.count++;
    if (at === this.values.length) this.values = grown(this.values);
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

  limitedByOf(k: number): LimitingFactor {
    return this.values[STRIDE * k + LIMITED_BY] as LimitingFactor;
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

  /** Integral of the positive part of the AC power with auxiliaries. */
  importKwh(fromMs: number, toMs: number): number {
    return this.integratePower(fromMs, toMs, 1);
  }

  /** Integral of the negative part of the AC power with auxiliaries, as a positive number. */
  exportKwh(fromMs: number, toMs: number): number {
    return this.integratePower(fromMs, toMs, -1);
  }

  /** Adds a period to registers, in one pass over its segments. */
  integrate(fromMs: EpochMs, toMs: EpochMs, registers: StoreRegisters): void {
    const { power } = this;
    const { fullThresholdKwh, emptyThresholdKwh, cycleCounter } = registers;
    const startKwh = this.storedKwhAt(fromMs);
    let [importKwMs, exportKwMs, storedKwhMs, atMaxMs, atMinMs] = [0, 0, 0, 0, 0];
    let [minKwh, maxKwh] = [Math.min(registers.storedMinKwh, startKwh), Math.max(registers.storedMaxKwh, startKwh)];
    cycleCounter?.add(startKwh);
    for (let k = this.indexAt(fromMs), last = this.indexAt(toMs); k <= last; k++) {
      const fromInto = this.elapsedInSegmentMs(k, fromMs);
      const exitMs = this.segmentExitMs(k, toMs);
      const spanMs = exitMs - fromInto;
      this.readCellPower(k, fromInto, power);
      importKwMs += positiveKwMs(power, 1, spanMs);
      exportKwMs += positiveKwMs(power, -1, spanMs);
      const storedKwh = this.storedKwhOf(k);
      const rate = this.ratePerMsOf(k);
      const slope = this.storedKwhPerMsOf(k);
      const curvature = this.storedKwhPerMs2Of(k);
      const fromKwh = curveValue(storedKwh, slope, curvature, rate, fromInto);
      const fromSlope = curveSlope(slope, curvature, rate, fromInto);
      const fromCurvature = decayedCurvature(curvature, rate, fromInto);
      storedKwhMs += curveIntegral(fromKwh, fromSlope, fromCurvature, rate, spanMs);
      atMaxMs += nonNegativeDurationMs(fromKwh - fullThresholdKwh, fromSlope, fromCurvature, rate, spanMs);
      atMinMs += nonNegativeDurationMs(emptyThresholdKwh - fromKwh, -fromSlope, -fromCurvature, rate, spanMs);
      const turnMs = turningPointMs(slope, curvature, rate);
      for (let intoMs = fromInto < turnMs && turnMs < exitMs ? turnMs : exitMs; ; intoMs = exitMs) {
        const kwh = curveValue(storedKwh, slope, curvature, rate, intoMs);
        cycleCounter?.add(kwh);
        minKwh = Math.min(minKwh, kwh);
        maxKwh = Math.max(maxKwh, kwh);
        if (intoMs === exitMs) break;
      }
    }
    registers.cellInKwh += importKwMs / MS_PER_HOUR;
    registers.cellOutKwh += exportKwMs / MS_PER_HOUR;
    registers.storedMinKwh = minKwh;
    registers.storedMaxKwh = maxKwh;
    registers.storedKwhMs += storedKwhMs;
    registers.atMaxMs += atMaxMs;
    registers.atMinMs += atMinMs;
  }

  /** How long the stored energy is at least (`sign` 1) or at most (-1) `kwh` within a period. */
  storedBeyondMs(kwh: number, sign: 1 | -1, fromMs: EpochMs, toMs: EpochMs): number {
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

  /** @param sign  1: the positive part of the power, -1: the negative one */
  private integratePower(fromMs: number, toMs: number, sign: 1 | -1): number {
    assert(this.originMs <= fromMs && fromMs <= toMs, "the period lies after the start of the trajectory, in order");
    const { power } = this;
    let sum = 0;
    for (let k = this.indexAt(fromMs), last = this.indexAt(toMs); k <= last; k++) {
      const fromInto = this.elapsedInSegmentMs(k, fromMs);
      this.readPower(k, fromInto, 0, power);
      sum += positiveKwMs(power, sign, this.segmentExitMs(k, toMs) - fromInto);
    }
    return sum / MS_PER_HOUR;
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

  /** Ms since the start of segment k at an instant; 0 before it. */
  private elapsedInSegmentMs(k: number, atMs: number): number {
    return Math.max(0, atMs - this.originMs - this.afterMsOf(k));
  }

  /** Ms since the start of segment k at an instant, at most the length of the segment. */
  private segmentExitMs(k: number, atMs: number): number {
    const intoMs = this.elapsedInSegmentMs(k, atMs);
    return k + 1 < this.count ? Math.min(intoMs, this.afterMsOf(k + 1) - this.afterMsOf(k)) : intoMs;
  }
}

/** Integral of the positive part of a power without turning point, or of the negative part as a positive number. */
function positiveKwMs({ kw, kwPerMs, kwPerMs2, ratePerMs }: Curve, sign: 1 | -1, spanMs: number): number {
  if (kwPerMs === 0 && kwPerMs2 === 0) return sign * kw <= 0 ? 0 : sign * kw * spanMs;
  return positivePartIntegral(sign * kw, sign * kwPerMs, sign * kwPerMs2, ratePerMs, spanMs);
}
