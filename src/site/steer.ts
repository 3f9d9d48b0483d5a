import type { EpochMs } from "../base/time.ts";
import type { BatteryLane, Composition, PlantLane } from "./composition.ts";
import { crossingMs, isAbove } from "./crossing.ts";
import { addToSum, beginSum, rebase } from "./powerSum.ts";
import { hold, LOOK_MS, NEVER, partOf, roomOf, roomUntilMs } from "./steerRoom.ts";
import { steerToMeter } from "./steerToMeter.ts";
import { newStretch, type Stretch } from "./stretch.ts";
import type { ReplanMs, Surroundings } from "./target.ts";

/**
 * Gives the batteries and plants of a site their new laws: the amounts that they were told, cut by what the connection
 * point leaves them beside the other components, or what a tracking battery needs to hold the meter.
 *
 * Loads, PV and wind must have theirs already. Where a limit or a meter is involved, laws are made for one straight
 * piece of the others' power at a time; its end is a solved instant, on which the site is looked at again a millisecond
 * later at most.
 */
export function steer(site: Composition, atMs: EpochMs, around: Surroundings): ReplanMs {
  if (!around.inService || !(site.isTracking || isNarrow(site, atMs))) {
    for (const lane of site.plants) hold(lane, amountOf(lane), atMs, around);
    for (const lane of site.batteries) hold(lane, amountOf(lane), atMs, around);
    return NEVER;
  }
  const others = scratch;
  sumOthers(site, atMs, others);
  let untilMs = steerPlants(site, others, around);
  untilMs = Math.min(
    untilMs,
    site.isTracking ? steerToMeter(site, others, around) : steerByAmount(site, others, around),
  );
  return untilMs;
}

const amountOf = (lane: { readonly kw: number }): number => (Number.isNaN(lane.kw) ? 0 : lane.kw);

/** Whether the connection point could hold back what batteries and plants are to do, whatever load and sun do. */
function isNarrow(site: Composition, atMs: EpochMs): boolean {
  let exportKw = 0;
  let importKw = 0;
  for (const lane of site.plants) {
    exportKw += lane.widthKw + Math.max(0, -amountOf(lane), -flowingKw(lane, atMs));
    importKw += lane.widthKw + Math.max(0, amountOf(lane), flowingKw(lane, atMs));
  }
  for (const lane of site.batteries) {
    const flowKw = lane.unit.spec.rampKwPerS === null ? 0 : flowingKw(lane, atMs);
    exportKw += lane.widthKw + Math.max(0, -amountOf(lane), -flowKw);
    importKw += lane.widthKw + Math.max(0, amountOf(lane), flowKw);
  }
  if (exportKw > 0 && site.exportMaxKw + site.leastOthersKw < exportKw) return true;
  return importKw > 0 && site.importMaxKw - site.mostOthersKw < importKw;
}

const flowingKw = ({ unit }: BatteryLane | PlantLane, atMs: EpochMs): number =>
  unit.law.count === 0 ? 0 : unit.law.cellKwAt(atMs);

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
  const exportRoom = roomOf(site.exportMaxKw, others.kw, others.kwPerMs);
  const importRoom = roomOf(site.importMaxKw, -others.kw, -others.kwPerMs);
  lane.room.siteExportMaxKw = exportRoom;
  lane.room.siteImportMaxKw = importRoom;
  lane.target.deltaKw = kw;
  lane.target.kwPerMs = 0;
  lane.follow(others.originMs, around);
  if (-kw > exportRoom) site.heldBack = 1;
  else if (kw > importRoom) site.heldBack = -1;
  return roomUntilMs(others);
}

