import { Copyable } from "../../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import { LIMITING_FACTOR, type LimitingFactor } from "../curve/limitingFactor.ts";
import type { Trajectory } from "../curve/trajectory.ts";
import { EQUALITY_TOLERANCE, STORAGE_BOUND_TOLERANCE_KWH, storedMaxKwh, storedMinKwh } from "./batteryCapability.ts";
import type { BatterySpec } from "./batterySpec.ts";

/** Ratings of a battery without taper, ramp and self-discharge. */
export interface ConstantPowerRatings {
  /** Bounds of the stored energy. */
  readonly fullKwh: number;
  readonly emptyKwh: number;
  readonly importMaxKw: number;
  readonly exportMaxKw: number;
  /** Change of the stored energy by power at the AC side, both above 0. */
  readonly chargeKwhPerKwMs: number;
  readonly dischargeKwhPerKwMs: number;
  readonly auxiliaryKw: number;
}

/** The ratings that `ConstantPowerFlow.plan` needs; `null` for a battery with taper, ramp or self-discharge. */
export const constantPowerRatings = (spec: BatterySpec): ConstantPowerRatings | null =>
  hasConstantPowerModel(spec)
    ? {
        fullKwh: storedMaxKwh(spec),
        emptyKwh: storedMinKwh(spec),
        importMaxKw: spec.importMaxKw,
        exportMaxKw: spec.exportMaxKw,
        chargeKwhPerKwMs: spec.chargeEfficiency / MS_PER_HOUR,
        dischargeKwhPerKwMs: 1 / spec.dischargeEfficiency / MS_PER_HOUR,
        auxiliaryKw: spec.auxiliaryKw,
      }
    : null;

/**
 * Trajectory of a battery that is at constant power until it is full or empty and carries its auxiliaries only from then on: the
 * usual case in one fixed record. A `Trajectory` holds all others.
 */
export class ConstantPowerFlow extends Copyable {
  startMs: EpochMs = Number.NaN;
  /** Power of the cells until `boundMs`, in kW at the AC side. */
  cellKw = Number.NaN;
  /** Power at the terminals until `boundMs`, auxiliaries included. */
  kw = Number.NaN;
  auxiliaryKw = Number.NaN;
  /** Stored energy at the start, its rate of change, and the bound that it reaches. */
  storedKwh = Number.NaN;
  storedKwhPerMs = Number.NaN;
  boundKwh = Number.NaN;
  /** When the bound is reached, and how long after the start; not rounded, `Infinity` if never. */
  boundMs: EpochMs = Number.POSITIVE_INFINITY;
  boundAfterMs = Number.POSITIVE_INFINITY;
  limitedBy: LimitingFactor = LIMITING_FACTOR.none;

  /**
   * Plans a constant target in service: one power flows up to the bound, and none after it. `startMs` and `storedKwh` must be set.
   * A test compares it with `planSegmentwise`.
   *
   * @param targetKw       of the cells, import positive
   * @param importLimitKw  of the connection point for the cells, at least 0; `exportLimitKw` likewise, with output control
   * @returns whether the case applies; if not, the flow has no meaning
   */
  plan(ratings: ConstantPowerRatings, targetKw: number, importLimitKw: number, exportLimitKw: number): boolean {
    const { storedKwh } = this;
    this.auxiliaryKw = ratings.auxiliaryKw;
    if (targetKw === 0) return this.rest(LIMITING_FACTOR.none);
    const wantedKw = Math.abs(targetKw);
    if (!(EQUALITY_TOLERANCE < wantedKw)) return false;
    const charging = 0 < targetKw;
    const boundKwh = charging ? ratings.fullKwh : ratings.emptyKwh;
    if (
      charging
        ? boundKwh - STORAGE_BOUND_TOLERANCE_KWH <= storedKwh
        : storedKwh <= boundKwh + STORAGE_BOUND_TOLERANCE_KWH
    )
      return this.rest(LIMITING_FACTOR.socBound);
    const capKw = charging
      ? Math.min(ratings.importMaxKw, importLimitKw)
      : Math.min(ratings.exportMaxKw, exportLimitKw);
    if (capKw <= EQUALITY_TOLERANCE) return this.rest(LIMITING_FACTOR.powerLimit);
    const kw = Math.min(wantedKw, capKw);
    const kwhPerMs = (charging ? ratings.chargeKwhPerKwMs : ratings.dischargeKwhPerKwMs) * kw;
    const afterMs = Math.abs(boundKwh - storedKwh) / kwhPerMs;
    const signedKwhPerMs = charging ? kwhPerMs : -kwhPerMs;
    this.cellKw = charging ? kw : -kw;
    this.kw = this.cellKw + ratings.auxiliaryKw;
    this.storedKwhPerMs = signedKwhPerMs;
    this.boundKwh = boundKwh;
    this.boundMs = this.startMs + afterMs;
    this.boundAfterMs = afterMs;
    this.limitedBy = kw + EQUALITY_TOLERANCE < wantedKw ? LIMITING_FACTOR.powerLimit : LIMITING_FACTOR.none;
    return Math.abs(storedKwh + signedKwhPerMs * afterMs - boundKwh) <= EQUALITY_TOLERANCE;
  }

  /** Plans no power of the cells. */
  private rest(limitedBy: LimitingFactor): true {
    this.cellKw = 0;
    this.kw = this.auxiliaryKw;
    this.storedKwhPerMs = 0;
    this.boundMs = Number.POSITIVE_INFINITY;
    this.boundAfterMs = Number.POSITIVE_INFINITY;
    this.limitedBy = limitedBy;
    return true;
  }

  /** Stored energy in kWh at an instant at or after the start. */
  storedKwhAt(atMs: EpochMs): number {
    return this.boundMs <= atMs ? this.boundKwh : this.storedKwh + this.storedKwhPerMs * (atMs - this.startMs);
  }

  /** Power at the terminals in kW, auxiliaries included. */
  kwAt(atMs: EpochMs): number {
    return this.boundMs <= atMs ? this.auxiliaryKw : this.kw;
  }

  /** Writes the same as segments. */
  writeTo(out: Trajectory): void {
    out.begin(this.startMs, this.auxiliaryKw);
    out.appendConstantPower(0, this.cellKw, this.storedKwh, this.storedKwhPerMs, this.limitedBy);
    if (this.boundAfterMs < Number.POSITIVE_INFINITY)
      out.appendConstantPower(this.boundAfterMs, 0, this.boundKwh, 0, LIMITING_FACTOR.socBound);
  }
}

/** Whether only ratings, limits and the window's bounds can prevent a battery from reaching its target. */
const hasConstantPowerModel = ({ powerTaper, rampKwPerS, selfDischargePctPerDay }: BatterySpec): boolean =>
  rampKwPerS === null && selfDischargePctPerDay === 0 && (powerTaper === null || powerTaper.length === 0);
