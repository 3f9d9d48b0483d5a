import type { BatterySpec, TaperPoint } from "./batterySpec.ts";

/** A battery this near to a bound is at the bound (docs/model/battery.md#at-bound). */
export const STORAGE_BOUND_TOLERANCE_KWH = 1e-6;

/** Powers and energies closer than this are equal: far above rounding errors, far below printed digits. */
export const EQUALITY_TOLERANCE = 1e-9;

export const storedMinKwh = (spec: BatterySpec): number => (spec.socOpMinPct * spec.ratedCapKwh) / 100;
export const storedMaxKwh = (spec: BatterySpec): number => (spec.socOpMaxPct * spec.ratedCapKwh) / 100;
export const socPct = (spec: BatterySpec, storedKwh: number): number => (100 * storedKwh) / spec.ratedCapKwh;

/**
 * Import power that the cells can take in, in kW: rating × taper, 0 at or above `socOpMaxPct`. Ramp, delay and limits from
 * outside do not enter (docs/model/battery.md#capability).
 */
export const importCapabilityKw = (spec: BatterySpec, storedKwh: number): number =>
  storedMaxKwh(spec) - STORAGE_BOUND_TOLERANCE_KWH <= storedKwh ? 0 : taperedImportKw(spec, storedKwh);

/** Likewise the export power, as a positive number; 0 at or below `socOpMinPct`. */
export const exportCapabilityKw = (spec: BatterySpec, storedKwh: number): number =>
  storedKwh <= storedMinKwh(spec) + STORAGE_BOUND_TOLERANCE_KWH ? 0 : taperedExportKw(spec, storedKwh);

/** Free storage capacity up to `socOpMaxPct`, at least 0. */
export const importEnergyAvailableKwh = (spec: BatterySpec, storedKwh: number): number =>
  Math.max(0, storedMaxKwh(spec) - storedKwh);

/** Stored energy above `socOpMinPct`, at least 0. */
export const exportEnergyAvailableKwh = (spec: BatterySpec, storedKwh: number): number =>
  Math.max(0, storedKwh - storedMinKwh(spec));

/**
 * AC power in kW that a battery can sustain for a number of hours in both directions within its bounds
 * (docs/model/frequency-response.md#energy-test).
 */
export const sustainableKw = (spec: BatterySpec, storedKwh: number, hours: number): number =>
  Math.min(
    exportEnergyAvailableKwh(spec, storedKwh) * spec.dischargeEfficiency,
    importEnergyAvailableKwh(spec, storedKwh) / spec.chargeEfficiency,
  ) / hours;

/** Rating × taper, whatever the bounds. */
export const taperedImportKw = (spec: BatterySpec, storedKwh: number): number =>
  spec.powerTaper === null
    ? spec.importMaxKw
    : spec.importMaxKw * fractionAt(spec.powerTaper, socPct(spec, storedKwh), importFraction);

/** Rating × taper as a positive number, whatever the bounds. */
export const taperedExportKw = (spec: BatterySpec, storedKwh: number): number =>
  spec.powerTaper === null
    ? spec.exportMaxKw
    : spec.exportMaxKw * fractionAt(spec.powerTaper, socPct(spec, storedKwh), exportFraction);

export const importFraction = (point: TaperPoint): number => point.importFraction;
export const exportFraction = (point: TaperPoint): number => point.exportFraction;

/** Linear between the points, flat outside them. */
function fractionAt(taper: readonly TaperPoint[], soc: number, fractionOf: (point: TaperPoint) => number): number {
  if (taper.length === 0) return 1;
  if (soc <= taper[0].socPct) return fractionOf(taper[0]);
  for (let k = 1; k < taper.length; k++) {
    const low = taper[k - 1];
    const high = taper[k];
    if (soc < high.socPct)
      return fractionOf(low) + ((fractionOf(high) - fractionOf(low)) * (soc - low.socPct)) / (high.socPct - low.socPct);
  }
  return fractionOf(taper[taper.length - 1]);
}
