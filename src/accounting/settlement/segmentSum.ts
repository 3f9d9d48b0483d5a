import { Copyable } from "../../base/copyState.ts";
import { MS_PER_HOUR } from "../../base/time.ts";
import {
  type Curve,
  curveIntegral,
  curveSlope,
  curveValue,
  decayedCurvature,
  shiftCurve,
} from "../../engine/device/curve/curve.ts";

/**
 * A power as a function of time over one piece: a straight line plus the curves of device/curve/curve.ts. τ counts from
 * the start of the piece. The object is reused: entries of `curvatureTerms` from `curvatureTermCount` on are stale.
 */
export class SegmentSum extends Copyable {
  kw = 0;
  kwPerMs = 0;
  curvatureTermCount = 0;
  readonly curvatureTerms: { kwPerMs2: number; ratePerMs: number }[] = [];

  clear(): void {
    this.kw = 0;
    this.kwPerMs = 0;
    this.curvatureTermCount = 0;
  }

  /** Adds factor · curve. */
  add(factor: number, { kw, kwPerMs, kwPerMs2, ratePerMs }: Readonly<Curve>): void {
    this.kw += factor * kw;
    this.kwPerMs += factor * kwPerMs;
    if (kwPerMs2 === 0) return;
    const term = (this.curvatureTerms[this.curvatureTermCount] ??= { kwPerMs2: 0, ratePerMs: 0 });
    term.kwPerMs2 = factor * kwPerMs2;
    term.ratePerMs = ratePerMs;
    this.curvatureTermCount++;
  }

  /** Adds factor · curve to the term of the same rate, so that terms that cancel vanish. */
  addMerged(factor: number, curve: Readonly<Curve>): void {
    const { kw, kwPerMs, kwPerMs2, ratePerMs } = curve;
    for (let k = 0; k < this.curvatureTermCount && kwPerMs2 !== 0; k++) {
      const term = this.curvatureTerms[k];
      if (term.ratePerMs !== ratePerMs) continue;
      const merged = term.kwPerMs2 + factor * kwPerMs2;
      term.kwPerMs2 = Math.abs(merged) < CANCELLED * Math.abs(kwPerMs2) ? 0 : merged;
      this.kw += factor * kw;
      this.kwPerMs += factor * kwPerMs;
      return;
    }
    this.add(factor, curve);
  }

  /** Adds factor · a curve whose origin lies `sinceMs` before the start of the piece. */
  addShifted(factor: number, { kw, kwPerMs, kwPerMs2, ratePerMs }: Readonly<Curve>, sinceMs: number): void {
    const shifted = { kw, kwPerMs, kwPerMs2, ratePerMs };
    shiftCurve(shifted, sinceMs);
    this.add(factor, shifted);
  }

  valueAt(afterMs: number): number {
    let kw = this.kw + this.kwPerMs * afterMs;
    for (let k = 0; k < this.curvatureTermCount; k++)
      kw += curveValue(0, 0, this.curvatureTerms[k].kwPerMs2, this.curvatureTerms[k].ratePerMs, afterMs);
    return kw;
  }

  slopeAt(afterMs: number): number {
    let slope = this.kwPerMs;
    for (let k = 0; k < this.curvatureTermCount; k++)
      slope += curveSlope(0, this.curvatureTerms[k].kwPerMs2, this.curvatureTerms[k].ratePerMs, afterMs);
    return slope;
  }

  /** Upper bound of the absolute second derivative within [fromMs, toMs]. */
  maxCurvature(fromMs: number, toMs: number): number {
    let sum = 0;
    for (let k = 0; k < this.curvatureTermCount; k++) {
      const { kwPerMs2, ratePerMs } = this.curvatureTerms[k];
      sum += decayedCurvature(Math.abs(kwPerMs2), ratePerMs, ratePerMs >= 0 ? fromMs : toMs);
    }
    return sum;
  }
}

/** Relative size below which the remainder of two cancelling terms counts as 0. */
const CANCELLED = 1e-9;

/** Integrals of the difference between requested and delivered power over a piece, in kWh and ms. */
export interface DeviationIntegrals {
  shortfallKwh: number;
  excessKwh: number;
  inBandMs: number;
}

/**
 * Integrates d(τ) = |requested| − delivered over 0 <= τ <= spanMs: its positive part, its negative part, and the time
 * within ±bandKw. A constant difference has a closed form; any other is cut at the roots of d and of d ∓ bandKw.
 */
