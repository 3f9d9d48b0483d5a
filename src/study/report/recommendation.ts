// What a study recommends, and what speaks for it, in sentences.
import { isMoney } from "../../accounting/kpis/kpi.ts";
import { kpiOf, NUMERIC_KPI_NAMES, type NumericKpiName } from "../../accounting/kpis/kpiRegistry.ts";
import { roundTo } from "../../base/rounding.ts";
import { formatFixed, formatPct } from "../../report/html/page/format.ts";
import { moneyFormat } from "../../report/html/page/money.ts";
import { nameList, type PageTexts } from "../../report/html/page/pageLocale.ts";
import { investmentSentence } from "../../report/investmentText.ts";
import type { TextKey } from "../../texts/catalogue.ts";
import { HELD_OUT_LOOKS } from "../allocation/confirm.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { compareCandidates, type ScoredCandidate } from "../statistics/scoreCandidate.ts";
import { objectiveKpi, type Study } from "../study.ts";
import type { BestCandidate, HeldOutResult, StudyResult } from "../studyResult.ts";
import {
  betterRacedRules,
  type ComparedPair,
  changeEvidence,
  changeSentence,
  isRaced,
  minDifferenceText,
  othersSentence,
  raceChange,
  writtenRow,
} from "./raceText.ts";
import {
  constraintFormula,
  estimateText,
  formatShare,
  objectiveDecimals,
  objectiveLabel,
  parameterText,
  parameterValue,
  ruleText,
  tailText,
  valueFormat,
} from "./studyText.ts";

/** The verdict in the unit of the objective and in money, and whether new seeds confirm it (docs/model/studies.md#page). */
export function verdict(result: StudyResult, texts: PageTexts): string[] {
  const { study, best } = result;
  const { t } = texts;
  if (best === null) return noFeasibleCandidate(result, texts);
  if (best.candidateIndex < 0) return keepSentences(result, best.scored, texts);
  const list = settingTexts(study, chosenSettings(result), texts);
  const settings = list.length <= SETTINGS_MAX ? texts.formatList(list) : nameList(list, SETTINGS_MAX, texts);
  const change = raceChange(result);
  const pair = change?.pair ?? { written: result.written, best: best.scored };
  const outcome = outcomeText(study, pair, texts);
  const confirmation = change === null ? confirmationOf(result) : null;
  return [
    ...(change === null
      ? [t(isAdvised(result) ? "study.set" : "study.best_is", { settings, outcome })]
      : [
          changeSentence(result, change, { settings, isAdvised: isAdvised(result) }, texts),
          t(isAdvised(result) ? "study.held_outcome" : "study.held_outcome_best", { count: change.seedCount, outcome }),
          ...betterOnHeldOut(result, texts),
        ]),
    ...penaltySentence(pair, texts),
    ...(confirmation === null ? [] : [t(CONFIRMATIONS[confirmation], { count: result.heldOut?.seeds.length ?? 0 })]),
    ...(change === null && isTooSmall(result)
      ? [t("study.too_small", { limit: minDifferenceText(study, texts) })]
      : []),
    ...investmentSentences(result, pair, texts),
    ...(isRaced(result) && result.heldOut !== null ? violatedSentence(study, result.heldOut, texts) : []),
    ...(result.written.isFeasible ? [] : [t("study.written_violates")]),
  ];
}

const settingTexts = ({ parameters }: Study, scored: ScoredCandidate, texts: PageTexts): string[] =>
  parameters.map(
    (parameter) => `${parameter.name} ${parameterText(parameter, parameterValue(parameter, scored), texts, 4)}`,
  );

/** Rules that are clearly better than the best candidate, with what they set. */
function betterOnHeldOut({ study, heldOut, references }: StudyResult, texts: PageTexts): string[] {
  return references.flatMap(({ name, scored }) => {
    const row = heldOut?.rows.find((each) => each.name === name);
    if (row?.bestMinusThis == null || !row.scored.isFeasible || verdictOf(study, row.bestMinusThis) !== "worse")
      return [];
    const settings = nameList(settingTexts(study, scored, texts), SETTINGS_MAX, texts);
    return [texts.t("study.rule_wins", { rule: ruleText(name, texts), count: row.scored.seedCount, settings })];
  });
}

