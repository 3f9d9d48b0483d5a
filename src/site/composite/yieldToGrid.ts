import type { EpochMs } from "../../base/time.ts";
import { isAbove } from "../components/crossing.ts";
import { BINDS, newStretch, type Stretch } from "../components/stretch.ts";
import { passesZeroMs } from "./powerSum.ts";

/**
 * Cuts a generator's power to the room that is left at the connection point, and takes what it uses off the room.
 *
 * @param power  straight, at most 0, told from the room's origin on; `binds` is powerLimit afterwards iff it was cut
 * @param room   kW that may be sent; below 0 none may
 * @returns until when it stays like that
 */
export function yieldToGrid(power: Stretch, room: Stretch): EpochMs {
  const over = scratch;
  over.originMs = room.originMs;
  over.kw = -power.kw - room.kw;
  over.kwPerMs = -power.kwPerMs - room.kwPerMs;
  over.kwPerMs2 = -room.kwPerMs2;
  over.ratePerMs = room.ratePerMs;
  const isCut = isAbove(over.kw, over.kwPerMs);
  let untilMs = passesZeroMs(over);
  if (!isCut) {
    power.originMs = room.originMs;
    if (power.binds === BINDS.powerLimit) power.binds = BINDS.weather;
    room.kw += power.kw;
    room.kwPerMs += power.kwPerMs;
    return untilMs;
  }
  untilMs = Math.min(untilMs, passesZeroMs(room));
  const isShut = !isAbove(room.kw, room.kwPerMs);
  power.originMs = room.originMs;
  power.kw = isShut ? 0 : -room.kw;
  power.kwPerMs = isShut ? 0 : -room.kwPerMs;
  power.kwPerMs2 = isShut ? 0 : -room.kwPerMs2;
  power.ratePerMs = isShut ? 0 : room.ratePerMs;
  power.binds = BINDS.powerLimit;
  power.keeps = 1;
  if (isShut) return untilMs;
  room.kw = 0;
  room.kwPerMs = 0;
  room.kwPerMs2 = 0;
  return untilMs;
}

const scratch = newStretch();
