import { HOURS_MIN, hoursOf, type InvestmentTerms } from "../../../accounting/kpis/investment.ts";
import { roundTo } from "../../../base/rounding.ts";
import { INVESTMENT_DEFAULTS, type InvestmentConfig, type ScenarioConfig } from "../schema/scenarioSchema.ts";
import type { BuildContext } from "./buildContext.ts";

/** Keys of `investment` by flags. */
export type InvestmentFlags = Partial<InvestmentConfig>;

/** Of what flags give alone. */
export const CAPEX_FLAG = { file: "--capex", line: 0, column: 0, keyPath: "" };
export const CAPEX_REQUIRED = "a price per kWh, which the other flags need";

const FLAGS = [
  ["--capex", "capex_per_kwh"],
  ["--capex-kw", "capex_per_kw"],
  ["--opex", "opex_per_kwh_year"],
  ["--lifetime", "lifetime_years"],
  ["--discount", "discount_pct"],
] as const;

/** Flags as the words of a command. */
export const investmentWords = (flags: InvestmentFlags): readonly string[] =>
  FLAGS.flatMap(([flag, key]) => (flags[key] === undefined ? [] : [flag, String(flags[key])]));

/** The keys of a scenario under those of flags; `null` where neither has a price per kWh. */
export function mergeInvestment(keys: InvestmentFlags | undefined, flags: InvestmentFlags): InvestmentConfig | null {
  const { capex_per_kwh, ...others } = { ...INVESTMENT_DEFAULTS, ...keys, ...flags };
  return capex_per_kwh === undefined ? null : { ...others, capex_per_kwh };
}

/** Why a run says nothing of a year; `null` where it does. */
export function shortRun(hours: number): { readonly found: string; readonly allowed: string } | null {
  if (HOURS_MIN <= hours) return null;
  const found = `${roundTo(hours, 1)} h`;
  return { found, allowed: `a year cannot be told from ${found}: run ${HOURS_MIN / 24} days at least` };
}

export const investmentTerms = (keys: InvestmentConfig): InvestmentTerms => ({
  capexPerKwh: keys.capex_per_kwh,
  capexPerKw: keys.capex_per_kw,
  opexPerKwhYear: keys.opex_per_kwh_year,
  lifetimeYears: keys.lifetime_years,
  discountPct: keys.discount_pct,
});

/** Absent without the key, so that the digest of other scenarios stays the same. */
export function buildInvestment(
  { checker, startMs, endMs }: BuildContext,
  keys: ScenarioConfig["investment"],
): InvestmentTerms | undefined {
  if (keys === undefined) return undefined;
  const short = shortRun(hoursOf({ startMs, endMs }));
  if (short !== null) checker.errors.report({ ...(checker.placeOf(keys, null) ?? CAPEX_FLAG), ...short });
  return investmentTerms(keys);
}
