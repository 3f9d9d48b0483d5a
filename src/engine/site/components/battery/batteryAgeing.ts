import { Copyable } from "../../../../base/copyState.ts";
import { type EpochMs, MS_PER_SECOND } from "../../../../base/time.ts";
import { type AgeingLosses, lossesAfter } from "../../../device/battery/batteryAgeing.ts";
import type { BatteryAgeingSpec, BatterySpec } from "../../../device/battery/batterySpec.ts";
import { newStoreRegisters, type Trajectory } from "../../../device/curve/trajectory.ts";
import type { CellTotals } from "../studyFacet.ts";

/** Losses at an instant, and the period before it from which they were computed. */
interface AgeingRecord {
  readonly atMs: EpochMs;
  readonly losses: AgeingLosses;
  /** Of the period since the record before, or the start of the run. */
  readonly equivalentFullCycles: number;
  readonly meanSocFraction: number;
  readonly depth: number;
}

/** Capacity of an ageing battery: constant between two updates, which are local midnights. @see docs/model/battery.md#ageing */
export class BatteryAgeing extends Copyable {
  readonly records: AgeingRecord[] = [];
  private readonly rated: BatterySpec;
  private readonly spec: BatteryAgeingSpec;
  private losses: AgeingLosses;
  private updateCount = 0;
  /** Since the last update. */
  private period: PeriodTotals;

  constructor(rated: BatterySpec, spec: BatteryAgeingSpec) {
    super();
    this.rated = rated;
    this.spec = spec;
    this.losses = { calendar: spec.initialCalendarLoss, cycle: spec.initialCycleLoss };
    this.period = new PeriodTotals(spec.startMs);
  }

  /** Capacity until the next update, in kWh. */
  get capacityKwh(): number {
    return remainingKwh(this.rated, this.losses);
  }

  /** The next local midnight within the run; `Infinity` if there is none. */
  get nextUpdateMs(): EpochMs {
    const { updatesMs } = this.spec;
    return this.updateCount < updatesMs.length ? updatesMs[this.updateCount] : Number.POSITIVE_INFINITY;
  }

  /** Integrates the trajectory that ends at an instant. @returns whether the capacity changes there */
  advance(trajectory: Trajectory, atMs: EpochMs): boolean {
    this.period.integrate(this.rated, trajectory, atMs);
    return this.updateAt(atMs);
  }

  /** Adds what went through the cells up to an instant. @returns whether the capacity changes there */
  add(totals: CellTotals, atMs: EpochMs): boolean {
    this.period.add(totals, atMs);
    return this.updateAt(atMs);
  }

  private updateAt(atMs: EpochMs): boolean {
    if (atMs < this.nextUpdateMs) return false;
    const record = this.recordOf(this.period);
    this.records.push(record);
    this.losses = record.losses;
    this.updateCount++;
    this.period = new PeriodTotals(atMs);
    return true;
  }

  /** All records with one for the end of the run, up to which the present trajectory is valid. */
  recordsUntilEnd(trajectory: Trajectory): readonly AgeingRecord[] {
    const { endMs } = this.spec;
    const last = this.period.copy();
    last.integrate(this.rated, trajectory, endMs);
    return [...this.records, this.recordOf(last)];
  }

  private recordOf(period: PeriodTotals): AgeingRecord {
    const { capacityKwh, rated, spec } = this;
    const spanMs = period.toMs - period.fromMs;
    const equivalentFullCycles = (period.chargedKwh + period.dischargedKwh) / 2 / rated.ratedCapKwh;
    const meanSocFraction = Math.min(1, period.storedKwhMs / spanMs / capacityKwh);
    const depth = Math.min(1, (period.highestKwh - period.lowestKwh) / capacityKwh);
    const conditions = { seconds: spanMs / MS_PER_SECOND, meanSocFraction, depth, equivalentFullCycles };
    return {
      atMs: period.toMs,
      losses: lossesAfter(this.losses, spec, conditions),
      equivalentFullCycles,
      meanSocFraction,
      depth,
    };
  }
}

/** Sums of a period, part after part. */
class PeriodTotals extends Copyable implements CellTotals {
  readonly fromMs: EpochMs;
  toMs: EpochMs;
  chargedKwh = 0;
  dischargedKwh = 0;
  storedKwhMs = 0;
  lowestKwh = Number.POSITIVE_INFINITY;
  highestKwh = Number.NEGATIVE_INFINITY;

  constructor(fromMs: EpochMs) {
    super();
    this.fromMs = fromMs;
    this.toMs = fromMs;
  }

  copy(): PeriodTotals {
    return Object.assign(new PeriodTotals(this.fromMs), this);
  }

  integrate({ chargeEfficiency, dischargeEfficiency }: BatterySpec, trajectory: Trajectory, toMs: EpochMs): void {
    const fromMs = this.toMs;
    if (toMs <= fromMs) return;
    const registers = newStoreRegisters();
    trajectory.integrate(fromMs, toMs, registers);
    const totals = {
      chargedKwh: registers.cellInKwh * chargeEfficiency,
      dischargedKwh: registers.cellOutKwh / dischargeEfficiency,
      storedKwhMs: registers.storedKwhMs,
      lowestKwh: registers.storedMinKwh,
      highestKwh: registers.storedMaxKwh,
    };
    this.add(totals, toMs);
  }

  add(totals: CellTotals, toMs: EpochMs): void {
    this.chargedKwh += totals.chargedKwh;
    this.dischargedKwh += totals.dischargedKwh;
    this.storedKwhMs += totals.storedKwhMs;
    this.lowestKwh = Math.min(this.lowestKwh, totals.lowestKwh);
    this.highestKwh = Math.max(this.highestKwh, totals.highestKwh);
    this.toMs = toMs;
  }
}

/** The tests behind the model do not reach further; a battery loses no more than this share. */
const LOSS_MAX = 0.5;

/** Rated capacity less its losses, in kWh. */
export const remainingKwh = ({ ratedCapKwh }: BatterySpec, { calendar, cycle }: AgeingLosses): number =>
  ratedCapKwh * (1 - Math.min(LOSS_MAX, calendar + cycle));
