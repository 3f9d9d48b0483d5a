import type { EpochMs } from "../../base/time.ts";
import { LIMITING_FACTOR, newSegment, type Segment } from "../components/segment.ts";
import { isPositiveAhead } from "../components/zeroCrossing.ts";
import { nextZeroCrossingMs } from "./segmentSum.ts";

/**
 * Cuts a generator's power to the room that is left at the connection point, and takes what it uses off the room.
 *
 * @param power  straight, at most 0, told from the room's origin on; `binds` is powerLimit afterwards iff it was cut
 * @param room   kW that may be sent; below 0 none may
 * @returns until when it stays like that
 */
export function capToExportLimit(power: Segment, room: Segment): EpochMs {
  const over = excess;
  over.originMs = room.originMs;
  over.kw = -power.kw - room.kw;
  over.kwPerMs = -power.kwPerMs - room.kwPerMs;
  over.kwPerMs2 = -room.kwPerMs2;
  over.ratePerMs = room.ratePerMs;
  const isCut = isPositiveAhead(over.kw, over.kwPerMs);
  let untilMs = nextZeroCrossingMs(over);
  if (!isCut) {
    power.originMs = room.originMs;
    if (power.limitedBy === LIMITING_FACTOR.powerLimit) power.limitedBy = LIMITING_FACTOR.weather;
    room.kw += power.kw;
    room.kwPerMs += power.kwPerMs;
    return untilMs;
  }
  untilMs = Math.min(untilMs, nextZeroCrossingMs(room));
  const isShut = !isPositiveAhead(room.kw, room.kwPerMs);
  power.originMs = room.originMs;
  power.kw = isShut ? 0 : -room.kw;
  power.kwPerMs = isShut ? 0 : -room.kwPerMs;
  power.kwPerMs2 = isShut ? 0 : -room.kwPerMs2;
  power.ratePerMs = isShut ? 0 : room.ratePerMs;
  power.limitedBy = LIMITING_FACTOR.powerLimit;
  power.deviationSign = 1;
  if (isShut) return untilMs;
  room.kw = 0;
  room.kwPerMs = 0;
  room.kwPerMs2 = 0;
  return untilMs;
}

const excess = newSegment();
