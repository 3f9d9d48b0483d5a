import type { KpiValue } from "../../accounting/kpis/kpi.ts";
import type { KpiName } from "../../accounting/kpis/kpiRegistry.ts";
import { type Currency, moneyName } from "../../base/currency.ts";
import type { PageLocale } from "../html/page/pageLocale.ts";
import type { AwardComparison, Difference, ShortfallPoint } from "./compareAwards.ts";
import type { FirstDifference } from "./firstDifference.ts";
import type { ManyReports } from "./manyReports.ts";
import type { SettingChange } from "./settingChanges.ts";

export interface ReportLabel {
  readonly dir: string;
  readonly scenario: string;
  readonly hash: string;
  readonly seed: number;
  readonly start: string;
  readonly end: string;
  /** IANA name; `null` in reports of older versions. */
  readonly timezone: string | null;
}

/** Instants are ISO texts in UTC; the difference of texts is `null`. */
export interface KpiChange {
  readonly name: KpiName;
  readonly a: KpiValue;
  readonly b: KpiValue;
  readonly difference: number | null;
}

/** A column of sites.csv. */
export interface FieldChange extends Difference {
  readonly name: string;
}

interface SiteChange {
  readonly site: string;
  readonly fields: readonly FieldChange[];
}

export interface SiteComparison {
  readonly compared: number;
  readonly changed: readonly SiteChange[];
  readonly only_in_a: readonly string[];
  readonly only_in_b: readonly string[];
}

/** The first instant at which two runs differ. */
export interface FirstDivergence {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly file: string;
}

/** Two reports, A and B, in detail. Differences are B − A; `null` if a figure does not apply to both. */
export interface PairComparison {
  readonly a: ReportLabel;
  readonly b: ReportLabel;
  readonly same_scenario: boolean;
  /** Settings that differ, by study path; `null` if a report does not contain its settings. */
  readonly changes: readonly SettingChange[] | null;
  /** Everything that was compared is equal. */
  readonly same_results: boolean;
  /** Every key figure of either report, in the order of A. */
  readonly kpis: readonly KpiChange[];
  readonly awards: AwardComparison | null;
  /** Shortfall accumulated at the ends of awards; empty without awards. */
  readonly shortfall_over_time: readonly ShortfallPoint[];
  readonly sites: SiteComparison | null;
  /** The earliest of the rows below; `null` if none differs. */
  readonly parted: FirstDivergence | null;
  /** `null`: no difference, or the table is missing. */
  readonly first_differing_event: FirstDifference | null;
  readonly first_differing_dispatch: FirstDifference | null;
  readonly first_differing_energy: FirstDifference | null;
  /** Tables that were not compared, and why. */
  readonly notes: readonly string[];
}

/** What the text and the page say. */
export interface ComparisonContent {
  readonly many: ManyReports;
  /** Details of two reports; `null` of more. */
  readonly pair: PairComparison | null;
  /** What the figures of an investment assume; `null` without any. */
  readonly assumes: string | null;
  /** Of the text and the page. */
  readonly locale: PageLocale;
}

/** comparison.json. Two reports have the details of the pair too, with its awards and sites by other names. */
export type ComparisonJson = ManyReports &
  Partial<Omit<PairComparison, keyof ManyReports | "notes">> & {
    readonly award_changes?: PairComparison["awards"];
    readonly site_changes?: PairComparison["sites"];
    readonly notes: readonly string[];
  };

export function comparisonJson(
  many: ManyReports,
  pair: PairComparison | null,
  notes: readonly string[],
  currency: Currency,
): ComparisonJson {
  if (pair === null) return inCurrency({ ...many, notes }, currency);
  const { awards, sites, ...rest } = pair;
  return inCurrency({ ...rest, award_changes: awards, site_changes: sites, ...many, notes }, currency);
}

/** The names of amounts in the currency of the reports: keys, and the names of key figures and columns. */
function inCurrency(json: ComparisonJson, currency: Currency): ComparisonJson {
  if (currency === "JPY") return json;
  const renamed = (value: unknown, key: string): unknown => {
    if (typeof value === "string") return key === "name" ? moneyName(value, currency) : value;
    if (Array.isArray(value)) return value.map((item) => renamed(item, ""));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [moneyName(name, currency), renamed(member, name)]),
    );
  };
  // Names of the same keys and values.
  return renamed(json, "") as ComparisonJson;
}