/** Batteries that add their amounts to whatever load and sun do. @returns when the room or the amounts change places */
function steerByAmount(site: Composition, others: Stretch, around: Surroundings): ReplanMs {
  if (site.batteries.some(({ path }) => path !== null)) return steerResponding(site, others, around);
  const atMs = others.originMs;
  let exportKw = 0;
  let importKw = 0;
  for (const lane of site.batteries) {
    exportKw += Math.max(0, -amountOf(lane));
    importKw += Math.max(0, amountOf(lane));
  }
  const exportRoomKw = site.exportMaxKw + others.kw;
  const importRoomKw = site.importMaxKw - others.kw;
  const exportIsCut = exportKw > 0 && isAbove(exportKw - exportRoomKw, -others.kwPerMs);
  const importIsCut = importKw > 0 && isAbove(importKw - importRoomKw, others.kwPerMs);
  for (const lane of site.batteries) {
    const kw = amountOf(lane);
    if (kw < 0 && exportIsCut) holdInRoom(lane, -kw / exportKw, exportRoomKw, others.kwPerMs, atMs, around);
    else if (kw > 0 && importIsCut) holdInRoom(lane, kw / importKw, importRoomKw, -others.kwPerMs, atMs, around);
    else holdRamped(lane, kw, site, others, around);
  }
  if (exportIsCut) site.heldBack = 1;
  else if (importIsCut) site.heldBack = -1;
  let untilMs = site.batteries.some(({ unit }) => unit.spec.rampKwPerS !== null) ? roomUntilMs(others) : others.endMs;
  if (exportKw > 0) untilMs = Math.min(untilMs, cornerMs(atMs, exportKw, exportRoomKw, others.kwPerMs));
  if (importKw > 0) untilMs = Math.min(untilMs, cornerMs(atMs, importKw, importRoomKw, -others.kwPerMs));
  return untilMs;
}

/**
 * Batteries of which some answer the frequency: each gets as a limit the part of the room that its amount and width may
 * come to. Where the room moves they are looked at again soon.
 */
function steerResponding(site: Composition, others: Stretch, around: Surroundings): ReplanMs {
  let exportKw = 0;
  let importKw = 0;
  for (const lane of site.batteries) {
    exportKw += mostKw(lane, -1);
    importKw += mostKw(lane, 1);
  }
  const exportRoomKw = roomOf(site.exportMaxKw, others.kw, others.kwPerMs);
  const importRoomKw = roomOf(site.importMaxKw, -others.kw, -others.kwPerMs);
  for (const lane of site.batteries) {
    const { auxiliaryKw } = lane.unit.spec;
    lane.room.siteExportMaxKw = partOf(exportRoomKw, mostKw(lane, -1), exportKw) - auxiliaryKw;
    lane.room.siteImportMaxKw = partOf(importRoomKw, mostKw(lane, 1), importKw) + auxiliaryKw;
    lane.target.deltaKw = amountOf(lane);
    lane.target.kwPerMs = 0;
    lane.follow(others.originMs, around);
  }
  return roomUntilMs(others);
}

/** kW that a battery may come to in a direction. */
const mostKw = (lane: BatteryLane, direction: 1 | -1): number => Math.max(0, direction * amountOf(lane) + lane.widthKw);

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
  const kw = isShut ? 0 : sign * share * roomKw;
  const slope = isShut ? 0 : sign * share * roomKwPerMs;
  limitRamped(lane, Math.max(0, share * Math.min(roomKw, roomKw + roomKwPerMs * LOOK_MS)), sign);
  lane.target.deltaKw = kw;
  lane.target.kwPerMs = slope;
  lane.follow(atMs, around);
}

/** Limits act at once where ramps do not (decisions.md 170): a battery on a ramp gets them as limits. */
function limitRamped({ unit, room }: BatteryLane, limitKw: number, sign: number): void {
  const isRamped = unit.spec.rampKwPerS !== null;
  room.siteExportMaxKw = isRamped && sign <= 0 ? limitKw - unit.spec.auxiliaryKw : NEVER;
  room.siteImportMaxKw = isRamped && sign >= 0 ? limitKw + unit.spec.auxiliaryKw : NEVER;
}

function holdRamped(lane: BatteryLane, kw: number, site: Composition, others: Stretch, around: Surroundings): void {
  if (lane.unit.spec.rampKwPerS === null) return hold(lane, kw, others.originMs, around);
  const { auxiliaryKw } = lane.unit.spec;
  lane.room.siteExportMaxKw = roomOf(site.exportMaxKw, others.kw, others.kwPerMs) - auxiliaryKw;
  lane.room.siteImportMaxKw = roomOf(site.importMaxKw, -others.kw, -others.kwPerMs) + auxiliaryKw;
  lane.target.deltaKw = kw;
  lane.target.kwPerMs = 0;
  lane.follow(others.originMs, around);
}

const scratch = newStretch();
const part = newStretch();
