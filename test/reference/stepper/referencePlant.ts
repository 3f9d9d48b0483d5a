// The plant of one single-component site, moved forward a fraction of an hour at a time. All powers are AC kW at the
// grid connection point, import positive.

import type { Cause } from "../../../src/accounting/settlement/causes.ts";
import type { Sku } from "../../../src/base/sku.ts";
import type { BatterySpec } from "../../../src/engine/device/battery/batterySpec.ts";
import type { ConsumerSpec } from "../../../src/engine/device/consumer/consumerSpec.ts";
import type { DispatchableSpec } from "../../../src/engine/device/dispatchable/dispatchableSpec.ts";
import type { VariableGeneratorSpec } from "../../../src/engine/device/generator/generatorSpec.ts";
import type { Series } from "../../../src/engine/series/model/series.ts";
import type { WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import type { ComponentSpec } from "../../../src/engine/site/components/registry.ts";
import type { SiteSpec } from "../../../src/engine/site/siteSpec.ts";
import {
  type ActivatedEnergy,
  activatedKw,
  addActivatedEnergy,
  droopKw,
  type FcrSetpoint,
  frequencyHzAt,
  ratedKwOf,
  shareResponseKw,
} from "./frequencyResponse.ts";
import { planKw, slotErrorsKw, slotKw } from "./plan.ts";

/** A battery within this of a bound is at the bound (docs/model/battery.md#at-bound). */
export const AT_BOUND_KWH = 1e-6;

/** A set-point that waits for delay and latency. `null`: back to the own plan. */
interface PendingSetpoint {
  readonly effectMs: number;
  readonly targetKw: number | null;
  readonly fcr: FcrSetpoint | null;
}

/** What one order has dispatched to this site. */
export interface HeldOrder {
  readonly registration: number;
  readonly sku: Sku | null;
  /** Of what is requested of all members: 1, -1, or 0 for FCR capacity alone. */
  readonly sign: number;
  readonly deltaKw: number;
  readonly setpointCeilingKw: number;
  readonly activation: number;
  readonly fcrCapacityKw: number;
  readonly baselineKw: number;
}

/** Mutable state of one site; one object whatever its kind, unused fields stay at 0. */
export interface ReferencePlant {
  readonly site: SiteSpec;
  readonly component: ComponentSpec;
  /** By start of the half hour. */
  readonly slotErrorsKw: ReadonlyMap<number, number>;
  /** Outages under way, and when the latest unbroken time away began. */
  activeOutageCount: number;
  outageStartMs: number;
  activeLinkFaultCount: number;
  /** Output control limits in force, % of rated output. */
  readonly limitsPct: number[];
  /** Limits of the connection point now (docs/model/connection-point.md#limits-by-time). */
  limits: { readonly siteImportMaxKw: number; readonly siteExportMaxKw: number };
  isDerated: boolean;
  /** Share of the sunlight that reaches the modules. */
  sunShare: number;
  /** Waiting changes in the order of their effect. */
  queue: PendingSetpoint[];
  /** What was dispatched to the plant and is in effect: a set-point (battery, generator) or a delta (consumer). */
  setpointKw: number | null;
  /** Orders in force, oldest registration first; a consumer's stand in `Reductions` as well. */
  orders: HeldOrder[];
  /** FCR set-point in effect; `null`: none. */
  fcr: FcrSetpoint | null;
  /** Faults of its response that hold at once. */
  activeFcrFaultCount: number;
  frequency: Series | number;
  /** What its response gave over the last step, signed, and in all by the registration of its order. */
  activatedKw: number;
  readonly activatedEnergy: Map<number, ActivatedEnergy>;
  /** Mean power over the last step. */
  powerKw: number;
  /** What kept the plant from its target in the last step, for a shortfall of either sign; `null`: nothing. */
  limitUp: Cause | null;
  limitDown: Cause | null;

  // battery and dispatchable plant
  storedKwh: number;
  /** Power of cells or plant at the end of the last step; NaN before the first one. */
  cellPowerKw: number;

  // consumer
  shedKw: number;
  hasReachedShed: boolean;
  shedKwh: number;
  hasActiveReduction: boolean;
  /** Rebound under way: kW until an instant. */
  rebounds: { readonly kw: number; readonly untilMs: number }[];
}

export function newReferencePlant(site: SiteSpec, world: WorldSpec): ReferencePlant {
  if (site.components.length !== 1) throw new Error(`the stepper knows single-component sites only: ${site.name}`);
  const component = site.components[0];
  return {
    site,
    component,
    slotErrorsKw: slotErrorsKw(site, world),
    activeOutageCount: 0,
    outageStartMs: Number.NaN,
    activeLinkFaultCount: 0,
    limitsPct: [],
    limits: { siteImportMaxKw: Number.NaN, siteExportMaxKw: Number.NaN },
    isDerated: false,
    sunShare: 1,
    queue: [],
    setpointKw: null,
    orders: [],
    fcr: null,
    activeFcrFaultCount: 0,
    frequency: 50,
    activatedKw: 0,
    activatedEnergy: new Map(),
    powerKw: 0,
    limitUp: null,
    limitDown: null,
    storedKwh: initialKwh(component),
    cellPowerKw: Number.NaN,
    shedKw: 0,
    hasReachedShed: true,
    shedKwh: 0,
    hasActiveReduction: false,
    rebounds: [],
  };
}

function initialKwh(component: ComponentSpec): number {
  if (component.kind === "battery") return (component.ratedCapKwh * component.initialSocPct) / 100;
  if (component.kind !== "dispatchable" || component.reservoir === null) return 0;
  return (component.reservoir.capacityKwh * component.reservoir.initialFillPct) / 100;
}

export const isInService = (plant: ReferencePlant): boolean => plant.activeOutageCount === 0;

/** Whether a message to the site is lost for certain, retries included. */
export const isCutOff = ({ activeLinkFaultCount, site }: ReferencePlant): boolean =>
  activeLinkFaultCount > 0 || site.link.lossProbability === 1;

/** Lets the plant know a new target after its delay; an end and a start at one instant are one change (docs/model/connection-point.md#delays, docs/model/battery.md#ramp). */
export function sendSetpoint(
  plant: ReferencePlant,
  atMs: number,
  targetKw: number | null,
  fcr: FcrSetpoint | null = null,
): void {
  const { component, site, queue } = plant;
  const delayMs = "responseDelayMs" in component ? component.responseDelayMs : 0;
  const effectMs = atMs + delayMs + site.link.latencyMs;
  if (queue.at(-1)?.effectMs === effectMs) queue.pop();
  const { targetKw: beforeKw, fcr: before } = queue.at(-1) ?? { targetKw: plant.setpointKw, fcr: plant.fcr };
  if (beforeKw === targetKw && JSON.stringify(before) === JSON.stringify(fcr)) return;
  queue.push({ effectMs, targetKw, fcr });
}

/** Passes on the sum of what is held, on the baseline of the oldest (docs/model/overlap.md#coexisting). */
export function sendAggregateSetpoint(plant: ReferencePlant, atMs: number): void {
  const { orders } = plant;
  if (orders.length === 0) return sendSetpoint(plant, atMs, null);
  const called = orders.map(({ setpointCeilingKw, activation }) => setpointCeilingKw * activation);
  const [{ baselineKw }] = orders;
  const shares = orders.flatMap(({ registration, sku, deltaKw, fcrCapacityKw }, k) => {
    const isCompound = sku === "compound";
    const limitKw = isCompound ? Math.abs(deltaKw) : 1e9;
    return fcrCapacityKw > 0 ? [{ registration, fcrCapacityKw, calledKw: isCompound ? called[k] : 0, limitKw }] : [];
  });
  const sum = (of: (kw: number) => number) => called.reduce((total, kw) => total + of(kw), 0);
  const fcrSetpoint = {
    shares,
    baselineKw,
    downKw: sum((kw) => Math.min(0, kw)),
    upKw: sum((kw) => Math.max(0, kw)),
  };
  sendSetpoint(plant, atMs, baselineKw + sum((kw) => kw), shares.length === 0 ? null : fcrSetpoint);
}

/** What the frequency asks of the plant now. */
function requestedResponse(
  plant: ReferencePlant,
  atMs: number,
): { readonly siteKw: number; readonly requestedKw: number } {
  if (plant.fcr === null || plant.activeFcrFaultCount > 0 || !isInService(plant)) return { siteKw: 0, requestedKw: 0 };
  const { fcr } = plant.site;
  const hz = frequencyHzAt(plant.frequency, atMs - (fcr.responseDelayMs ?? 0));
  const siteKw = droopKw(fcr, ratedKwOf(plant.component), hz);
  return { siteKw, requestedKw: plant.fcr.shares.reduce((sum, part) => sum + shareResponseKw(part, siteKw), 0) };
}

function integrateResponse(
  plant: ReferencePlant,
  requested: ReturnType<typeof requestedResponse>,
  powerKw: number,
  hours: number,
): void {
  plant.activatedKw =
    plant.fcr === null || requested.requestedKw === 0 ? 0 : activatedKw(plant.fcr, requested.requestedKw, powerKw);
  if (plant.fcr === null) return;
  // What a delay moves after the end of an order is nobody's.
  const inForce = plant.orders.map(({ registration }) => registration);
  addActivatedEnergy(plant.activatedEnergy, plant.fcr, {
    ...requested,
    activatedKw: plant.activatedKw,
    hours,
    inForce,
  });
}

/** Output limit by output control as a fraction 0..1. */
const outputLimitFraction = (plant: ReferencePlant): number => Math.min(100, ...plant.limitsPct) / 100;

/** Moves the plant over [atMs, atMs + stepMs). */
export function stepPlant(plant: ReferencePlant, atMs: number, stepMs: number): void {
  while (plant.queue.length > 0 && plant.queue[0].effectMs <= atMs) {
    const { targetKw, fcr } = plant.queue.shift()!;
    plant.setpointKw = targetKw;
    plant.fcr = fcr;
  }
  plant.activatedKw = 0;
  plant.limitUp = plant.limitDown = null;
  const { component } = plant;
  if (component.kind === "battery") stepBattery(plant, component, atMs, stepMs);
  else if (component.kind === "generator") stepGenerator(plant, component, atMs + stepMs / 2);
  else if (component.kind === "dispatchable") stepDispatchable(plant, component, atMs, stepMs);
  else if (component.kind === "consumer") stepConsumer(plant, component, atMs, stepMs);
  else throw new Error(`the reference has no ${component.componentId}`);
}

// Battery, docs/model/battery.md

/** Largest import and export at a state of charge, taper, grid limit and output control counted, SOC bounds not. */
function batteryLimits(plant: ReferencePlant, battery: BatterySpec, storedKwh: number) {
  const [importFraction, exportFraction] = taper(battery, (100 * storedKwh) / battery.ratedCapKwh);
  const { siteImportMaxKw, siteExportMaxKw } = plant.limits;
  // Auxiliaries flow through the grid point too (docs/model/battery.md#auxiliaries).
  const plainExportKw = Math.min(battery.exportMaxKw * exportFraction, siteExportMaxKw + battery.auxiliaryKw);
  const controlledKw = battery.exportMaxKw * outputLimitFraction(plant);
  return {
    importKw: Math.min(battery.importMaxKw * importFraction, Math.max(0, siteImportMaxKw - battery.auxiliaryKw)),
    exportKw: Math.min(plainExportKw, controlledKw),
    controlled: controlledKw < plainExportKw,
  };
}

/** Import and export fraction: linear between the points, flat outside. */
function taper(battery: BatterySpec, socPct: number): readonly [number, number] {
  const points = battery.powerTaper;
  if (points === null || points.length === 0) return [1, 1];
  if (socPct <= points[0].socPct) return [points[0].importFraction, points[0].exportFraction];
  for (let k = 1; k < points.length; k++) {
    const [a, b] = [points[k - 1], points[k]];
    if (socPct > b.socPct) continue;
    const u = (socPct - a.socPct) / (b.socPct - a.socPct);
    return [
      a.importFraction + u * (b.importFraction - a.importFraction),
      a.exportFraction + u * (b.exportFraction - a.exportFraction),
    ];
  }
  const last = points[points.length - 1];
  return [last.importFraction, last.exportFraction];
}

const floorKwh = (battery: BatterySpec): number => (battery.ratedCapKwh * battery.socOpMinPct) / 100;
const ceilingKwh = (battery: BatterySpec): number => (battery.ratedCapKwh * battery.socOpMaxPct) / 100;

/** Absolute power available at this instant and whether a SOC bound or output control sets it (docs/model/connection-point.md#sign-convention, docs/model/connection-point.md#output-control). */
export function batteryAvailable(plant: ReferencePlant, battery: BatterySpec) {
  const { storedKwh } = plant;
  const limits = batteryLimits(plant, battery, storedKwh);
  const full = ceilingKwh(battery) - AT_BOUND_KWH <= storedKwh;
  const empty = storedKwh <= floorKwh(battery) + AT_BOUND_KWH;
  return {
    importKw: full ? 0 : limits.importKw,
    importBound: (full ? "energy_limit" : "power_limit") as Cause,
    exportKw: empty ? 0 : limits.exportKw,
    exportBound: (empty ? "energy_limit" : limits.controlled ? "output_control" : "power_limit") as Cause,
  };
}

function stepBattery(plant: ReferencePlant, battery: BatterySpec, atMs: number, stepMs: number): void {
  const hours = stepMs / 3_600_000;
  const leakPerHour = battery.selfDischargePctPerDay / 100 / 24;
  const startKwh = plant.storedKwh;
  if (!isInService(plant)) {
    plant.powerKw = plant.cellPowerKw = 0;
    plant.storedKwh = startKwh * Math.exp(-leakPerHour * hours);
    return;
  }
  if (Number.isNaN(plant.cellPowerKw)) plant.cellPowerKw = startKw(plant, battery, atMs, leakPerHour);
  const requested = requestedResponse(plant, atMs);
  const targetKw = (plant.setpointKw ?? planKw(plant.site, atMs + stepMs / 2)) + requested.requestedKw;
  // A ramp goes on from the power that flowed, not from a target that a limit had cut (docs/model/battery.md#ramp).
  const wanted = rampToward(plant.cellPowerKw, targetKw, battery.rampKwPerS, stepMs);

  // The taper is taken at the middle of the step: one trial half step gives the energy there.
  const trialKw = clampBattery(plant, battery, startKwh, wanted.meanKw).kw;
  const middleKwh = startKwh + (cellKw(battery, trialKw) - leakPerHour * startKwh) * (hours / 2);
  const held = clampBattery(plant, battery, battery.powerTaper === null ? startKwh : middleKwh, wanted.meanKw);
  let kw = held.kw;
  let endKwh = startKwh + (cellKw(battery, kw) - leakPerHour * middleKwh) * hours;

  const topKwh = ceilingKwh(battery);
  const bottomKwh = floorKwh(battery);
  let full = wanted.meanKw > 0 && topKwh - AT_BOUND_KWH <= startKwh;
  let empty = wanted.meanKw < 0 && startKwh <= bottomKwh + AT_BOUND_KWH;
  let endKw = clampBattery(plant, battery, endKwh, wanted.endKw).kw;
  if (kw > 0 && topKwh < endKwh) {
    // Full on the way: from there on it draws what keeps it full, or nothing when it started above the window.
    full = true;
    const above = topKwh + AT_BOUND_KWH < startKwh;
    const part = above || endKwh <= startKwh ? 0 : Math.max(0, (topKwh - startKwh) / (endKwh - startKwh));
    endKw = above ? 0 : Math.min(kw, (leakPerHour * topKwh) / battery.chargeEfficiency);
    kw = kw * part + endKw * (1 - part);
    endKwh = above ? startKwh * (1 - leakPerHour * hours) : topKwh;
  } else if (kw < 0 && endKwh < bottomKwh + AT_BOUND_KWH) {
    empty = true;
    const part = startKwh <= bottomKwh + AT_BOUND_KWH ? 0 : Math.min(1, (startKwh - bottomKwh) / (startKwh - endKwh));
    endKw = 0;
    kw *= part;
    endKwh = startKwh + (cellKw(battery, kw) - leakPerHour * startKwh) * hours;
  }
  plant.storedKwh = endKwh;
  plant.cellPowerKw = endKw;
  plant.powerKw = kw + battery.auxiliaryKw;
  integrateResponse(plant, requested, kw, hours);

  const waiting = plant.queue.length > 0;
  // What a limit holds is not on its way.
  const ramping = wanted.ramping && !(full || empty || held.cutImport || held.cutExport);
  const limited = (atBound: boolean, cut: boolean, cutBy: Cause, isBeyond: boolean): Cause | null => {
    if (waiting || atBound) return waiting ? "ramp" : "energy_limit";
    if (cut) return cutBy;
    if (!ramping) return null;
    // The limit of a derated site holds the power also while it follows a step of the limit (docs/model/sandbox.md#derate).
    return plant.isDerated && plant.setpointKw !== null && isBeyond ? "power_limit" : "ramp";
  };
  const { siteImportMaxKw, siteExportMaxKw } = plant.limits;
  plant.limitUp = limited(full, held.cutImport, "power_limit", siteImportMaxKw < targetKw);
  const exportCut = held.controlled ? "output_control" : "power_limit";
  plant.limitDown = limited(empty, held.cutExport, exportCut, targetKw < -siteExportMaxKw);
}

/** A run starts without a ramp, at the plan, as far as the limits and the SOC bounds allow (docs/model/battery.md#run-start). */
function startKw(plant: ReferencePlant, battery: BatterySpec, atMs: number, leakPerHour: number): number {
  const { storedKwh } = plant;
  const { kw } = clampBattery(plant, battery, storedKwh, planKw(plant.site, atMs));
  if (kw < 0) return storedKwh <= floorKwh(battery) + AT_BOUND_KWH ? 0 : kw;
  if (storedKwh < ceilingKwh(battery) - AT_BOUND_KWH) return kw;
  const isAbove = ceilingKwh(battery) + AT_BOUND_KWH < storedKwh;
  return isAbove ? 0 : Math.min(kw, (leakPerHour * storedKwh) / battery.chargeEfficiency);
}

const cellKw = (battery: BatterySpec, kw: number): number =>
  kw > 0 ? kw * battery.chargeEfficiency : kw / battery.dischargeEfficiency;

function clampBattery(plant: ReferencePlant, battery: BatterySpec, storedKwh: number, kw: number) {
  const limits = batteryLimits(plant, battery, storedKwh);
  return {
    kw: Math.min(limits.importKw, Math.max(-limits.exportKw, kw)),
    cutImport: limits.importKw < kw - 1e-9,
    cutExport: kw + 1e-9 < -limits.exportKw,
    controlled: limits.controlled,
  };
}

/**
 * A value that moves to its target at a bounded rate (`null`: it jumps): its mean over the step, its end, and whether it
 * was on its way for most of the step.
 */
function rampToward(fromKw: number, targetKw: number, rateKwPerS: number | null, stepMs: number) {
  if (rateKwPerS === null) return { meanKw: targetKw, endKw: targetKw, ramping: false };
  const seconds = stepMs / 1000;
  const gapKw = targetKw - fromKw;
  const moving = Math.min(seconds, Math.abs(gapKw) / rateKwPerS);
  const endKw = moving < seconds ? targetKw : fromKw + Math.sign(gapKw) * rateKwPerS * seconds;
  const meanKw = (((fromKw + endKw) / 2) * moving + endKw * (seconds - moving)) / seconds;
  return { meanKw, endKw, ramping: seconds / 2 < moving };
}

// Generator, docs/model/pv.md

/** Possible output of the PV plant, and its limiting factor; its own rating counts as weather. */
export function generatorAvailable(plant: ReferencePlant, generator: VariableGeneratorSpec, atMs: number) {
  const sunKw = plant.sunShare * generator.generationKw.valueAt(atMs);
  const { siteExportMaxKw } = plant.limits;
  const fixedKw = Math.min(generator.ratedOutputKw, siteExportMaxKw);
  const controlledKw = generator.ratedOutputKw * outputLimitFraction(plant);
  const kw = Math.min(sunKw, fixedKw, controlledKw);
  const bound: Cause =
    siteExportMaxKw <= kw ? "power_limit" : kw < sunKw && kw < fixedKw ? "output_control" : "weather";
  return { kw, bound };
}

function stepGenerator(plant: ReferencePlant, generator: VariableGeneratorSpec, middleMs: number): void {
  const available = generatorAvailable(plant, generator, middleMs);
  const setPointKw = plant.setpointKw === null ? Number.POSITIVE_INFINITY : Math.max(0, -plant.setpointKw);
  plant.powerKw = isInService(plant) ? -Math.min(available.kw, setPointKw) || 0 : 0;
  plant.limitDown = plant.queue.length > 0 ? "ramp" : available.kw < setPointKw ? available.bound : null;
  plant.limitUp = plant.limitDown;
}

// Dispatchable plant, docs/model/dispatchable.md, docs/model/dispatchable.md#min-output

/** Most output and most pumping now, and what sets each. */
export function dispatchableAvailable(plant: ReferencePlant, spec: DispatchableSpec) {
  const { siteImportMaxKw, siteExportMaxKw } = plant.limits;
  const { reservoir, ratedOutputKw, minOutputKw } = spec;
  const empty = reservoir !== null && plant.storedKwh <= AT_BOUND_KWH;
  const full = reservoir !== null && reservoir.capacityKwh - AT_BOUND_KWH <= plant.storedKwh;
  const plainKw = Math.min(ratedOutputKw, siteExportMaxKw);
  const controlledKw = ratedOutputKw * outputLimitFraction(plant);
  const controlled = controlledKw < plainKw;
  const mostKw = Math.min(plainKw, controlledKw);
  const exportBound: Cause = empty ? "energy_limit" : controlled ? "output_control" : "power_limit";
  return {
    exportKw: empty || mostKw < minOutputKw ? 0 : mostKw,
    exportBound,
    pumpKw: full || reservoir === null ? 0 : Math.min(reservoir.pumpMaxKw, siteImportMaxKw),
    importBound: (full && reservoir.pumpMaxKw > 0 ? "energy_limit" : "power_limit") as Cause,
    controlled,
  };
}

function stepDispatchable(plant: ReferencePlant, spec: DispatchableSpec, atMs: number, stepMs: number): void {
  if (Number.isNaN(plant.cellPowerKw)) plant.cellPowerKw = planKw(plant.site, atMs);
  if (!isInService(plant)) {
    plant.powerKw = plant.cellPowerKw = 0;
    return;
  }
  const hours = stepMs / 3_600_000;
  const requested = requestedResponse(plant, atMs);
  const targetKw = (plant.setpointKw ?? planKw(plant.site, atMs + stepMs / 2)) + requested.requestedKw;
  const can = dispatchableAvailable(plant, spec);
  const moved = moveOutput(plant, spec, targetKw, stepMs);
  let kw = moved.meanKw;
  const { reservoir } = spec;
  let atBound = false;
  if (reservoir !== null) {
    const cellKw = kw > 0 ? kw * reservoir.pumpingEfficiency : kw / reservoir.generatingEfficiency;
    const endKwh = Math.min(reservoir.capacityKwh, Math.max(0, plant.storedKwh + cellKw * hours));
    const part = cellKw === 0 ? 1 : (endKwh - plant.storedKwh) / (cellKw * hours);
    kw *= part;
    atBound = part < 0.5;
    plant.storedKwh = endKwh;
  }
  plant.cellPowerKw = moved.endKw;
  plant.powerKw = kw;
  integrateResponse(plant, requested, kw, hours);
  const waiting = plant.queue.length > 0;
  const bound = (cause: Cause, cut: boolean): Cause | null =>
    waiting
      ? "ramp"
      : cut && (cause === "energy_limit" || atBound)
        ? "energy_limit"
        : cut
          ? cause
          : moved.ramping
            ? "ramp"
            : null;
  // Below half of its least output it is off of its own accord; that its reservoir is empty comes before that.
  const wantsOutput = spec.minOutputKw / 2 <= -targetKw || can.exportBound === "energy_limit";
  const cutDown = (wantsOutput && can.exportKw < -targetKw - 1e-9 && !moved.ramping) || (atBound && targetKw < 0);
  plant.limitDown = bound(can.exportBound, cutDown);
  plant.limitUp = bound(can.importBound, (can.pumpKw < targetKw - 1e-9 && !moved.ramping) || (atBound && targetKw > 0));
}

/** Output ramps between least and rated; starting, stopping and pumping take no time. */
function moveOutput(plant: ReferencePlant, spec: DispatchableSpec, targetKw: number, stepMs: number) {
  const { minOutputKw } = spec;
  const rateKwPerS = spec.rampKwPerMin === null ? null : spec.rampKwPerMin / 60;
  const can = dispatchableAvailable(plant, spec);
  const canRun = 0 < can.exportKw;
  const runningKw = canRun ? Math.max(0, Math.min(-plant.cellPowerKw, can.exportKw)) : 0;
  const wantsOutput = canRun && targetKw <= 0 && minOutputKw / 2 <= -targetKw;
  if (!wantsOutput) {
    const restKw = Math.min(Math.max(0, targetKw), can.pumpKw);
    if (rateKwPerS === null || runningKw <= minOutputKw + 1e-9)
      return { meanKw: restKw, endKw: restKw, ramping: false };
    const down = rampToward(-runningKw, -minOutputKw, rateKwPerS, stepMs);
    return { ...down, ramping: true };
  }
  const wantedKw = Math.min(can.exportKw, Math.max(minOutputKw, -targetKw));
  return rampToward(rateKwPerS === null ? -wantedKw : -Math.max(runningKw, minOutputKw), -wantedKw, rateKwPerS, stepMs);
}

// Consumer, docs/model/consumer.md

function stepConsumer(plant: ReferencePlant, consumer: ConsumerSpec, atMs: number, stepMs: number): void {
  const hours = stepMs / 3_600_000;
  const loadKw = Math.min(consumer.maxDemandKw, consumer.loadKw.valueAt(atMs + stepMs / 2));
  const deltaKw = plant.setpointKw;
  const reductionKw =
    deltaKw === null || deltaKw >= 0
      ? 0
      : consumer.control === "drop_by"
        ? Math.min(-deltaKw, consumer.maxDrReductionKw)
        : Math.min(Math.max(0, loadKw - (slotKw(plant, atMs) + deltaKw)), consumer.maxDrReductionKw);
  const targetKw = (consumer.deliveryRatio ?? 1) * reductionKw;
  // One that keeps up with a load slower than its ramp is at its goal throughout.
  const keepsUp =
    plant.hasReachedShed && Math.abs(targetKw - plant.shedKw) * 1000 <= (consumer.rampKwPerS ?? Infinity) * stepMs;
  const shed = rampToward(plant.shedKw, targetKw, keepsUp ? null : consumer.rampKwPerS, stepMs);
  plant.shedKw = shed.endKw;
  plant.hasReachedShed = shed.endKw === targetKw;
  plant.rebounds = plant.rebounds.filter(({ untilMs }) => atMs < untilMs);
  const reboundKw = plant.rebounds.reduce((sum, { kw }) => sum + kw, 0);
  if (isInService(plant)) {
    if (plant.hasActiveReduction) plant.shedKwh += Math.min(shed.meanKw, loadKw) * hours;
    plant.powerKw = Math.min(consumer.maxDemandKw, Math.max(0, loadKw - shed.meanKw) + reboundKw);
  } else plant.powerKw = 0;
  plant.limitDown = plant.limitUp = plant.queue.length > 0 || shed.ramping ? "ramp" : "load_deviation";
}

/** Lets go at once: what waits is dropped, the rebound starts (docs/model/connection-point.md#delays, docs/model/consumer.md#contiguous, docs/model/consumer.md#rebound). */
export function releaseReduction(plant: ReferencePlant, consumer: ConsumerSpec, endMs: number): void {
  plant.queue = [];
  plant.setpointKw = null;
  plant.fcr = null;
  plant.hasActiveReduction = false;
  if (consumer.reboundMs > 0 && consumer.reboundFraction > 0 && plant.shedKwh > 0) {
    const kw = (consumer.reboundFraction * plant.shedKwh) / (consumer.reboundMs / 3_600_000);
    plant.rebounds.push({ kw, untilMs: endMs + consumer.reboundMs });
  }
  plant.shedKwh = 0;
}
