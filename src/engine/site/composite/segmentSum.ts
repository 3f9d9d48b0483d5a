import { cbrt, pow } from "../../../base/elementary.ts";
import type { EpochMs } from "../../../base/time.ts";
import { curveSlope, curveValue, decayedCurvature, firstPositiveMs } from "../../device/curve/curve.ts";
import type { Series } from "../../series/model/series.ts";
import { INSTANT_TOLERANCE_MS, type Segment, zeroCrossingMs } from "../components/segment.ts";

/** Sets a sum to a constant. */
export function resetSum(sum: Segment, atMs: EpochMs, kw: number): void {
  sum.originMs = atMs;
  sum.endMs = Number.POSITIVE_INFINITY;
  sum.kw = kw;
  sum.kwPerMs = 0;
  sum.kwPerMs2 = 0;
  sum.ratePerMs = 0;
}

/** Largest error in kW of one exponential that approximates a sum of exponentials with different rates. */
const TOLERANCE_KW = 1e-6;

/** Adds a segment with the same origin to a sum, which then ends no later than the segment. */
export function addSegment(sum: Segment, segment: Segment): void {
  sum.kw += segment.kw;
  sum.kwPerMs += segment.kwPerMs;
  if (segment.endMs < sum.endMs) sum.endMs = segment.endMs;
  if (segment.kwPerMs2 === 0) return;
  if (sum.kwPerMs2 === 0 || sum.ratePerMs === segment.ratePerMs) {
    sum.kwPerMs2 += segment.kwPerMs2;
    sum.ratePerMs = segment.ratePerMs;
  } else addSegmentOfOtherRate(sum, segment);
}

/**
 * Approximates two exponentials with different rates (two batteries on their tapers) by one for a limited time. The
 * approximation has their value, slope and curvature, and their third derivative if the curvatures have the same sign. It ends
 * before the error exceeds `TOLERANCE_KW`.
 */
function addSegmentOfOtherRate(sum: Segment, segment: Segment): void {
  const third = sum.kwPerMs2 * sum.ratePerMs + segment.kwPerMs2 * segment.ratePerMs;
  const fourth =
    Math.abs(sum.kwPerMs2) * sum.ratePerMs * sum.ratePerMs +
    Math.abs(segment.kwPerMs2) * segment.ratePerMs * segment.ratePerMs;
  const thirdSize = Math.abs(sum.kwPerMs2 * sum.ratePerMs) + Math.abs(segment.kwPerMs2 * segment.ratePerMs);
  const sameSign = sum.kwPerMs2 > 0 === segment.kwPerMs2 > 0;
  sum.kwPerMs2 += segment.kwPerMs2;
  sum.ratePerMs = sameSign ? third / sum.kwPerMs2 : 0;
  const validMs = sameSign ? pow((12 * TOLERANCE_KW) / fourth, 0.25) : cbrt((6 * TOLERANCE_KW) / thirdSize);
  sum.endMs = Math.min(sum.endMs, sum.originMs + Math.max(1, validMs));
}

/** Adds a demand (`sign` 1), or takes it away, from the origin of the sum on. */
export function addSeries(sum: Segment, series: Series, sign: 1 | -1): void {
  const atMs = sum.originMs;
  sum.kw += sign * series.valueAt(atMs);
  sum.kwPerMs += sign * series.slopeAt(series.indexAt(atMs));
  sum.endMs = Math.min(sum.endMs, series.nextChangeMs(atMs));
}

/** When a curve next crosses 0 after its origin; `Infinity` if never. */
export function nextZeroCrossingMs({ originMs, kw, kwPerMs, kwPerMs2, ratePerMs }: Segment): EpochMs {
  if (kwPerMs2 === 0) return zeroCrossingMs(originMs, kw, kwPerMs);
  const soonKw = curveValue(kw, kwPerMs, kwPerMs2, ratePerMs, INSTANT_TOLERANCE_MS);
  const slope = curveSlope(kwPerMs, kwPerMs2, ratePerMs, INSTANT_TOLERANCE_MS);
  const curvature = decayedCurvature(kwPerMs2, ratePerMs, INSTANT_TOLERANCE_MS);
  const afterMs =
    soonKw > 0
      ? firstPositiveMs(-soonKw, -slope, -curvature, ratePerMs)
      : firstPositiveMs(soonKw, slope, curvature, ratePerMs);
  return originMs + INSTANT_TOLERANCE_MS + afterMs;
}
