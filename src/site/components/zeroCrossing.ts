import type { EpochMs } from "../../base/time.ts";

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
