// What the batteries of compared reports cost and bring (docs/model/money.md#investment).
import {
  hoursOf,
  type InvestedRun,
  type InvestmentTerms,
  investmentDifference,
} from "../../accounting/kpis/investment.ts";
import { inputRefusal, NO_VALUE } from "../../base/inputError.ts";
import { roundFigure, roundTo } from "../../base/rounding.ts";
import {
  CAPEX_REQUIRED,
  type InvestmentFlags,
  investmentTerms,
  mergeInvestment,
  shortRun,
} from "../../inputs/scenario/build/buildInvestment.ts";
import type { Settings } from "../../inputs/scenario/effectiveSettings.ts";
import type { ReportSummary } from "./readReport.ts";

interface SetReport {
  readonly dir: string;
  readonly name: string;
  readonly summary: ReportSummary;
  /** `null` in reports of older versions. */
  readonly settings: Settings | null;
}

/** A later report less the first; `null`: never, or not known. */
export interface InvestmentOfReport {
  readonly name: string;
  readonly investment_jpy: number;
  readonly yearly_margin_jpy: number | null;
  readonly payback_years: number | null;
  readonly npv_jpy: number | null;
}

/**
 * The terms of the first report's scenario under those of flags; `null` where neither has any.
 *
 * @throws InputErrors if a price per kWh is missing, or the run is shorter than 28 days
 */
export function comparedTerms(
  { settings, summary }: Pick<SetReport, "settings" | "summary">,
  flags: InvestmentFlags,
): InvestmentTerms | null {
  const prefix = "investment.";
  const own: InvestmentFlags = Object.fromEntries(
    Object.entries(settings ?? {})
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, value]) => [path.slice(prefix.length), Number(value)]),
  );
  if (Object.keys({ ...own, ...flags }).length === 0) return null;
  const keys = mergeInvestment(own, flags);
  if (keys === null) throw inputRefusal("--capex", NO_VALUE, CAPEX_REQUIRED);
  const short = shortRun(hoursIn(summary));
  if (short !== null) throw inputRefusal("--capex", short.found, short.allowed);
  return investmentTerms(keys);
}

/** @throws InputErrors if a report does not contain its settings */
export function comparedInvestments(
  terms: InvestmentTerms,
  reports: readonly SetReport[],
): readonly InvestmentOfReport[] {
  const [first, ...others] = reports.map(({ dir, summary, settings }) => {
    if (settings === null) throw inputRefusal(dir, "no scenario.json in it", "a report with its scenario.json");
    return investedRun(summary, settings);
  });
  return others.map((other, k) => {
    const { investment, yearlyMargin, paybackYears, netPresentValue } = investmentDifference(terms, first, other);
    return {
      name: reports[k + 1].name,
      investment_jpy: roundTo(investment, 3),
      yearly_margin_jpy: roundFigure(yearlyMargin),
      payback_years: roundFigure(paybackYears),
      npv_jpy: roundFigure(netPresentValue),
    };
  });
}

const hoursIn = ({ period }: Pick<ReportSummary, "period">): number =>
  hoursOf({ startMs: Date.parse(period.start), endMs: Date.parse(period.end) });

/** What a report says of its batteries, whether or not its scenario has the key `investment`. */
export function investedRun(summary: ReportSummary, settings: Settings): InvestedRun {
  const rated = { kwh: 0, kw: 0 };
  for (const [path, ratedKwh] of Object.entries(settings)) {
    if (!/^sites\..*\.rated_cap$/.test(path)) continue;
    const of = (key: string): number => Number(settings[path.replace(/rated_cap$/, key)] ?? 0);
    rated.kwh += Number(ratedKwh);
    rated.kw += Math.max(of("import_pwr_max"), of("export_pwr_max"));
  }
  const figure = (name: "aggregator_margin_jpy" | "lost_capacity_kwh"): number | null => {
    const value = summary.kpis.get(name);
    return typeof value === "number" ? value : null;
  };
  return {
    hours: hoursIn(summary),
    ratedKwh: rated.kwh,
    ratedKw: rated.kw,
    marginAmount: figure("aggregator_margin_jpy"),
    lostKwh: figure("lost_capacity_kwh"),
  };
}
