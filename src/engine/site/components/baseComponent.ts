import type { EpochMs } from "../../../base/time.ts";
import type { Trajectory } from "../../device/curve/trajectory.ts";
import { isSameFcrSetpoint } from "../frequency/fcrSetpoint.ts";
import { BaseResource } from "./baseResource.ts";
import { CAPABILITY_LIMIT, type Load, type ResourceSite, type Storage } from "./capabilities.ts";
import type { Setpoint } from "./setpoint.ts";

/** Base class of all components of a running simulation, with the defaults of a component without load and storage. */
export abstract class BaseComponent extends BaseResource {
  /** Role in a composite site (docs/model/connection-point.md#composite); `alone`: only as the one component of a site. */
  abstract readonly role: "storage" | "plant" | "load" | "variable" | "alone";
  /** The planned trajectory; `null` where the power follows a series. */
  abstract readonly trajectory: Trajectory | null;

  /** Only a site of several components has a composite. */
  get composite(): null {
    return null;
  }

  get load(): Load | null {
    return null;
  }

  get hasLoad(): boolean {
    return this.load !== null;
  }

  loads(): readonly Load[] {
    return this.load === null ? [] : [this.load];
  }

  get hasUncontrolledLoad(): boolean {
    return this.hasLoad;
  }

  /** Energy storage; `null` without one. */
  get storage(): Storage | null {
    return null;
  }

  isSetpointChange(a: Setpoint, b: Setpoint): boolean {
    if (a.isInstructed !== b.isInstructed || !isSameFcrSetpoint(a.fcr, b.fcr)) return true;
    return a.baselineKw + a.deltaKw !== b.baselineKw + b.deltaKw;
  }

  individualSetpointKw(baselineKw: number, deltaKw: number): number | null {
    return baselineKw + deltaKw;
  }

  /** Export power available now, in kW, at least 0. */
  abstract exportAvailableKw(atMs: EpochMs, outputLimitShare: number): number;

  /** Set-point ceiling: the highest power that an instruction can request now, in kW, import positive. */
  abstract maxSetpointKw(): number;

  /** Whether output control is the limiting factor of export, rather than the device or the connection point. */
  isOutputControlled(_atMs: EpochMs, _outputLimitShare: number): boolean {
    return false;
  }

  /** Whether the storage is full (`up`) or empty, so that it cannot charge or discharge any further. */
  isAtBound(_up: boolean): boolean {
    return false;
  }

  headroomKw(site: ResourceSite, baselineKw: number, up: boolean, atMs: EpochMs, hours = 0): number {
    const lastingKw = this.lastingKw(up, hours, atMs);
    if (up) return Math.max(0, Math.min(this.maxSetpointKw(), lastingKw) - baselineKw);
    return Math.max(0, Math.min(this.gridExportAvailableKw(site, atMs), lastingKw) + baselineKw);
  }

  /**
   * Import (`up`) or export in kW that the store can hold for so many hours; `Infinity` for 0 hours and without a store
   * (docs/model/allocation.md#energy-aware).
   */
  lastingKw(_up: boolean, _hours: number, _atMs: EpochMs): number {
    return Number.POSITIVE_INFINITY;
  }

  gridExportAvailableKw(site: ResourceSite, atMs: EpochMs): number {
    return site.spec.capability.reverseFlowAllowed ? this.exportAvailableKw(atMs, site.outputLimitShare) : 0;
  }

  capabilityLimit(site: ResourceSite, up: boolean): number {
    if (!up && !site.spec.capability.reverseFlowAllowed) return CAPABILITY_LIMIT.power;
    if (this.isAtBound(up)) return CAPABILITY_LIMIT.energy;
    return !up && this.isOutputControlled(site.advancedToMs, site.outputLimitShare)
      ? CAPABILITY_LIMIT.outputControl
      : CAPABILITY_LIMIT.power;
  }

  override isFcrOutputControlled(site: ResourceSite): boolean {
    return this.isOutputControlled(site.advancedToMs, site.outputLimitShare);
  }
}