/** Of the scenario as written, where it is the best. */
function keepSentences(result: StudyResult, best: ScoredCandidate, texts: PageTexts): string[] {
  const { study, candidates, written } = result;
  const { t } = texts;
  const figure = objectiveLabel(study, texts);
  const count = candidates.length;
  const invested = investmentSentences(result, { written, best }, texts);
  if (written.objective === null) return [t("study.keep", { count, figure }), ...invested];
  const value = estimateText(written.objective, objectiveDecimals(study), texts);
  const values = { count, figure, value, seeds: best.seedCount };
  return [t(isRaced(result) ? "study.keep_raced" : "study.keep_at", values), ...invested];
}

/** More stand in the table of settings alone. */
const SETTINGS_MAX = 8;

/** The candidate that best.patch.yaml has. */
export const chosenSettings = ({ best, rounded, written }: StudyResult): ScoredCandidate =>
  rounded?.scored ?? best?.scored ?? written;

const CONFIRMATIONS: Readonly<Record<Verdict, TextKey>> = {
  better: "study.confirmed",
  worse: "study.refuted",
  unclear: "study.not_confirmed",
};

/** Whether the best is to be applied: it differs from the scenario as written by what matters, and no held-out seeds speak against it. */
export function isAdvised(result: StudyResult): boolean {
  const confirmation = confirmationOf(result);
  const isOther = result.best !== null && 0 <= result.best.candidateIndex;
  return (
    isOther && (confirmation === null || confirmation === "better") && !isTooSmall(result) && !violatesLater(result)
  );
}

/** Whether the best of a race violates a constraint on a held-out seed. */
const violatesLater = (result: StudyResult): boolean =>
  isRaced(result) && result.heldOut?.rows[0].scored.isFeasible === false;

function isTooSmall({ study, best, heldOut }: StudyResult): boolean {
  const difference = writtenRow(heldOut)?.bestMinusThis ?? best?.difference;
  return difference != null && Math.abs(difference.mean) < study.minDifference;
}

/** Whether the held-out seeds confirm that the best beats the scenario as written; `null` without held-out seeds. */
function confirmationOf({ study, heldOut }: StudyResult): Verdict | null {
  const row = writtenRow(heldOut);
  return row?.bestMinusThis == null ? null : verdictOf(study, row.bestMinusThis);
}

/** The change of the objective, and of the margin where there is one. */
function outcomeText(study: Study, { written, best }: ComparedPair, texts: PageTexts): string {
  const { t } = texts;
  const kpi = objectiveKpi(study);
  const margin = marginText(written, best, texts);
  const isMargin = kpi === "aggregator_margin_jpy";
  const first = isMargin && margin !== null ? margin : objectiveText(study, written, best, texts);
  return margin === null || (kpi !== null && isMoney(kpiOf(kpi))) ? first : t("study.and", { first, second: margin });
}

function objectiveText(study: Study, written: ScoredCandidate, best: ScoredCandidate, texts: PageTexts): string {
  const { t } = texts;
  const kpi = objectiveKpi(study);
  const figure = kpi === null ? study.objective.text : tailText(study, lowerFirst(t(`kpi.${kpi}.label`)), texts);
  const [before, after] = [written.objective?.mean, best.objective?.mean];
  if (after === undefined) return t("study.is", { figure, after: "–" });
  const text = valueFormat(kpi, before === undefined ? [after] : [before, after], texts);
  if (before === undefined) return t("study.is", { figure, after: text(after) });
  const values = { figure, before: text(before), after: text(after) };
  const isLess = after < before;
  if (before === 0) return t(isLess ? "study.falls" : "study.rises", values);
  const relative = (100 * (after - before)) / Math.abs(before);
  const change = `${relative > 0 ? "+" : ""}${formatPct(relative)}`;
  return t(isLess ? "study.falls_by" : "study.rises_by", { ...values, change });
}

/** `shortfall`, but `FCR capacity`. */
const lowerFirst = (label: string): string =>
  /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);

