import type { Series } from "../../series/model/series.ts";

export const CONSUMER_KINDS = [
  "factory",
  "commercial",
  "residential_aggregate",
  "data_center",
  "cold_storage",
  "ev_charging",
  "other",
] as const;
export type ConsumerKind = (typeof CONSUMER_KINDS)[number];

/** A load that can be reduced. @see docs/model/consumer.md#load */
export interface ConsumerSpec {
  readonly kind: "consumer";
  readonly componentId: string;
  readonly consumerKind: ConsumerKind;
  readonly fcrCapable: boolean;
  readonly contractKw: number;
  readonly maxDemandKw: number;
  readonly drCapable: boolean;
  readonly minDrReductionKw: number;
  readonly maxDrReductionKw: number;
  readonly minDrDurationMs: number;
  readonly minDrCooldownMs: number;
  /** Undisturbed demand in kW, at least 0; the device cuts it at `maxDemandKw`. */
  readonly loadKw: Series;
  readonly responseDelayMs: number;
  /** `null`: instant. */
  readonly rampKwPerS: number | null;
  readonly reboundFraction: number;
  readonly reboundMs: number;
  readonly control: "drop_by" | "track";
  /** Shed power per requested reduction, 0 to 2. Absent: 1. */
  readonly deliveryRatio?: number | undefined;
}
