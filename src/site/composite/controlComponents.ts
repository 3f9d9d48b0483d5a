import type { EpochMs } from "../../base/time.ts";
import { newSegment, type Segment } from "../components/segment.ts";
import type { OperatingConditions, ReplanMs } from "../components/setpoint.ts";
import { isPositiveAhead, zeroCrossingMs } from "../components/zeroCrossing.ts";
import { allocateHeadroom } from "./allocateHeadroom.ts";
import type { BatteryController, ComponentGroup, PlantController } from "./componentGroup.ts";
import {
  availableOneWayKw,
  computeHeadroom,
  hasConstantLimits,
  holdPower,
  type LinearPower,
  NEVER,
  newConnectionHeadroom,
  nextCapabilityChangeMs,
  REPLANNING_HORIZON_MS,
} from "./connectionHeadroom.ts";
import { addSegment, resetSum, shiftOrigin } from "./segmentSum.ts";
import { trackMeter } from "./trackMeter.ts";

/**
 * Gives the batteries and plants of a site their new laws: the amounts that they were told, cut by what the connection
 * point leaves them beside the other components, or what a tracking battery needs to hold the meter.
 *
 * Loads, PV and wind must have theirs already. Where a limit or a meter is involved, laws are made for one straight
 * piece of the others' power at a time; its end is a solved instant, on which the site is looked at again a millisecond
 * later at most.
 */
export function controlComponents(site: ComponentGroup, atMs: EpochMs, around: OperatingConditions): ReplanMs {
  if (!around.inService || !(site.isTracking || canLimitPower(site))) {
    for (const lane of site.plants) holdPower(lane, effectiveKwOf(lane), atMs, around);
    for (const lane of site.batteries) holdPower(lane, effectiveKwOf(lane), atMs, around);
    return NEVER;
  }
  const others = othersSegment;
  sumOthers(site, atMs, others);
  let untilMs = controlPlants(site, others, around);
  untilMs = Math.min(
    untilMs,
    site.isTracking ? controlTracking(site, others, around) : controlBySetpoint(site, others, around),
  );
  return untilMs;
}

/** Batteries that are told a power by themselves go first: those that track make up for them as for a load. */
function controlTracking(site: ComponentGroup, others: Segment, around: OperatingConditions): ReplanMs {
  let untilMs = NEVER;
  for (const lane of site.batteries)
    if (lane.isIndividuallyControlled) untilMs = Math.min(untilMs, controlIndividually(site, lane, others, around));
  return Math.min(untilMs, trackMeter(site, site.siteControlledBatteries, others, around));
}

function controlIndividually(
  site: ComponentGroup,
  lane: BatteryController,
  others: Segment,
  around: OperatingConditions,
): ReplanMs {
  const kw = effectiveKwOf(lane);
  const atMs = others.originMs;
  const { flowingKw, spec } = lane.component;
  const flowKw = spec.rampKwPerS === null || Number.isNaN(flowingKw) ? 0 : flowingKw;
  computeHeadroom(
    headroom,
    atMs,
    site.exportMaxKw,
    others,
    constantPower(Math.max(0, lane.fcrCapacityKw - kw, -flowKw)),
  );
  lane.headroom.siteExportMaxKw = headroom.kw - spec.auxiliaryKw;
  let untilMs = headroom.untilMs;
  const opposite = { kw: -others.kw, kwPerMs: -others.kwPerMs };
  computeHeadroom(
    headroom,
    atMs,
    site.importMaxKw,
    opposite,
    constantPower(Math.max(0, kw + lane.fcrCapacityKw, flowKw)),
  );
  lane.headroom.siteImportMaxKw = headroom.kw + spec.auxiliaryKw;
  untilMs = Math.min(untilMs, headroom.untilMs);
  lane.trackLinearPower(kw, 0, atMs, around);
  // Its auxiliaries are among the others already.
  others.kw -= spec.auxiliaryKw;
  addComponent(lane.component, atMs, others);
  return untilMs;
}

const effectiveKwOf = (lane: { readonly effectiveKw: number }): number =>
  Number.isNaN(lane.effectiveKw) ? 0 : lane.effectiveKw;

