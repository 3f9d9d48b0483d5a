import type { EpochMs } from "../base/time.ts";
import type { FcrAllocation, Setpoint } from "./components/setpoint.ts";
import type { OrderBookEntry } from "./orders/siteOrder.ts";
import type { SiteSettings } from "./siteSettings.ts";

/** An output control in force, `outputLimitPct` of rated output. */
export interface OutputControl {
  readonly limitPct: number;
  readonly reason: "fit_curtailment" | "non_firm_congestion" | "manual" | "other";
}

/** A load that comes back evenly after a reduction. */
export interface Rebound {
  readonly fromMs: EpochMs;
  readonly untilMs: EpochMs;
  readonly kw: number;
}

export const NO_REBOUNDS: readonly Rebound[] = [];

/**
 * What a unit's law grew out of, beside what it was told: enough to plan the same law again, to the last bit.
 *
 * Filled by `captureState`, taken back by `recall`; a kind leaves alone what it does not have.
 */
export interface ResourceSnapshot {
  storedKwh: number;
  /** Power that flowed when the law began, without auxiliaries; of a consumer the load that was shed. */
  flowingKw: number;
  rebounds: readonly Rebound[];
  /** Of a consumer, what its frequency response moved. */
  responseKw: number;
  /** Of several components: each one's own, in their order, with what it follows; `null` for one. */
  parts: readonly ComponentSnapshot[] | null;
}

export interface ComponentSnapshot {
  readonly storedKwh: number;
  readonly flowingKw: number;
  readonly rebounds: readonly Rebound[];
  readonly responseKw: number;
  /** Amount in effect, and the one it was told; NaN where it goes its own way. */
  readonly kw: number;
  readonly toldKw: number;
  /** It was told that by itself. */
  readonly own?: true;
  /** How it answers the frequency, in effect. */
  readonly response: FcrAllocation | null;
}

export const newResourceSnapshot = (): ResourceSnapshot => ({
  storedKwh: 0,
  flowingKw: 0,
  rebounds: NO_REBOUNDS,
  responseKw: 0,
  parts: null,
});

/** A site as it was when one of its laws began. */
export interface SiteSnapshot {
  readonly atMs: EpochMs;
  readonly isInService: boolean;
  readonly isReducing: boolean;
  /** The orders that ruled, oldest registration first. */
  readonly activeOrders: readonly OrderBookEntry[];
  /** What the plant followed where a change was on its way to it; `null`: what it was told. */
  readonly outdatedSetpoint: Setpoint | null;
  readonly outputControls: readonly OutputControl[];
  /** Whether a fault kept it from responding to the frequency. */
  readonly hasFcrFault: boolean;
  /** What clients had set; `null`: nothing, the scenario's holds. */
  readonly clientSettings: SiteSettings | null;
  readonly resource: ResourceSnapshot;
}
