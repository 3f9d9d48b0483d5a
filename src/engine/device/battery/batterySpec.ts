import type { EpochMs } from "../../../base/time.ts";
import type { AgeingConditions } from "./batteryAgeing.ts";

/** Ratings and model of one battery; units in the names. Fractions are 0..1, percentages 0..100. @see docs/model/battery.md */
export interface BatterySpec {
  readonly kind: "battery";
  readonly componentId: string;
  readonly fcrCapable: boolean;
  /** kWh between 0 % and 100 % state of charge. */
  readonly ratedCapKwh: number;
  readonly importMaxKw: number;
  readonly exportMaxKw: number;
  readonly socOpMinPct: number;
  readonly socOpMaxPct: number;
  readonly initialSocPct: number;
  readonly chargeEfficiency: number;
  readonly dischargeEfficiency: number;
  readonly selfDischargePctPerDay: number;
  readonly auxiliaryKw: number;
  readonly responseDelayMs: number;
  /** `null`: instant. */
  readonly rampKwPerS: number | null;
  /** Sorted by `socPct`, linear between points, flat outside; `null`: no taper. */
  readonly powerTaper: readonly TaperPoint[] | null;
  /** Absent: the capacity does not change. */
  readonly ageing?: BatteryAgeingSpec;
}

/** How a battery loses capacity (docs/model/battery.md#ageing). Losses are fractions of the rated capacity. */
export interface BatteryAgeingSpec extends AgeingConditions {
  readonly initialCalendarLoss: number;
  readonly initialCycleLoss: number;
  /** The run. */
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Local midnights within the run, at which the capacity is updated. */
  readonly updatesMs: readonly EpochMs[];
}

export interface TaperPoint {
  readonly socPct: number;
  readonly importFraction: number;
  readonly exportFraction: number;
}
