import type { SiteRow } from "../siteRow.ts";

/** Empty: a number of things, or a ratio. */
export type KpiUnit = "kW" | "kWh" | "%" | "JPY" | "";

/** What a run must contain for the figure to say something; a page leaves the tile out otherwise. */
export type KpiBasis = "sites" | "awards" | "requested energy" | "delta awards" | "FCR awards" | "prices";

/**
 * One key figure. All of them are in summary.json, in the report's table, in comparisons and in studies, where each may be an
 * objective, a constraint or a column; `shows` has the places that show a selection.
 */
export interface Kpi {
  /** In files and studies, unit last. */
  readonly name: string;
  readonly unit: KpiUnit;
  readonly label: string;
  /** One sentence for a reader of the report. */
  readonly meaning: string;
  /** On screen; files have three. */
  readonly decimals: number;
  /** Of which a study's Pareto front wants less or more; `neutral` figures describe the run and do not judge it. */
  readonly direction: "less" | "more" | "neutral";
  readonly basis: KpiBasis;
  readonly shows: {
    /** Rank among the tiles of the report's first screen; `null`: no tile. */
    readonly headline: number | null;
    /** Rank among the lines that `vppsim run` prints; `null`: no line of its own. */
    readonly terminal: number | null;
    /** Named in a study's recommendation when the best candidate makes it worse. */
    readonly sideEffect: boolean;
  };
  /** `null`: nothing to judge by. */
  readonly compute: (context: KpiContext) => number | null;
}

/** What key figures are computed from. */
export interface KpiContext {
  readonly awards: AwardSums;
  readonly sites: readonly SiteRow[];
  readonly totals: RunTotals;
}

/** Sums over the awards and instructions that overlap the run. */
export interface AwardSums {
  readonly count: number;
  readonly fullyCovered: number;
  readonly refused: number;
  readonly uncoveredKwMax: number;
  readonly fcrUncoveredKwMax: number;
  readonly uncoveredKwh: number;
  readonly shortfallKwh: number;
  readonly excessKwh: number;
  readonly requestedKwh: number;
  readonly deliveredKwh: number;
  readonly assessedMs: number;
  readonly inBandMs: number;
  /** `null` where no award has a price, or a penalty. */
  readonly revenueJpy: number | null;
  readonly penaltyJpy: number | null;
}

/** Sums of a run that no row shows. */
export interface RunTotals {
  /** Cell-side discharge of all batteries and their rated capacity, in kWh. */
  readonly cellDischargeKwh: number;
  readonly ratedCapKwh: number;
  /** `null` without an energy price. */
  readonly energyCostJpy: number | null;
}
