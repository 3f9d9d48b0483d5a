import type { EpochMs } from "../../base/time.ts";
import type { SiteBaseline } from "../baseline/siteBaseline.ts";
import type { OutputControl } from "../siteSnapshot.ts";
import type { BatteryRegisters } from "./batteryRegisters.ts";

/** What a meter needs of its site. */
export interface MeteredSite {
  readonly isInService: boolean;
  readonly baseline: SiteBaseline;
  /** Whether the reported baseline is that of an order, not of a slot; and which. */
  readonly hasOrderBaseline: boolean;
  readonly orderBaselineKw: number;
  /** Output controls in force, oldest first. */
  readonly outputControls: readonly OutputControl[];
  readonly reduction: { readonly reducing: boolean };
  /** The registered slot at an instant, in kW. */
  baselineSlotKwAt(atMs: EpochMs): number;
}

/**
 * Cumulative energy registers of one site.
 *
 * A register is a sum up to the last change of law plus a closed form since then, so that it depends on what happened
 * and not on when it is read: any cut of a period sums to the whole.
 */
export interface ResourceMeter<S extends MeteredSite> {
  readonly site: S;
  /** One for each battery of the site. */
  readonly batteries: readonly BatteryRegisters[];
  /**
   * The registers as they stand at an instant of the present law; another call may change what this one gave.
   *
   * @param orderKw  baseline of the order in force, in kW, where somebody else knows what the site executes; NaN where
   *                 there is none. Without it the site knows. Only what may be kept in a bank needs to heed it.
   */
  read(atMs: EpochMs, orderKw?: number): Float64Array;
  /** The present law ends here. */
  close(atMs: EpochMs): void;
}

/** What a law has brought since it began, in kWh. */
export interface TrajectoryEnergy {
  baselineKwh: number;
  importKwh: number;
  exportKwh: number;
  /** Kept back by output control, and by a set-point. */
  outputControlledKwh: number;
  manuallyCurtailedKwh: number;
  drDeliveredKwh: number;
}

export const newTrajectoryEnergy = (): TrajectoryEnergy => ({
  baselineKwh: 0,
  importKwh: 0,
  exportKwh: 0,
  outputControlledKwh: 0,
  manuallyCurtailedKwh: 0,
  drDeliveredKwh: 0,
});

/** The meter of an array or a load, of which a bank may keep many that follow one law. */
export interface SharedTrajectoryMeter<S extends MeteredSite> extends ResourceMeter<S> {
  /**
   * As `close`, at a later instant than the law began at, whether it has been read there or not.
   *
   * @param orderKw  as of `read`
   * @param energy   filled with what the law has brought, as far as meters of this kind add it up
   */
  closeAndMeasure(atMs: EpochMs, orderKw: number, energy: TrajectoryEnergy): void;
  /** The same where what the law has brought is known. */
  closeWithEnergy(atMs: EpochMs, energy: TrajectoryEnergy): void;
}

/** Of a site without one. */
export const NO_BATTERIES: readonly BatteryRegisters[] = [];
