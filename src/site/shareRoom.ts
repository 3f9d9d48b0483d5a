import type { EpochMs } from "../base/time.ts";
import type { BatteryLane, Composition } from "./composition.ts";
import { crossingMs } from "./crossing.ts";
import { canKw, findRoom, type Line, NEVER, newGridRoom } from "./steerRoom.ts";
import type { Stretch } from "./stretch.ts";
import type { ReplanMs } from "./target.ts";

/**
 * Gives batteries that answer the frequency, or move on a ramp, the limits that the connection point has for each: none
 * while all that they could come to has room; else its part of the room, by what each is to do at this instant. One that
 * is full or empty takes none from the others, so they have to be looked at again when one comes to be.
 *
 * @param amounts  what each is to do besides its response, import positive, in their order
 * @returns until when the limits hold
 */
export function shareRoom(
  site: Composition,
  batteries: readonly BatteryLane[],
  others: Stretch,
  amounts: readonly Line[],
): ReplanMs {
  const exportMs = shareOneWay(site, batteries, -1, others, amounts);
  const importMs = shareOneWay(site, batteries, 1, others, amounts);
  return Math.min(others.endMs, exportMs, importMs);
}

function shareOneWay(
  site: Composition,
  batteries: readonly BatteryLane[],
  way: 1 | -1,
  others: Stretch,
  amounts: readonly Line[],
): ReplanMs {
  const atMs = others.originMs;
  const limitKw = way > 0 ? site.importMaxKw : site.exportMaxKw;
  const around = { kw: -way * others.kw, kwPerMs: -way * others.kwPerMs };
  let untilMs = NEVER;
  findRoom(room, atMs, limitKw, around, mostOf(batteries, amounts, way));
  const all = { kw: 0, kwPerMs: 0 };
  const wanted =
    room.kw === NEVER
      ? []
      : batteries.map((lane, k) => atMost(canKw(site, lane, way), wantedOf(lane, amounts[k], way, atMs)));
  if (room.kw < NEVER) {
    for (let k = 0; k < batteries.length; k++) {
      all.kw += wanted[k].kw;
      all.kwPerMs += wanted[k].kwPerMs;
      untilMs = Math.min(untilMs, nextTurnMs(batteries[k], amounts[k], atMs));
    }
    findRoom(room, atMs, limitKw, around, all);
  }
  for (let k = 0; k < batteries.length; k++) {
    const { room: own, unit } = batteries[k];
    // Where nothing is wanted a part may still come to want something: then it is looked at again.
    const partKw =
      room.kw === NEVER ? NEVER : all.kw > 0 ? (room.kw * wanted[k].kw) / all.kw : room.kw / batteries.length;
    if (way > 0) own.siteImportMaxKw = partKw + unit.spec.auxiliaryKw;
    else own.siteExportMaxKw = partKw - unit.spec.auxiliaryKw;
  }
  return Math.min(untilMs, room.untilMs);
}

/** What all of them could come to until their amounts change, whatever the frequency does. */
function mostOf(batteries: readonly BatteryLane[], amounts: readonly Line[], way: 1 | -1): Line {
  let kw = 0;
  let kwPerMs = 0;
  for (let k = 0; k < batteries.length; k++) {
    const lane = batteries[k];
    kw += Math.max(0, way * amounts[k].kw + lane.widthKw, way * rampingKw(lane));
    kwPerMs += Math.max(0, way * amounts[k].kwPerMs);
  }
  return { kw, kwPerMs };
}

/** What one is to do that way now. */
function wantedOf(lane: BatteryLane, amount: Line, way: 1 | -1, atMs: EpochMs): Line {
  const { path } = lane;
  const j = path === null ? 0 : path.indexAt(atMs);
  const kw = way * (amount.kw + (path === null ? 0 : path.kwAt(atMs)));
  const kwPerMs = way * (amount.kwPerMs + (path === null ? 0 : path.kwPerMs[j]));
  const flowingKw = way * rampingKw(lane);
  if (kw < flowingKw && flowingKw > 0) return { kw: flowingKw, kwPerMs: 0 };
  return kw > 0 || (kw === 0 && kwPerMs > 0) ? { kw, kwPerMs } : NOTHING;
}

const atMost = (limitKw: number, line: Line): Line => (limitKw < line.kw ? { kw: limitKw, kwPerMs: 0 } : line);

const NOTHING: Line = { kw: 0, kwPerMs: 0 };

/** What still flows of a battery that only leaves it by its ramp. */
const rampingKw = ({ unit }: BatteryLane): number =>
  unit.spec.rampKwPerS === null || Number.isNaN(unit.flowingKw) ? 0 : unit.flowingKw;

/** When what one is to do takes another course, or turns round. */
function nextTurnMs({ path }: BatteryLane, amount: Line, atMs: EpochMs): EpochMs {
  const kw = amount.kw + (path === null ? 0 : path.kwAt(atMs));
  const j = path === null ? 0 : path.indexAt(atMs);
  const kwPerMs = amount.kwPerMs + (path === null ? 0 : path.kwPerMs[j]);
  const turnMs = crossingMs(atMs, kw, kwPerMs);
  return path === null ? turnMs : Math.min(turnMs, path.endMs(j));
}

const room = newGridRoom();
