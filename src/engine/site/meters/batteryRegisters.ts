import { Copyable } from "../../../base/copyState.ts";
import type { EpochMs } from "../../../base/time.ts";
import { MS_PER_HOUR } from "../../../base/time.ts";
import type { BatterySpec } from "../../device/battery/batterySpec.ts";
import type { ConstantPowerFlow } from "../../device/battery/constantPowerBattery.ts";
import { RainflowCounter } from "../../device/battery/rainflowCounter.ts";
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
  /** Sums of the steps of one trajectory, because a sum must not depend on how steps are written. */
  private readonly steps = {
    importKwMs: 0,
    exportKwMs: 0,
    storedKwhMs: 0,
    atMaxMs: 0,
    atMinMs: 0,
    directionKwhPerMs: 0,
  };

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
    if (flow !== null && flow.startMs === fromMs) return this.integrateFlow(flow, toMs);
    const { trajectory } = this.component;
    if ((trajectory.isStepped && fromMs === trajectory.originMs) || isSteadyUntil(trajectory, toMs))
      this.integrateSteps(trajectory, fromMs, toMs);
    else this.integrateCurves(trajectory, fromMs, toMs);
  }

  private integrateFlow(flow: ConstantPowerFlow, toMs: EpochMs): void {
    const { boundAfterMs, storedKwh, storedKwhPerMs } = flow;
    const spanMs = toMs - flow.startMs;
    const reachesBound = flow.boundMs < toMs;
    this.beginSteps(storedKwh);
    this.addStep(flow.kw - flow.auxiliaryKw, storedKwh, storedKwhPerMs, reachesBound ? boundAfterMs : spanMs);
    if (reachesBound) this.addStep(0, flow.boundKwh, 0, spanMs - boundAfterMs);
    this.endSteps(flow.storedKwhAt(toMs));
  }

  /** Steps of constant power, in one pass: frequency response makes one a second. */
  private integrateSteps(trajectory: Trajectory, fromMs: EpochMs, toMs: EpochMs): void {
    const { count, originMs, auxiliaryKw } = trajectory;
    const endMs = toMs - originMs;
    let afterMs = fromMs - originMs;
    for (let k = 0; k < count && afterMs < endMs; k++) {
      const startMs = trajectory.afterMsOf(k);
      const nextMs = k + 1 < count ? Math.min(endMs, trajectory.afterMsOf(k + 1)) : endMs;
      const storedKwhPerMs = trajectory.storedKwhPerMsOf(k);
      const storedKwh = trajectory.storedKwhOf(k) + storedKwhPerMs * (afterMs - startMs);
      if (k === 0) this.beginSteps(storedKwh);
      this.addStep(trajectory.constKwOf(k) - auxiliaryKw, storedKwh, storedKwhPerMs, nextMs - afterMs);
      afterMs = nextMs;
    }
    this.endSteps(trajectory.storedKwhAt(toMs));
  }

  private beginSteps(storedKwh: number): void {
    const { steps } = this;
    steps.importKwMs = 0;
    steps.exportKwMs = 0;
    steps.storedKwhMs = 0;
    steps.atMaxMs = 0;
    steps.atMinMs = 0;
    steps.directionKwhPerMs = 0;
    this.cycleCounter?.add(storedKwh);
    if (storedKwh < this.storedMinKwh) this.storedMinKwh = storedKwh;
    if (this.storedMaxKwh < storedKwh) this.storedMaxKwh = storedKwh;
  }

  private addStep(cellKw: number, fromKwh: number, storedKwhPerMs: number, spanMs: number): void {
    const { steps, fullThresholdKwh, emptyThresholdKwh } = this;
    const cellKwMs = cellKw * spanMs;
    if (0 < cellKwMs) steps.importKwMs += cellKwMs;
    else steps.exportKwMs -= cellKwMs;
    const toKwh = fromKwh + storedKwhPerMs * spanMs;
    steps.storedKwhMs += 0.5 * (fromKwh + toKwh) * spanMs;
    if (storedKwhPerMs !== 0) {
      if (storedKwhPerMs * steps.directionKwhPerMs < 0) this.cycleCounter?.add(fromKwh);
      steps.directionKwhPerMs = storedKwhPerMs;
    }
    if (toKwh < this.storedMinKwh) this.storedMinKwh = toKwh;
    if (this.storedMaxKwh < toKwh) this.storedMaxKwh = toKwh;
    if (fullThresholdKwh <= fromKwh || fullThresholdKwh <= toKwh)
      steps.atMaxMs += fractionBeyond(Math.max(fromKwh, toKwh) - fullThresholdKwh, Math.abs(toKwh - fromKwh)) * spanMs;
    if (fromKwh <= emptyThresholdKwh || toKwh <= emptyThresholdKwh)
      steps.atMinMs += fractionBeyond(emptyThresholdKwh - Math.min(fromKwh, toKwh), Math.abs(toKwh - fromKwh)) * spanMs;
  }

  private endSteps(storedKwh: number): void {
    const { steps } = this;
    this.cellInKwh += steps.importKwMs / MS_PER_HOUR;
    this.cellOutKwh += steps.exportKwMs / MS_PER_HOUR;
    this.storedKwhMs += steps.storedKwhMs;
    this.atMaxMs += steps.atMaxMs;
    this.atMinMs += steps.atMinMs;
    this.cycleCounter?.add(storedKwh);
  }

  private integrateCurves(trajectory: Trajectory, fromMs: EpochMs, toMs: EpochMs): void {
    if (this.cycleCounter !== null) trajectory.visitStoredExtrema(fromMs, toMs, this.cycleCounter);
    this.cellInKwh += trajectory.cellImportKwh(fromMs, toMs);
    this.cellOutKwh += trajectory.cellExportKwh(fromMs, toMs);
    this.storedMinKwh = Math.min(this.storedMinKwh, trajectory.storedMinKwh(fromMs, toMs));
    this.storedMaxKwh = Math.max(this.storedMaxKwh, trajectory.storedMaxKwh(fromMs, toMs));
    this.storedKwhMs += trajectory.storedIntegralKwhMs(fromMs, toMs);
    this.atMaxMs += trajectory.storedAtLeastDurationMs(this.fullThresholdKwh, fromMs, toMs);
    this.atMinMs += trajectory.storedAtMostDurationMs(this.emptyThresholdKwh, fromMs, toMs);
  }
}

/** Share of a linear change by `range` that is beyond a bound, which its end exceeds by `over`. */
const fractionBeyond = (over: number, range: number): number => (over >= range ? 1 : over / range);

/** Whether the power has been constant since the start of the trajectory, and the stored energy linear. */
function isSteadyUntil(trajectory: Trajectory, atMs: EpochMs): boolean {
  if (trajectory.count > 1 && trajectory.startMsOf(1) < atMs) return false;
  return trajectory.slopeKwPerMsOf(0) === 0 && trajectory.expKwOf(0) === 0 && trajectory.storedKwhPerMs2Of(0) === 0;
}
