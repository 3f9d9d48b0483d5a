import type { EpochMs } from "../base/time.ts";
import type { WorldSpec } from "../engine/simulation/worldSpec.ts";
import type { ComponentTable, ComponentTableRow } from "../engine/site/components/tableFacet.ts";
import type { Kpis } from "./kpis/kpiRegistry.ts";
import type { EnergyTrade } from "./ledger/energyTrade.ts";
import type { SiteMoneyRow } from "./ledger/moneyRows.ts";
import type { Bins, Envelope } from "./recorders/envelope.ts";
import type { MissingArea } from "./recorders/missingAreas.ts";
import type { Polyline } from "./recorders/polyline.ts";
import type { EnergySums } from "./recorders/powerSums.ts";
import type { TradedHours } from "./recorders/tradedHours.ts";
import type { AwardRow } from "./settlement/awardRows.ts";
import type { Cause } from "./settlement/causes.ts";
import type { AwardTotals } from "./settlement/totalsUntil.ts";
import type { SiteRow } from "./siteRow.ts";

/** Power of one VPP over the run, for charts; signed kW. */
export interface VppTimeline {
  readonly vpp: string;
  /** Requested by delta awards and instructions. */
  readonly requestedKw: Polyline;
  /** Delivered by the members dispatched for them. */
  readonly deliveredKw: Polyline;
  /** Of the delivered power. */
  readonly delivered: Envelope;
  readonly energy: EnergySums;
  /** Requested, but not allocated to a member or not delivered by it. */
  readonly missing: readonly MissingArea[];
}

/** Power and state of charge of one site over the run, for charts. */
export interface SiteCurves {
  readonly site: string;
  /** The baseline plus the dispatched change of power. */
  readonly setpointKw: Polyline;
  readonly powerKw: Polyline;
  readonly baselineKw: Polyline;
  /** Empty for a site without storage. */
  readonly socPct: Polyline;
}

/** A period in which output control limited the output of a site to less than its rating. */
export interface OutputControlSpan {
  readonly site: string;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly limitPct: number;
}

/** State of charge of each battery, as a curve, in bins, and as means of hours where there are few batteries. */
export interface SocTimeline {
  readonly batteries: readonly {
    readonly site: string;
    readonly componentId: string;
    readonly socPct: Polyline;
    readonly envelope: Envelope;
    readonly hours: Envelope | null;
  }[];
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

/**
 * One event of a run: a row of the events table, or `started` and `ended` of an instruction with what is uncovered
 * (`started`) or why it ended (`ended`; empty at its scheduled end).
 */
export interface RunEvent {
  readonly atMs: EpochMs;
  readonly kind: string;
  /** Site, award, VPP or request. */
  readonly subject: string;
  readonly detail: string;
}

/** Shortfall of one site over the run, summed over the executed awards and instructions. */
export interface SiteShortfall {
  readonly site: string;
  /** One per cause, in the order of CAUSES. */
  readonly byCauseKwh: Float64Array;
}

/** The table that a kind of component adds to a report. */
export interface KindTable {
  readonly layout: KindTableLayout;
  /** In the order of the sites. */
  readonly rows: readonly { readonly site: string; readonly cells: ComponentTableRow }[];
}

type KindTableLayout = Omit<ComponentTable<never>, "rows">;

/** Sums over awards as they are printed, to three decimals; positive in the direction of the request. */
export interface PrintedTotals extends Omit<AwardTotals, "penaltyJpy"> {
  /** `null`: no award has a penalty. */
  readonly penaltyJpy: number | null;
}

/** What happened before a session opened, apart from what happened in it; both add up to the key figures of the run. */
export interface SessionShare {
  /** Start of the session, after the start of the run. */
  readonly openedMs: EpochMs;
  readonly before: PrintedTotals;
  readonly within: PrintedTotals;
  /** Awards that were executed before the session opened and after it, in the order of the awards. */
  readonly divided: readonly DividedAward[];
}

/** Shortfall of an award in kWh, at least 0. */
interface DividedAward {
  readonly awardId: string;
  readonly beforeKwh: number;
  readonly withinKwh: number;
  /** In the order of CAUSES; empty where the award was not being executed when the session opened. */
  readonly causes: readonly DividedCause[];
}

/** Shortfall of a cause in kWh, at least 0. */
export interface DividedCause {
  readonly cause: Cause;
  readonly beforeKwh: number;
  readonly withinKwh: number;
}

/** Result of a finished run, without the bulk tables. */
export interface RunRecord extends Pick<WorldSpec, "investment" | "currency"> {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Of all envelopes of the run. */
  readonly bins: Bins;
  readonly kpis: Kpis;
  readonly awards: readonly AwardRow[];
  /** `null`: no session opened within the run. */
  readonly session: SessionShare | null;
  readonly sites: readonly SiteRow[];
  /** What no site bears; `null`: nothing. */
  readonly siteless: SiteMoneyRow | null;
  /** `null`: there is no market price. */
  readonly trade: EnergyTrade | null;
  readonly timelines: readonly VppTimeline[];
  /** `null` without a market price. */
  readonly traded: TradedHours | null;
  readonly soc: SocTimeline;
  readonly siteCurves: readonly SiteCurves[];
  readonly outages: readonly OutageSpan[];
  /** In the order in which they occurred; empty unless the recording options include the chronology. */
  readonly events: readonly RunEvent[];
  /** Sites with a shortfall, in the order of the sites. */
  readonly siteShortfalls: readonly SiteShortfall[];
  readonly outputControls: readonly OutputControlSpan[];
  /** By start, then in the order of the sites. */
  readonly reductions: readonly ReductionRow[];
  /** Tables of the kinds of components that have one, by kind; empty without them. */
  readonly componentTables: readonly KindTable[];
  readonly warnings: readonly string[];
}
