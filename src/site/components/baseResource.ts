import { Copyable } from "../../base/copyState.ts";
import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Series } from "../../series/model/series.ts";
import type { SiteBaseline } from "../baseline/siteBaseline.ts";
import type { BatchBattery, DeltaRequest, FcrCapabilityQuery, Load, ResourceSite } from "./capabilities.ts";
import type { Setpoint } from "./setpoint.ts";

/**
 * What stands behind a connection point, one component or several together, as upper layers see it; with the answers of
 * one that lacks a capability. Has no fields: state is the resource's own.
 */
export abstract class BaseResource extends Copyable {
  /** The load that the site's delta reduces by itself; `null` without one and for several components. */
  abstract readonly load: Load | null;
  abstract readonly hasLoad: boolean;
  abstract loads(): readonly Load[];
  /** Whether there is consumption beside what set-points move. */
  abstract readonly hasUncontrolledLoad: boolean;

  /** State of charge in %, of several batteries that of all they store; `null` without a battery. */
  socPctAt(_atMs: EpochMs): number | null {
    return null;
  }

  /** What the first sensor measures in the plane of the modules, in W/m²; `null` without one. */
  get irradiance(): Series | null {
    return null;
  }

  /** Whether output control can limit it. */
  get hasOutputControl(): boolean {
    return true;
  }

  /** Whether it is a PV plant, whose set-point may follow its share of an award. */
  get isSolar(): boolean {
    return false;
  }

  /** A change of set-point is on its way to a component of several. */
  get hasPendingChange(): boolean {
    return false;
  }

  /** Whether a component of several responds to the frequency by itself. */
  get hasComponentFcr(): boolean {
    return false;
  }

  /** One power over the whole of a period, in kW; NaN where it changes or is not known. */
  constantKw(_fromMs: EpochMs, _toMs: EpochMs): number {
    return Number.NaN;
  }

  /** Takes over another baseline. */
  applyBaseline(_baseline: SiteBaseline, _period: { startMs: EpochMs; endMs: EpochMs }): void {}

  /** Whether two set-points differ in what it follows. */
  abstract isSetpointChange(a: Setpoint, b: Setpoint): boolean;

  /** Whether site/batch can carry its site on. */
  get isBatchable(): boolean {
    return false;
  }

  /** The battery that site/batch carries on by itself, without this resource. */
  get batchBattery(): BatchBattery | null {
    return null;
  }

  /** What decides its power besides set-points: batchable resources of one kind with the same series do the same. */
  get drivingSeries(): Series | null {
    return null;
  }

  /** kW by which the site can leave a baseline, at least 0. The site must have been advanced. */
  abstract headroomKw(site: ResourceSite, baselineKw: number, up: boolean, atMs: EpochMs): number;

  /** kW that the grid point can take in, as VPPs count it. */
  gridImportAvailableKw(_site: ResourceSite): number {
    return 0;
  }

  /** kW that the grid point can send, as VPPs count it. */
  abstract gridExportAvailableKw(site: ResourceSite, atMs: EpochMs): number;

  /** kW that dispatchable plants could leave their plan upwards. */
  dispatchableUpAvailableKw(_site: ResourceSite, _atMs: EpochMs): number {
    return 0;
  }

  /** kW of load that could be shed if it were asked for now. */
  reductionAvailableKw(_site: ResourceSite, _sku: Sku | null, _atMs: EpochMs): number {
    return 0;
  }

  /** Whether the site can take part in a delta at all, whatever its present state. */
  abstract takesDelta(site: ResourceSite, baselineKw: number, request: DeltaRequest): boolean;

  /** Whether all of it is left out of market products (docs/model/allocation.md#compatibility). */
  isOutsideMarkets(_sku: Sku | null): boolean {
    return false;
  }

  /** What limits `headroomKw`: an entry of `CAPABILITY_LIMIT`. */
  abstract capabilityLimit(site: ResourceSite, up: boolean): number;

  /** Whether anything here can respond to the frequency. */
  get canRespond(): boolean {
    return true;
  }

  /** kW that it can respond to one side of the baseline. */
  abstract fcrHeadroomKw(site: ResourceSite, query: FcrCapabilityQuery, up: boolean): number;

  /** kW to each side that stored energy sustains; `Infinity` without such a test. */
  fcrSustainableKw(_query: FcrCapabilityQuery): number {
    return Number.POSITIVE_INFINITY;
  }

  /** Whether stored energy limits the FCR capacity. */
  isFcrEnergyLimited(_query: FcrCapabilityQuery, _upKw: number, _downKw: number): boolean {
    return false;
  }

  /** Whether output control limits the FCR capacity downwards. */
  isFcrOutputControlled(_site: ResourceSite): boolean {
    return false;
  }
}
