// How the values of a study are written, on its page and in a terminal.
import { isMoney } from "../../accounting/kpis/kpi.ts";
import { kpiOf, type NumericKpiName } from "../../accounting/kpis/kpiRegistry.ts";
import { meanOf } from "../../base/lists.ts";
import { roundTo } from "../../base/rounding.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import { figureUnit, moneyFormat } from "../../report/html/page/money.ts";
import type { PageTexts } from "../../report/html/page/pageLocale.ts";
import type { TextKey } from "../../texts/catalogue.ts";
import type { StudyBound } from "../bound/studyBound.ts";
import type { ReferenceRule } from "../referenceRules.ts";
import { parameterLevels } from "../search/candidateDesign.ts";
import type { Estimate } from "../statistics/estimate.ts";
import type { ScoredCandidate } from "../statistics/scoreCandidate.ts";
import { type Constraint, objectiveKpi, type Study, type StudyParameter } from "../study.ts";
import type { StudyResult } from "../studyResult.ts";

/** A figure with its unit, for heads and axes. */
export function figureName(kpi: NumericKpiName, texts: PageTexts): string {
  const unit = figureUnit(kpiOf(kpi), texts);
  const label = texts.t(`kpi.${kpi}.label`);
  return unit === "" ? label : `${label} (${unit})`;
}

/** Label of the objective; with its unit if it is a single figure. */
export function objectiveLabel(study: Study, texts: PageTexts): string {
  const kpi = objectiveKpi(study);
  return kpi === null ? study.objective.text : tailText(study, figureName(kpi, texts), texts);
}

/** A figure as the objective has it: of all seeds, or of the worst ones. */
export const tailText = ({ objective: { worstPct } }: Study, figure: string, { t }: PageTexts): string =>
  worstPct === null ? figure : t("study.on_worst", { figure, share: formatShare(worstPct / 100) });

/** Decimals for printing the objective. */
export function objectiveDecimals(study: Study): number {
  const kpi = objectiveKpi(study);
  return kpi === null ? 2 : meanDecimals(kpi);
}

/** Decimals of a figure's mean; the mean of a count needs one. */
export function meanDecimals(kpi: NumericKpiName): number {
  const { unit, decimals } = kpiOf(kpi);
  return unit === "" ? Math.max(1, decimals) : decimals;
}

/**
 * How a sentence writes values of a figure that stand together, with their unit: amounts in the unit of the largest one, or whole
 * where two would look alike. `null`: the objective is a formula.
 */
export function valueFormat(
  kpi: NumericKpiName | null,
  values: readonly number[],
  texts: PageTexts,
  decimals: number = kpi === null ? 2 : meanDecimals(kpi),
): (value: number) => string {
  if (kpi === null) return (value) => formatFixed(value, decimals);
  if (isMoney(kpiOf(kpi))) {
    const { text } = moneyFormat(texts, Math.max(...values.map(Math.abs)));
    return new Set(values.map(text)).size < new Set(values).size ? moneyFormat(texts, 0).text : text;
  }
  const { unit } = kpiOf(kpi);
  if (unit === "a") return (value) => texts.t("study.years", { years: formatFixed(value, decimals) });
  return (value) => `${formatFixed(value, decimals)}${unit === "" ? "" : `\u00a0${unit}`}`;
}

/** Rounding for files: three decimals for a single figure, otherwise nine digits, because the scale depends on weights. */
export const roundObjective = (study: Study, value: number): number =>
  objectiveKpi(study) === null ? Number(value.toPrecision(9)) : roundTo(value, 3);

export const formatShare = (share: number): string =>
  `${formatFixed(100 * share, 100 * share === Math.round(100 * share) ? 0 : 1)} %`;

export const signedText = (value: number, decimals: number): string =>
  `${roundTo(value, decimals) > 0 ? "+" : ""}${formatFixed(value, decimals)}`;

/** `12.3 (10.1 to 14.5)`; without an interval the mean alone. */
export function estimateText({ mean, low, high }: Estimate, decimals: number, { t }: PageTexts): string {
  const centre = formatFixed(mean, decimals);
  return low === null || high === null
    ? centre
    : t("study.estimate", { mean: centre, low: formatFixed(low, decimals), high: formatFixed(high, decimals) });
}

export const parameterValue = ({ path, writtenValue }: StudyParameter, { patch }: ScoredCandidate): number | null =>
  patch[path] ?? writtenValue;

/** A value or factor of a parameter, with at most six significant digits; sentences have four. */
export const parameterText = (
  { isFactor, words }: StudyParameter,
  value: number | null,
  { t }: PageTexts,
  digits = 6,
): string =>
  value === null
    ? t("compare.as_written")
    : (words?.[value] ?? `${isFactor ? "×" : ""}${Number(value.toPrecision(digits))}`);

/** @param index  -1: the scenario as written */
export function candidateName({ study, candidates }: StudyResult, index: number, { t }: PageTexts): string {
  if (index < 0) return t("compare.as_written");
  const isShort = study.method === "optimise" && candidates.length > 99;
  return t(isShort ? "study.candidate_short" : "study.candidate", { number: String(index + 1) });
}

const RULE_KEYS: Readonly<Record<ReferenceRule["name"] | "best" | "as written", TextKey>> = {
  best: "study.best",
  "as written": "compare.as_written",
  "equal weights": "study.rule_equal",
  "by rated power": "study.rule_power",
  "by energy": "study.rule_energy",
};

/** The name of a candidate that is compared with the best. */
export const ruleText = (name: string, { t }: PageTexts): string => {
  const key = new Map<string, TextKey>(Object.entries(RULE_KEYS)).get(name);
  return key === undefined ? name : t(key);
};

/** The values of a parameter, or its range with the number of values if the method uses levels. */
export function domainText({ method }: Study, parameter: StudyParameter, texts: PageTexts): string {
  const { domain } = parameter;
  if (domain.kind === "values") return domain.values.map((value) => parameterText(parameter, value, texts)).join(", ");
  const [low, high] = [domain.low, domain.high].map((value) => parameterText(parameter, value, texts));
  return method === "grid" || method === "one_at_a_time"
    ? texts.t("study.range_values", { low, high, count: parameterLevels(domain).length })
    : texts.t("study.interval", { low, high });
}

/** As in files. */
export const constraintText = ({ name, bound, limit }: Constraint): string =>
  `${name} ${bound === "at_least" ? "at least" : "at most"} ${limit}`;

/** As on pages. */
export const constraintFormula = ({ name, bound, limit }: Constraint): string =>
  `${name} ${bound === "at_least" ? "≥" : "≤"} ${limit}`;

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

/** Mean shortfall of a candidate on the seeds of a bound, in kWh; `null` if it was refused, or left before it ran on them. */
export const meanShortfallKwh = ({ seeds }: StudyBound, { shortfallsKwh }: ScoredCandidate): number | null =>
  shortfallsKwh.length < seeds.length ? null : meanOf(shortfallsKwh.slice(0, seeds.length));
