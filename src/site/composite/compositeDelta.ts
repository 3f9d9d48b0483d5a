import type { EpochMs } from "../../base/time.ts";
import { exportCapabilityKw, importCapabilityKw } from "../../device/battery/battery.ts";
import { outputCapabilityKw, pumpCapabilityKw } from "../../device/dispatchable/dispatchableCapability.ts";
import type { BatteryUnit } from "../components/batteryUnit.ts";
import type { DispatchableUnit } from "../components/dispatchableUnit.ts";
import type { Target } from "../components/target.ts";
import type { Admits, Composition } from "./composition.ts";

export interface Division {
  /** Whether the delta is sold under a product: a plant under feed-in tariff then stays out (decisions.md 23). */
  readonly isMarketed: boolean;
  readonly atMs: EpochMs;
  readonly admits: Admits;
}

/**
 * Divides a site's delta over its components until it is covered: batteries by available power, then plants, then, for a
 * negative delta, loads that can be reduced; both in their order. PV and wind have no part in it. @see models.md §7
 *
 * Batteries that track are told what the meter is to show; the others get what they cannot cover now.
 *
 * @returns kW that nobody can take now; the batteries are told it all the same
 */
export function divideDelta(unit: Composition, told: Target, { isMarketed, atMs, admits }: Division): number {
  const up = told.deltaKw > 0;
  const sign = Math.sign(told.deltaKw);
  let leftKw = Math.abs(told.deltaKw);
  if (unit.isTracking) {
    for (const lane of unit.freeBatteries)
      lane.tell(told.instructed ? told.baselineKw + told.deltaKw : Number.NaN, atMs);
    // What the batteries have to do to bring the meter there, in the direction of the delta.
    const neededKw = sign * (told.baselineKw + told.deltaKw - naturalKw(unit, atMs));
    leftKw = Math.min(leftKw, Math.max(0, neededKw - batteriesKw(unit, up, atMs, unit.freeBatteries)));
  } else leftKw -= tellBatteries(unit, leftKw, told, atMs);
  for (const lane of unit.freePlants) {
    const blocked = isMarketed && lane.unit.spec.subsidy === "fit";
    const kw = blocked || !told.instructed ? 0 : plantShareKw(lane.unit, up, leftKw, unit.outputLimit, atMs);
    lane.tell(kw === 0 ? Number.NaN : sign * kw, atMs);
    leftKw -= Math.min(kw, leftKw);
  }
  for (const lane of unit.freeConsumers) {
    const canShed = !up && unit.spec.capability.drCapable && lane.unit.spec.drCapable;
    const kw = canShed ? Math.min(leftKw, lane.unit.spec.maxDrReductionKw) : 0;
    if (kw > 0 && admits(lane.unit, kw) === null) {
      lane.tell(-kw, atMs);
      leftKw -= kw;
    } else lane.release();
  }
  return leftKw > NOTHING_KW ? leftKw : 0;
}

const NOTHING_KW = 1e-9;

/** @returns kW that batteries can take now */
function tellBatteries(unit: Composition, wantedKw: number, told: Target, atMs: EpochMs): number {
  const up = told.deltaKw > 0;
  const sign = Math.sign(told.deltaKw);
  const { freeBatteries } = unit;
  const canKw = batteriesKw(unit, up, atMs, freeBatteries);
  const takenKw = Math.min(wantedKw, canKw);
  // What nobody can take is told to the batteries, by rating: they do of it what they come to be able to.
  const othersKw = plantsKw(unit, up, atMs, unit.freePlants) + (up ? 0 : reducibleKw(unit, unit.freeConsumers));
  const restKw = Math.max(0, wantedKw - takenKw - othersKw);
  let ratedKw = 0;
  for (const { unit: battery } of freeBatteries) ratedKw += ratingKw(battery.spec, up);
  for (const lane of freeBatteries) {
    const share = canKw > 0 ? availableKw(unit, lane.unit, up, atMs) / canKw : 0;
    const ofRest = ratedKw > 0 ? ratingKw(lane.unit.spec, up) / ratedKw : 1 / freeBatteries.length;
    const kw = sign * (takenKw * share + restKw * ofRest);
    lane.tell(told.instructed && kw !== 0 ? kw : Number.NaN, atMs);
  }
  return takenKw;
}

