import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { Trajectory } from "../../device/curve/trajectory.ts";
import type { Series } from "../../series/model/series.ts";
import type { SiteCapability } from "../siteConstraints.ts";
import type { Rebound } from "../siteSnapshot.ts";
import type { BatteryStore } from "./battery/batteryStore.ts";
import type { Segment } from "./segment.ts";

/** Limits of the demand response of a load. */
export interface LoadTerms {
  readonly componentId: string;
  readonly drCapable: boolean;
  readonly contractKw: number;
  readonly maxDemandKw: number;
  readonly minDrReductionKw: number;
  readonly maxDrReductionKw: number;
  readonly minDrDurationMs: number;
  readonly minDrCooldownMs: number;
}

/** Operation facet of a kind: figures that depend on the specification alone. */
export interface ComponentOperationFacet<Spec> {
  /** Delay from a set-point to its effect. */
  responseDelayMs(spec: Spec): number;
  /** Rated import and export power, in kW (docs/model/frequency-response.md#rated-power). */
  ratedImportKw(spec: Spec): number;
  ratedExportKw(spec: Spec): number;
  /** Whether it provides frequency response as one of several components. */
  readonly respondsAsPart: boolean;
  /** Limits of its demand response; `null`: not a load. */
  loadTerms(spec: Spec): LoadTerms | null;
  /** Constant auxiliary import, in kW. */
  auxiliaryKw(spec: Spec): number;
  /** Power without any instruction and without auxiliaries, in kW, import positive. @param siteExportMaxKw  `Infinity`: no limit */
  uncontrolledKw(spec: Spec, siteExportMaxKw: Series | number): Series | number;
}

/** The demand response in force at a consumer, and the end of the last one. */
export interface ReductionState {
  reducing: boolean;
  sku: Sku | null;
  endedMs: EpochMs;
}

// Optional capabilities of a resource. Upper layers test for a capability, not for a component kind.

/** Limiting factor of a member whose share was reduced to its capability (docs/model/accounting.md#dispatch-layer). */
export const CAPABILITY_LIMIT = { none: 0, energy: 1, weather: 2, outputControl: 3, power: 4, otherAward: 5 } as const;

/** State of a site from which a resource computes its capability. */
export interface ResourceSite {
  readonly spec: { readonly capability: SiteCapability };
  /** Share of the rated output that may be exported, 0..1. */
  readonly outputLimitShare: number;
  readonly advancedToMs: EpochMs;
  readonly reduction: ReductionState;
  /** Whether an active order reduces the load. */
  readonly isLoadReduced: boolean;
  /** The registered slot at an instant, in kW. */
  baselineSlotKwAt(atMs: EpochMs): number;
}

/** A delta requested from a site: the properties that determine which members can take part. */
export interface DeltaRequest {
  /** Sign of the delta; 0 has none (docs/model/allocation.md#zero-delta). */
  readonly direction: number;
  readonly sku: Sku | null;
}

/** Conditions under which the FCR capacity of a member is determined. */
export interface FcrCapabilityQuery {
  readonly baselineKw: number;
  readonly atMs: EpochMs;
  /** Headroom up and down that is reserved for other awards, in kW, at least 0 (docs/model/capability.md#held-by-others). */
  readonly reservedUpKw: number;
  readonly reservedDownKw: number;
  /** How long a battery must be able to deliver the whole capacity in one direction; 0: no energy test. */
  readonly energyTestMinutes: number;
}

/** Target of demand response: a load, or all loads of a site. */
export interface Reducible {
  /** Begins a reduction, or continues the present one. */
  beginReduction(): void;
  /** Ends the reduction as of `endMs`. */
  endReduction(endMs: EpochMs): void;
}

/** A load that demand response can reduce. */
export interface Load extends Reducible {
  readonly spec: LoadTerms;
  readonly demandKw: Series;
  /** Rebounds of past reductions that are part of the present trajectory. */
  readonly rebounds: readonly Rebound[];
  /** The power without frequency response. */
  segmentWithoutResponseAt(atMs: EpochMs, out: Segment): void;
  /** The power without frequency response and without rebound. */
  segmentWithoutReboundAt(atMs: EpochMs, out: Segment): void;
  /** The frequency response alone. */
  responseSegmentAt(atMs: EpochMs, out: Segment): void;
}

/** A battery whose power is constant between two events, behind a connection point of its own. */
export interface ConstantPowerBattery {
  readonly store: BatteryStore;
  /** `planTrajectory` for a constant target in service, without output control. @returns whether constant power applies */
  planConstantPower(targetKw: number, atMs: EpochMs): boolean;
}

/** Energy storage of a component. */
export interface Storage {
  readonly spec: { readonly componentId: string };
  readonly trajectory: Trajectory;
  readonly storedKwh: number;
  /** Bounds of the stored energy, in kWh: charging stops at `fullKwh`, discharging at `emptyKwh`. */
  readonly fullKwh: number;
  readonly emptyKwh: number;
  /** Midpoint of the operating range, in kWh. */
  readonly midpointKwh: number;
}
