import { formatFixed } from "../../report/html/format.ts";
import { kpiText } from "../../report/html/kpiText.ts";
import type { Estimate } from "../estimate.ts";
import type { Scored } from "../scoreCandidate.ts";
import type { Constraint, Parameter, Study } from "../study.ts";
import type { StudyResult } from "../studyResult.ts";

/** The objective as a reader names it, with its unit in brackets where it is one figure. */
export function objectiveLabel({ objective: { terms, text } }: Study): string {
  if (terms.length !== 1 || terms[0].weight !== 1) return text;
  const { label, unit } = kpiText(terms[0].kpi);
  return unit === "" ? label : `${label} (${unit})`;
}

/** Decimals that suit the objective. */
export const objectiveDecimals = ({ objective: { terms } }: Study): number =>
  terms.length === 1 && terms[0].weight === 1 ? kpiText(terms[0].kpi).decimals : 2;

export const percentOf = (share: number): string =>
  `${formatFixed(100 * share, 100 * share === Math.round(100 * share) ? 0 : 1)} %`;

/** `12.3 (10.1 to 14.5)`; without an interval the mean alone. */
export function estimateText({ mean, low, high }: Estimate, decimals: number): string {
  const centre = formatFixed(mean, decimals);
  return low === null || high === null
    ? centre
    : `${centre} (${formatFixed(low, decimals)} to ${formatFixed(high, decimals)})`;
}

export const valueOfParameter = ({ path, writtenValue }: Parameter, { patch }: Scored): number | null =>
  patch[path] ?? writtenValue;

/** A number of a parameter, as short as it is exact to six digits. */
export const parameterText = (value: number | null): string =>
  value === null ? "as written" : String(Number(value.toPrecision(6)));

export function candidateName({ study, candidates }: StudyResult, place: number): string {
  return place < 0
    ? "as written"
    : study.method === "optimise" && candidates.length > 99
      ? `no. ${place + 1}`
      : `candidate ${place + 1}`;
}

export const constraintText = ({ kpi, bound, limit }: Constraint): string =>
  `${kpi} ${bound === "at_least" ? "at least" : "at most"} ${limit}`;
