import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import { MS_PER_HOUR } from "../../base/time.ts";
import type { BatterySpec } from "../../device/battery/batterySpec.ts";
import { ConstantPowerFlow } from "../../device/battery/constantPowerBattery.ts";
import { RainflowCounter } from "../../device/battery/rainflowCounter.ts";
import {
  fractionBeyond,
  integrateSteppedTrajectory,
  newSteppedTotals,
} from "../../device/curve/integrateSteppedTrajectory.ts";
import type { Trajectory } from "../../device/curve/trajectory.ts";

/** The battery that registers belong to. */
interface MeteredBattery {
  /** With the present capacity. */
  readonly spec: BatterySpec;
  readonly ratedSpec: BatterySpec;
  readonly trajectory: Trajectory;
  /** The present trajectory where it is at constant power until full or empty; else `null`. */
  readonly flow: ConstantPowerFlow | null;
}

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
  /** Cycles of the stored energy by depth; `null`: not counted. */
  cycleCounter: RainflowCounter | null;
  /** Stored energies at which it begins to count as full, and as empty. */
  fullThresholdKwh = Number.NaN;
  emptyThresholdKwh = Number.NaN;
  /** Of these thresholds: the capacity of an ageing battery changes. */
  private thresholdSpec: BatterySpec;
  /** Reused for a steady part of a trajectory in segments. */
  private readonly steadyFlow = new ConstantPowerFlow();

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

  /** Adds a period of the present trajectory. */
  integrate(fromMs: EpochMs, toMs: EpochMs): void {
    const { flow, spec } = this.component;
    if (this.thresholdSpec !== spec) this.setThresholds(spec);
    if (flow !== null && flow.startMs === fromMs) {
      if (flow.boundMs < toMs) this.integrateToBound(flow, toMs - fromMs);
      else this.integrateFlow(flow, toMs - fromMs);
      return;
    }
    const { trajectory } = this.component;
    if (!isSteadyUntil(trajectory, toMs)) return this.integrateTrajectory(trajectory, fromMs, toMs);
    const { steadyFlow } = this;
    steadyFlow.auxiliaryKw = trajectory.auxiliaryKw;
    steadyFlow.kw = trajectory.constKwOf(0);
    steadyFlow.storedKwhPerMs = trajectory.storedKwhPerMsOf(0);
    steadyFlow.storedKwh = trajectory.storedKwhOf(0) + steadyFlow.storedKwhPerMs * (fromMs - trajectory.originMs);
    this.integrateFlow(steadyFlow, toMs - fromMs);
  }

  /** Adds the first `spanMs` of a flow that does not reach its bound in them. */
  private integrateFlow(flow: ConstantPowerFlow, spanMs: number): void {
    const cellKwh = ((flow.kw - flow.auxiliaryKw) * spanMs) / MS_PER_HOUR;
    const fromKwh = flow.storedKwh;
    const toKwh = fromKwh + flow.storedKwhPerMs * spanMs;
    if (cellKwh > 0) this.cellInKwh += cellKwh;
    else this.cellOutKwh -= cellKwh;
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

  /** Adds a whole flow that reached its bound: constant power up to the bound, then auxiliaries only. */
  private integrateToBound(
    { kw, auxiliaryKw, storedKwh, storedKwhPerMs, boundKwh, boundAfterMs }: ConstantPowerFlow,
    spanMs: number,
  ): void {
    const idleMs = spanMs - boundAfterMs;
    const cellKwMs = (kw - auxiliaryKw) * boundAfterMs;
    if (0 < cellKwMs) this.cellInKwh += cellKwMs / MS_PER_HOUR;
    else this.cellOutKwh -= cellKwMs / MS_PER_HOUR;
    if (this.cycleCounter !== null) {
      this.cycleCounter.add(storedKwh);
      this.cycleCounter.add(boundKwh);
    }
    const toKwh = storedKwh + storedKwhPerMs * boundAfterMs;
    this.storedMinKwh = Math.min(this.storedMinKwh, storedKwh, toKwh, boundKwh);
    this.storedMaxKwh = Math.max(this.storedMaxKwh, storedKwh, toKwh, boundKwh);
    this.storedKwhMs += 0.5 * (storedKwh + toKwh) * boundAfterMs + boundKwh * idleMs;
    const low = Math.min(storedKwh, toKwh);
    const high = Math.max(storedKwh, toKwh);
    const overKwh = high - this.fullThresholdKwh;
    const underKwh = this.emptyThresholdKwh - low;
    const maxMs = overKwh >= 0 ? fractionBeyond(overKwh, high - low) * boundAfterMs : 0;
    const minMs = underKwh >= 0 ? fractionBeyond(underKwh, high - low) * boundAfterMs : 0;
    this.atMaxMs += maxMs + (this.fullThresholdKwh <= boundKwh ? idleMs : 0);
    this.atMinMs += minMs + (boundKwh <= this.emptyThresholdKwh ? idleMs : 0);
  }

  private integrateTrajectory(trajectory: Trajectory, fromMs: EpochMs, atMs: EpochMs): void {
    if (trajectory.isStepped && fromMs === trajectory.originMs) return this.integrateSteps(trajectory, atMs);
    if (this.cycleCounter !== null) trajectory.visitStoredExtrema(fromMs, atMs, this.cycleCounter);
    this.cellInKwh += trajectory.cellImportKwh(fromMs, atMs);
    this.cellOutKwh += trajectory.cellExportKwh(fromMs, atMs);
    this.storedMinKwh = Math.min(this.storedMinKwh, trajectory.storedMinKwh(fromMs, atMs));
    this.storedMaxKwh = Math.max(this.storedMaxKwh, trajectory.storedMaxKwh(fromMs, atMs));
    this.storedKwhMs += trajectory.storedIntegralKwhMs(fromMs, atMs);
    this.atMaxMs += trajectory.storedAtLeastDurationMs(this.fullThresholdKwh, fromMs, atMs);
    this.atMinMs += trajectory.storedAtMostDurationMs(this.emptyThresholdKwh, fromMs, atMs);
  }

  /** `integrateTrajectory` for frequency response, which makes one segment a second. */
  private integrateSteps(trajectory: Trajectory, atMs: EpochMs): void {
    const totals = newSteppedTotals();
    integrateSteppedTrajectory(
      trajectory,
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
}

/** Whether the power has been constant since the start of the trajectory, and the stored energy linear. */
function isSteadyUntil(trajectory: Trajectory, atMs: EpochMs): boolean {
  if (trajectory.count > 1 && trajectory.startMsOf(1) < atMs) return false;
  return trajectory.slopeKwPerMsOf(0) === 0 && trajectory.expKwOf(0) === 0 && trajectory.storedKwhPerMs2Of(0) === 0;
}
