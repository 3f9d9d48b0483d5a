import type { EpochMs } from "../../base/time.ts";

/** Instants nearer than this are one: epoch milliseconds as doubles resolve 2.4e-4 ms. */
export const INSTANT_TOLERANCE_MS = 1e-2;

/** Whether a straight line that is `kw` now is above 0 from now on, up to its next crossing. */
export const isPositiveAhead = (kw: number, kwPerMs: number): boolean => kw + kwPerMs * INSTANT_TOLERANCE_MS > 0;

/** Where a straight line that is `kw` at an instant next meets 0; `Infinity` when it does not, or only at that instant. */
export function zeroCrossingMs(atMs: EpochMs, kw: number, kwPerMs: number): EpochMs {
  if (kwPerMs === 0) return Number.POSITIVE_INFINITY;
  const aheadMs = -kw / kwPerMs;
  return aheadMs > INSTANT_TOLERANCE_MS ? atMs + aheadMs : Number.POSITIVE_INFINITY;
}
