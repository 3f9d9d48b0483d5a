import { exp, expm1, log1p } from "../../../base/elementary.ts";
import { MS_PER_DAY } from "../../../base/time.ts";

// Between two switches, power and stored energy of a device are curves with four coefficients:
//
//   f(τ) = level + slope·τ + curvature·τ²·φ2(rate·τ)      τ: ms since the segment's start
//
// f' starts at `slope`; f'' starts at `curvature` and decays as e^(−rate·τ). The family contains constant, linear, quadratic
// (rate 0) and exponential (curvature = −rate·slope) functions and is closed under shifts. This form loses no digits when the
// rate is tiny; a sum of exponentials would. Its rounding error is about 1e-16·rate·τ, under 1e-9 kWh for years.
// f'' never changes sign, so f has at most one turning point and two roots, and bracketed root finding is safe. The
// functions take numbers instead of an object because they run millions of times.

/** A power as a curve of the time since its start. */
export interface Curve {
  kw: number;
  kwPerMs: number;
  kwPerMs2: number;
  ratePerMs: number;
}

export const newCurve = (): Curve => ({ kw: 0, kwPerMs: 0, kwPerMs2: 0, ratePerMs: 0 });

/** Field by field, because a spread is too slow for this hot path. */
export function copyCurve(from: Readonly<Curve>, out: Curve): void {
  out.kw = from.kw;
  out.kwPerMs = from.kwPerMs;
  out.kwPerMs2 = from.kwPerMs2;
  out.ratePerMs = from.ratePerMs;
}

/** Later roots are ignored: no run is that long. */
const ROOT_HORIZON_MS = 200 * 366 * MS_PER_DAY;
const ROOT_TOLERANCE_MS = 1e-8;

/** (1 − e^(−z)) / z; 1 at 0. */
export const phi1 = (z: number): number => (z === 0 ? 1 : -expm1(-z) / z);

/** (1 − φ1) / z; 1/2 at 0. */
export function phi2(z: number): number {
  if (0.5 <= Math.abs(z)) return (1 - phi1(z)) / z;
  return z === 0 ? 0.5 : tailOfExponential(z, 2) / 2;
}

/** (1/2 − φ2) / z; 1/6 at 0. */
export function phi3(z: number): number {
  if (0.5 <= Math.abs(z)) return (0.5 - phi2(z)) / z;
  return z === 0 ? 1 / 6 : tailOfExponential(z, 3) / 6;
}

/** Σ (−z)^j · n! / (n + j)! for small |z|, summed from the smallest term. */
function tailOfExponential(z: number, n: number): number {
  let sum = 1;
  for (let j = n + 13; n < j; j--) sum = 1 - (z / j) * sum;
  return sum;
}

export function curveValue(
  level: number,
  slope: number,
  curvature: number,
  ratePerMs: number,
  afterMs: number,
): number {
  if (curvature === 0) return level + slope * afterMs;
  return level + afterMs * (slope + curvature * afterMs * phi2(ratePerMs * afterMs));
}

export function curveSlope(slope: number, curvature: number, ratePerMs: number, afterMs: number): number {
  return curvature === 0 ? slope : slope + curvature * afterMs * phi1(ratePerMs * afterMs);
}

/** f'' after some time. Most curves do not decay. */
export function decayedCurvature(curvature: number, ratePerMs: number, afterMs: number): number {
  if (curvature === 0) return 0;
  const decay = ratePerMs * afterMs;
  return decay === 0 ? curvature : curvature * exp(-decay);
}

export const curveKw = ({ kw, kwPerMs, kwPerMs2, ratePerMs }: Readonly<Curve>, afterMs: number): number =>
  curveValue(kw, kwPerMs, kwPerMs2, ratePerMs, afterMs);

/** Moves the start of a curve by some time. */
export function shiftCurve(curve: Curve, afterMs: number): void {
  const { kw, kwPerMs, kwPerMs2, ratePerMs } = curve;
  if (kwPerMs === 0 && kwPerMs2 === 0) return;
  curve.kw = curveValue(kw, kwPerMs, kwPerMs2, ratePerMs, afterMs);
  curve.kwPerMs = curveSlope(kwPerMs, kwPerMs2, ratePerMs, afterMs);
  curve.kwPerMs2 = decayedCurvature(kwPerMs2, ratePerMs, afterMs);
}

