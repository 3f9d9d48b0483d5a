import { type EpochMs, MS_PER_SECOND } from "../../base/time.ts";
import { crossingMs } from "../components/crossing.ts";
import type { Stretch } from "../components/stretch.ts";
import type { ReplanMs } from "../components/target.ts";
import { type Claim, capClaims, newClaim } from "./claims.ts";
import type { BatteryLane, Composition } from "./composition.ts";
import { canKw, findRoom, type Line, NEVER, newGridRoom } from "./steerRoom.ts";

/**
 * Gives batteries that answer the frequency, or move on a ramp, the limits that the connection point has for each: none
 * while all that they could come to has room; else its part of the room, by what each is to do at this instant. One that
 * is full or empty takes none from the others, and one on its ramp no more than flows of it, so they have to be looked
 * at again as that changes.
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
  findRoom(room, atMs, limitKw, around, mostOf(batteries, amounts, way));
  let { untilMs } = room;
  const isWide = room.kw === NEVER;
  if (!isWide) {
    claims.length = 0;
    untilMs = NEVER;
    for (let k = 0; k < batteries.length; k++) {
      claims.push(claimOf(k, site, batteries[k], way, amounts[k], atMs));
      untilMs = Math.min(untilMs, nextTurnMs(batteries[k], amounts[k], atMs));
    }
    untilMs = Math.min(untilMs, capClaims(claims, atMs, { kw: limitKw + around.kw, kwPerMs: around.kwPerMs }));
  }
  for (let k = 0; k < batteries.length; k++) {
    const { room: own, unit } = batteries[k];
    const capKw = isWide ? NEVER : claims[k].capKw;
    if (way > 0) own.siteImportMaxKw = capKw + unit.spec.auxiliaryKw;
    else own.siteExportMaxKw = capKw - unit.spec.auxiliaryKw;
  }
  return untilMs;
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

/** What one is to do that way now, and what flows of it. */
function claimOf(k: number, site: Composition, lane: BatteryLane, way: 1 | -1, amount: Line, atMs: EpochMs): Claim {
  if (k === spare.length) spare.push(newClaim());
  const claim = spare[k];
  const { path, unit } = lane;
  const { rampKwPerS } = unit.spec;
  const kw = way * (amount.kw + (path === null ? 0 : path.kwAt(atMs)));
  const most = canKw(site, lane, way);
  claim.goalKw = Math.min(kw, most);
  claim.goalKwPerMs = most < kw ? 0 : way * (amount.kwPerMs + (path === null ? 0 : path.kwPerMs[path.indexAt(atMs)]));
  const jumps = rampKwPerS === null || Number.isNaN(unit.flowingKw);
  claim.flowKw = jumps ? claim.goalKw : way * unit.flowingKw;
  claim.rampKwPerMs = jumps ? NEVER : rampKwPerS / MS_PER_SECOND;
  return claim;
}

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
/** Of the batteries at hand; their objects are kept for the next ones. */
const claims: Claim[] = [];
const spare: Claim[] = [];
