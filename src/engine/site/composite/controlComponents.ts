import type { EpochMs } from "../../../base/time.ts";
import { LIMITING_FACTOR, type LimitingFactor } from "../../device/curve/limitingFactor.ts";
import { isPositiveAhead, newSegment, type Segment, shiftOrigin, zeroCrossingMs } from "../components/segment.ts";
import type { OperatingConditions, ReplanMs } from "../components/setpoint.ts";
import { allocateHeadroom } from "./allocateHeadroom.ts";
import type { BatteryController, ComponentGroup, PlantController } from "./componentGroup.ts";
import {
  availableOneWayKw,
  computeHeadroom,
  hasConstantLimits,
  holdPower,
  type LinearPower,
  NEVER,
  nextCapabilityChangeMs,
  REPLANNING_HORIZON_MS,
} from "./connectionHeadroom.ts";
import { addSegment, addSeries, resetSum } from "./segmentSum.ts";
import { startAtPlan, trackMeter } from "./trackMeter.ts";

/**
 * Plans the trajectories of a site's batteries and plants: their set-points, limited by the headroom at the connection point
 * beside the other components, or the power that a tracking battery needs to hold the meter.
 *
 * The trajectories of loads, PV and wind must be planned before. With a limit or a meter target, a trajectory is planned for
 * one linear segment of the other components' power. The end of the segment is a solved instant; the site is replanned at most
 * a millisecond later.
 */
export function controlComponents(site: ComponentGroup, atMs: EpochMs, conditions: OperatingConditions): ReplanMs {
  if (!conditions.inService || !(site.isTracking || canLimitPower(site))) {
    for (const controller of site.plants) holdPower(controller, effectiveKwOf(controller), atMs, conditions);
    for (const controller of site.batteries) holdPower(controller, effectiveKwOf(controller), atMs, conditions);
    return NEVER;
  }
  const others = sumOthers(site, atMs);
  let untilMs = controlPlants(site, others, conditions);
  untilMs = Math.min(
    untilMs,
    site.isTracking ? controlTracking(site, others, conditions) : controlBySetpoint(site, others, conditions),
  );
  return untilMs;
}

/** Plans individually controlled batteries first: the tracking batteries compensate them like a load. */
function controlTracking(site: ComponentGroup, others: Segment, conditions: OperatingConditions): ReplanMs {
  if (site.isStarting) startAtPlan(site, others);
  let untilMs = NEVER;
  for (const controller of site.batteries)
    if (controller.isIndividuallyControlled)
      untilMs = Math.min(untilMs, controlIndividually(site, controller, others, conditions));
  return Math.min(untilMs, trackMeter(site, site.siteControlledBatteries, others, conditions));
}

function controlIndividually(
  site: ComponentGroup,
  controller: BatteryController,
  others: Segment,
  conditions: OperatingConditions,
): ReplanMs {
  const { flowingKw, spec } = controller.component;
  const untilMs = limitToHeadroom(site, controller, spec.rampKwPerS === null ? 0 : flowingKw, others);
  controller.headroom.siteExportMaxKw -= spec.auxiliaryKw;
  controller.headroom.siteImportMaxKw += spec.auxiliaryKw;
  const atMs = others.originMs;
  controller.trackLinearPower(effectiveKwOf(controller), 0, atMs, conditions);
  // `others` includes the auxiliaries already.
  others.kw -= spec.auxiliaryKw;
  addComponent(controller.component, atMs, others);
  return untilMs;
}

const effectiveKwOf = (controller: { readonly effectiveKw: number }): number =>
  Number.isNaN(controller.effectiveKw) ? 0 : controller.effectiveKw;

/** Whether the connection point can limit batteries and plants at some power of loads, PV and wind. */
function canLimitPower(site: ComponentGroup): boolean {
  let exportKw = 0;
  let importKw = 0;
  for (const controller of site.plants) {
    exportKw += controller.fcrCapacityKw + Math.max(0, -effectiveKwOf(controller), -controller.component.flowingKw);
    importKw += controller.fcrCapacityKw + Math.max(0, effectiveKwOf(controller), controller.component.flowingKw);
  }
  for (const controller of site.batteries) {
    const flowKw = controller.component.spec.rampKwPerS === null ? 0 : controller.component.flowingKw;
    exportKw += controller.fcrCapacityKw + Math.max(0, -effectiveKwOf(controller), -flowKw);
    importKw += controller.fcrCapacityKw + Math.max(0, effectiveKwOf(controller), flowKw);
  }
  if (exportKw > 0 && site.exportMaxKw + site.minUncontrolledKw < exportKw) return true;
  return importKw > 0 && site.importMaxKw - site.maxUncontrolledKw < importKw;
}

/** The linear sum of loads, natural demands, auxiliaries and available PV and wind power, without the export limit. */
function sumOthers(site: ComponentGroup, atMs: EpochMs): Segment {
  const sum = newSegment();
  resetSum(sum, atMs, 0);
  for (const { component } of site.batteries) sum.kw += component.spec.auxiliaryKw;
  for (const { component } of site.consumers) addComponent(component, atMs, sum);
  for (const component of site.generators) addComponent(component, atMs, sum);
  for (const { component } of site.plants) if (component.naturalKw !== null) addSeries(sum, component.naturalKw, 1);
  return sum;
}