/** `a loss of 12,296 JPY becomes a margin of 67,186 JPY`; `null` where nothing is priced. */
function marginText(written: ScoredCandidate, best: ScoredCandidate, texts: PageTexts): string | null {
  const before = written.kpis.get("aggregator_margin_jpy")?.mean;
  const after = best.kpis.get("aggregator_margin_jpy")?.mean;
  if (before === undefined || after === undefined) return null;
  const text = valueFormat("aggregator_margin_jpy", [before, after], texts);
  const values = { before: text(Math.abs(before)), after: text(Math.abs(after)) };
  const [wasLoss, isLoss] = [before < 0, after < 0];
  if (wasLoss !== isLoss) return texts.t(wasLoss ? "study.loss_to_margin" : "study.margin_to_loss", values);
  if (values.before === values.after) return texts.t(isLoss ? "study.loss_same" : "study.margin_same", values);
  if (isLoss) return texts.t(after < before ? "study.loss_rises" : "study.loss_falls", values);
  return texts.t(after < before ? "study.margin_falls" : "study.margin_rises", values);
}

/** Of the gain in margin, the share of penalty above which nothing else is named. */
const NEARLY_ALL = 0.9;

function penaltySentence({ written, best }: ComparedPair, texts: PageTexts): string[] {
  const changeOf = (kpi: NumericKpiName): number =>
    (best.kpis.get(kpi)?.mean ?? 0) - (written.kpis.get(kpi)?.mean ?? 0);
  const marginChange = changeOf("aggregator_margin_jpy");
  const saved = -changeOf("penalty_jpy");
  if (marginChange <= 0 || saved < NEARLY_ALL * marginChange || marginChange < NEARLY_ALL * saved) return [];
  return [texts.t("study.penalty_saved", { amount: moneyFormat(texts, saved).text(saved) })];
}

/** Payback and net present value, beside those as written; the objective is in the verdict. */
function investmentSentences(result: StudyResult, { written, best }: ComparedPair, texts: PageTexts): string[] {
  const { study } = result;
  const { t } = texts;
  if (best.kpis.get("npv_jpy") == null) return [];
  const kpis = (["payback_years", "npv_jpy"] as const).filter((kpi) => kpi !== objectiveKpi(study));
  return kpis.map((kpi) => {
    const means = [written, best].flatMap(({ kpis: estimates }) => estimates.get(kpi)?.mean ?? []);
    const format = valueFormat(kpi, means, texts);
    const [before, after] = [written, best].map(({ kpis: estimates }) => {
      const mean = estimates.get(kpi)?.mean;
      if (mean !== undefined) return format(mean);
      const isEarning = 0 < (estimates.get("yearly_margin_jpy")?.mean ?? 0);
      return t(isEarning ? "study.payback_varies" : "study.no_payback");
    });
    const figure = t(`kpi.${kpi}.label`);
    return result.best !== null && result.best.candidateIndex < 0
      ? t("study.figure_kept", { figure, after })
      : t("study.figure_to", { figure, before, after });
  });
}

/** What is assumed of the years of an investment. */
export const investmentNote = ({ study: { investment }, written }: StudyResult, texts: PageTexts): string =>
  investmentSentence({ investment, kpis: { get: (name) => written.kpis.get(name)?.mean } }, texts) ?? "";

/** What speaks for and against the best, on its seeds and on held-out ones. */
export function evidence(result: StudyResult, texts: PageTexts): string[] {
  const { best } = result;
  if (best === null) return [];
  return [
    ...(best.candidateIndex < 0 ? [] : differenceSentences(result, best, texts)),
    ...heldOutSentences(result, texts),
    ...(isRaced(result) ? othersSentence(result, texts) : []),
    ...betterRulesSentence(result, texts),
    ...unexpressedSentences(result, texts),
  ];
}

