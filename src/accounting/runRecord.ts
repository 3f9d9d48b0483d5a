import type { RefusalKind } from "../base/result.ts";
import type { Sku } from "../base/sku.ts";
import type { EpochMs } from "../base/time.ts";
import type { ComponentTable, ComponentTableRow } from "../site/components/tableFacet.ts";
import type { Kpis } from "./kpis/kpiRegistry.ts";
import type { Cause } from "./settlement/causes.ts";
import type { SiteRow } from "./siteRow.ts";

export type AwardState = "pending" | "running" | "completed" | "overwritten" | "deleted" | "refused";

/** Frequency response of one award; `null`: not executed. */
export interface FcrFigures {
  /** Requested two-sided FCR capacity in kW, at least 0. */
  readonly responseKw: number;
  /** Uncovered FCR capacity at the start of the first piece, at least 0. */
  readonly uncoveredKw: number | null;
  /** Energy of the response above and below the baselines, both at least 0. */
  readonly activatedUpKwh: number | null;
  readonly activatedDownKwh: number | null;
  /** Minutes at a storage bound while the capacity was in force, summed over the members. */
  readonly minutesAtBound: number | null;
  /** Mean over the executed time of the members' |response|, summed over the members, in kW. */
  readonly meanResponseKw: number | null;
  /** One per cause; sums to `uncoveredKw`. */
  readonly uncoveredByCauseKw: Float64Array;
}

/** Result of one award or immediate instruction. kW and kWh carry the request's sign; shortfall and excess do not. */
export interface AwardRow {
  readonly awardId: string;
  readonly kind: "award" | "instruction";
  readonly vpp: string;
  readonly sku: Sku | null;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Delta in kW, or the two-sided capacity of an FCR award (at least 0). */
  readonly requestedKw: number;
  /** Frequency response alone: no kWh are requested, and the uncovered kW are FCR capacity. */
  readonly isFcr: boolean;
  /** `null` for an award without frequency response; a compound may have both. */
  readonly fcr: FcrFigures | null;
  /** Snapshot of the first executed piece; `null` when nothing was executed inside the run. */
  readonly uncoveredKw: number | null;
  readonly requestedKwh: number | null;
  readonly deliveredKwh: number | null;
  readonly shortfallKwh: number | null;
  readonly excessKwh: number | null;
  readonly compliancePct: number | null;
  readonly executedMinutes: number;
  readonly state: AwardState;
  readonly overwrittenBy: string | null;
  readonly errorType: RefusalKind | null;
  /** One per cause, in the order of CAUSES; sums to `shortfallKwh`. */
  readonly shortfallByCauseKwh: Float64Array;
  /** One per cause; sums to |uncoveredKw|. */
  readonly uncoveredByCauseKw: Float64Array;
  /** The members with the largest shortfall, largest first, at most three. */
  readonly topContributors: readonly { readonly site: string; readonly cause: Cause; readonly kwh: number }[];
}

/** Mean power of one VPP in equal bins of time, for pictures. All arrays: one value per bin. */
export interface VppTimeline {
  readonly vpp: string;
  /** Start of each bin; the last bin ends at `endMs`. */
  readonly binStartMs: Float64Array;
  readonly endMs: EpochMs;
  /** Mean kW requested by delta awards and instructions, signed. */
  readonly requestedKw: Float64Array;
  /** Mean kW delivered by the members dispatched for them, signed. */
  readonly deliveredKw: Float64Array;
}

/** State of charge at the bin starts of the timelines and at the end: one row per battery. */
export interface SocTimeline {
  readonly atMs: Float64Array;
  readonly batteries: readonly { readonly site: string; readonly componentId: string; readonly socPct: Float64Array }[];
}

/** A period in which a site was out of service (planned or not). */
export interface OutageSpan {
  readonly site: string;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly planned: boolean;
}

/**
 * One reduction of a site's load, from its dispatch until its release or an outage; contiguous awards of one product
 * form one row (docs/model/consumer.md#contiguous). Energy counts the time in service only, import positive.
 */
export interface ReductionRow {
  readonly site: string;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Largest dispatched reduction, at least 0. */
  readonly requestedKw: number;
  /** Reported load without the reduction, and actual load. */
  readonly baselineKwh: number;
  readonly actualKwh: number;
  /** Energy below the baseline; the rows of a site sum to its `drDeliveredKwh`. */
  readonly deliveredKwh: number;
  /** Additional load afterwards, as far as the end of the run, outages and the maximum demand allow it. */
  readonly reboundKwh: number;
}

/** The table that a kind of component adds to a report. */
export interface KindTable {
  readonly layout: KindTableLayout;
  /** In the order of the sites. */
  readonly rows: readonly { readonly site: string; readonly cells: ComponentTableRow }[];
}

type KindTableLayout = Omit<ComponentTable<never>, "rows">;

/** Result of a finished run, without the bulk tables. */
export interface RunRecord {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly kpis: Kpis;
  readonly awards: readonly AwardRow[];
  readonly sites: readonly SiteRow[];
  readonly timelines: readonly VppTimeline[];
  readonly soc: SocTimeline;
  readonly outages: readonly OutageSpan[];
  /** By start, then in the order of the sites. */
  readonly reductions: readonly ReductionRow[];
  /** Tables of the kinds of components that have one, by kind; empty without them. */
  readonly componentTables: readonly KindTable[];
  readonly warnings: readonly string[];
}
