import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { Setpoint } from "../components/setpoint.ts";
import type { BatteryController, ComponentGroup, PlantController, ReductionCheck } from "./componentGroup.ts";

export interface DispatchOptions {
  /** The product of the delta, which may exclude plants (docs/model/allocation.md#compatibility). */
  readonly sku: Sku | null;
  readonly atMs: EpochMs;
  readonly checkReduction: ReductionCheck;
}

/**
 * Allocates a site's delta to its components: first to batteries in proportion to available power, then to plants, then, for
 * a negative delta, to reducible loads; plants and loads in their order. PV and wind get no share. @see docs/model/connection-point.md#composite
 *
 * Tracking batteries get the target of the meter; the other components get the part that the batteries cannot cover now.
 *
 * @returns kW beyond all capabilities; it is added to the batteries' set-points all the same
 */
export function dispatchDelta(
  group: ComponentGroup,
  setpoint: Setpoint,
  { sku, atMs, checkReduction }: DispatchOptions,
): number {
  const up = setpoint.deltaKw > 0;
  const sign = Math.sign(setpoint.deltaKw);
  let remainingKw = Math.abs(setpoint.deltaKw);
  if (group.isTracking) {
    for (const controller of group.siteControlledBatteries)
      controller.applySetpoint(setpoint.isInstructed ? setpoint.baselineKw + setpoint.deltaKw : Number.NaN, atMs);
    // Battery power that brings the meter to its target, in the direction of the delta.
    const neededKw = sign * (setpoint.baselineKw + setpoint.deltaKw - uncontrolledMeterKw(group, atMs));
    remainingKw = Math.min(
      remainingKw,
      Math.max(0, neededKw - availablePartsKw(group, group.siteControlledBatteries, up, atMs)),
    );
  } else remainingKw -= dispatchBatteries(group, remainingKw, setpoint, atMs);
  for (const controller of group.siteControlledPlants) {
    const { component: plant } = controller;
    const kw =
      plant.isOutsideMarkets(sku) || !setpoint.isInstructed
        ? 0
        : plant.contributionKw(up, remainingKw, group.outputLimitShare, atMs);
    controller.applySetpoint(kw === 0 ? Number.NaN : sign * kw, atMs);
    remainingKw -= Math.min(kw, remainingKw);
  }
  for (const controller of group.siteControlledConsumers) {
    const canShed = !up && group.spec.capability.drCapable && controller.component.spec.drCapable;
    const kw = canShed ? Math.min(remainingKw, controller.component.spec.maxDrReductionKw) : 0;
    if (kw > 0 && checkReduction(controller.component, kw) === null) {
      controller.applySetpoint(-kw, atMs);
      remainingKw -= kw;
    } else controller.release();
  }
  return remainingKw > NEGLIGIBLE_KW ? remainingKw : 0;
}

const NEGLIGIBLE_KW = 1e-9;

/** @returns kW that the batteries can provide now */
function dispatchBatteries(group: ComponentGroup, requestedKw: number, setpoint: Setpoint, atMs: EpochMs): number {
  const up = setpoint.deltaKw > 0;
  const sign = Math.sign(setpoint.deltaKw);
  const { siteControlledBatteries } = group;
  const availableKw = availablePartsKw(group, siteControlledBatteries, up, atMs);
  const allocatedKw = Math.min(requestedKw, availableKw);
  // The rest is allocated to the batteries by rating, in case their capability rises later.
  const othersKw =
    availablePartsKw(group, group.siteControlledPlants, up, atMs) +
    (up ? 0 : reducibleLoadKw(group, group.siteControlledConsumers));
  const restKw = Math.max(0, requestedKw - allocatedKw - othersKw);
  let ratedKw = 0;
  for (const { component: battery } of siteControlledBatteries) ratedKw += ratingKw(battery.spec, up);
  for (const controller of siteControlledBatteries) {
    const share =
      availableKw > 0 ? controller.component.availableAsPartKw(up, group.outputLimitShare, atMs) / availableKw : 0;
    const restShare =
      ratedKw > 0 ? ratingKw(controller.component.spec, up) / ratedKw : 1 / siteControlledBatteries.length;
    const kw = sign * (allocatedKw * share + restKw * restShare);
    controller.applySetpoint(setpoint.isInstructed && kw !== 0 ? kw : Number.NaN, atMs);
  }
  return allocatedKw;
}

const ratingKw = ({ importMaxKw, exportMaxKw }: { importMaxKw: number; exportMaxKw: number }, up: boolean) =>
  up ? importMaxKw : exportMaxKw;

/**
 * kW that batteries or idle plants can take (`up`) or give now, without limits of the connection point.
 *
 * @param hours  for which they must hold it; 0: power alone
 */
export function availablePartsKw(
  { outputLimitShare }: ComponentGroup,
  controllers: readonly (BatteryController | PlantController)[],
  up: boolean,
  atMs: EpochMs,
  hours = 0,
): number {
  let kw = 0;
  for (const { component } of controllers)
    kw += Math.min(component.availableAsPartKw(up, outputLimitShare, atMs), component.lastingKw(up, hours, atMs));
  return kw;
}

/** Sum of the consumers' maximum reductions in kW. */
export function reducibleLoadKw(group: ComponentGroup, controllers = group.consumers): number {
  if (!group.spec.capability.drCapable) return 0;
  let kw = 0;
  for (const { component: consumer } of controllers) if (consumer.spec.drCapable) kw += consumer.spec.maxDrReductionKw;
  return kw;
}

/**
 * Power at the meter in kW without site-controlled batteries, plants and reductions: auxiliaries, loads and natural demands minus PV and wind
 * output, plus individually controlled batteries and plants.
 */
export function uncontrolledMeterKw(group: ComponentGroup, atMs: EpochMs): number {
  let kw = 0;
  for (const controller of group.batteries)
    kw += controller.component.spec.auxiliaryKw + individualSetpointKw(controller);
  for (const controller of group.plants) {
    kw += individualSetpointKw(controller);
    const { naturalKw } = controller.component;
    if (naturalKw !== null) kw += naturalKw.valueAt(atMs);
  }
  for (const { component: consumer } of group.consumers) kw += consumer.demandKw.valueAt(atMs);
  for (const generator of group.generators) kw -= generator.exportAvailableKw(atMs, group.outputLimitShare);
  return kw;
}

const individualSetpointKw = ({
  isIndividuallyControlled,
  effectiveKw,
}: {
  readonly isIndividuallyControlled: boolean;
  readonly effectiveKw: number;
}): number => (isIndividuallyControlled && !Number.isNaN(effectiveKw) ? effectiveKw : 0);
