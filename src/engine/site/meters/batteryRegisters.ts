import { Copyable } from "../../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import type { BatterySpec } from "../../device/battery/batterySpec.ts";
import type { ConstantPowerFlow } from "../../device/battery/constantPowerBattery.ts";
import { RainflowCounter } from "../../device/battery/rainflowCounter.ts";
import type { Trajectory } from "../../device/curve/trajectory.ts";

/** The battery that registers belong to. */
export interface MeteredBattery {
  /** With the present capacity. */
  readonly spec: MeteredRatings;
  readonly ratedSpec: MeteredRatings;
  readonly trajectory: Trajectory;
  /** The present trajectory where it is at constant power until full or empty; else `null`. */
  readonly flow: ConstantPowerFlow | null;
}

type MeteredRatings = Pick<
  BatterySpec,
  "ratedCapKwh" | "socOpMinPct" | "socOpMaxPct" | "dischargeEfficiency" | "importMaxKw" | "exportMaxKw"
>;

/** Depth classes of cycles, as a share of the rated capacity. */
const CYCLE_DEPTH_CLASS = 0.2;
const CYCLE_DEPTH_CLASSES = 5;

/** Distance from a bound at which a battery counts as at it, in kWh (docs/model/battery.md#at-bound). */
const AT_BOUND_KWH = 1e-6;

/** Throughput, cycles and state of charge of one battery over a run, summed trajectory by trajectory. */
export class BatteryRegisters extends Copyable {
  readonly component: MeteredBattery;
  /** At the AC side of the cells, without auxiliaries. */
  cellInKwh = 0;
  cellOutKwh = 0;
  storedMinKwh = Number.POSITIVE_INFINITY;
  storedMaxKwh = Number.NEGATIVE_INFINITY;
  storedKwhMs = 0;
  atMinMs = 0;
  atMaxMs = 0;
  /** Cycles of the stored energy by depth; `null`: not counted, and neither are mean and times of the figures of a site's row. */
  cycleCounter: RainflowCounter | null;
  /** Stored energies at which it begins to count as full, and as empty. */
  fullThresholdKwh = Number.NaN;
  emptyThresholdKwh = Number.NaN;
  /** Of these thresholds: the capacity of an ageing battery changes. */
  private thresholdSpec: MeteredRatings;

  constructor(unit: MeteredBattery) {
    super();
    this.component = unit;
    this.cycleCounter = new RainflowCounter(CYCLE_DEPTH_CLASS * unit.ratedSpec.ratedCapKwh, CYCLE_DEPTH_CLASSES);
    this.thresholdSpec = unit.spec;
    this.setThresholds(unit.spec);
  }

  private setThresholds(spec: MeteredRatings): void {
    const { socOpMinPct, socOpMaxPct, ratedCapKwh } = spec;
    this.thresholdSpec = spec;
    this.fullThresholdKwh = (socOpMaxPct / 100) * ratedCapKwh - AT_BOUND_KWH;
    this.emptyThresholdKwh = (socOpMinPct / 100) * ratedCapKwh + AT_BOUND_KWH;
  }

  /** Adds a period of the present trajectory. */
  integrate(fromMs: EpochMs, toMs: EpochMs): void {
    const { flow, spec } = this.component;
    if (this.thresholdSpec !== spec) this.setThresholds(spec);
    if (flow !== null && flow.startMs === fromMs) return this.integrateFlow(flow, toMs);
    const { trajectory } = this.component;
    if ((trajectory.isStepped && fromMs === trajectory.originMs) || isSteadyUntil(trajectory, toMs))
      this.integrateSteps(trajectory, fromMs, toMs);
    else trajectory.integrate(fromMs, toMs, this);
  }

  /** One power until the end or until the battery is full or empty, and then none. */
  private integrateFlow(flow: ConstantPowerFlow, toMs: EpochMs): void {
    const { storedKwh, boundKwh } = flow;
    const spanMs = toMs - flow.startMs;
    const reachesBound = flow.boundMs < toMs;
    const activeMs = reachesBound ? flow.boundAfterMs : spanMs;
    const cellKwMs = (flow.kw - flow.auxiliaryKw) * activeMs;
    const toKwh = storedKwh + flow.storedKwhPerMs * activeMs;
    this.widenRange(storedKwh);
    this.widenRange(toKwh);
    if (reachesBound) this.widenRange(boundKwh);
    if (0 < cellKwMs) this.cellInKwh += cellKwMs / MS_PER_HOUR;
    else this.cellOutKwh -= cellKwMs / MS_PER_HOUR;
    if (this.cycleCounter === null) return;
    this.cycleCounter.add(storedKwh);
    this.cycleCounter.add(flow.storedKwhAt(toMs));
    let storedKwhMs = 0.5 * (storedKwh + toKwh) * activeMs;
    let atMaxMs = this.fullMs(storedKwh, toKwh, activeMs);
    let atMinMs = this.emptyMs(storedKwh, toKwh, activeMs);
    if (reachesBound) {
      const idleMs = spanMs - activeMs;
      storedKwhMs += boundKwh * idleMs;
      atMaxMs += this.fullMs(boundKwh, boundKwh, idleMs);
      atMinMs += this.emptyMs(boundKwh, boundKwh, idleMs);
    }
    this.storedKwhMs += storedKwhMs;
    this.atMaxMs += atMaxMs;
    this.atMinMs += atMinMs;
  }

