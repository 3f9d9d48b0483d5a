import type { EpochMs } from "../../../base/time.ts";
import type { SiteBaseline } from "../baseline/siteBaseline.ts";
import type { SiteRecord } from "../siteRecord.ts";
import type { OutputControl } from "../siteSnapshot.ts";
import type { BatteryRegisters } from "./batteryRegisters.ts";

/** The state of a site that its meter reads. */
export interface MeteredSite {
  readonly record: SiteRecord;
  readonly isInService: boolean;
  readonly baseline: SiteBaseline;
  /** Whether the reported baseline is that of an order instead of a slot, and its kW. */
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
 * A register is a sum up to the start of the present trajectory plus a closed form since then, so that it does not depend on
 * when it is read: the parts of any division of a period sum to the whole.
 */
export interface ResourceMeter<S extends MeteredSite> {
  readonly site: S;
  /** One for each battery of the site. */
  readonly batteries: readonly BatteryRegisters[];
  /** Whether the register of the baseline is integrated; set before the first trajectory ends. */
  countsBaseline: boolean;
  /** The registers at an instant of the present trajectory; valid until the next call. */
  read(atMs: EpochMs): Float64Array;
  /** Ends the present trajectory. */
  close(atMs: EpochMs): void;
}

/** Energy of a trajectory from its start, in kWh. */
export interface TrajectoryEnergy {
  baselineKwh: number;
  importKwh: number;
  exportKwh: number;
  /** Curtailed by output control, and by a set-point. */
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

/** The batteries of a site without one. */
export const NO_BATTERIES: readonly BatteryRegisters[] = [];
