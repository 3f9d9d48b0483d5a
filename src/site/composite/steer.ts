import type { EpochMs } from "../../base/time.ts";
import { crossingMs, isAbove } from "../components/crossing.ts";
import { newStretch, type Stretch } from "../components/stretch.ts";
import type { ReplanMs, Surroundings } from "../components/target.ts";
import type { BatteryLane, Composition, PlantLane } from "./composition.ts";
import { addToSum, beginSum, rebase } from "./powerSum.ts";
import { shareRoom } from "./shareRoom.ts";
import {
  canKw,
  findRoom,
  hold,
  isLimited,
  type Line,
  LOOK_MS,
  NEVER,
  newGridRoom,
  nextAbilityMs,
} from "./steerRoom.ts";
import { steerToMeter } from "./steerToMeter.ts";

/**
 * Gives the batteries and plants of a site their new laws: the amounts that they were told, cut by what the connection
 * point leaves them beside the other components, or what a tracking battery needs to hold the meter.
 *
 * Loads, PV and wind must have theirs already. Where a limit or a meter is involved, laws are made for one straight
 * piece of the others' power at a time; its end is a solved instant, on which the site is looked at again a millisecond
 * later at most.
 */
export function steer(site: Composition, atMs: EpochMs, around: Surroundings): ReplanMs {
  if (!around.inService || !(site.isTracking || isNarrow(site))) {
    for (const lane of site.plants) hold(lane, amountOf(lane), atMs, around);
    for (const lane of site.batteries) hold(lane, amountOf(lane), atMs, around);
    return NEVER;
  }
  const others = scratch;
  sumOthers(site, atMs, others);
  let untilMs = steerPlants(site, others, around);
  untilMs = Math.min(
    untilMs,
    site.isTracking ? steerTracking(site, others, around) : steerByAmount(site, others, around),
  );
  return untilMs;
}

/** Batteries that are told a power by themselves go first: those that track make up for them as for a load. */
function steerTracking(site: Composition, others: Stretch, around: Surroundings): ReplanMs {
  let untilMs = NEVER;
  for (const lane of site.batteries) if (lane.isOwn) untilMs = Math.min(untilMs, steerOwn(site, lane, others, around));
  return Math.min(untilMs, steerToMeter(site, site.freeBatteries, others, around));
}

function steerOwn(site: Composition, lane: BatteryLane, others: Stretch, around: Surroundings): ReplanMs {
  const kw = amountOf(lane);
  const atMs = others.originMs;
  const { flowingKw, spec } = lane.unit;
  const flowKw = spec.rampKwPerS === null || Number.isNaN(flowingKw) ? 0 : flowingKw;
  findRoom(room, atMs, site.exportMaxKw, others, steady(Math.max(0, lane.widthKw - kw, -flowKw)));
  lane.room.siteExportMaxKw = room.kw - spec.auxiliaryKw;
  let untilMs = room.untilMs;
  const opposite = { kw: -others.kw, kwPerMs: -others.kwPerMs };
  findRoom(room, atMs, site.importMaxKw, opposite, steady(Math.max(0, kw + lane.widthKw, flowKw)));
  lane.room.siteImportMaxKw = room.kw + spec.auxiliaryKw;
  untilMs = Math.min(untilMs, room.untilMs);
  lane.pursue(kw, 0, atMs, around);
  // Its auxiliaries are among the others already.
  others.kw -= spec.auxiliaryKw;
  addPart(lane.unit, atMs, others);
  return untilMs;
}

const amountOf = (lane: { readonly kw: number }): number => (Number.isNaN(lane.kw) ? 0 : lane.kw);

/** Whether the connection point could hold back what batteries and plants are to do, whatever load and sun do. */
function isNarrow(site: Composition): boolean {
  let exportKw = 0;
  let importKw = 0;
  for (const lane of site.plants) {
    exportKw += lane.widthKw + Math.max(0, -amountOf(lane), -lane.unit.flowingKw);
    importKw += lane.widthKw + Math.max(0, amountOf(lane), lane.unit.flowingKw);
  }
  for (const lane of site.batteries) {
    const flowKw = lane.unit.spec.rampKwPerS === null ? 0 : lane.unit.flowingKw;
    exportKw += lane.widthKw + Math.max(0, -amountOf(lane), -flowKw);
    importKw += lane.widthKw + Math.max(0, amountOf(lane), flowKw);
  }
  if (exportKw > 0 && site.exportMaxKw + site.leastOthersKw < exportKw) return true;
  return importKw > 0 && site.importMaxKw - site.mostOthersKw < importKw;
}

