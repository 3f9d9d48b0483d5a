import { kpiOf, type NumericKpiName } from "../../accounting/kpis/kpiRegistry.ts";
import { meanOf } from "../../base/lists.ts";
import { roundTo } from "../../base/rounding.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import { textOf } from "../../texts/catalogue.ts";
import type { StudyBound } from "../bound/studyBound.ts";
import { parameterLevels } from "../search/candidateDesign.ts";
import type { Estimate } from "../statistics/estimate.ts";
import type { ScoredCandidate } from "../statistics/scoreCandidate.ts";
import type { Constraint, Study, StudyParameter } from "../study.ts";
import type { StudyResult } from "../studyResult.ts";

/** Label of the objective; with its unit if it is a single figure. */
export function objectiveLabel({ objective: { terms, text } }: Study): string {
  if (terms.length !== 1 || terms[0].weight !== 1) return text;
  const { unit } = kpiOf(terms[0].kpi);
  const label = textOf("en", `kpi.${terms[0].kpi}.label`);
  return unit === "" ? label : `${label} (${unit})`;
}

/** Decimals for printing the objective. */
export const objectiveDecimals = ({ objective: { terms } }: Study): number =>
  terms.length === 1 && terms[0].weight === 1 ? meanDecimals(terms[0].kpi) : 2;

/** Decimals of a figure's mean; the mean of a count needs one. */
export function meanDecimals(kpi: NumericKpiName): number {
  const { unit, decimals } = kpiOf(kpi);
  return unit === "" ? Math.max(1, decimals) : decimals;
}

/** Rounding for files: three decimals for a single figure, otherwise nine digits, because the scale depends on weights. */
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

/** A value or factor of a parameter, with at most six significant digits; sentences have four. */
export const parameterText = ({ isFactor }: StudyParameter, value: number | null, digits = 6): string =>
  value === null ? "as written" : `${isFactor ? "×" : ""}${Number(value.toPrecision(digits))}`;

/** @param index  -1: the scenario as written */
export function candidateName({ study, candidates }: StudyResult, index: number): string {
  return index < 0
    ? "as written"
    : study.method === "optimise" && candidates.length > 99
      ? `no. ${index + 1}`
      : `candidate ${index + 1}`;
}

/** The values of a parameter, or its range with the number of values if the method uses levels. */
export function domainText({ method }: Study, parameter: StudyParameter): string {
  const { domain } = parameter;
  if (domain.kind === "values") return domain.values.map((value) => parameterText(parameter, value)).join(", ");
  const range = `${parameterText(parameter, domain.low)} to ${parameterText(parameter, domain.high)}`;
  return method === "grid" || method === "one_at_a_time" ? `${range}, ${parameterLevels(domain).length} values` : range;
}

export const constraintText = ({ kpi, bound, limit }: Constraint): string =>
  `${kpi} ${bound === "at_least" ? "at least" : "at most"} ${limit}`;

/** Means over the seeds of a bound, in kWh. */
interface BoundMeans {
  /** Lower bound of the shortfall for any weights. */
  readonly boundKwh: number;
  /** The same with one relaxation each. */
  readonly withoutOutagesKwh: number;
  readonly unlimitedEnergyKwh: number;
  readonly unlimitedPowerKwh: number;
}

export const boundMeans = (bound: StudyBound): BoundMeans => ({
  boundKwh: meanOf(bound.boundKwh),
  withoutOutagesKwh: meanOf(bound.withoutOutagesKwh),
  unlimitedEnergyKwh: meanOf(bound.unlimitedEnergyKwh),
  unlimitedPowerKwh: meanOf(bound.unlimitedPowerKwh),
});

/** Mean shortfall of a candidate on the seeds of a bound, in kWh; `null` if it was refused. */
export const meanShortfallKwh = ({ seeds }: StudyBound, { shortfallsKwh }: ScoredCandidate): number | null =>
  shortfallsKwh.length === 0 ? null : meanOf(shortfallsKwh.slice(0, seeds.length));

const kwh = (value: number): string => `${formatFixed(value, 1)} kWh`;

/** The possible improvement from weights, and from relaxations beyond weights. */
export function boundSentences(result: StudyResult): string[] {
  const { bound, bestBound, best } = result;
  const usedBound = bestBound ?? bound;
  if (usedBound === null || best === null) return [];
  if (usedBound.coveredRequestKwh === 0)
    return [
      "There is no bound on the improvement from re-weighting: every award overlaps another one or includes FCR capacity.",
    ];
  const shortfallKwh = meanShortfallKwh(usedBound, best.scored);
  if (shortfallKwh === null) return [];
  const { boundKwh, withoutOutagesKwh, unlimitedEnergyKwh, unlimitedPowerKwh } = boundMeans(usedBound);
  const settings = bestBound === null ? "" : " with these settings";
  const relaxed = usedBound.method === "relaxed" ? " (the true minimum may be higher)" : "";
  const writtenBound =
    bestBound === null || bound === null
      ? ""
      : ` For the scenario as written, the lower bound is ${kwh(boundMeans(bound).boundKwh)}.`;
  const sentences = [
    `No weights${settings}, even with new ones for every award, could reduce the shortfall below ${kwh(boundKwh)}${relaxed}. The best candidate has ${kwh(shortfallKwh)}, so re-weighting could improve it by at most ${kwh(Math.max(0, shortfallKwh - boundKwh))}.${writtenBound}`,
  ];
  sentences.push(...boundCoverageSentence(result, usedBound));
  if (boundKwh >= 0.05)
    sentences.push(
      `Reducing the remaining ${kwh(boundKwh)} requires other changes. Upper bounds, one change at a time: no outages ${kwh(Math.max(0, boundKwh - withoutOutagesKwh))}, unlimited storage capacity ${kwh(Math.max(0, boundKwh - unlimitedEnergyKwh))}, unlimited battery power ${kwh(Math.max(0, boundKwh - unlimitedPowerKwh))}.`,
    );
  return sentences;
}

/** The part of the requested energy that the bound covers, if it is not all. */
function boundCoverageSentence({ written }: StudyResult, { coveredRequestKwh }: StudyBound): string[] {
  const requestedKwh = written.kpis.get("requested_kwh")?.mean ?? coveredRequestKwh;
  return requestedKwh - coveredRequestKwh <= 1e-3 * requestedKwh
    ? []
    : [
        `The bound covers ${kwh(coveredRequestKwh)} of the ${kwh(requestedKwh)} requested: awards that overlap or include FCR capacity are excluded.`,
      ];
}
