import { type EpochMs, MS_PER_SECOND } from "../base/time.ts";
import { exportCapabilityKw, importCapabilityKw } from "../device/battery.ts";
import { Series } from "../series/series.ts";
import type { BatteryLane, Composition, PlantLane } from "./composition.ts";
import { crossingMs, isAbove } from "./crossing.ts";
import { addToSum, beginSum, rebase } from "./powerSum.ts";
import { newStretch, type Stretch } from "./stretch.ts";
import type { ReplanMs, Surroundings } from "./target.ts";

const NEVER = Number.POSITIVE_INFINITY;
/** How long a limit that moves is taken for constant, where it has to be. */
const LOOK_MS = 10 * MS_PER_SECOND;

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

/** Lets a part follow one power without limits of the connection point. */
function hold(lane: BatteryLane | PlantLane, kw: number, atMs: EpochMs, around: Surroundings, kwPerMs = 0): void {
  lane.room.siteImportMaxKw = NEVER;
  lane.room.siteExportMaxKw = NEVER;
  lane.target.deltaKw = kw;
  lane.target.kwPerMs = kwPerMs;
  lane.follow(atMs, around);
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

/**
 * kW of room for a part that is planned with a constant limit: where the room moves, what is left of it in ten seconds,
 * which is when it is looked at again.
 */
function roomOf(limitKw: number, othersKw: number, othersKwPerMs: number): number {
  const nowKw = limitKw + othersKw;
  return Math.max(0, Math.min(nowKw, nowKw + othersKwPerMs * LOOK_MS));
}

const roomUntilMs = ({ originMs, endMs, kwPerMs }: Stretch): EpochMs =>
  kwPerMs === 0 ? endMs : Math.min(endMs, originMs + LOOK_MS);

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

const partOf = (roomKw: number, mineKw: number, allKw: number): number =>
  allKw > 0 && roomKw < Number.POSITIVE_INFINITY ? (roomKw * mineKw) / allKw : roomKw;

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

/**
 * Batteries that hold the meter: each its share, by what it can do now, of what is needed. Shares are made anew when
 * the need turns round or a battery's law changes.
 */
function steerToMeter(site: Composition, others: Stretch, around: Surroundings): ReplanMs {
  const atMs = others.originMs;
  const isShared = site.batteries.length > 1;
  let untilMs = others.endMs;
  let upKw = 0;
  let downKw = 0;
  for (const { unit } of site.batteries) {
    upKw += importCapabilityKw(unit.spec, unit.storedKwh);
    downKw += exportCapabilityKw(unit.spec, unit.storedKwh);
  }
  for (const lane of site.batteries) {
    const { unit } = lane;
    untilMs = Math.min(untilMs, setGoal(site, lane, atMs));
    const needSlope = unlessNoise(goal.kwPerMs - others.kwPerMs, NO_KW_PER_MS);
    const needKw = needSlope === 0 ? unlessNoise(goal.kw - others.kw, NO_KW) : goal.kw - others.kw;
    let share = 1;
    if (isShared) {
      untilMs = Math.min(untilMs, crossingMs(atMs, needKw, needSlope));
      const up = isAbove(needKw, needSlope);
      const sumKw = up ? upKw : downKw;
      const canKw = up ? importCapabilityKw(unit.spec, unit.storedKwh) : exportCapabilityKw(unit.spec, unit.storedKwh);
      share = sumKw > 0 ? canKw / sumKw : 1 / site.batteries.length;
    }
    if (unit.spec.rampKwPerS === null && lane.path === null)
      hold(lane, share * needKw, atMs, around, share * needSlope);
    else {
      untilMs = Math.min(untilMs, roomUntilMs(others));
      limitBoth(lane, share, site, others);
      lane.target.deltaKw = share * needKw;
      lane.target.kwPerMs = share * needSlope;
      lane.follow(atMs, around);
    }
    if (isShared && share > 0) untilMs = Math.min(untilMs, unit.law.nextStartMs(atMs));
  }
  return untilMs;
}

/** What is left of a difference of equal powers in its last digits is nothing to plan by. */
const unlessNoise = (value: number, least: number): number => (Math.abs(value) < least ? 0 : value);

const NO_KW = 1e-9;
/** Three watts in a year. */
const NO_KW_PER_MS = 1e-13;

function limitBoth({ unit, room }: BatteryLane, share: number, site: Composition, others: Stretch): void {
  const { auxiliaryKw } = unit.spec;
  const exportKw = share > 0 ? share * roomOf(site.exportMaxKw, others.kw, others.kwPerMs) : 0;
  const importKw = share > 0 ? share * roomOf(site.importMaxKw, -others.kw, -others.kwPerMs) : 0;
  room.siteExportMaxKw = exportKw - auxiliaryKw;
  room.siteImportMaxKw = importKw + auxiliaryKw;
}

/** What the meter is to show: told, else the site's plan; within the limits of the connection point. @returns until when */
function setGoal(site: Composition, lane: BatteryLane, atMs: EpochMs): EpochMs {
  let untilMs = NEVER;
  goal.kw = lane.kw;
  goal.kwPerMs = 0;
  if (Number.isNaN(lane.kw)) {
    const { plan } = site;
    if (plan instanceof Series) {
      goal.kw = plan.valueAt(atMs);
      goal.kwPerMs = plan.slopeAt(plan.indexAt(atMs));
      untilMs = plan.nextChangeMs(atMs);
    } else goal.kw = plan;
  }
  untilMs = Math.min(untilMs, clampGoal(site.importMaxKw, 1, atMs), clampGoal(-site.exportMaxKw, -1, atMs));
  return untilMs;
}

function clampGoal(limitKw: number, side: 1 | -1, atMs: EpochMs): EpochMs {
  if (!Number.isFinite(limitKw)) return NEVER;
  const untilMs = crossingMs(atMs, goal.kw - limitKw, goal.kwPerMs);
  if (isAbove(side * (goal.kw - limitKw), side * goal.kwPerMs)) {
    goal.kw = limitKw;
    goal.kwPerMs = 0;
  }
  return untilMs;
}

const goal = { kw: 0, kwPerMs: 0 };
const scratch = newStretch();
const part = newStretch();
