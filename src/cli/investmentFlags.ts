import type { InvestmentFlags } from "../inputs/scenario/build/buildInvestment.ts";

/** Flags of the commands that say what batteries cost; they override the key `investment` (docs/model/money.md#investment). */
export interface InvestmentOptions {
  readonly capex?: number;
  readonly capexKw?: number;
  readonly opex?: number;
  readonly lifetime?: number;
  readonly discount?: number;
}

export const investmentFlags = ({ capex, capexKw, opex, lifetime, discount }: InvestmentOptions): InvestmentFlags => ({
  ...(capex === undefined ? {} : { capex_per_kwh: capex }),
  ...(capexKw === undefined ? {} : { capex_per_kw: capexKw }),
  ...(opex === undefined ? {} : { opex_per_kwh_year: opex }),
  ...(lifetime === undefined ? {} : { lifetime_years: lifetime }),
  ...(discount === undefined ? {} : { discount_pct: discount }),
});