/** Loads, auxiliaries and what PV and wind could send, export limit aside: a straight line. */
function sumOthers(site: Composition, atMs: EpochMs, out: Stretch): void {
  beginSum(out, atMs, 0);
  for (const { unit } of site.batteries) out.kw += unit.spec.auxiliaryKw;
  for (const { unit } of site.consumers) addPart(unit, atMs, out);
  for (const unit of site.generators) addPart(unit, atMs, out);
}

function addPart(unit: { stretchAt(atMs: EpochMs, out: Stretch): void }, atMs: EpochMs, out: Stretch): void {
  unit.stretchAt(atMs, part);
  rebase(part, atMs);
  addToSum(out, part);
}

/** Plants yield after batteries: they get the room that the others leave. Afterwards `others` has them in it. */
function steerPlants(site: Composition, others: Stretch, around: Surroundings): ReplanMs {
  let untilMs = NEVER;
  for (const lane of site.plants) {
    const { rampKwPerMin, minOutputKw } = lane.unit.spec;
    const isPlain = rampKwPerMin === null && minOutputKw === 0 && lane.path === null;
    untilMs = Math.min(
      untilMs,
      isPlain ? steerPlain(site, lane, others, around) : steerLimited(site, lane, others, around),
    );
    addPart(lane.unit, others.originMs, others);
  }
  return untilMs;
}

/** A plant that can follow any power takes what room there is. */
function steerPlain(site: Composition, lane: PlantLane, others: Stretch, around: Surroundings): ReplanMs {
  const atMs = others.originMs;
  const kw = amountOf(lane);
  if (kw === 0) {
    hold(lane, 0, atMs, around);
    return NEVER;
  }
  const roomKw = kw < 0 ? site.exportMaxKw + others.kw : site.importMaxKw - others.kw;
  const roomKwPerMs = kw < 0 ? others.kwPerMs : -others.kwPerMs;
  const isCut = isAbove(Math.abs(kw) - roomKw, -roomKwPerMs);
  const isShut = !isAbove(roomKw, roomKwPerMs);
  if (!isCut) hold(lane, kw, atMs, around);
  else hold(lane, isShut ? 0 : Math.sign(kw) * roomKw, atMs, around, isShut ? 0 : Math.sign(kw) * roomKwPerMs);
  if (isCut) site.heldBack = -Math.sign(kw);
  return Math.min(others.endMs, cornerMs(atMs, Math.abs(kw), roomKw, roomKwPerMs));
}

/** A plant with a ramp or a least output is planned with the limits as they are. */
function steerLimited(site: Composition, lane: PlantLane, others: Stretch, around: Surroundings): ReplanMs {
  const kw = amountOf(lane);
  const atMs = others.originMs;
  const { flowingKw } = lane.unit;
  findRoom(room, atMs, site.exportMaxKw, others, steady(Math.max(0, lane.widthKw - kw, -flowingKw)));
  lane.room.siteExportMaxKw = room.kw;
  if (-kw > room.kw) site.heldBack = 1;
  let untilMs = Math.min(others.endMs, room.untilMs);
  const opposite = { kw: -others.kw, kwPerMs: -others.kwPerMs };
  findRoom(room, atMs, site.importMaxKw, opposite, steady(Math.max(0, kw + lane.widthKw, flowingKw)));
  lane.room.siteImportMaxKw = room.kw;
  if (kw > room.kw) site.heldBack = -1;
  untilMs = Math.min(untilMs, room.untilMs);
  lane.pursue(kw, 0, atMs, around);
  return untilMs;
}

const steady = (kw: number): Line => ({ kw, kwPerMs: 0 });
const room = newGridRoom();

