import { type EpochMs, MS_PER_SECOND } from "../../../base/time.ts";
import { LIMITING_FACTOR } from "../../device/curve/limitingFactor.ts";
import { isPositiveAhead, newSegment, type Segment, zeroCrossingMs } from "../components/segment.ts";
import type { ReplanMs } from "../components/setpoint.ts";
import type { BatteryController, ComponentGroup } from "./componentGroup.ts";
import { availableOneWayKw, computeHeadroom, type LinearPower, NEVER } from "./connectionHeadroom.ts";
import { capHeadroomRequests, type HeadroomRequest, newHeadroomRequest } from "./headroomRequests.ts";
import { nextZeroCrossingMs } from "./segmentSum.ts";

/**
 * Sets the limits of batteries with a frequency response or a ramp at the connection point. There is no limit while their
 * maximum total power fits into the headroom. Otherwise each gets a share in proportion to its present request. A full or empty
 * battery gets no headroom, and a ramping one no more than its present power; the limits are computed again when that changes.
 *
 * @param amounts  set-point of each battery without its response, import positive, same order
 * @returns until when the limits are valid
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
  sign: 1 | -1,
  others: Segment,
  amounts: readonly LinearPower[],
): ReplanMs {
  const atMs = others.originMs;
  const limitKw = sign > 0 ? site.importMaxKw : site.exportMaxKw;
  const headroomShift = { kw: -sign * others.kw, kwPerMs: -sign * others.kwPerMs };
  const headroom = computeHeadroom(atMs, limitKw, headroomShift, maxRequestOf(batteries, amounts, sign));
  const isUnlimited = headroom.kw === NEVER;
  const requests = isUnlimited
    ? []
    : batteries.map((controller, k) => headroomRequestOf(site, controller, sign, amounts[k], atMs));
  let { untilMs } = headroom;
  if (!isUnlimited) {
    const shared = { kw: limitKw + headroomShift.kw, kwPerMs: headroomShift.kwPerMs };
    untilMs = capHeadroomRequests(requests, atMs, shared);
    for (let k = 0; k < batteries.length; k++)
      untilMs = Math.min(untilMs, nextDirectionChangeMs(batteries[k], amounts[k], atMs));
  }
  for (let k = 0; k < batteries.length; k++) {
    const { headroom: componentHeadroom, component } = batteries[k];
    const capKw = isUnlimited ? NEVER : requests[k].capKw;
    if (sign > 0) componentHeadroom.siteImportMaxKw = capKw + component.spec.auxiliaryKw;
    else componentHeadroom.siteExportMaxKw = capKw - component.spec.auxiliaryKw;
  }
  return untilMs;
}

/** Maximum total power until the set-points change, for any frequency. */
function maxRequestOf(
  batteries: readonly BatteryController[],
  amounts: readonly LinearPower[],
  sign: 1 | -1,
): LinearPower {
  let kw = 0;
  let kwPerMs = 0;
  for (let k = 0; k < batteries.length; k++) {
    const controller = batteries[k];
    kw += Math.max(0, sign * amounts[k].kw + controller.fcrCapacityKw, sign * rampingKw(controller));
    kwPerMs += Math.max(0, sign * amounts[k].kwPerMs);
  }
  return { kw, kwPerMs };
}

/** Request of one battery in one direction, and its present power. */
function headroomRequestOf(
  site: ComponentGroup,
  controller: BatteryController,
  sign: 1 | -1,
  amount: LinearPower,
  atMs: EpochMs,
): HeadroomRequest {
  const request = newHeadroomRequest();
  const { responseProfile: profile, component } = controller;
  const { rampKwPerS } = component.spec;
  const kw = sign * (amount.kw + (profile === null ? 0 : profile.kwAt(atMs)));
  const availableKw = availableOneWayKw(site, controller, sign);
  request.requestedKw = Math.min(kw, availableKw);
  request.requestedKwPerMs =
    availableKw < kw ? 0 : sign * (amount.kwPerMs + (profile === null ? 0 : profile.kwPerMs[profile.indexAt(atMs)]));
  const isInstant = rampKwPerS === null;
  request.flowingKw = isInstant ? request.requestedKw : sign * component.flowingKw;
  request.rampKwPerMs = isInstant ? NEVER : rampKwPerS / MS_PER_SECOND;
  return request;
}

/** Present power of a battery with a ramp; 0 for others. */
const rampingKw = ({ component }: BatteryController): number =>
  component.spec.rampKwPerS === null ? 0 : component.flowingKw;

/** When the requested power of a battery changes its slope or its sign. */
function nextDirectionChangeMs(
  { responseProfile: profile }: BatteryController,
  amount: LinearPower,
  atMs: EpochMs,
): EpochMs {
  const kw = amount.kw + (profile === null ? 0 : profile.kwAt(atMs));
  const j = profile === null ? 0 : profile.indexAt(atMs);
  const kwPerMs = amount.kwPerMs + (profile === null ? 0 : profile.kwPerMs[j]);
  const turnMs = zeroCrossingMs(atMs, kw, kwPerMs);
  return profile === null ? turnMs : Math.min(turnMs, profile.endMs(j));
}

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
