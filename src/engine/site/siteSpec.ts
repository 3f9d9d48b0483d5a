import type { EpochMs } from "../../base/time.ts";
import type { FcrConfig } from "../device/frequency/frequencyResponse.ts";
import type { Series } from "../series/model/series.ts";
import type { Owner } from "./components/componentKind.ts";
import { type ComponentSpec, kindOf } from "./components/registry.ts";
import type { SiteCapability, SiteConstraints } from "./siteConstraints.ts";

/** A grid connection point of a scenario, with all defaults filled in. */
export interface SiteSpec {
  readonly name: string;
  /** 32 lowercase hex digits. */
  readonly emsId: string;
  readonly capability: SiteCapability;
  readonly constraints: SiteConstraints;
  readonly components: readonly ComponentSpec[];
  readonly baseline: BaselineSpec;
  /** Absent: none, as of `owner`. */
  readonly baselineError?: BaselineErrorSpec | undefined;
  readonly fcr: FcrConfig;
  readonly outages: StochasticOutages | null;
  readonly link: LinkSpec;
  /** How a multi-component site uses its battery (docs/model/connection-point.md#control-mode). */
  readonly control: "open" | "track";
  readonly maintenance: readonly Period[];
  /** Absent: by its components (`ownerOf`); so the digest of scenarios without the key stays the same. */
  readonly owner?: Owner | undefined;
}

/** Whose the site is: as the scenario says, else the aggregator's if it has nothing but batteries. @see docs/model/money.md#owner */
export const ownerOf = ({ owner, components }: SiteSpec): Owner =>
  owner ??
  (components.every((component) => kindOf(component).accounting.owner === "aggregator") ? "aggregator" : "customer");

/**
 * The site's own plan. `plan` is a series of kW, import positive; for a consumer the site computes the 30-minute means. `zero`
 * registers no slots for a consumer (docs/model/baselines.md#registered-slots). Plans from past days and from a clear sky are
 * computed by the scenario loader, which has the calendar, the holidays and the demand response days.
 */
export type BaselineSpec =
  | { readonly method: "zero" }
  | { readonly method: "constant"; readonly kw: number }
  | { readonly method: "series"; readonly plan: Series }
  | { readonly method: "high_4_of_5" | "average_of_days" | "capacity_factor"; readonly plan: Series }
  | { readonly method: "perfect" };

/** A random error of the slots that a site reports (docs/model/baselines.md#error). */
export interface BaselineErrorSpec {
  readonly biasKw: number;
  /** Standard deviation. */
  readonly spreadKw: number;
  /** Errors that are so far apart have the correlation 1/e. 0: none is correlated with another one. */
  readonly correlationMs: number;
}

/** Exponential up and repair times, means in milliseconds (docs/model/connection-point.md#stochastic-outages). */
export interface StochasticOutages {
  readonly meanUpMs: number;
  readonly meanRepairMs: number;
}

interface LinkSpec {
  /** 0..1, drawn for each delivery attempt. */
  readonly lossProbability: number;
  readonly latencyMs: number;
}

/** The period of a run, with what its random streams depend on. */
export interface RunPeriod extends Period {
  readonly seed: number;
  /** Start of the scenario, even if only a part of it runs. */
  readonly streamsFromMs: EpochMs;
}

/** Half-open: `startMs <= t && t < endMs`. */
export interface Period {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}