/** Batteries that add their amounts to whatever load and sun do. @returns when the room or the amounts change places */
function steerByAmount(site: Composition, others: Stretch, around: Surroundings): ReplanMs {
  if (site.batteries.some(isLimited)) return steerWithinLimits(site, others, around);
  const atMs = others.originMs;
  let exportKw = 0;
  let importKw = 0;
  for (const lane of site.batteries) {
    exportKw += wantedKw(site, lane, -1);
    importKw += wantedKw(site, lane, 1);
  }
  const exportRoomKw = site.exportMaxKw + others.kw;
  const importRoomKw = site.importMaxKw - others.kw;
  const exportIsCut = exportKw > 0 && isAbove(exportKw - exportRoomKw, -others.kwPerMs);
  const importIsCut = importKw > 0 && isAbove(importKw - importRoomKw, others.kwPerMs);
  for (const lane of site.batteries) {
    const kw = amountOf(lane);
    const way = kw < 0 ? -1 : 1;
    const mineKw = wantedKw(site, lane, way);
    if (mineKw > 0 && way < 0 && exportIsCut)
      holdInRoom(lane, mineKw / exportKw, exportRoomKw, others.kwPerMs, atMs, around);
    else if (mineKw > 0 && way > 0 && importIsCut)
      holdInRoom(lane, mineKw / importKw, importRoomKw, -others.kwPerMs, atMs, around);
    else hold(lane, kw, atMs, around);
  }
  if (exportIsCut) site.heldBack = 1;
  else if (importIsCut) site.heldBack = -1;
  let untilMs = Math.min(others.endMs, exportIsCut || importIsCut ? nextLawMs(site, atMs) : NEVER);
  if (exportKw > 0) untilMs = Math.min(untilMs, cornerMs(atMs, exportKw, exportRoomKw, others.kwPerMs));
  if (importKw > 0) untilMs = Math.min(untilMs, cornerMs(atMs, importKw, importRoomKw, -others.kwPerMs));
  return untilMs;
}

/** Where some answer the frequency or move on a ramp, each gets its part of the room as a limit. */
function steerWithinLimits(site: Composition, others: Stretch, around: Surroundings): ReplanMs {
  const amounts = site.batteries.map((lane) => steady(amountOf(lane)));
  const untilMs = shareRoom(site, site.batteries, others, amounts);
  for (const lane of site.batteries) lane.pursue(amountOf(lane), 0, others.originMs, around);
  const isCut = site.batteries.some(({ room: own }) => own.siteExportMaxKw < NEVER || own.siteImportMaxKw < NEVER);
  return isCut ? Math.min(untilMs, nextLawMs(site, others.originMs)) : untilMs;
}

/** kW that a battery is to take in or give, as far as it can. */
const wantedKw = (site: Composition, lane: BatteryLane, way: 1 | -1): number =>
  Math.max(0, Math.min(way * amountOf(lane), canKw(site, lane, way)));

/** When one of several batteries that share a room can do more or less than now: who has how much of it is then asked again. */
function nextLawMs({ batteries }: Composition, atMs: EpochMs): EpochMs {
  let untilMs = NEVER;
  if (batteries.length > 1)
    for (const { unit } of batteries)
      untilMs = Math.min(untilMs, nextAbilityMs(unit, atMs), unit.spec.powerTaper === null ? NEVER : atMs + LOOK_MS);
  return untilMs;
}

/** When a room that moves straight passes the amount, or nothing. */
function cornerMs(atMs: EpochMs, amountKw: number, roomKw: number, roomKwPerMs: number): EpochMs {
  if (!Number.isFinite(roomKw)) return NEVER;
  return Math.min(crossingMs(atMs, roomKw - amountKw, roomKwPerMs), crossingMs(atMs, roomKw, roomKwPerMs));
}

/** A battery that takes its part of what room there is. */
function holdInRoom(
  lane: BatteryLane,
  share: number,
  roomKw: number,
  roomKwPerMs: number,
  atMs: EpochMs,
  around: Surroundings,
): void {
  const isShut = !isAbove(roomKw, roomKwPerMs);
  const sign = Math.sign(lane.kw);
  hold(lane, isShut ? 0 : sign * share * roomKw, atMs, around, isShut ? 0 : sign * share * roomKwPerMs);
}

const scratch = newStretch();
const part = newStretch();
