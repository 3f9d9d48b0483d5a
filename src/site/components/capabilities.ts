import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import type { BatterySpec } from "../../device/battery/batterySpec.ts";
import type { Trajectory } from "../../device/curve/trajectory.ts";
import type { Series } from "../../series/model/series.ts";
import type { ReductionState } from "../orders/reductionState.ts";
import type { SiteCapability, SiteConstraints } from "../siteConstraints.ts";
import type { Rebound } from "../siteSnapshot.ts";
import type { LoadTerms } from "./operationFacet.ts";
import type { Segment } from "./segment.ts";

// What layers ask of a resource instead of its kind: capabilities, each of which a resource may lack.

/** The limiting factor of a member whose share was cut to its capability (docs/model/accounting.md#dispatch-layer). */
export const CAPABILITY_LIMIT = { none: 0, energy: 1, weather: 2, outputControl: 3, power: 4, otherAward: 5 } as const;

/** What a resource needs to know of its site to say what it can do. */
export interface ResourceSite {
  readonly spec: { readonly capability: SiteCapability; readonly constraints: SiteConstraints };
  /** Share of the rated output that may be exported, 0..1. */
  readonly outputLimit: number;
  readonly advancedToMs: EpochMs;
  readonly reduction: ReductionState;
  /** Whether an order in force reduces the load. */
  readonly isLoadReduced: boolean;
  /** The registered slot at an instant, in kW. */
  baselineSlotKwAt(atMs: EpochMs): number;
}

/** A delta that a site is asked for: the sign decides who can take part. */
export interface DeltaRequest {
  /** Sign of the delta; 0 has none (docs/model/allocation.md#zero-delta). */
  readonly direction: number;
  readonly sku: Sku | null;
}

/** The FCR capacity that a member is asked for, and the headroom that is reserved already. */
export interface FcrCapabilityQuery {
  readonly baselineKw: number;
  readonly atMs: EpochMs;
  /** kW that other awards hold of the headroom up and down, at least 0 (docs/model/capability.md#held-by-others). */
  readonly reservedUpKw: number;
  readonly reservedDownKw: number;
  /** How long a battery must be able to deliver the whole capacity to one side; 0: no such test. */
  readonly energyTestMinutes: number;
}

/** What demand response reduces: a load, or all loads of a site. */
export interface Reducible {
  /** A reduction begins or goes on. */
  beginReduction(): void;
  /** The reduction is over since `endMs`. */
  endReduction(endMs: EpochMs): void;
}

/** A load that demand response can reduce. */
export interface Load extends Reducible {
  readonly spec: LoadTerms;
  readonly demandKw: Series;
  /** What comes back of reductions that are over, under the present trajectory. */
  readonly rebounds: readonly Rebound[];
  /** The power without frequency response. */
  segmentWithoutResponseAt(atMs: EpochMs, out: Segment): void;
  /** The power without frequency response and without rebound. */
  segmentWithoutReboundAt(atMs: EpochMs, out: Segment): void;
  /** The frequency response alone. */
  responseSegmentAt(atMs: EpochMs, out: Segment): void;
}

/** Stored energy that a component's power fills and empties. */
export interface Storage {
  readonly spec: { readonly componentId: string };
  readonly trajectory: Trajectory;
  readonly storedKwh: number;
  /** Where the power is cut: full and empty. */
  readonly fullKwh: number;
  readonly emptyKwh: number;
  /** Half way between the bounds of operation. */
  readonly midpointKwh: number;
}

/** A battery that site/batch can carry on in flat loops. */
export interface BatchBattery {
  readonly spec: BatterySpec;
  storedKwh: number;
  /** Limits of the grid connection in kW. */
  readonly importLimitKw: number;
  readonly gridExportKw: number;
}
