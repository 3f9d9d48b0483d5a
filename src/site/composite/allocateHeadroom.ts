import { type EpochMs, MS_PER_SECOND } from "../../base/time.ts";
import type { Segment } from "../components/segment.ts";
import type { ReplanMs } from "../components/setpoint.ts";
import { zeroCrossingMs } from "../components/zeroCrossing.ts";
import type { BatteryController, ComponentGroup } from "./componentGroup.ts";
import {
  availableOneWayKw,
  computeHeadroom,
  type LinearPower,
  NEVER,
  newConnectionHeadroom,
} from "./connectionHeadroom.ts";
import { capHeadroomRequests, type HeadroomRequest, newHeadroomRequest } from "./headroomRequests.ts";

/**
 * Gives batteries that answer the frequency, or move on a ramp, the limits that the connection point has for each: none
 * while all that they could come to has room; else its part of the room, by what each is to do at this instant. One that
 * is full or empty takes none from the others, and one on its ramp no more than flows of it, so they have to be looked
 * at again as that changes.
 *
 * @param amounts  what each is to do besides its response, import positive, in their order
 * @returns until when the limits hold
 */
export function allocateHeadroom(
  site: ComponentGroup,
  batteries: readonly BatteryController[],
  others: Segment,
  amounts: readonly LinearPower[],
): ReplanMs {
  const exportMs = allocateOneWay(site, batteries, -1, others, amounts);
  const importMs = allocateOneWay(site, batteries, 1, others, amounts);
  return Math.min(others.endMs, exportMs, importMs);
}

function allocateOneWay(
  site: ComponentGroup,
  batteries: readonly BatteryController[],
  way: 1 | -1,
  others: Segment,
  amounts: readonly LinearPower[],
): ReplanMs {
  const atMs = others.originMs;
  const limitKw = way > 0 ? site.importMaxKw : site.exportMaxKw;
  const around = { kw: -way * others.kw, kwPerMs: -way * others.kwPerMs };
  computeHeadroom(headroom, atMs, limitKw, around, maxRequestOf(batteries, amounts, way));
  let { untilMs } = headroom;
  const isWide = headroom.kw === NEVER;
  if (!isWide) {
    requests.length = 0;
    untilMs = NEVER;
    for (let k = 0; k < batteries.length; k++) {
      requests.push(headroomRequestOf(k, site, batteries[k], way, amounts[k], atMs));
      untilMs = Math.min(untilMs, nextDirectionChangeMs(batteries[k], amounts[k], atMs));
    }
    untilMs = Math.min(
      untilMs,
      capHeadroomRequests(requests, atMs, { kw: limitKw + around.kw, kwPerMs: around.kwPerMs }),
    );
  }
  for (let k = 0; k < batteries.length; k++) {
    const { headroom: own, component: unit } = batteries[k];
    const capKw = isWide ? NEVER : requests[k].capKw;
    if (way > 0) own.siteImportMaxKw = capKw + unit.spec.auxiliaryKw;
    else own.siteExportMaxKw = capKw - unit.spec.auxiliaryKw;
  }
  return untilMs;
}

/** What all of them could come to until their amounts change, whatever the frequency does. */
function maxRequestOf(
  batteries: readonly BatteryController[],
  amounts: readonly LinearPower[],
  way: 1 | -1,
): LinearPower {
  let kw = 0;
  let kwPerMs = 0;
  for (let k = 0; k < batteries.length; k++) {
    const lane = batteries[k];
    kw += Math.max(0, way * amounts[k].kw + lane.fcrCapacityKw, way * rampingKw(lane));
    kwPerMs += Math.max(0, way * amounts[k].kwPerMs);
  }
  return { kw, kwPerMs };
}

/** What one is to do that way now, and what flows of it. */
function headroomRequestOf(
  k: number,
  site: ComponentGroup,
  lane: BatteryController,
  way: 1 | -1,
  amount: LinearPower,
  atMs: EpochMs,
): HeadroomRequest {
  if (k === requestPool.length) requestPool.push(newHeadroomRequest());
  const claim = requestPool[k];
  const { responseProfile: path, component: unit } = lane;
  const { rampKwPerS } = unit.spec;
  const kw = way * (amount.kw + (path === null ? 0 : path.kwAt(atMs)));
  const most = availableOneWayKw(site, lane, way);
  claim.requestedKw = Math.min(kw, most);
  claim.requestedKwPerMs =
    most < kw ? 0 : way * (amount.kwPerMs + (path === null ? 0 : path.kwPerMs[path.indexAt(atMs)]));
  const jumps = rampKwPerS === null || Number.isNaN(unit.flowingKw);
  claim.flowingKw = jumps ? claim.requestedKw : way * unit.flowingKw;
  claim.rampKwPerMs = jumps ? NEVER : rampKwPerS / MS_PER_SECOND;
  return claim;
}

/** What still flows of a battery that only leaves it by its ramp. */
const rampingKw = ({ component: unit }: BatteryController): number =>
  unit.spec.rampKwPerS === null || Number.isNaN(unit.flowingKw) ? 0 : unit.flowingKw;

/** When what one is to do takes another course, or turns round. */
function nextDirectionChangeMs(
  { responseProfile: path }: BatteryController,
  amount: LinearPower,
  atMs: EpochMs,
): EpochMs {
  const kw = amount.kw + (path === null ? 0 : path.kwAt(atMs));
  const j = path === null ? 0 : path.indexAt(atMs);
  const kwPerMs = amount.kwPerMs + (path === null ? 0 : path.kwPerMs[j]);
  const turnMs = zeroCrossingMs(atMs, kw, kwPerMs);
  return path === null ? turnMs : Math.min(turnMs, path.endMs(j));
}

const headroom = newConnectionHeadroom();
/** Of the batteries at hand; their objects are kept for the next ones. */
const requests: HeadroomRequest[] = [];
const requestPool: HeadroomRequest[] = [];
