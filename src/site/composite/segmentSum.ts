import type { EpochMs } from "../../base/time.ts";
import { curveSlope, curveValue, firstPositiveMs } from "../../device/curve/curve.ts";
import type { Segment } from "../components/segment.ts";
import { INSTANT_TOLERANCE_MS, zeroCrossingMs } from "../components/zeroCrossing.ts";

/** Moves the origin of a stretch to a later instant: the same curve, told from there. */
export function shiftOrigin(stretch: Segment, atMs: EpochMs): void {
  const { kw, kwPerMs, kwPerMs2, ratePerMs } = stretch;
  const afterMs = atMs - stretch.originMs;
  stretch.originMs = atMs;
  if (kwPerMs === 0 && kwPerMs2 === 0) return;
  stretch.kw = curveValue(kw, kwPerMs, kwPerMs2, ratePerMs, afterMs);
  stretch.kwPerMs = curveSlope(kwPerMs, kwPerMs2, ratePerMs, afterMs);
  if (kwPerMs2 !== 0) stretch.kwPerMs2 = kwPerMs2 * Math.exp(-ratePerMs * afterMs);
}

/** Begins a sum with a constant. */
export function resetSum(sum: Segment, atMs: EpochMs, kw: number): void {
  sum.originMs = atMs;
  sum.endMs = Number.POSITIVE_INFINITY;
  sum.kw = kw;
  sum.kwPerMs = 0;
  sum.kwPerMs2 = 0;
  sum.ratePerMs = 0;
}

/** How far a sum of exponentials of different rates may be from the one curve that stands for it. */
const SAME_KW = 1e-6;

/** Adds a stretch of the same origin to a sum, which then ends no later than the stretch. */
export function addSegment(sum: Segment, part: Segment): void {
  sum.kw += part.kw;
  sum.kwPerMs += part.kwPerMs;
  if (part.endMs < sum.endMs) sum.endMs = part.endMs;
  if (part.kwPerMs2 === 0) return;
  if (sum.kwPerMs2 === 0 || sum.ratePerMs === part.ratePerMs) {
    sum.kwPerMs2 += part.kwPerMs2;
    sum.ratePerMs = part.ratePerMs;
  } else addSegmentOfOtherRate(sum, part);
}

/**
 * Two exponentials of different rates (two stores on their tapers at once) are one curve only for a while: it has their
 * level, slope and bend, their third derivative where the bends have one sign, and ends where the rest could matter.
 */
function addSegmentOfOtherRate(sum: Segment, part: Segment): void {
  const third = sum.kwPerMs2 * sum.ratePerMs + part.kwPerMs2 * part.ratePerMs;
  const fourth =
    Math.abs(sum.kwPerMs2) * sum.ratePerMs * sum.ratePerMs + Math.abs(part.kwPerMs2) * part.ratePerMs * part.ratePerMs;
  const thirdSize = Math.abs(sum.kwPerMs2 * sum.ratePerMs) + Math.abs(part.kwPerMs2 * part.ratePerMs);
  const sameSign = sum.kwPerMs2 > 0 === part.kwPerMs2 > 0;
  sum.kwPerMs2 += part.kwPerMs2;
  sum.ratePerMs = sameSign ? third / sum.kwPerMs2 : 0;
  const goodMs = sameSign ? ((12 * SAME_KW) / fourth) ** 0.25 : Math.cbrt((6 * SAME_KW) / thirdSize);
  sum.endMs = Math.min(sum.endMs, sum.originMs + Math.max(1, goodMs));
}

/** Where a curve that starts at `originMs` next passes 0, after that instant; `Infinity` when it does not. */
export function nextZeroCrossingMs({ originMs, kw, kwPerMs, kwPerMs2, ratePerMs }: Segment): EpochMs {
  if (kwPerMs2 === 0) return zeroCrossingMs(originMs, kw, kwPerMs);
  const soonKw = curveValue(kw, kwPerMs, kwPerMs2, ratePerMs, INSTANT_TOLERANCE_MS);
  const slope = curveSlope(kwPerMs, kwPerMs2, ratePerMs, INSTANT_TOLERANCE_MS);
  const bend = kwPerMs2 * Math.exp(-ratePerMs * INSTANT_TOLERANCE_MS);
  const afterMs =
    soonKw > 0 ? firstPositiveMs(-soonKw, -slope, -bend, ratePerMs) : firstPositiveMs(soonKw, slope, bend, ratePerMs);
  return originMs + INSTANT_TOLERANCE_MS + afterMs;
}
