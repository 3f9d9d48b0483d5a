import type { Currency } from "../../base/currency.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Figures } from "../settlement/awardAccount.ts";
import type { SiteRow } from "../siteRow.ts";
import type { InvestmentFigures } from "./investment.ts";

/** Empty: a number of things, or a ratio. `JPY`, and `currency` of a settlement: the currency of the run. */
type KpiUnit = "kW" | "kWh" | "%" | "JPY" | "currency" | "a" | "";

/** What a run must contain for the figure to say something; a page leaves the tile out otherwise. */
type KpiBasis =
  | "sites"
  | "awards"
  | "requested energy"
  | "delta awards"
  | "FCR awards"
  | "prices"
  | "settlement"
  | "investment"
  | "EV sessions"
  | "battery ageing";

/** Number, text, or instant in epoch ms; `null`: nothing to judge by. */
export type KpiValue = number | string | null;

/** What every figure has; its label and meaning are in the catalogue of texts. All of them are in summary.json, in the report's table and in comparisons. */
interface KpiEntry {
  /** In files and studies, unit last. */
  readonly name: string;
  readonly basis: KpiBasis;
}

/**
 * A figure that is a number. In studies it may be an objective, a constraint or a column; `shows` has the places that show
 * a selection.
 */
export interface NumericKpi extends KpiEntry {
  readonly kind: "number";
  readonly unit: KpiUnit;
  /** On screen; files have three. */
  readonly decimals: number;
  /** Which values are better; `neutral` figures describe the run and do not judge it. */
  readonly direction: "less" | "more" | "neutral";
  readonly shows: {
    /** Rank among the tiles of the report's first screen; `null`: no tile. */
    readonly headline: number | null;
    /** Rank among the lines that `vppsim run` prints; `null`: no line of its own. */
    readonly terminal: number | null;
    /** Named in a study's recommendation when the best candidate makes it worse. */
    readonly sideEffect: boolean;
  };
  readonly compute: (context: KpiContext) => number | null;
}

/** Says when or where a numeric figure occurred: an instant (epoch ms; UTC in files) or a name. */
interface KpiAttribute extends KpiEntry {
  readonly kind: "instant" | "name";
  readonly compute: (context: KpiContext) => KpiValue;
}

export type Kpi = NumericKpi | KpiAttribute;

/** What key figures are computed from. */
export interface KpiContext {
  readonly awards: AwardSums;
  readonly sites: readonly SiteRow[];
  readonly totals: RunTotals;
  readonly ledger: Ledger;
  /** `null`: the run is not settled. */
  readonly settled: SettledFigures | null;
  /** `null`: the scenario has no key `investment`. */
  readonly invested: InvestmentFigures | null;
  /** Figures of the kinds of components that have a table of their own, by name; empty without such components. */
  readonly kindFigures: ReadonlyMap<string, number>;
}

/** The largest uncovered power of a run, when it was first reached and by which award. */
interface UncoveredPeak {
  readonly kw: number;
  readonly atMs: EpochMs;
  readonly awardId: string;
}

/** Sums of the figures of the awards and instructions that overlap the run, and what is counted of them. */
export interface AwardSums extends Figures {
  readonly count: number;
  readonly fullyCovered: number;
  /** Executed awards in band for all of their assessed time. */
  readonly met: number;
  readonly uncoveredKwMax: number;
  /** `null`: nothing was uncovered. */
  readonly uncoveredPeak: UncoveredPeak | null;
  readonly fcrUncoveredKwMax: number;
}

/** Sums of a run that no row shows. */
interface RunTotals {
  /** Cell-side discharge of all batteries and their rated capacity, in kWh. */
  readonly cellDischargeKwh: number;
  readonly ratedCapKwh: number;
  /** The larger of import and export power of each. */
  readonly ratedKw: number;
}

/**
 * The cash of a settlement and its parts, received +, paid −, in the currency of the market; the parts add up to the cash
 * (docs/model/settlement.md#key-figures).
 */
export interface SettledFigures {
  readonly cash: number;
  readonly reserve: number;
  readonly activated: number;
  readonly penalties: number;
  readonly energy: number;
  readonly imbalance: number;
  readonly network: number;
  readonly capacity: number;
}

/** Whether a figure is an amount in the currency of the run. */
export const isMoney = ({ unit }: NumericKpi): boolean => unit === "JPY" || unit === "currency";

/** The unit of a figure of a run in a currency. */
export const printedUnit = (kpi: NumericKpi, currency: Currency): string => (isMoney(kpi) ? currency : kpi.unit);
