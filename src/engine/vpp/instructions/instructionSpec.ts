import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { Series } from "../../series/model/series.ts";

export type NumberOrSeries = number | Series;

/** The source of a request: an entry of the scenario or an API request during the run. */
interface RequestSource {
  /** Set for an API request. */
  readonly isFromApi?: true;
}

export interface AwardSpec extends RequestSource {
  readonly awardId: string;
  /** Index into the world's VPPs. */
  readonly vpp: number;
  readonly sku: Sku | null;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly registeredMs: EpochMs;
  /** `null` for FCR. */
  readonly deltaKw: number | null;
  readonly fcrResponseKw: number | null;
  readonly compoundBreakdown: Readonly<Record<string, number>> | null;
  readonly activation: NumberOrSeries;
  readonly capacityPriceJpyPerKwHour: NumberOrSeries | null;
  readonly priceJpyPerKwh: NumberOrSeries | null;
  readonly penaltyJpyPerKwh: NumberOrSeries | null;
}

export interface InstructionSpec extends RequestSource {
  readonly awardId: string;
  readonly vpp: number;
  readonly sku: Sku | null;
  readonly atMs: EpochMs;
  readonly durationMs: number;
  readonly deltaKw: number | null;
  readonly fcrResponseKw: number | null;
  readonly compoundBreakdown: Readonly<Record<string, number>> | null;
}

export type InstructionOrigin = AwardSpec | InstructionSpec;
