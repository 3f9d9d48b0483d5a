import { curveIntegral, curveSlope, curveValue, decayedCurvature, firstPositiveMs, turningPointMs } from "./curve.ts";

/**
 * Integral of max(0, f) from 0 to `spanMs`, in value·ms, of a curve without turning point within the span. Powers have
 * none within a segment: they are linear or purely exponential.
 */
export function positivePartIntegral(
  level: number,
  slope: number,
  curvature: number,
  ratePerMs: number,
  spanMs: number,
): number {
  const end = curveValue(level, slope, curvature, ratePerMs, spanMs);
  if (level <= 0 && end <= 0) return 0;
  if (0 <= level && 0 <= end) return curveIntegral(level, slope, curvature, ratePerMs, spanMs);
  if (end < 0) {
    const fallMs = firstPositiveMs(-level, -slope, -curvature, ratePerMs);
    return curveIntegral(level, slope, curvature, ratePerMs, Math.min(fallMs, spanMs));
  }
  const riseMs = Math.min(firstPositiveMs(level, slope, curvature, ratePerMs), spanMs);
  const slopeThere = curveSlope(slope, curvature, ratePerMs, riseMs);
  return curveIntegral(0, slopeThere, decayedCurvature(curvature, ratePerMs, riseMs), ratePerMs, spanMs - riseMs);
}

/** How long f is at least 0 between 0 and `spanMs`. */
export function nonNegativeDurationMs(
  level: number,
  slope: number,
  curvature: number,
  ratePerMs: number,
  spanMs: number,
): number {
  if (slope === 0 && curvature === 0) return 0 <= level ? spanMs : 0;
  const turnMs = turningPointMs(slope, curvature, ratePerMs);
  if (!(0 < turnMs && turnMs < spanMs))
    return monotonicNonNegativeDurationMs(level, slope, curvature, ratePerMs, spanMs);
  const levelThere = curveValue(level, slope, curvature, ratePerMs, turnMs);
  const curvatureThere = decayedCurvature(curvature, ratePerMs, turnMs);
  return (
    monotonicNonNegativeDurationMs(level, slope, curvature, ratePerMs, turnMs) +
    monotonicNonNegativeDurationMs(levelThere, 0, curvatureThere, ratePerMs, spanMs - turnMs)
  );
}

/** Duration for a curve that is monotonic within the span. */
function monotonicNonNegativeDurationMs(
  level: number,
  slope: number,
  curvature: number,
  ratePerMs: number,
  spanMs: number,
): number {
  const end = curveValue(level, slope, curvature, ratePerMs, spanMs);
  if (0 <= level && 0 <= end) return spanMs;
  if (0 <= level) return Math.min(spanMs, firstPositiveMs(-level, -slope, -curvature, ratePerMs));
  if (0 <= end) return spanMs - Math.min(spanMs, firstPositiveMs(level, slope, curvature, ratePerMs));
  return 0;
}
