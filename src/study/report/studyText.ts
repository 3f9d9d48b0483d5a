import { type KpiName, kpiOf } from "../../accounting/kpis/kpiRegistry.ts";
import { roundTo } from "../../base/rounding.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import { parameterLevels } from "../search/candidateDesign.ts";
import type { Estimate } from "../statistics/estimate.ts";
import type { ScoredCandidate } from "../statistics/scoreCandidate.ts";
import type { Constraint, ParameterDomain, Study, StudyParameter } from "../study.ts";
import type { StudyResult } from "../studyResult.ts";

/** Label of the objective, with its unit in brackets where it is a single KPI. */
export function objectiveLabel({ objective: { terms, text } }: Study): string {
  if (terms.length !== 1 || terms[0].weight !== 1) return text;
  const { label, unit } = kpiOf(terms[0].kpi);
  return unit === "" ? label : `${label} (${unit})`;
}

export const objectiveDecimals = ({ objective: { terms } }: Study): number =>
  terms.length === 1 && terms[0].weight === 1 ? meanDecimals(terms[0].kpi) : 2;

/** Decimals of a KPI's mean; the mean of a count is not a whole number. */
export function meanDecimals(kpi: KpiName): number {
  const { unit, decimals } = kpiOf(kpi);
  return unit === "" ? Math.max(1, decimals) : decimals;
}

/** Rounded for files: three decimals for a single KPI, nine significant digits for a weighted sum of any scale. */
export const roundObjective = ({ objective: { terms } }: Study, value: number): number =>
  terms.length === 1 && terms[0].weight === 1 ? roundTo(value, 3) : Number(value.toPrecision(9));

export const formatShare = (share: number): string =>
  `${formatFixed(100 * share, 100 * share === Math.round(100 * share) ? 0 : 1)} %`;

/** `12.3 (10.1 to 14.5)`; without an interval the mean alone. */
export function estimateText({ mean, low, high }: Estimate, decimals: number): string {
  const centre = formatFixed(mean, decimals);
  return low === null || high === null
    ? centre
    : `${centre} (${formatFixed(low, decimals)} to ${formatFixed(high, decimals)})`;
}

export const parameterValue = ({ path, writtenValue }: StudyParameter, { patch }: ScoredCandidate): number | null =>
  patch[path] ?? writtenValue;

/** A parameter value with up to six significant digits. */
export const parameterText = (value: number | null): string =>
  value === null ? "as written" : String(Number(value.toPrecision(6)));

/** A parameter value with up to four significant digits: more exceed the precision of the seeds. */
export const settingText = (value: number | null): string =>
  value === null ? "as written" : String(Number(value.toPrecision(4)));

export function candidateName({ study, candidates }: StudyResult, place: number): string {
  return place < 0
    ? "as written"
    : study.method === "optimise" && candidates.length > 99
      ? `no. ${place + 1}`
      : `candidate ${place + 1}`;
}

/** Domain of a parameter as the study's method uses it. */
export function domainText({ method }: Study, domain: ParameterDomain): string {
  if (domain.kind === "values") return domain.values.map(parameterText).join(", ");
  const ends = `${parameterText(domain.low)} to ${parameterText(domain.high)}`;
  return method === "grid" || method === "one_at_a_time" ? `${ends}, ${parameterLevels(domain).length} values` : ends;
}

export const constraintText = ({ kpi, bound, limit }: Constraint): string =>
  `${kpi} ${bound === "at_least" ? "at least" : "at most"} ${limit}`;