/** Whether the connection point could hold back what batteries and plants are to do, whatever load and sun do. */
function canLimitPower(site: ComponentGroup): boolean {
  let exportKw = 0;
  let importKw = 0;
  for (const lane of site.plants) {
    exportKw += lane.fcrCapacityKw + Math.max(0, -effectiveKwOf(lane), -lane.component.flowingKw);
    importKw += lane.fcrCapacityKw + Math.max(0, effectiveKwOf(lane), lane.component.flowingKw);
  }
  for (const lane of site.batteries) {
    const flowKw = lane.component.spec.rampKwPerS === null ? 0 : lane.component.flowingKw;
    exportKw += lane.fcrCapacityKw + Math.max(0, -effectiveKwOf(lane), -flowKw);
    importKw += lane.fcrCapacityKw + Math.max(0, effectiveKwOf(lane), flowKw);
  }
  if (exportKw > 0 && site.exportMaxKw + site.minUncontrolledKw < exportKw) return true;
  return importKw > 0 && site.importMaxKw - site.maxUncontrolledKw < importKw;
}

/** Loads, auxiliaries and what PV and wind could send, export limit aside: a straight line. */
function sumOthers(site: ComponentGroup, atMs: EpochMs, out: Segment): void {
  resetSum(out, atMs, 0);
  for (const { component: unit } of site.batteries) out.kw += unit.spec.auxiliaryKw;
  for (const { component: unit } of site.consumers) addComponent(unit, atMs, out);
  for (const unit of site.generators) addComponent(unit, atMs, out);
}

function addComponent(unit: { segmentAt(atMs: EpochMs, out: Segment): void }, atMs: EpochMs, out: Segment): void {
  unit.segmentAt(atMs, componentSegment);
  shiftOrigin(componentSegment, atMs);
  addSegment(out, componentSegment);
}

/** Plants yield after batteries: they get the room that the others leave. Afterwards `others` has them in it. */
function controlPlants(site: ComponentGroup, others: Segment, around: OperatingConditions): ReplanMs {
  let untilMs = NEVER;
  for (const lane of site.plants) {
    const { rampKwPerMin, minOutputKw } = lane.component.spec;
    const isPlain = rampKwPerMin === null && minOutputKw === 0 && lane.responseProfile === null;
    untilMs = Math.min(
      untilMs,
      isPlain ? controlInstantPlant(site, lane, others, around) : controlRampedPlant(site, lane, others, around),
    );
    addComponent(lane.component, others.originMs, others);
  }
  return untilMs;
}

/** A plant that can follow any power takes what room there is. */
function controlInstantPlant(
  site: ComponentGroup,
  lane: PlantController,
  others: Segment,
  around: OperatingConditions,
): ReplanMs {
  const atMs = others.originMs;
  const kw = effectiveKwOf(lane);
  if (kw === 0) {
    holdPower(lane, 0, atMs, around);
    return NEVER;
  }
  const roomKw = kw < 0 ? site.exportMaxKw + others.kw : site.importMaxKw - others.kw;
  const roomKwPerMs = kw < 0 ? others.kwPerMs : -others.kwPerMs;
  const isCut = isPositiveAhead(Math.abs(kw) - roomKw, -roomKwPerMs);
  const isShut = !isPositiveAhead(roomKw, roomKwPerMs);
  if (!isCut) holdPower(lane, kw, atMs, around);
  else holdPower(lane, isShut ? 0 : Math.sign(kw) * roomKw, atMs, around, isShut ? 0 : Math.sign(kw) * roomKwPerMs);
  if (isCut) site.connectionLimitSign = -Math.sign(kw);
  return Math.min(others.endMs, cornerMs(atMs, Math.abs(kw), roomKw, roomKwPerMs));
}

/** A plant with a ramp or a least output is planned with the limits as they are. */
function controlRampedPlant(
  site: ComponentGroup,
  lane: PlantController,
  others: Segment,
  around: OperatingConditions,
): ReplanMs {
  const kw = effectiveKwOf(lane);
  const atMs = others.originMs;
  const { flowingKw } = lane.component;
  computeHeadroom(
    headroom,
    atMs,
    site.exportMaxKw,
    others,
    constantPower(Math.max(0, lane.fcrCapacityKw - kw, -flowingKw)),
  );
  lane.headroom.siteExportMaxKw = headroom.kw;
  if (-kw > headroom.kw) site.connectionLimitSign = 1;
  let untilMs = Math.min(others.endMs, headroom.untilMs);
  const opposite = { kw: -others.kw, kwPerMs: -others.kwPerMs };
  computeHeadroom(
    headroom,
    atMs,
    site.importMaxKw,
    opposite,
    constantPower(Math.max(0, kw + lane.fcrCapacityKw, flowingKw)),
  );
  lane.headroom.siteImportMaxKw = headroom.kw;
  if (kw > headroom.kw) site.connectionLimitSign = -1;
  untilMs = Math.min(untilMs, headroom.untilMs);
  lane.trackLinearPower(kw, 0, atMs, around);
  return untilMs;
}

const constantPower = (kw: number): LinearPower => ({ kw, kwPerMs: 0 });
const headroom = newConnectionHeadroom();

