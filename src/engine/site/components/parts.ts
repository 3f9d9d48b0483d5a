import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { BatterySpec } from "../../device/battery/batterySpec.ts";
import type { Trajectory } from "../../device/curve/trajectory.ts";
import type { Series } from "../../series/model/series.ts";
import type { MeteredBattery } from "../meters/batteryRegisters.ts";
import type { Load, Storage } from "./capabilities.ts";
import type { Segment } from "./segment.ts";
import type { OperatingConditions, ReplanMs, Setpoint } from "./setpoint.ts";

// What a site of several components asks of a component, by its role (docs/model/connection-point.md#composite). The class
// of a kind implements the interface of its role. All kW are magnitudes, except powers and set-points.

/** One of several components of a site, of any role. */
export interface Part {
  readonly spec: { readonly componentId: string };
  /** The set-point of an order to this component alone, in the terms of its role; `null`: none. */
  individualSetpointKw(baselineKw: number, deltaKw: number): number | null;
  planTrajectory(atMs: EpochMs, target: Setpoint, conditions: OperatingConditions): ReplanMs;
  segmentAt(atMs: EpochMs, out: Segment): void;
}

/** What the frequency response of a component reads. */
export interface RespondingComponent {
  readonly trajectory: Trajectory | null;
  readonly load: Load | null;
  readonly storage: Storage | null;
  segmentAt(atMs: EpochMs, out: Segment): void;
}

/** A part that takes its share of a delta in either direction, and may respond to the frequency. */
interface FlexiblePart extends Part, RespondingComponent {
  readonly trajectory: Trajectory;
  /** Power at the start of the present trajectory or at the last `advance`, without auxiliaries and natural demand. */
  readonly flowingKw: number;
  /** What it can take (`up`) or give now, the connection point left aside. @param outputLimitShare  0..1 */
  availableAsPartKw(up: boolean, outputLimitShare: number, atMs: EpochMs): number;
  /** What it can hold for so many hours; `Infinity` for 0 hours. */
  lastingKw(up: boolean, hours: number, atMs: EpochMs): number;
  /** Whether it is full (`up`) or empty. */
  isAtBound(up: boolean): boolean;
  readonly isFcrProvider: boolean;
  fcrHeadroomAsPartKw(up: boolean, outputLimitShare: number, atMs: EpochMs): number;
  /** What passes an energy test of so many hours. */
  sustainableKw(hours: number): number;
}

/** A store that idles at 0, shares a delta with the others in proportion to available power, and may hold the meter at a target. */
export interface StoragePart extends FlexiblePart, MeteredBattery {
  readonly spec: MeteredBattery["spec"] &
    Pick<BatterySpec, "componentId" | "importMaxKw" | "exportMaxKw" | "auxiliaryKw" | "rampKwPerS">;
  readonly storedKwh: number;
  /** Sets the power with which the first trajectory starts. */
  startAt(kw: number): void;
  socPctAt(atMs: EpochMs): number;
  /** What the cells can take (`up`) or give now. */
  capabilityKw(up: boolean): number;
  /** The same, whatever the bounds of the stored energy. */
  taperedKw(up: boolean): number;
  /** Whether `capabilityKw` changes with the stored energy within its bounds. */
  readonly hasTaper: boolean;
  /** Slope of `capabilityKw` at a power of the cells. */
  capabilityDrift(up: boolean, kw: number): CapabilityDrift;
}

export interface CapabilityDrift {
  readonly kwPerMs: number;
  /** How long the slope holds at any power, in ms; `Infinity` if always. */
  readonly validMs: number;
}

/** A part that takes what the stores leave of a delta, in the order of the components. */
export interface PlantPart extends FlexiblePart {
  /** Its demand without a set-point, from which set-points and limits then count; `null`: it idles at 0. */
  readonly naturalKw: Series | null;
  readonly naturalMaxKw: number;
  /** Whether it follows any set-point within its capability at once. */
  readonly followsAtOnce: boolean;
  isOutsideMarkets(sku: Sku | null): boolean;
  /** The part of a requested amount that it can take on now. */
  contributionKw(up: boolean, requestedKw: number, outputLimitShare: number, atMs: EpochMs): number;
}

/** A load that a reduction cuts, after stores and plants. Its set-point is the change of its demand. */
export interface LoadPart extends Part, Load {
  readonly spec: Load["spec"];
}

/** Generation that follows a series, exported as far as the connection point lets it. */
export interface VariablePart extends Part {
  readonly spec: { readonly componentId: string; readonly ratedOutputKw: number };
  /** Irradiance of its sensor, in W/m². */
  readonly irradiance: Series | null;
  /** Its power before output control, set-points and the other components. */
  readonly availableKw: Series;
  exportAvailableKw(atMs: EpochMs, outputLimitShare: number): number;
}
