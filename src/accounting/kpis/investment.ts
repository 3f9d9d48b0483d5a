import { pow } from "../../base/elementary.ts";
import { MS_PER_HOUR } from "../../base/time.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";

export type InvestmentTerms = NonNullable<WorldSpec["investment"]>;

/** What a run says of its batteries. */
export interface InvestedRun {
  readonly hours: number;
  readonly ratedKwh: number;
  readonly ratedKw: number;
  /** `null`: there are no prices. */
  readonly marginAmount: number | null;
  /** Capacity that ageing cost in the run; `null`: no battery ages. */
  readonly lostKwh: number | null;
}

export interface InvestmentFigures {
  readonly investment: number;
  readonly yearlyMargin: number | null;
  /** `null`: never, or not known. */
  readonly paybackYears: number | null;
  readonly netPresentValue: number | null;
}

/** A year cannot be extrapolated from less. */
export const HOURS_MIN = 28 * 24;
const HOURS_PER_YEAR = 8760;

export function investmentFigures(terms: InvestmentTerms, run: InvestedRun): InvestmentFigures {
  const { ratedKwh, ratedKw, marginAmount, hours } = run;
  const investment = terms.capexPerKwh * ratedKwh + terms.capexPerKw * ratedKw;
  if (marginAmount === null) return { investment, yearlyMargin: null, paybackYears: null, netPresentValue: null };
  const yearlyMargin = (marginAmount * HOURS_PER_YEAR) / hours - terms.opexPerKwhYear * ratedKwh;
  return valued(investment, yearlyMargin, yearlyMargin * presentYears(terms, run) - investment);
}

/** Of a comparison: investment and margin less those of the first run. */
export function investmentDifference(
  terms: InvestmentTerms,
  first: InvestedRun,
  other: InvestedRun,
): InvestmentFigures {
  const [a, b] = [first, other].map((run) => investmentFigures(terms, run));
  const investment = b.investment - a.investment;
  const [margin, value] = (["yearlyMargin", "netPresentValue"] as const).map((key) => {
    const [before, after] = [a[key], b[key]];
    return before === null || after === null ? null : after - before;
  });
  return valued(investment, margin, value);
}

const valued = (
  investment: number,
  yearlyMargin: number | null,
  netPresentValue: number | null,
): InvestmentFigures => ({
  investment,
  yearlyMargin,
  paybackYears: investment > 0 && yearlyMargin !== null && yearlyMargin > 0 ? investment / yearlyMargin : null,
  netPresentValue,
});

/** The years of the lifetime at their present value, each with the share of the capacity that ageing has left. */
function presentYears(
  { lifetimeYears, discountPct }: InvestmentTerms,
  { lostKwh, ratedKwh, hours }: InvestedRun,
): number {
  const lostShare = lostKwh === null || ratedKwh === 0 ? 0 : ((lostKwh / ratedKwh) * HOURS_PER_YEAR) / hours;
  let sum = 0;
  for (let year = 1; year <= lifetimeYears; year++)
    sum += Math.max(0, 1 - (year - 1) * lostShare) / pow(1 + discountPct / 100, year);
  return sum;
}

export const hoursOf = ({ startMs, endMs }: Pick<WorldSpec, "startMs" | "endMs">): number =>
  (endMs - startMs) / MS_PER_HOUR;
