import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import { MS_PER_HOUR } from "../../base/time.ts";
import { RainflowCounter } from "../../device/battery/rainflow.ts";
import { foldSteps, newStepTotals, shareBeyond } from "../../device/curve/stepFold.ts";
import type { Trajectory } from "../../device/curve/trajectory.ts";
import type { BatteryUnit } from "../../site/components/batteryUnit.ts";

/** Depth classes of cycles, as a share of the rated capacity. */
const CYCLE_DEPTH_CLASS = 0.2;
const CYCLE_DEPTH_CLASSES = 5;

/** This near a bound a battery is at it (decisions.md 79). */
const AT_BOUND_KWH = 1e-6;

/** What the report tells of one battery: throughput, cycles, how full it was. Folded law by law. */
export class BatteryBook extends Copyable {
  readonly unit: BatteryUnit;
  /** At the AC side of the cells, without auxiliaries. */
  cellInKwh = 0;
  cellOutKwh = 0;
  storedMinKwh = Number.POSITIVE_INFINITY;
  storedMaxKwh = Number.NEGATIVE_INFINITY;
  storedKwhMs = 0;
  atMinMs = 0;
  atMaxMs = 0;
  /** Cycles of the stored energy by depth; a self-discharge that nobody notices makes no cycle. `null`: left out. */
  cycles: RainflowCounter | null;
  /** Stored energies from which on it counts as full, and as empty. */
  readonly fullKwh: number;
  readonly emptyKwh: number;

  constructor(unit: BatteryUnit) {
    super();
    this.unit = unit;
    const { socOpMinPct, socOpMaxPct, ratedCapKwh } = unit.spec;
    this.cycles = new RainflowCounter(CYCLE_DEPTH_CLASS * ratedCapKwh, CYCLE_DEPTH_CLASSES);
    this.fullKwh = (socOpMaxPct / 100) * ratedCapKwh - AT_BOUND_KWH;
    this.emptyKwh = (socOpMinPct / 100) * ratedCapKwh + AT_BOUND_KWH;
  }

  /** Whether one constant power has flowed since the law began, and the stored energy has moved on a straight line. */
  isSteadyUntil(atMs: EpochMs): boolean {
    const { law } = this.unit;
    if (law.count > 1 && law.startMs[1] < atMs) return false;
    return law.slopeKwPerMs[0] === 0 && law.expKw[0] === 0 && law.storedKwhPerMs2[0] === 0;
  }

  /** Takes in a time under the present law. */
  fold(fromMs: EpochMs, toMs: EpochMs): void {
    if (this.isSteadyUntil(toMs)) this.foldSteady(fromMs, toMs);
    else this.foldAny(fromMs, toMs);
  }

  private foldAny(fromMs: EpochMs, atMs: EpochMs): void {
    const { law } = this.unit;
    if (law.isStepped && fromMs === law.originMs) return this.foldSteps(law, atMs);
    if (this.cycles !== null) law.visitStored(fromMs, atMs, this.cycles);
    this.cellInKwh += law.cellImportKwh(fromMs, atMs);
    this.cellOutKwh += law.cellExportKwh(fromMs, atMs);
    this.storedMinKwh = Math.min(this.storedMinKwh, law.storedMinKwh(fromMs, atMs));
    this.storedMaxKwh = Math.max(this.storedMaxKwh, law.storedMaxKwh(fromMs, atMs));
    this.storedKwhMs += law.storedIntegralKwhMs(fromMs, atMs);
    this.atMaxMs += law.msStoredAtLeast(this.fullKwh, fromMs, atMs);
    this.atMinMs += law.msStoredAtMost(this.emptyKwh, fromMs, atMs);
  }

  /** The same for one stretch a second. */
  private foldSteps(law: Trajectory, atMs: EpochMs): void {
    const totals = newStepTotals();
    foldSteps(law, atMs, { fullKwh: this.fullKwh, emptyKwh: this.emptyKwh }, this.cycles, totals);
    this.cellInKwh += totals.inKwMs / MS_PER_HOUR;
    this.cellOutKwh += totals.outKwMs / MS_PER_HOUR;
    this.storedMinKwh = Math.min(this.storedMinKwh, totals.storedMinKwh);
    this.storedMaxKwh = Math.max(this.storedMaxKwh, totals.storedMaxKwh);
    this.storedKwhMs += totals.storedKwhMs;
    this.atMaxMs += totals.atMaxMs;
    this.atMinMs += totals.atMinMs;
  }

  /** The same for the law that nearly all are: one constant power and stored energy on a straight line. */
  private foldSteady(fromMs: EpochMs, atMs: EpochMs): void {
    const { law } = this.unit;
    const spanMs = atMs - fromMs;
    const cellKwh = ((law.constKw[0] - law.auxiliaryKw) * spanMs) / MS_PER_HOUR;
    if (cellKwh > 0) this.cellInKwh += cellKwh;
    else this.cellOutKwh -= cellKwh;
    const fromKwh = law.storedKwh[0] + law.storedKwhPerMs[0] * (fromMs - law.originMs);
    const toKwh = law.storedKwh[0] + law.storedKwhPerMs[0] * (atMs - law.originMs);
    if (this.cycles !== null) {
      this.cycles.add(fromKwh);
      this.cycles.add(toKwh);
    }
    const low = Math.min(fromKwh, toKwh);
    const high = Math.max(fromKwh, toKwh);
    if (low < this.storedMinKwh) this.storedMinKwh = low;
    if (high > this.storedMaxKwh) this.storedMaxKwh = high;
    this.storedKwhMs += 0.5 * (fromKwh + toKwh) * spanMs;
    if (high >= this.fullKwh) this.atMaxMs += shareBeyond(high - this.fullKwh, high - low) * spanMs;
    if (low <= this.emptyKwh) this.atMinMs += shareBeyond(this.emptyKwh - low, high - low) * spanMs;
  }
}