/** What best.patch.yaml has in place of the weights of the best candidate. */
export function roundedSentence({ study, rounded }: StudyResult, texts: PageTexts): string[] {
  if (rounded === null) return [];
  const { digits, scored, difference } = rounded;
  const weights = study.parameters
    .filter(({ path, isFactor }) => path.startsWith("weights.") && !isFactor && scored.patch[path] !== undefined)
    .map((parameter) => `${parameter.name} ${parameterText(parameter, scored.patch[parameter.path], texts)}`);
  const isMore = roundTo(difference.mean, objectiveDecimals(study)) > 0;
  const text = valueFormat(objectiveKpi(study), [difference.mean], texts);
  const change = `${isMore ? "+" : ""}${text(difference.mean)}`;
  const list = weights.join(texts.t("list.separator"));
  return [texts.t("study.rounded", { count: digits, weights: list, change })];
}

function noFeasibleCandidate({ study, candidates, written }: StudyResult, { t, formatList }: PageTexts): string[] {
  const constraints = study.constraints.map(constraintFormula);
  const count = candidates.length;
  const refused = candidates.filter(({ refusal }) => refusal !== null).length;
  return [
    constraints.length === 0
      ? t("study.none_valued", { count })
      : t("study.none_feasible", { count, constraints: formatList(constraints) }),
    ...(refused > 0 ? [t("study.count_refused", { count: refused })] : []),
    ...(written.objective === null ? [t("study.not_applicable", { figure: study.objective.text })] : []),
  ];
}

/** `unclear`: the interval includes 0, or there is none. */
type Verdict = "better" | "worse" | "unclear";

/** @param estimate  objective of the best candidate minus that of another one */
function verdictOf({ objective: { direction } }: Study, { low, high }: Estimate): Verdict {
  if (low === null || high === null || (low <= 0 && 0 <= high)) return "unclear";
  return high < 0 === (direction === "minimise") ? "better" : "worse";
}

/** The difference on the seeds of the study, and its limitations: the best of many candidates is biased. */
function differenceSentences(
  result: StudyResult,
  { difference, indistinguishableCount, scored }: BestCandidate,
  texts: PageTexts,
): string[] {
  const { study, candidates } = result;
  if (difference === null) return [];
  const { t } = texts;
  const decimals = objectiveDecimals(study);
  const { seedCount: count } = scored;
  if (difference.low === null || difference.high === null) return [t("study.one_seed")];
  if (difference.low === difference.high)
    return [t("study.no_variation", { value: formatFixed(difference.mean, decimals), count })];
  // Of a race, held-out seeds decide.
  const isRace = isRaced(result);
  const isBetter = isRace || verdictOf(study, difference) === "better";
  return [
    t(isBetter ? "study.difference_biased" : "study.difference_unclear", {
      value: estimateText(difference, decimals, texts),
      share: formatShare(study.confidence),
      count,
      candidates: candidates.length,
    }),
    ...(isRace || indistinguishableCount === 0 ? [] : [t("study.as_good", { count: indistinguishableCount })]),
  ];
}

/** Figures that get worse with disjoint intervals; empty where none does. */
export function sideEffectText({ study, best, written }: StudyResult, texts: PageTexts): string {
  const { t, formatList } = texts;
  if (best === null) return "";
  const worse = NUMERIC_KPI_NAMES.flatMap((kpi) => {
    const { direction, shows } = kpiOf(kpi);
    if (!shows.sideEffect) return [];
    const [before, after] = [written.kpis.get(kpi), best.scored.kpis.get(kpi)];
    if (before == null || after == null || before.low === null || before.high === null) return [];
    if (after.low === null || after.high === null || study.objective.terms.some((term) => term.kpi === kpi)) return [];
    if (direction === "more" ? before.low <= after.high : after.low <= before.high) return [];
    const text = valueFormat(kpi, [before.mean, after.mean], texts);
    const values = { before: text(before.mean), after: text(after.mean) };
    if (values.before === values.after) return [];
    return [t("study.from_to", { figure: t(`kpi.${kpi}.label`), ...values })];
  });
  return worse.length === 0 ? "" : t("study.gets_worse", { figures: formatList(worse) });
}

const HELD_OUT: Readonly<Record<Verdict, TextKey>> = {
  better: "study.held_better",
  worse: "study.held_worse",
  unclear: "study.held_unclear",
};

