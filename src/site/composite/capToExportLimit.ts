import type { EpochMs } from "../../base/time.ts";
import { LIMITING_FACTOR, newSegment, type Segment } from "../components/segment.ts";
import { isPositiveAhead } from "../components/zeroCrossing.ts";
import { nextZeroCrossingMs } from "./segmentSum.ts";

/**
 * Limits a generator's power to the export headroom, and reduces the headroom by the power that it uses.
 *
 * @param power     linear, at most 0, with the origin of the headroom; `limitedBy` is set to `powerLimit` iff it is cut
 * @param headroom  export headroom in kW; below 0: none
 * @returns until when the result is valid
 */
export function capToExportLimit(power: Segment, headroom: Segment): EpochMs {
  const over = newSegment();
  over.originMs = headroom.originMs;
  over.kw = -power.kw - headroom.kw;
  over.kwPerMs = -power.kwPerMs - headroom.kwPerMs;
  over.kwPerMs2 = -headroom.kwPerMs2;
  over.ratePerMs = headroom.ratePerMs;
  const isCut = isPositiveAhead(over.kw, over.kwPerMs);
  let untilMs = nextZeroCrossingMs(over);
  if (!isCut) {
    power.originMs = headroom.originMs;
    if (power.limitedBy === LIMITING_FACTOR.powerLimit) power.limitedBy = LIMITING_FACTOR.weather;
    headroom.kw += power.kw;
    headroom.kwPerMs += power.kwPerMs;
    return untilMs;
  }
  untilMs = Math.min(untilMs, nextZeroCrossingMs(headroom));
  const isShut = !isPositiveAhead(headroom.kw, headroom.kwPerMs);
  power.originMs = headroom.originMs;
  power.kw = isShut ? 0 : -headroom.kw;
  power.kwPerMs = isShut ? 0 : -headroom.kwPerMs;
  power.kwPerMs2 = isShut ? 0 : -headroom.kwPerMs2;
  power.ratePerMs = isShut ? 0 : headroom.ratePerMs;
  power.limitedBy = LIMITING_FACTOR.powerLimit;
  power.deviationSign = 1;
  if (isShut) return untilMs;
  headroom.kw = 0;
  headroom.kwPerMs = 0;
  headroom.kwPerMs2 = 0;
  return untilMs;
}