/** Integral from 0 to `afterMs`, in value·ms. */
export function curveIntegral(
  level: number,
  slope: number,
  curvature: number,
  ratePerMs: number,
  afterMs: number,
): number {
  const straight = level + 0.5 * slope * afterMs;
  if (curvature === 0) return straight * afterMs;
  return (straight + curvature * afterMs * afterMs * phi3(ratePerMs * afterMs)) * afterMs;
}

/** The instant at which the slope passes 0; `Infinity` when it never does; negative when it did before the start. */
export function turningPointMs(slope: number, curvature: number, ratePerMs: number): number {
  if (curvature === 0) return Number.POSITIVE_INFINITY;
  if (ratePerMs === 0) return -slope / curvature;
  const share = (ratePerMs * slope) / curvature;
  return share <= -1 ? Number.POSITIVE_INFINITY : -log1p(share) / ratePerMs;
}

/**
 * When the curve first rises above 0: the greatest lower bound of all τ >= 0 with f(τ) > 0.
 *
 * A curve that starts at 0 and rises gives 0; for one that starts at 0 and falls, the search continues after the fall.
 *
 * @returns ms after the start, to 1e-6 ms or the last digits of the inputs; `Infinity` when it never rises above 0
 */
export function firstPositiveMs(level: number, slope: number, curvature: number, ratePerMs: number): number {
  if (0 < level) return 0;
  if (curvature === 0) return 0 < slope ? (0 - level) / slope : Number.POSITIVE_INFINITY;
  if (level === 0 && (0 < slope || (slope === 0 && 0 < curvature))) return 0;
  if (curvature < 0 && slope <= 0) return Number.POSITIVE_INFINITY;
  // A convex curve rises after its turning point, a concave one before it.
  const turnMs = turningPointMs(slope, curvature, ratePerMs);
  const lowMs = 0 < curvature && slope < 0 ? turnMs : 0;
  const highMs = curvature < 0 ? Math.min(turnMs, ROOT_HORIZON_MS) : ROOT_HORIZON_MS;
  if (highMs <= lowMs || !(0 < curveValue(level, slope, curvature, ratePerMs, highMs))) return Number.POSITIVE_INFINITY;
  return risingRoot(level, slope, curvature, ratePerMs, lowMs, highMs);
}

/**
 * The root of a curve that rises throughout [lowMs, highMs], by Newton's method with bisection where a step leaves the
 * bracket. After twelve rounds every other step bisects, because Newton's steps are short far up an exponential.
 */
function risingRoot(
  level: number,
  slope: number,
  curvature: number,
  ratePerMs: number,
  lowMs: number,
  highMs: number,
): number {
  let atMs = lowMs;
  for (let round = -1; round < 200; round++) {
    // As curveValue and curveSlope have it, with one exponential for both.
    const z = ratePerMs * atMs;
    const first = phi1(z);
    const second = 0.5 <= Math.abs(z) ? (1 - first) / z : phi2(z);
    const value = level + atMs * (slope + curvature * atMs * second);
    const slopeThere = slope + curvature * atMs * first;
    if (round < 0) {
      atMs = lowMs + parabolaRoot(value, Math.max(0, slopeThere), decayedCurvature(curvature, ratePerMs, lowMs));
      if (!(lowMs < atMs && atMs < highMs)) atMs = 0.5 * (lowMs + highMs);
      continue;
    }
    if (0 < value) highMs = atMs;
    else lowMs = atMs;
    const stepMs = -value / slopeThere;
    const nearMs = ROOT_TOLERANCE_MS + 4e-16 * atMs;
    if (value === 0 || Math.abs(stepMs) <= nearMs || highMs - lowMs <= nearMs) break;
    const nextMs = atMs + stepMs;
    const trusted = (round < 12 || round % 2 === 0) && lowMs < nextMs && nextMs < highMs;
    atMs = trusted ? nextMs : 0.5 * (lowMs + highMs);
  }
  return atMs;
}

/** First guess: the root of the parabola that touches the curve at its lowest point; exact when the rate is 0. */
function parabolaRoot(level: number, slope: number, curvature: number): number {
  const discriminant = Math.max(0, slope * slope - 2 * curvature * level);
  return (-2 * level) / (slope + Math.sqrt(discriminant));
}
