import { Copyable } from "../../../base/copyState.ts";
import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { Series } from "../../series/model/series.ts";
import type { SiteBaseline } from "../baseline/siteBaseline.ts";
import type { ConstantPowerBattery, DeltaRequest, FcrCapabilityQuery, Load, ResourceSite } from "./capabilities.ts";
import type { Setpoint } from "./setpoint.ts";

/**
 * The resource behind a connection point: one component, or several as a composite. The defaults are those of a resource
 * without the capability. The class has no fields; subclasses hold the state.
 */
export abstract class BaseResource extends Copyable {
  /** The load that the site's delta reduces directly; `null` without a load and for a composite. */
  abstract readonly load: Load | null;
  abstract readonly hasLoad: boolean;
  abstract loads(): readonly Load[];
  /** Whether there is consumption that set-points do not control. */
  abstract readonly hasUncontrolledLoad: boolean;

  /** State of charge in %; of several batteries, total stored energy by total capacity. `null` without a battery. */
  socPctAt(_atMs: EpochMs): number | null {
    return null;
  }

  /** Plane-of-array irradiance of the first sensor, in W/m²; `null` without a sensor. */
  get irradiance(): Series | null {
    return null;
  }

  /** Whether output control applies to the resource. */
  get hasOutputControl(): boolean {
    return true;
  }

  /** Whether the resource is a PV plant. The set-point of a PV plant may follow its share of an award. */
  get isSolar(): boolean {
    return false;
  }

  /** Whether a component of a composite has a set-point change that has not taken effect yet. */
  get hasPendingChange(): boolean {
    return false;
  }

  /** Whether a component of a composite has an FCR set-point of its own. */
  get hasComponentFcr(): boolean {
    return false;
  }

  /** Replaces the baseline. */
  applyBaseline(_baseline: SiteBaseline, _period: { startMs: EpochMs; endMs: EpochMs }): void {}

  /** The limits of the connection point have changed. The site has been advanced and plans a trajectory afterwards. */
  applyLimits(): void {}

  /**
   * From now on the sun, the wind and the load are as expected, not as the scenario has them: for a copy of a world that must not
   * know what comes. The site has been advanced and plans a trajectory afterwards.
   *
   * @param plan  power of a site of one component; `null`: everything stays as it is now
   */
  expectInput(_atMs: EpochMs, _plan: Series | null): void {}

  /** Less sunlight reaches PV modules than their series has. The site has been advanced and plans a trajectory afterwards. @param _share  0..1 */
  shadeTo(_share: number): void {}

  /** Whether two set-points differ in a value that the resource follows. */
  abstract isSetpointChange(a: Setpoint, b: Setpoint): boolean;

  /** The battery of a resource that is nothing else, if its power is constant between two events; else `null`. */
  get constantPowerBattery(): ConstantPowerBattery | null {
    return null;
  }

  /** The series that determines the power besides set-points. Resources of one kind without other state with the same series have the same trajectory. */
  get drivingSeries(): Series | null {
    return null;
  }

  /**
   * Headroom from a baseline, in kW, at least 0. The site must have been advanced to `atMs`.
   *
   * @param hours  for which its store must be able to hold the power; 0, the default: power alone
   */
  abstract headroomKw(site: ResourceSite, baselineKw: number, up: boolean, atMs: EpochMs, hours?: number): number;

  /** Import power available at the connection point as VPPs count it, in kW. */
  gridImportAvailableKw(_site: ResourceSite): number {
    return 0;
  }

  /** Export power available at the connection point as VPPs count it, in kW. */
  abstract gridExportAvailableKw(site: ResourceSite, atMs: EpochMs): number;

  /** Upward headroom of dispatchable plants from their plan, in kW. */
  dispatchableUpAvailableKw(_site: ResourceSite, _atMs: EpochMs): number {
    return 0;
  }

  /** Load reduction available now, in kW. */
  reductionAvailableKw(_site: ResourceSite, _sku: Sku | null, _atMs: EpochMs): number {
    return 0;
  }

  /** Whether the site can take part in a delta, independent of its present state. */
  abstract takesDelta(site: ResourceSite, baselineKw: number, request: DeltaRequest): boolean;

  /** Whether the whole resource is excluded from market products (docs/model/allocation.md#compatibility). */
  isOutsideMarkets(_sku: Sku | null): boolean {
    return false;
  }

  /** The limiting factor of `headroomKw`: an entry of `CAPABILITY_LIMIT`. */
  abstract capabilityLimit(site: ResourceSite, up: boolean, baselineKw: number): number;

  /** Whether the resource can provide frequency response. */
  get canRespond(): boolean {
    return true;
  }

  /** Headroom for frequency response on one side of the baseline, in kW. */
  abstract fcrHeadroomKw(site: ResourceSite, query: FcrCapabilityQuery, up: boolean): number;

  /** FCR capacity in kW that passes the energy test; `Infinity` where no such test applies. */
  fcrSustainableKw(_query: FcrCapabilityQuery): number {
    return Number.POSITIVE_INFINITY;
  }

  /** Whether stored energy is at a bound, which blocks one direction of a frequency response. */
  get isAtFcrBound(): boolean {
    return false;
  }

  /** Whether output control limits the FCR capacity downwards. */
  isFcrOutputControlled(_site: ResourceSite): boolean {
    return false;
  }
}