export function integrateDeviation(
  difference: SegmentSum,
  spanMs: number,
  bandKw: number,
  out: DeviationIntegrals,
): void {
  out.shortfallKwh = 0;
  out.excessKwh = 0;
  out.inBandMs = 0;
  if (difference.curvatureTermCount === 0 && difference.kwPerMs === 0)
    return integrateConstant(difference.kw, spanMs, bandKw, out);
  const cuts: number[] = [];
  for (const levelKw of [0, bandKw, -bandKw]) findRoots(difference, levelKw, 0, spanMs, cuts);
  cuts.push(spanMs);
  cuts.sort((a, b) => a - b);
  let fromMs = 0;
  for (const toMs of cuts) {
    if (toMs <= fromMs) continue;
    const middle = difference.valueAt(0.5 * (fromMs + toMs));
    const kwh = integral(difference, fromMs, toMs) / MS_PER_HOUR;
    if (middle > 0) out.shortfallKwh += kwh;
    else out.excessKwh -= kwh;
    if (Math.abs(middle) <= bandKw + IN_BAND_TOLERANCE_KW) out.inBandMs += toMs - fromMs;
    fromMs = toMs;
  }
}

/** A difference below this counts as 0, because the crossings of its last digits carry no information. */
const ZERO_KW = 1e-9;

/** Sums of tenths of kW are inexact in binary; this much above the band still counts as inside. */
const IN_BAND_TOLERANCE_KW = 1e-9;

function integrateConstant(kw: number, spanMs: number, bandKw: number, out: DeviationIntegrals): void {
  const kwh = (kw * spanMs) / MS_PER_HOUR;
  if (kw > 0) out.shortfallKwh = kwh;
  else out.excessKwh = -kwh;
  if (Math.abs(kw) <= bandKw + IN_BAND_TOLERANCE_KW) out.inBandMs = spanMs;
}

/** Integral in kW·ms, in closed form. */
function integral(sum: SegmentSum, fromMs: number, toMs: number): number {
  const spanMs = toMs - fromMs;
  let value = (sum.kw + 0.5 * sum.kwPerMs * (fromMs + toMs)) * spanMs;
  for (let k = 0; k < sum.curvatureTermCount; k++)
    value += curvatureIntegral(sum.curvatureTerms[k], toMs) - curvatureIntegral(sum.curvatureTerms[k], fromMs);
  return value;
}

function curvatureIntegral({ kwPerMs2, ratePerMs }: { kwPerMs2: number; ratePerMs: number }, afterMs: number): number {
  return curveIntegral(0, 0, kwPerMs2, ratePerMs, afterMs);
}

/**
 * Every τ in (fromMs, toMs) where the sum crosses a level. A bound on the curvature shows where there is no root or
 * only one; elsewhere the interval is halved, down to a tenth of a millisecond.
 */
export function findRoots(sum: SegmentSum, levelKw: number, fromMs: number, toMs: number, out: number[]): void {
  const a = sum.valueAt(fromMs) - levelKw;
  const b = sum.valueAt(toMs) - levelKw;
  const spanMs = toMs - fromMs;
  const term = sum.maxCurvature(fromMs, toMs);
  const sagKw = (term * spanMs * spanMs) / 8;
  if (Math.max(Math.abs(a), Math.abs(b)) + sagKw < ZERO_KW) return;
  if (a * b > 0 && Math.min(Math.abs(a), Math.abs(b)) > sagKw) return;
  if (term === 0) {
    if (a * b < 0) out.push(fromMs + (spanMs * a) / (a - b));
    return;
  }
  const monotone = Math.abs(sum.slopeAt(0.5 * (fromMs + toMs))) > 0.5 * term * spanMs;
  if (monotone || spanMs < 0.1) {
    if (a * b < 0) out.push(bisect(sum, levelKw, fromMs, toMs, a));
    return;
  }
  const middleMs = 0.5 * (fromMs + toMs);
  findRoots(sum, levelKw, fromMs, middleMs, out);
  findRoots(sum, levelKw, middleMs, toMs, out);
}

function bisect(sum: SegmentSum, levelKw: number, fromMs: number, toMs: number, fromValue: number): number {
  let low = fromMs;
  let high = toMs;
  for (let round = 0; round < 60 && high - low > 1e-6; round++) {
    const middle = 0.5 * (low + high);
    if ((sum.valueAt(middle) - levelKw) * fromValue > 0) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}