const ratingKw = ({ importMaxKw, exportMaxKw }: { importMaxKw: number; exportMaxKw: number }, up: boolean) =>
  up ? importMaxKw : exportMaxKw;

/** kW that one battery can take in (`up`) or give now, the connection point left aside. */
export function availableKw(
  unit: Composition,
  { spec, law, storedKwh: knownKwh }: BatteryUnit,
  up: boolean,
  atMs: EpochMs,
) {
  const storedKwh = law.count === 0 ? knownKwh : law.storedKwhAt(atMs);
  if (up) return importCapabilityKw(spec, storedKwh);
  return Math.min(exportCapabilityKw(spec, storedKwh), spec.exportMaxKw * unit.outputLimit);
}

/** kW that batteries can take in (`up`) or give now, the connection point left aside. */
export function batteriesKw(unit: Composition, up: boolean, atMs: EpochMs, lanes = unit.batteries): number {
  let kw = 0;
  for (const lane of lanes) kw += availableKw(unit, lane.unit, up, atMs);
  return kw;
}

/** What a plant at rest takes of an amount: pumping up to it, or output of at least its least. */
function plantShareKw(
  plant: DispatchableUnit,
  up: boolean,
  wantedKw: number,
  outputLimit: number,
  atMs: EpochMs,
): number {
  if (up) return Math.min(wantedKw, pumpKw(plant, atMs));
  // Less than half of the least output is off (decisions.md 126): it would give nothing.
  return wantedKw < plant.spec.minOutputKw / 2 ? 0 : Math.min(wantedKw, outputKw(plant, outputLimit, atMs));
}

/** kW that the plants can take in or give from rest. */
export function plantsKw(unit: Composition, up: boolean, atMs: EpochMs, lanes = unit.plants): number {
  let kw = 0;
  for (const { unit: plant } of lanes) kw += up ? pumpKw(plant, atMs) : outputKw(plant, unit.outputLimit, atMs);
  return kw;
}

const storedAt = ({ law, storedKwh }: DispatchableUnit, atMs: EpochMs): number =>
  law.count === 0 ? storedKwh : law.storedKwhAt(atMs);

/** kW that a plant can take in from rest. */
export const pumpKw = (plant: DispatchableUnit, atMs: EpochMs): number =>
  pumpCapabilityKw(plant.spec, storedAt(plant, atMs));

/** kW that a plant can give from rest. */
export function outputKw(plant: DispatchableUnit, outputLimit: number, atMs: EpochMs): number {
  const { spec } = plant;
  const mostKw = Math.min(outputCapabilityKw(spec, storedAt(plant, atMs)), spec.ratedOutputKw * outputLimit);
  return mostKw < spec.minOutputKw ? 0 : mostKw;
}

/** kW of load that can be reduced, by rating. */
export function reducibleKw(unit: Composition, lanes = unit.consumers): number {
  if (!unit.spec.capability.drCapable) return 0;
  let kw = 0;
  for (const { unit: consumer } of lanes) if (consumer.spec.drCapable) kw += consumer.spec.maxDrReductionKw;
  return kw;
}

/**
 * kW at the meter if batteries, plants and reductions did nothing: auxiliaries and loads less what PV and wind send; and
 * what batteries and plants do that are told something by themselves.
 */
export function naturalKw(unit: Composition, atMs: EpochMs): number {
  let kw = 0;
  for (const lane of unit.batteries) kw += lane.unit.spec.auxiliaryKw + ownKw(lane);
  for (const lane of unit.plants) kw += ownKw(lane);
  for (const { unit: consumer } of unit.consumers) kw += consumer.demandKw.valueAt(atMs);
  for (const generator of unit.generators) kw -= generator.exportAvailableKw(atMs, unit.outputLimit);
  return kw;
}

const ownKw = ({ isOwn, kw }: { readonly isOwn: boolean; readonly kw: number }): number =>
  isOwn && !Number.isNaN(kw) ? kw : 0;