  /** Steps of constant power, in one pass: frequency response makes one a second. A sum must not depend on how steps are written. */
  private integrateSteps(trajectory: Trajectory, fromMs: EpochMs, toMs: EpochMs): void {
    const { count, originMs, auxiliaryKw } = trajectory;
    const endMs = toMs - originMs;
    let afterMs = fromMs - originMs;
    let importKwMs = 0;
    let exportKwMs = 0;
    let storedKwhMs = 0;
    let atMaxMs = 0;
    let atMinMs = 0;
    let directionKwhPerMs = 0;
    for (let k = 0; k < count && afterMs < endMs; k++) {
      const nextMs = k + 1 < count ? Math.min(endMs, trajectory.afterMsOf(k + 1)) : endMs;
      const spanMs = nextMs - afterMs;
      const cellKwMs = (trajectory.constKwOf(k) - auxiliaryKw) * spanMs;
      if (0 < cellKwMs) importKwMs += cellKwMs;
      else exportKwMs -= cellKwMs;
      const storedKwhPerMs = trajectory.storedKwhPerMsOf(k);
      const fromKwh = trajectory.storedKwhOf(k) + storedKwhPerMs * (afterMs - trajectory.afterMsOf(k));
      const toKwh = fromKwh + storedKwhPerMs * spanMs;
      if (k === 0) this.widenRange(fromKwh);
      this.widenRange(toKwh);
      if (k === 0 || storedKwhPerMs * directionKwhPerMs < 0) this.cycleCounter?.add(fromKwh);
      if (storedKwhPerMs !== 0) directionKwhPerMs = storedKwhPerMs;
      storedKwhMs += 0.5 * (fromKwh + toKwh) * spanMs;
      atMaxMs += this.fullMs(fromKwh, toKwh, spanMs);
      atMinMs += this.emptyMs(fromKwh, toKwh, spanMs);
      afterMs = nextMs;
    }
    this.cycleCounter?.add(trajectory.storedKwhAt(toMs));
    this.addSums(importKwMs, exportKwMs, storedKwhMs, atMaxMs, atMinMs);
  }

  private widenRange(kwh: number): void {
    if (kwh < this.storedMinKwh) this.storedMinKwh = kwh;
    if (this.storedMaxKwh < kwh) this.storedMaxKwh = kwh;
  }

  /** How long the battery is full during a linear change. */
  private fullMs(fromKwh: number, toKwh: number, spanMs: number): number {
    const overKwh = Math.max(fromKwh, toKwh) - this.fullThresholdKwh;
    return overKwh < 0 ? 0 : fractionBeyond(overKwh, Math.abs(toKwh - fromKwh)) * spanMs;
  }

  private emptyMs(fromKwh: number, toKwh: number, spanMs: number): number {
    const overKwh = this.emptyThresholdKwh - Math.min(fromKwh, toKwh);
    return overKwh < 0 ? 0 : fractionBeyond(overKwh, Math.abs(toKwh - fromKwh)) * spanMs;
  }

  private addSums(importKwMs: number, exportKwMs: number, storedKwhMs: number, atMaxMs: number, atMinMs: number): void {
    this.cellInKwh += importKwMs / MS_PER_HOUR;
    this.cellOutKwh += exportKwMs / MS_PER_HOUR;
    this.storedKwhMs += storedKwhMs;
    this.atMaxMs += atMaxMs;
    this.atMinMs += atMinMs;
  }
}

/** Share of a linear change by `range` that is beyond a bound, which its end exceeds by `over`. */
const fractionBeyond = (over: number, range: number): number => (over >= range ? 1 : over / range);

/** Whether the power has been constant since the start of the trajectory, and the stored energy linear. */
function isSteadyUntil(trajectory: Trajectory, atMs: EpochMs): boolean {
  if (trajectory.count > 1 && trajectory.startMsOf(1) < atMs) return false;
  return trajectory.slopeKwPerMsOf(0) === 0 && trajectory.expKwOf(0) === 0 && trajectory.storedKwhPerMs2Of(0) === 0;
}
