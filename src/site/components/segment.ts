import type { EpochMs } from "../../base/time.ts";

/** What keeps a unit's power where it is, for the question why something is lacking. @see docs/model/accounting.md#attribution */
export const LIMITING_FACTOR = {
  /** Nothing: the unit does what it was told. */
  none: 0,
  /** At a bound of its stored energy. */
  socBound: 1,
  /** Rating, taper or grid limit. */
  powerLimit: 2,
  /** On its way to the target. */
  ramp: 3,
  outputControl: 4,
  /** Sun or wind give no more. */
  weather: 5,
  /** The load is not what the baseline says, or there is too little of it. */
  load: 6,
} as const;

/**
 * A time in which one closed form gives a unit's AC power: the curve of `device/curve/curve.ts` with τ = t − originMs,
 * for startMs <= t < endMs.
 *
 * Filled by `Unit.segmentAt`; callers keep one and reuse it.
 */
export interface Segment {
  originMs: EpochMs;
  /** `Infinity` while nothing is known to change it. */
  endMs: EpochMs;
  kw: number;
  kwPerMs: number;
  kwPerMs2: number;
  ratePerMs: number;
  limitedBy: number;
  /** On which side of its target that keeps the power: -1 below, 1 above; 0 where it is not known. */
  deviationSign: number;
}

export const newSegment = (): Segment => ({
  originMs: 0,
  endMs: 0,
  kw: 0,
  kwPerMs: 0,
  kwPerMs2: 0,
  ratePerMs: 0,
  limitedBy: LIMITING_FACTOR.none,
  deviationSign: 0,
});

/** Member by member: it is done millions of times. */
export function copySegment(from: Segment, out: Segment): void {
  out.originMs = from.originMs;
  out.endMs = from.endMs;
  out.kw = from.kw;
  out.kwPerMs = from.kwPerMs;
  out.kwPerMs2 = from.kwPerMs2;
  out.ratePerMs = from.ratePerMs;
  out.limitedBy = from.limitedBy;
  out.deviationSign = from.deviationSign;
}

/** Makes a stretch of straight power from an instant on. */
export function setLinearSegment(
  out: Segment,
  atMs: EpochMs,
  endMs: EpochMs,
  kw: number,
  kwPerMs: number,
  binds: number,
): void {
  out.originMs = atMs;
  out.endMs = endMs;
  out.kw = kw;
  out.kwPerMs = kwPerMs;
  out.kwPerMs2 = 0;
  out.ratePerMs = 0;
  out.limitedBy = binds;
  out.deviationSign = 0;
}