/** Batteries that add their amounts to whatever load and sun do. @returns when the room or the amounts change places */
function controlBySetpoint(site: ComponentGroup, others: Segment, around: OperatingConditions): ReplanMs {
  if (site.batteries.some(hasConstantLimits)) return controlWithinLimits(site, others, around);
  const atMs = others.originMs;
  let exportKw = 0;
  let importKw = 0;
  for (const lane of site.batteries) {
    exportKw += wantedKw(site, lane, -1);
    importKw += wantedKw(site, lane, 1);
  }
  const exportRoomKw = site.exportMaxKw + others.kw;
  const importRoomKw = site.importMaxKw - others.kw;
  const exportIsCut = exportKw > 0 && isPositiveAhead(exportKw - exportRoomKw, -others.kwPerMs);
  const importIsCut = importKw > 0 && isPositiveAhead(importKw - importRoomKw, others.kwPerMs);
  for (const lane of site.batteries) {
    const kw = effectiveKwOf(lane);
    const way = kw < 0 ? -1 : 1;
    const mineKw = wantedKw(site, lane, way);
    if (mineKw > 0 && way < 0 && exportIsCut)
      holdWithinHeadroom(lane, mineKw / exportKw, exportRoomKw, others.kwPerMs, atMs, around);
    else if (mineKw > 0 && way > 0 && importIsCut)
      holdWithinHeadroom(lane, mineKw / importKw, importRoomKw, -others.kwPerMs, atMs, around);
    else holdPower(lane, kw, atMs, around);
  }
  if (exportIsCut) site.connectionLimitSign = 1;
  else if (importIsCut) site.connectionLimitSign = -1;
  let untilMs = Math.min(others.endMs, exportIsCut || importIsCut ? nextTrajectoryMs(site, atMs) : NEVER);
  if (exportKw > 0) untilMs = Math.min(untilMs, cornerMs(atMs, exportKw, exportRoomKw, others.kwPerMs));
  if (importKw > 0) untilMs = Math.min(untilMs, cornerMs(atMs, importKw, importRoomKw, -others.kwPerMs));
  return untilMs;
}

/** Where some answer the frequency or move on a ramp, each gets its part of the room as a limit. */
function controlWithinLimits(site: ComponentGroup, others: Segment, around: OperatingConditions): ReplanMs {
  const amounts = site.batteries.map((lane) => constantPower(effectiveKwOf(lane)));
  const untilMs = allocateHeadroom(site, site.batteries, others, amounts);
  for (const lane of site.batteries) lane.trackLinearPower(effectiveKwOf(lane), 0, others.originMs, around);
  const isCut = site.batteries.some(({ headroom: own }) => own.siteExportMaxKw < NEVER || own.siteImportMaxKw < NEVER);
  return isCut ? Math.min(untilMs, nextTrajectoryMs(site, others.originMs)) : untilMs;
}

/** kW that a battery is to take in or give, as far as it can. */
const wantedKw = (site: ComponentGroup, lane: BatteryController, way: 1 | -1): number =>
  Math.max(0, Math.min(way * effectiveKwOf(lane), availableOneWayKw(site, lane, way)));

/** When one of several batteries that share a room can do more or less than now: who has how much of it is then asked again. */
function nextTrajectoryMs({ batteries }: ComponentGroup, atMs: EpochMs): EpochMs {
  let untilMs = NEVER;
  if (batteries.length > 1)
    for (const { component: unit } of batteries)
      untilMs = Math.min(
        untilMs,
        nextCapabilityChangeMs(unit, atMs),
        unit.spec.powerTaper === null ? NEVER : atMs + REPLANNING_HORIZON_MS,
      );
  return untilMs;
}

/** When a room that moves straight passes the amount, or nothing. */
function cornerMs(atMs: EpochMs, amountKw: number, roomKw: number, roomKwPerMs: number): EpochMs {
  if (!Number.isFinite(roomKw)) return NEVER;
  return Math.min(zeroCrossingMs(atMs, roomKw - amountKw, roomKwPerMs), zeroCrossingMs(atMs, roomKw, roomKwPerMs));
}

/** A battery that takes its part of what room there is. */
function holdWithinHeadroom(
  lane: BatteryController,
  share: number,
  roomKw: number,
  roomKwPerMs: number,
  atMs: EpochMs,
  around: OperatingConditions,
): void {
  const isShut = !isPositiveAhead(roomKw, roomKwPerMs);
  const sign = Math.sign(lane.effectiveKw);
  holdPower(lane, isShut ? 0 : sign * share * roomKw, atMs, around, isShut ? 0 : sign * share * roomKwPerMs);
}

const othersSegment = newSegment();
const componentSegment = newSegment();
