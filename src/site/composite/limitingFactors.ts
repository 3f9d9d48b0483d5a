import { LIMITING_FACTOR, type Segment } from "../components/segment.ts";

/** Replaces the limiting factor by one that comes earlier in the order, unless it shifts the power in the direction of the delta. */
export function applyLimit(out: Segment, limitedBy: number, deviationSign: number, direction: number): void {
  const best = out.limitedBy === LIMITING_FACTOR.load ? LIMITING_FACTOR.weather : out.limitedBy;
  if (limitedBy === LIMITING_FACTOR.none || best <= limitedBy || deviationSign * direction > 0) return;
  out.limitedBy = limitedBy;
  out.deviationSign = deviationSign;
}
