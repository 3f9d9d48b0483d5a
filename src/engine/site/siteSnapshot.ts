import type { EpochMs } from "../../base/time.ts";
import type { FcrConfig } from "../device/frequency/frequencyResponse.ts";
import type { SiteBaseline } from "./baseline/siteBaseline.ts";
import type { FcrAllocation, Setpoint } from "./components/setpoint.ts";
import type { OrderBookEntry } from "./orders/siteOrder.ts";
import type { SiteMalfunctions } from "./siteMalfunctions.ts";

/** Settings of a site that an API client can change during the run; immutable. */
export interface SiteSettings {
  readonly baseline: SiteBaseline;
  readonly fcr: FcrConfig;
}

export const OUTPUT_CONTROL_REASONS = ["fit_curtailment", "non_firm_congestion", "manual", "other"] as const;
export type OutputControlReason = (typeof OUTPUT_CONTROL_REASONS)[number];

/** An output control in force: the output is limited to `limitPct` % of rated output. */
export interface OutputControl {
  readonly limitPct: number;
  readonly reason: OutputControlReason;
}

/** Additional load after a reduction, at constant power. */
export interface Rebound {
  readonly fromMs: EpochMs;
  readonly untilMs: EpochMs;
  readonly kw: number;
}

export const NO_REBOUNDS: readonly Rebound[] = [];

/**
 * The state at the start of a resource's trajectory. With the set-point, it suffices to plan exactly the same trajectory again.
 *
 * Filled by `captureState`, read by `restore`. Fields that a component kind does not have keep their defaults.
 */
export interface ResourceSnapshot {
  storedKwh: number;
  /** Power at the start of the trajectory in kW, without auxiliaries; of a consumer the shed load. */
  flowingKw: number;
  rebounds: readonly Rebound[];
  /** Power of a consumer's frequency response in kW. */
  responseKw: number;
  /** States and set-points of the components of a composite, in their order; `null` for a single component. */
  parts: readonly ComponentSnapshot[] | null;
  /** Further state of the kind, which is not changed afterwards. */
  ownState?: object | null;
}

export interface ComponentSnapshot extends Readonly<Omit<ResourceSnapshot, "parts">> {
  /** Set-point in effect and set-point sent last, in kW; NaN without one. */
  readonly kw: number;
  readonly setpointKw: number;
  /** Present if the component has a set-point of its own. */
  readonly own?: true;
  /** FCR allocation in effect. */
  readonly response: FcrAllocation | null;
}

export const newResourceSnapshot = (): ResourceSnapshot => ({
  storedKwh: 0,
  flowingKw: 0,
  rebounds: NO_REBOUNDS,
  responseKw: 0,
  parts: null,
  ownState: null,
});

/** The state of a site at the start of one of its trajectories. */
export interface SiteSnapshot {
  readonly atMs: EpochMs;
  readonly isInService: boolean;
  readonly isReducing: boolean;
  /** The active orders, oldest registration first. */
  readonly activeOrders: readonly OrderBookEntry[];
  /** The set-point in effect if a newer one was pending; else `null`. */
  readonly outdatedSetpoint: Setpoint | null;
  readonly outputControls: readonly OutputControl[];
  /** Whether an FCR fault was active. */
  readonly hasFcrFault: boolean;
  /** `null` if no client had changed a setting. */
  readonly clientSettings: SiteSettings | null;
  readonly malfunctions: SiteMalfunctions;
  readonly resource: ResourceSnapshot;
}
