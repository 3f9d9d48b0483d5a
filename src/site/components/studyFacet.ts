import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Series } from "../../series/model/series.ts";

/** What of an award decides whether a component alone at its site can take part. */
export interface AwardTerms {
  readonly sku: Sku | null;
  readonly isUp: boolean;
  /** Whether the site's load may be reduced. */
  readonly isDrCapable: boolean;
}

/** A store whose energy moves by what it delivers and by nothing else. */
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

/** What a study needs of a kind: bounds on what a component can deliver, and figures for the reference rules of weights. */
export interface ComponentStudyFacet<Spec> {
  /** Whether ratings and products allow an award at all (docs/model/allocation.md#exclusion, docs/model/allocation.md#compatibility). */
  canParticipate(spec: Spec, award: AwardTerms): boolean;
  /** The most that it could draw, in kW. */
  highestKw(spec: Spec): number;
  /** The most that it could draw whatever the site's limit: a load and a battery's own consumption are never cut. */
  highestUncontrolledKw(spec: Spec, fromMs: EpochMs, toMs: EpochMs): number;
  /**
   * The least that it could draw, or the most that it could send as a negative number, at any instant of a period; between
   * two stamps of `drivingSeries`.
   */
  lowestKw(spec: Spec, fromMs: EpochMs, toMs: EpochMs): number;
  /** Generation or load; `null` where ratings alone decide. */
  drivingSeries(spec: Spec): Series | null;
  /** kW that it can move to either side, the larger one. */
  ratedKw(spec: Spec): number;
  /** kWh between the bounds of its store; without a store, what it delivers in so many hours at its rating. */
  energyKwh(spec: Spec, longestHours: number): number;
  /** `null`: no store, or one with dynamics of its own (delay, ramp, self-discharge). */
  idealStorage(spec: Spec): StorageRatings | null;
}