function addComponent(component: { segmentAt(atMs: EpochMs, out: Segment): void }, atMs: EpochMs, out: Segment): void {
  const segment = newSegment();
  component.segmentAt(atMs, segment);
  shiftOrigin(segment, atMs);
  addSegment(out, segment);
}

/** Plans the plants, which are curtailed after the batteries, within the headroom beside `others`; then adds them to `others`. */
function controlPlants(site: ComponentGroup, others: Segment, conditions: OperatingConditions): ReplanMs {
  let untilMs = NEVER;
  for (const controller of site.plants) {
    const isInstant = controller.component.followsAtOnce && controller.responseProfile === null;
    untilMs = Math.min(
      untilMs,
      isInstant
        ? controlInstantPlant(site, controller, others, conditions)
        : controlRampedPlant(site, controller, others, conditions),
    );
    const { component } = controller;
    addComponent(component, others.originMs, others);
    // `others` includes its natural demand already.
    if (component.naturalKw !== null) addSeries(others, component.naturalKw, -1);
  }
  return untilMs;
}

/** A plant without ramp and minimum output follows the headroom exactly. */
function controlInstantPlant(
  site: ComponentGroup,
  controller: PlantController,
  others: Segment,
  conditions: OperatingConditions,
): ReplanMs {
  const atMs = others.originMs;
  const kw = effectiveKwOf(controller);
  if (kw === 0) {
    holdPower(controller, 0, atMs, conditions);
    return NEVER;
  }
  const headroomKw = kw < 0 ? site.exportMaxKw + others.kw : site.importMaxKw - others.kw;
  const headroomKwPerMs = kw < 0 ? others.kwPerMs : -others.kwPerMs;
  const isCut = isPositiveAhead(Math.abs(kw) - headroomKw, -headroomKwPerMs);
  const isShut = !isPositiveAhead(headroomKw, headroomKwPerMs);
  if (!isCut) holdPower(controller, kw, atMs, conditions);
  else
    holdPower(
      controller,
      isShut ? 0 : Math.sign(kw) * headroomKw,
      atMs,
      conditions,
      isShut ? 0 : Math.sign(kw) * headroomKwPerMs,
    );
  if (isCut) site.connectionLimitSign = -Math.sign(kw);
  return Math.min(others.endMs, nextCrossingMs(atMs, Math.abs(kw), headroomKw, headroomKwPerMs));
}

/** A plant with a ramp or a minimum output is planned with constant limits. */
function controlRampedPlant(
  site: ComponentGroup,
  controller: PlantController,
  others: Segment,
  conditions: OperatingConditions,
): ReplanMs {
  const kw = effectiveKwOf(controller);
  const { headroom, component } = controller;
  const untilMs = limitToHeadroom(site, controller, component.flowingKw, others);
  if (-kw > headroom.siteExportMaxKw) site.connectionLimitSign = 1;
  if (kw > headroom.siteImportMaxKw) site.connectionLimitSign = -1;
  controller.trackLinearPower(kw, 0, others.originMs, conditions);
  return Math.min(others.endMs, untilMs);
}

/** Sets the headroom beside `others` as constant limits of a component. @returns until when they are valid */
function limitToHeadroom(
  site: ComponentGroup,
  { headroom, effectiveKw, fcrCapacityKw }: BatteryController | PlantController,
  flowingKw: number,
  others: Segment,
): ReplanMs {
  const atMs = others.originMs;
  const kw = effectiveKwOf({ effectiveKw });
  const opposite = { kw: -others.kw, kwPerMs: -others.kwPerMs };
  const exportPower = constantPower(Math.max(0, fcrCapacityKw - kw, -flowingKw));
  const importPower = constantPower(Math.max(0, kw + fcrCapacityKw, flowingKw));
  const exportHeadroom = computeHeadroom(atMs, site.exportMaxKw, others, exportPower);
  const importHeadroom = computeHeadroom(atMs, site.importMaxKw, opposite, importPower);
  headroom.siteExportMaxKw = exportHeadroom.kw;
  headroom.siteImportMaxKw = importHeadroom.kw;
  return Math.min(exportHeadroom.untilMs, importHeadroom.untilMs);
}

const constantPower = (kw: number): LinearPower => ({ kw, kwPerMs: 0 });