function heldOutSentences(result: StudyResult, texts: PageTexts): string[] {
  const { heldOut, study } = result;
  if (heldOut === null) return [];
  const row = writtenRow(heldOut);
  const change = raceChange(result);
  const sentence =
    row?.bestMinusThis == null
      ? []
      : [
          texts.t(HELD_OUT[verdictOf(study, row.bestMinusThis)], {
            count: heldOut.seeds.length,
            value: estimateText(row.bestMinusThis, objectiveDecimals(study), texts),
          }),
        ];
  return [
    ...(change === null ? sentence : changeEvidence(result, change, texts)),
    ...rulesSentence(result, heldOut, texts),
    ...simultaneousSentence(result, heldOut, texts),
    // Of a race it is in the verdict.
    ...(isRaced(result) ? [] : violatedSentence(study, heldOut, texts)),
  ];
}

/** The intervals are wider than those of a single comparison. */
function simultaneousSentence(
  result: StudyResult,
  { comparisonCount, rows }: HeldOutResult,
  texts: PageTexts,
): string[] {
  const share = formatShare(result.study.confidence);
  if (rows.every(({ bestMinusThis }) => bestMinusThis?.low == null)) return [];
  const looks = texts.formatList(HELD_OUT_LOOKS.map(String));
  // A tail has one look.
  if (isRaced(result) && result.study.objective.worstPct === null)
    return [texts.t("study.simultaneous_looks", { count: comparisonCount, share, looks })];
  return comparisonCount < 2 ? [] : [texts.t("study.simultaneous", { count: comparisonCount, share })];
}

/** Comparison with the reference weight rules. */
function rulesSentence(result: StudyResult, { rows }: HeldOutResult, texts: PageTexts): string[] {
  const { t, formatList } = texts;
  // An infeasible rule is not an alternative.
  const rules = rows.filter(({ name, scored }) => name !== "best" && name !== "as written" && scored.isFeasible);
  const relations = (["better", "unclear", "worse"] as const).flatMap((relation) => {
    const names = rules.flatMap(({ name, bestMinusThis }) =>
      bestMinusThis !== null && verdictOf(result.study, bestMinusThis) === relation ? [ruleText(name, texts)] : [],
    );
    const key = isRaced(result) && relation === "unclear" ? "study.rules_open" : (`study.rules_${relation}` as const);
    return names.length === 0 ? [] : [t(key, { rules: formatList(names) })];
  });
  if (relations.length === 0) return [];
  const values = { relations: formatList(relations), count: rules[0].scored.seedCount };
  return [t(isRaced(result) ? "study.rules_on" : "study.rules", values)];
}

/** Rules that are better than every candidate: the design does not contain them, or the search did not find them. */
function betterRulesSentence(result: StudyResult, texts: PageTexts): string[] {
  const { study, best, references } = result;
  if (best === null) return [];
  if (isRaced(result)) return betterRacedRules(result, best.scored, texts);
  return references
    .filter(({ scored }) => scored.isFeasible && compareCandidates(study, scored, best.scored) < 0)
    .map(({ name, scored }) => {
      const rule = ruleText(name, texts);
      if (scored.objective === null) return texts.t("study.rule_beats", { rule });
      return texts.t("study.rule_beats_at", {
        rule,
        value: estimateText(scored.objective, objectiveDecimals(study), texts),
      });
    });
}

/** Rules that the parameters can only approach. */
function unexpressedSentences({ references }: StudyResult, texts: PageTexts): string[] {
  return references.flatMap(({ name, unexpressed }) => {
    const { length: count } = unexpressed;
    if (count === 0) return [];
    const members = count <= 3 ? texts.formatList(unexpressed) : texts.t("study.members", { count });
    return [texts.t("study.unexpressed", { rule: ruleText(name, texts), members, count })];
  });
}

/** Constraints that are satisfied on the seeds of the study, but not on the held-out seeds. */
function violatedSentence({ constraints }: Study, { seeds, rows }: HeldOutResult, { t }: PageTexts): string[] {
  const { satisfiedShares } = rows[0].scored;
  return constraints.flatMap((constraint, k) =>
    satisfiedShares[k] === 1
      ? []
      : [
          t("study.violated", {
            constraint: constraintFormula(constraint),
            held: Math.round(satisfiedShares[k] * seeds.length),
            count: seeds.length,
          }),
        ],
  );
}
