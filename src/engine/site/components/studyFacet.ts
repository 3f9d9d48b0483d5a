import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { Series } from "../../series/model/series.ts";

/** Properties of an award that determine whether the only component of a site can take part. */
interface AwardTerms {
  readonly sku: Sku | null;
  readonly isUp: boolean;
  /** Whether the site's load may be reduced. */
  readonly isDrCapable: boolean;
}

/** Ratings of a storage whose energy changes by its set-points and efficiencies alone. */
export interface StorageRatings {
  readonly storedMinKwh: number;
  readonly storedMaxKwh: number;
  readonly initialKwh: number;
  readonly importMaxKw: number;
  readonly exportMaxKw: number;
  readonly chargeEfficiency: number;
  readonly dischargeEfficiency: number;
  readonly auxiliaryKw: number;
}

/** Operating range of a stored energy. */
export interface StoredRange {
  readonly storedMinKwh: number;
  readonly storedMaxKwh: number;
}

/** What went through the cells of a storage in a period, losses of the conversion apart. */
export interface CellTotals {
  readonly chargedKwh: number;
  readonly dischargedKwh: number;
  /** Stored energy, integrated over time. */
  readonly storedKwhMs: number;
  readonly lowestKwh: number;
  readonly highestKwh: number;
}

/** A storage that a plan moves: its power follows set-points at once, within bounds that depend on nothing else. */
export interface PlannableStorage {
  /** Without ageing. */
  readonly ratedKwh: number;
  readonly importMaxKw: number;
  readonly exportMaxKw: number;
  readonly chargeEfficiency: number;
  readonly dischargeEfficiency: number;
  /** At the start of the run; may lie outside the range. */
  readonly initialKwh: number;
  /** Whether the range changes, at local midnights. */
  readonly isAgeing: boolean;
  /** The range until the next change. */
  rangeKwh(): StoredRange;
  /** Continues the storage to an instant, at most the next local midnight. */
  advance(totals: CellTotals, atMs: EpochMs): void;
}

/** What a plan cannot represent. */
export type PlanObstacle = "no_battery" | "ramp" | "delay" | "taper" | "self_discharge" | "auxiliaries";

/** Study facet of a kind: bounds on the power of a component, and figures for the reference rules of weights. */
export interface ComponentStudyFacet<Spec> {
  /** Whether the specification is compatible with an award (docs/model/allocation.md#exclusion, docs/model/allocation.md#compatibility). */
  canParticipate(spec: Spec, award: AwardTerms): boolean;
  /** Upper bound on the power, in kW, import positive. */
  highestKw(spec: Spec): number;
  /** Upper bound in kW on the power that connection limits do not reduce: loads and auxiliaries. */
  highestUncontrolledKw(spec: Spec, fromMs: EpochMs, toMs: EpochMs): number;
  /**
   * Lower bound on the power, in kW, import positive, over a period between two adjacent samples of `drivingSeries`.
   */
  lowestKw(spec: Spec, fromMs: EpochMs, toMs: EpochMs): number;
  /** Generation or load series; `null` where set-points move the power within ratings. */
  drivingSeries(spec: Spec): Series | null;
  /** The larger of rated import and rated export, in kW. */
  ratedKw(spec: Spec): number;
  /** Usable storage capacity in kWh; without a storage, the energy of `longestHours` at rated power. */
  energyKwh(spec: Spec, longestHours: number): number;
  /** `null`: no storage, or a storage with delay, ramp or self-discharge. */
  idealStorage(spec: Spec): StorageRatings | null;
  /** A list: why there is none. */
  plannableStorage(spec: Spec): PlannableStorage | readonly PlanObstacle[];
}
