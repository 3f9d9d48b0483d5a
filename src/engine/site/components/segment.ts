import type { EpochMs } from "../../../base/time.ts";
import { type Curve, copyCurve, curveKw, shiftCurve } from "../../device/curve/curve.ts";
import { LIMITING_FACTOR, type LimitingFactor } from "../../device/curve/limitingFactor.ts";

/**
 * Segment of the AC power of a component or a site, with or without storage: a curve that starts at `originMs`, until `endMs`,
 * exclusive.
 *
 * Filled by `segmentAt`; callers reuse one object.
 */
export interface Segment extends Curve {
  originMs: EpochMs;
  /** `Infinity` for the last segment of a trajectory. */
  endMs: EpochMs;
  limitedBy: LimitingFactor;
  /** Side of the set-point on which the limiting factor holds the power: -1 below, 1 above, 0 undetermined. */
  deviationSign: number;
}

/** A literal: a spread has another hidden class, with which sites of several components take twice as long. */
export const newSegment = (): Segment => ({
  kw: 0,
  kwPerMs: 0,
  kwPerMs2: 0,
  ratePerMs: 0,
  originMs: 0,
  endMs: 0,
  limitedBy: LIMITING_FACTOR.none,
  deviationSign: 0,
});

export function copySegment(from: Segment, out: Segment): void {
  copyCurve(from, out);
  out.originMs = from.originMs;
  out.endMs = from.endMs;
  out.limitedBy = from.limitedBy;
  out.deviationSign = from.deviationSign;
}

/** Sets a linear segment that begins at `atMs`. */
export function setLinearSegment(
  out: Segment,
  atMs: EpochMs,
  endMs: EpochMs,
  kw: number,
  kwPerMs: number,
  limitedBy: LimitingFactor,
): void {
  out.originMs = atMs;
  out.endMs = endMs;
  out.kw = kw;
  out.kwPerMs = kwPerMs;
  out.kwPerMs2 = 0;
  out.ratePerMs = 0;
  out.limitedBy = limitedBy;
  out.deviationSign = 0;
}

export const segmentKwAt = (segment: Segment, atMs: EpochMs): number => curveKw(segment, atMs - segment.originMs);

/** Moves the origin of a segment to an instant; the power stays the same. */
export function shiftOrigin(segment: Segment, atMs: EpochMs): void {
  shiftCurve(segment, atMs - segment.originMs);
  segment.originMs = atMs;
}

/** Instants closer than this count as equal: epoch milliseconds as doubles resolve 2.4e-4 ms. */
export const INSTANT_TOLERANCE_MS = 1e-2;

/** Whether a linear function with present value `kw` is positive from now until its next zero crossing. */
export const isPositiveAhead = (kw: number, kwPerMs: number): boolean => kw + kwPerMs * INSTANT_TOLERANCE_MS > 0;

/** Next zero crossing of a linear function with value `kw` at an instant; `Infinity` where none follows that instant. */
export function zeroCrossingMs(atMs: EpochMs, kw: number, kwPerMs: number): EpochMs {
  if (kwPerMs === 0) return Number.POSITIVE_INFINITY;
  const aheadMs = -kw / kwPerMs;
  return aheadMs > INSTANT_TOLERANCE_MS ? atMs + aheadMs : Number.POSITIVE_INFINITY;
}
