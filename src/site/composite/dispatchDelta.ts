import type { EpochMs } from "../../base/time.ts";
import type { DispatchableComponent } from "../components/dispatchable/dispatchableComponent.ts";
import type { Setpoint } from "../components/setpoint.ts";
import type { ComponentGroup, ReductionCheck } from "./componentGroup.ts";

export interface DispatchOptions {
  /** Whether the delta is sold under a product: a plant under feed-in tariff then stays out (docs/model/allocation.md#compatibility). */
  readonly isMarketed: boolean;
  readonly atMs: EpochMs;
  readonly checkReduction: ReductionCheck;
}

/**
 * Divides a site's delta over its components until it is covered: batteries by available power, then plants, then, for a
 * negative delta, loads that can be reduced; both in their order. PV and wind have no part in it. @see docs/model/connection-point.md#composite
 *
 * Batteries that track are told what the meter is to show; the others get what they cannot cover now.
 *
 * @returns kW that nobody can take now; the batteries are told it all the same
 */
export function dispatchDelta(
  unit: ComponentGroup,
  told: Setpoint,
  { isMarketed, atMs, checkReduction: admits }: DispatchOptions,
): number {
  const up = told.deltaKw > 0;
  const sign = Math.sign(told.deltaKw);
  let leftKw = Math.abs(told.deltaKw);
  if (unit.isTracking) {
    for (const lane of unit.siteControlledBatteries)
      lane.applySetpoint(told.isInstructed ? told.baselineKw + told.deltaKw : Number.NaN, atMs);
    // What the batteries have to do to bring the meter there, in the direction of the delta.
    const neededKw = sign * (told.baselineKw + told.deltaKw - uncontrolledMeterKw(unit, atMs));
    leftKw = Math.min(
      leftKw,
      Math.max(0, neededKw - availableBatteriesKw(unit, up, atMs, unit.siteControlledBatteries)),
    );
  } else leftKw -= dispatchBatteries(unit, leftKw, told, atMs);
  for (const lane of unit.siteControlledPlants) {
    const blocked = isMarketed && lane.component.spec.subsidy === "fit";
    const kw =
      blocked || !told.isInstructed ? 0 : plantContributionKw(lane.component, up, leftKw, unit.outputLimit, atMs);
    lane.applySetpoint(kw === 0 ? Number.NaN : sign * kw, atMs);
    leftKw -= Math.min(kw, leftKw);
  }
  for (const lane of unit.siteControlledConsumers) {
    const canShed = !up && unit.spec.capability.drCapable && lane.component.spec.drCapable;
    const kw = canShed ? Math.min(leftKw, lane.component.spec.maxDrReductionKw) : 0;
    if (kw > 0 && admits(lane.component, kw) === null) {
      lane.applySetpoint(-kw, atMs);
      leftKw -= kw;
    } else lane.release();
  }
  return leftKw > NEGLIGIBLE_KW ? leftKw : 0;
}

const NEGLIGIBLE_KW = 1e-9;

/** @returns kW that batteries can take now */
function dispatchBatteries(unit: ComponentGroup, wantedKw: number, told: Setpoint, atMs: EpochMs): number {
  const up = told.deltaKw > 0;
  const sign = Math.sign(told.deltaKw);
  const { siteControlledBatteries: freeBatteries } = unit;
  const canKw = availableBatteriesKw(unit, up, atMs, freeBatteries);
  const takenKw = Math.min(wantedKw, canKw);
  // What nobody can take is told to the batteries, by rating: they do of it what they come to be able to.
  const othersKw =
    availablePlantsKw(unit, up, atMs, unit.siteControlledPlants) +
    (up ? 0 : reducibleLoadKw(unit, unit.siteControlledConsumers));
  const restKw = Math.max(0, wantedKw - takenKw - othersKw);
  let ratedKw = 0;
  for (const { component: battery } of freeBatteries) ratedKw += ratingKw(battery.spec, up);
  for (const lane of freeBatteries) {
    const share = canKw > 0 ? lane.component.availableAsPartKw(up, unit.outputLimit, atMs) / canKw : 0;
    const ofRest = ratedKw > 0 ? ratingKw(lane.component.spec, up) / ratedKw : 1 / freeBatteries.length;
    const kw = sign * (takenKw * share + restKw * ofRest);
    lane.applySetpoint(told.isInstructed && kw !== 0 ? kw : Number.NaN, atMs);
  }
  return takenKw;
}

const ratingKw = ({ importMaxKw, exportMaxKw }: { importMaxKw: number; exportMaxKw: number }, up: boolean) =>
  up ? importMaxKw : exportMaxKw;

/** kW that batteries can take in (`up`) or give now, the connection point left aside. */
export function availableBatteriesKw(unit: ComponentGroup, up: boolean, atMs: EpochMs, lanes = unit.batteries): number {
  let kw = 0;
  for (const lane of lanes) kw += lane.component.availableAsPartKw(up, unit.outputLimit, atMs);
  return kw;
}

/** What a plant at rest takes of an amount: pumping up to it, or output of at least its least. */
function plantContributionKw(
  plant: DispatchableComponent,
  up: boolean,
  wantedKw: number,
  outputLimit: number,
  atMs: EpochMs,
): number {
  const availableKw = plant.availableAsPartKw(up, outputLimit, atMs);
  if (up) return Math.min(wantedKw, availableKw);
  // Less than half of the least output is off (docs/model/dispatchable.md#min-output): it would give nothing.
  return wantedKw < plant.spec.minOutputKw / 2 ? 0 : Math.min(wantedKw, availableKw);
}

/** kW that the plants can take in or give from rest. */
export function availablePlantsKw(unit: ComponentGroup, up: boolean, atMs: EpochMs, lanes = unit.plants): number {
  let kw = 0;
  for (const { component: plant } of lanes) kw += plant.availableAsPartKw(up, unit.outputLimit, atMs);
  return kw;
}

/** kW of load that can be reduced, by rating. */
export function reducibleLoadKw(unit: ComponentGroup, lanes = unit.consumers): number {
  if (!unit.spec.capability.drCapable) return 0;
  let kw = 0;
  for (const { component: consumer } of lanes) if (consumer.spec.drCapable) kw += consumer.spec.maxDrReductionKw;
  return kw;
}

/**
 * kW at the meter if batteries, plants and reductions did nothing: auxiliaries and loads less what PV and wind send; and
 * what batteries and plants do that are told something by themselves.
 */
export function uncontrolledMeterKw(unit: ComponentGroup, atMs: EpochMs): number {
  let kw = 0;
  for (const lane of unit.batteries) kw += lane.component.spec.auxiliaryKw + individualSetpointKw(lane);
  for (const lane of unit.plants) kw += individualSetpointKw(lane);
  for (const { component: consumer } of unit.consumers) kw += consumer.demandKw.valueAt(atMs);
  for (const generator of unit.generators) kw -= generator.exportAvailableKw(atMs, unit.outputLimit);
  return kw;
}

const individualSetpointKw = ({
  isIndividuallyControlled: isOwn,
  effectiveKw: kw,
}: {
  readonly isIndividuallyControlled: boolean;
  readonly effectiveKw: number;
}): number => (isOwn && !Number.isNaN(kw) ? kw : 0);
