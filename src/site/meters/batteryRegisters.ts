import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import { MS_PER_HOUR } from "../../base/time.ts";
import type { BatterySpec } from "../../device/battery/batterySpec.ts";
import { RainflowCounter } from "../../device/battery/rainflowCounter.ts";
import {
  fractionBeyond,
  integrateSteppedTrajectory,
  newSteppedTotals,
} from "../../device/curve/integrateSteppedTrajectory.ts";
import type { Trajectory } from "../../device/curve/trajectory.ts";

/** The battery that registers belong to. */
export interface MeteredBattery {
  /** With the present capacity. */
  readonly spec: BatterySpec;
  readonly ratedSpec: BatterySpec;
  readonly trajectory: Trajectory;
}

/** Depth classes of cycles, as a share of the rated capacity. */
const CYCLE_DEPTH_CLASS = 0.2;
const CYCLE_DEPTH_CLASSES = 5;

/** This near a bound a battery is at it (docs/model/battery.md#at-bound). */
const AT_BOUND_KWH = 1e-6;

/** What the report tells of one battery: throughput, cycles, how full it was. Folded law by law. */
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
  /** Cycles of the stored energy by depth; a self-discharge that nobody notices makes no cycle. `null`: left out. */
  cycleCounter: RainflowCounter | null;
  /** Stored energies from which on it counts as full, and as empty. */
  fullThresholdKwh = Number.NaN;
  emptyThresholdKwh = Number.NaN;
  /** Of these thresholds: the capacity of an ageing battery changes. */
  private thresholdSpec: BatterySpec;

  constructor(unit: MeteredBattery) {
    super();
    this.component = unit;
    this.cycleCounter = new RainflowCounter(CYCLE_DEPTH_CLASS * unit.ratedSpec.ratedCapKwh, CYCLE_DEPTH_CLASSES);
    this.thresholdSpec = unit.spec;
    this.setThresholds(unit.spec);
  }

  private setThresholds(spec: BatterySpec): void {
    const { socOpMinPct, socOpMaxPct, ratedCapKwh } = spec;
    this.thresholdSpec = spec;
    this.fullThresholdKwh = (socOpMaxPct / 100) * ratedCapKwh - AT_BOUND_KWH;
    this.emptyThresholdKwh = (socOpMinPct / 100) * ratedCapKwh + AT_BOUND_KWH;
  }

  /** Whether one constant power has flowed since the law began, and the stored energy has moved on a straight line. */
  isSteadyUntil(atMs: EpochMs): boolean {
    const { trajectory: law } = this.component;
    if (law.count > 1 && law.startMsOf(1) < atMs) return false;
    return law.slopeKwPerMsOf(0) === 0 && law.expKwOf(0) === 0 && law.storedKwhPerMs2Of(0) === 0;
  }

  /** Takes in a time under the present law. */
  integrate(fromMs: EpochMs, toMs: EpochMs): void {
    if (this.thresholdSpec !== this.component.spec) this.setThresholds(this.component.spec);
    if (this.isSteadyUntil(toMs)) this.integrateSteady(fromMs, toMs);
    else this.integrateTrajectory(fromMs, toMs);
  }

  private integrateTrajectory(fromMs: EpochMs, atMs: EpochMs): void {
    const { trajectory: law } = this.component;
    if (law.isStepped && fromMs === law.originMs) return this.integrateSteps(law, atMs);
    if (this.cycleCounter !== null) law.visitStoredExtrema(fromMs, atMs, this.cycleCounter);
    this.cellInKwh += law.cellImportKwh(fromMs, atMs);
    this.cellOutKwh += law.cellExportKwh(fromMs, atMs);
    this.storedMinKwh = Math.min(this.storedMinKwh, law.storedMinKwh(fromMs, atMs));
    this.storedMaxKwh = Math.max(this.storedMaxKwh, law.storedMaxKwh(fromMs, atMs));
    this.storedKwhMs += law.storedIntegralKwhMs(fromMs, atMs);
    this.atMaxMs += law.storedAtLeastDurationMs(this.fullThresholdKwh, fromMs, atMs);
    this.atMinMs += law.storedAtMostDurationMs(this.emptyThresholdKwh, fromMs, atMs);
  }

  /** The same for one stretch a second. */
  private integrateSteps(law: Trajectory, atMs: EpochMs): void {
    const totals = newSteppedTotals();
    integrateSteppedTrajectory(
      law,
      atMs,
      { fullKwh: this.fullThresholdKwh, emptyKwh: this.emptyThresholdKwh },
      this.cycleCounter,
      totals,
    );
    this.cellInKwh += totals.importKwMs / MS_PER_HOUR;
    this.cellOutKwh += totals.exportKwMs / MS_PER_HOUR;
    this.storedMinKwh = Math.min(this.storedMinKwh, totals.storedMinKwh);
    this.storedMaxKwh = Math.max(this.storedMaxKwh, totals.storedMaxKwh);
    this.storedKwhMs += totals.storedKwhMs;
    this.atMaxMs += totals.atMaxMs;
    this.atMinMs += totals.atMinMs;
  }

  /** The same for the law that nearly all are: one constant power and stored energy on a straight line. */
  private integrateSteady(fromMs: EpochMs, atMs: EpochMs): void {
    const { trajectory: law } = this.component;
    const spanMs = atMs - fromMs;
    const cellKwh = ((law.constKwOf(0) - law.auxiliaryKw) * spanMs) / MS_PER_HOUR;
    if (cellKwh > 0) this.cellInKwh += cellKwh;
    else this.cellOutKwh -= cellKwh;
    const fromKwh = law.storedKwhOf(0) + law.storedKwhPerMsOf(0) * (fromMs - law.originMs);
    const toKwh = law.storedKwhOf(0) + law.storedKwhPerMsOf(0) * (atMs - law.originMs);
    if (this.cycleCounter !== null) {
      this.cycleCounter.add(fromKwh);
      this.cycleCounter.add(toKwh);
    }
    const low = Math.min(fromKwh, toKwh);
    const high = Math.max(fromKwh, toKwh);
    if (low < this.storedMinKwh) this.storedMinKwh = low;
    if (high > this.storedMaxKwh) this.storedMaxKwh = high;
    this.storedKwhMs += 0.5 * (fromKwh + toKwh) * spanMs;
    if (high >= this.fullThresholdKwh)
      this.atMaxMs += fractionBeyond(high - this.fullThresholdKwh, high - low) * spanMs;
    if (low <= this.emptyThresholdKwh)
      this.atMinMs += fractionBeyond(this.emptyThresholdKwh - low, high - low) * spanMs;
  }
}