/** Plans batteries whose set-points are relative to 0. @returns when headroom and set-points cross */
function controlBySetpoint(site: ComponentGroup, others: Segment, conditions: OperatingConditions): ReplanMs {
  if (site.batteries.some(hasConstantLimits)) return controlWithinLimits(site, others, conditions);
  const atMs = others.originMs;
  let exportKw = 0;
  let importKw = 0;
  for (const controller of site.batteries) {
    exportKw += requestedKw(site, controller, -1);
    importKw += requestedKw(site, controller, 1);
  }
  const exportHeadroomKw = site.exportMaxKw + others.kw;
  const importHeadroomKw = site.importMaxKw - others.kw;
  const exportHeadroom = { kw: exportHeadroomKw, kwPerMs: others.kwPerMs };
  const importHeadroom = { kw: importHeadroomKw, kwPerMs: -others.kwPerMs };
  const isExportCut = exportKw > 0 && isPositiveAhead(exportKw - exportHeadroomKw, -others.kwPerMs);
  const isImportCut = importKw > 0 && isPositiveAhead(importKw - importHeadroomKw, others.kwPerMs);
  for (const controller of site.batteries) {
    const kw = effectiveKwOf(controller);
    const sign = kw < 0 ? -1 : 1;
    const ownKw = requestedKw(site, controller, sign);
    if (ownKw > 0 && sign < 0 && isExportCut)
      holdWithinHeadroom(controller, ownKw / exportKw, exportHeadroom, atMs, conditions);
    else if (ownKw > 0 && sign > 0 && isImportCut)
      holdWithinHeadroom(controller, ownKw / importKw, importHeadroom, atMs, conditions);
    else holdPower(controller, kw, atMs, conditions);
  }
  if (isExportCut) site.connectionLimitSign = 1;
  else if (isImportCut) site.connectionLimitSign = -1;
  let untilMs = Math.min(others.endMs, isExportCut || isImportCut ? nextTrajectoryMs(site, atMs) : NEVER);
  if (exportKw > 0) untilMs = Math.min(untilMs, nextCrossingMs(atMs, exportKw, exportHeadroomKw, others.kwPerMs));
  if (importKw > 0) untilMs = Math.min(untilMs, nextCrossingMs(atMs, importKw, importHeadroomKw, -others.kwPerMs));
  return untilMs;
}

/** Plans batteries with a frequency response or a ramp: each gets its share of the headroom as a constant limit. */
function controlWithinLimits(site: ComponentGroup, others: Segment, conditions: OperatingConditions): ReplanMs {
  const amounts = site.batteries.map((controller) => constantPower(effectiveKwOf(controller)));
  const untilMs = allocateHeadroom(site, site.batteries, others, amounts);
  for (const controller of site.batteries)
    controller.trackLinearPower(effectiveKwOf(controller), 0, others.originMs, conditions);
  const isCut = site.batteries.some(({ headroom: own }) => own.siteExportMaxKw < NEVER || own.siteImportMaxKw < NEVER);
  return isCut ? Math.min(untilMs, nextTrajectoryMs(site, others.originMs)) : untilMs;
}

/** Set-point of a battery in one direction, limited to its capability; a magnitude in kW. */
const requestedKw = (site: ComponentGroup, controller: BatteryController, sign: 1 | -1): number =>
  Math.max(0, Math.min(sign * effectiveKwOf(controller), availableOneWayKw(site, controller, sign)));

/** When the capability of one of several batteries with shared headroom changes, so that the headroom is allocated again. */
function nextTrajectoryMs({ batteries }: ComponentGroup, atMs: EpochMs): EpochMs {
  let untilMs = NEVER;
  if (batteries.length > 1)
    for (const { component } of batteries)
      untilMs = Math.min(
        untilMs,
        nextCapabilityChangeMs(component, atMs),
        component.hasTaper ? atMs + REPLANNING_HORIZON_MS : NEVER,
      );
  return untilMs;
}

/** When a linear headroom crosses the amount or 0. */
function nextCrossingMs(atMs: EpochMs, amountKw: number, headroomKw: number, headroomKwPerMs: number): EpochMs {
  if (!Number.isFinite(headroomKw)) return NEVER;
  return Math.min(
    zeroCrossingMs(atMs, headroomKw - amountKw, headroomKwPerMs),
    zeroCrossingMs(atMs, headroomKw, headroomKwPerMs),
  );
}

/** Plans a battery at its share of the headroom. */
function holdWithinHeadroom(
  controller: BatteryController,
  share: number,
  { kw: headroomKw, kwPerMs: headroomKwPerMs }: LinearPower,
  atMs: EpochMs,
  conditions: OperatingConditions,
): void {
  const isShut = !isPositiveAhead(headroomKw, headroomKwPerMs);
  const sign = Math.sign(controller.effectiveKw);
  holdPower(
    controller,
    isShut ? 0 : sign * share * headroomKw,
    atMs,
    conditions,
    isShut ? 0 : sign * share * headroomKwPerMs,
  );
}

/** Replaces the limiting factor by one that comes earlier in the order, unless it shifts the power in the direction of the delta. */
export function applyLimit(out: Segment, limitedBy: LimitingFactor, deviationSign: number, direction: number): void {
  const best = out.limitedBy === LIMITING_FACTOR.load ? LIMITING_FACTOR.weather : out.limitedBy;
  if (limitedBy === LIMITING_FACTOR.none || best <= limitedBy || deviationSign * direction > 0) return;
  out.limitedBy = limitedBy;
  out.deviationSign = deviationSign;
}
