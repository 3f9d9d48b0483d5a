import { kpiOf, NUMERIC_KPI_NAMES } from "../../accounting/kpis/kpiRegistry.ts";
import { formatCount, formatFixed, formatList } from "../../report/html/page/format.ts";
import { textOf } from "../../texts/catalogue.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { compareCandidates } from "../statistics/scoreCandidate.ts";
import type { Study } from "../study.ts";
import type { BestCandidate, HeldOutResult, StudyResult } from "../studyResult.ts";
import {
  boundSentences,
  constraintText,
  estimateText,
  formatShare,
  meanDecimals,
  objectiveDecimals,
  objectiveLabel,
  parameterText,
  parameterValue,
} from "./studyText.ts";

/** The recommendation of a study with its evidence, in sentences. */
export function recommendation(result: StudyResult): string[] {
  const { study, best, candidates, written } = result;
  if (best === null) return noFeasibleCandidate(result);
  const label = objectiveLabel(study);
  const decimals = objectiveDecimals(study);
  const [writtenValue, bestValue] = [written.objective, best.scored.objective];
  if (best.candidateIndex < 0)
    return [
      `Keep the scenario as written: none of ${formatCount(candidates.length, "candidate")} has a better ${label}${writtenValue === null ? "" : ` than ${estimateText(writtenValue, decimals)}`}.`,
      ...heldOutSentences(result),
      ...betterRulesSentence(result),
      ...unexpressedSentences(result),
      ...boundSentences(result),
    ];
  const settings = study.parameters.map(
    (parameter) => `${parameter.name} ${parameterText(parameter, parameterValue(parameter, best.scored), 4)}`,
  );
  const lead = isConfirmedByHeldOut(result)
    ? `Set ${formatList(settings)}`
    : `The best candidate is ${formatList(settings)}`;
  const reference = writtenValue === null ? "" : `, compared with ${estimateText(writtenValue, decimals)} as written`;
  return [
    `${lead}: ${label} is ${bestValue === null ? "–" : estimateText(bestValue, decimals)}${reference}.`,
    ...roundedSentence(result),
    ...evidenceSentences(study, best, candidates.length),
    ...heldOutSentences(result),
    ...betterRulesSentence(result),
    ...unexpressedSentences(result),
    ...sideEffectSentence(result),
    ...boundSentences(result),
    ...(written.isFeasible ? [] : ["The scenario as written violates the constraints."]),
  ];
}

/** What best.patch.yaml has in place of the weights of the best candidate. */
function roundedSentence({ study, rounded }: StudyResult): string[] {
  if (rounded === null) return [];
  const { digits, scored, difference } = rounded;
  const weights = study.parameters
    .filter(({ path, isFactor }) => path.startsWith("weights.") && !isFactor && scored.patch[path] !== undefined)
    .map((parameter) => `${parameter.name} ${parameterText(parameter, scored.patch[parameter.path])}`);
  const unit = study.objective.terms.length === 1 ? kpiOf(study.objective.terms[0].kpi).unit : "";
  const by = `${difference.mean > 0 ? "+" : ""}${formatFixed(difference.mean, objectiveDecimals(study))}`;
  return [
    `Weights are rounded to ${formatCount(digits, "digit")}: ${weights.join(", ")}; within the interval of the best (${by}${unit === "" ? "" : ` ${unit}`}).`,
  ];
}

function noFeasibleCandidate({ study, candidates, written }: StudyResult): string[] {
  const constraints = study.constraints.map(constraintText);
  const refused = candidates.filter(({ refusal }) => refusal !== null).length;
  return [
    `None of ${formatCount(candidates.length, "candidate")}, nor the scenario as written, ${constraints.length === 0 ? "has a value of the objective" : `satisfies ${formatList(constraints)} on every seed`}.`,
    ...(refused > 0
      ? [`${formatCount(refused, "candidate")} ${refused === 1 ? "is" : "are"} refused by the scenario.`]
      : []),
    ...(written.objective === null
      ? [`The objective ${study.objective.text} does not apply to this scenario: one of its figures is empty.`]
      : []),
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
function evidenceSentences(
  study: Study,
  { difference, indistinguishableCount }: BestCandidate,
  candidateCount: number,
): string[] {
  if (difference === null) return [];
  const decimals = objectiveDecimals(study);
  if (difference.low === null || difference.high === null) return ["One seed gives no interval: use more seeds."];
  const seeds = formatCount(study.seeds.length, "seed");
  if (difference.low === difference.high)
    return [
      `The difference is ${formatFixed(difference.mean, decimals)} on each of ${seeds}, without random variation.`,
    ];
  const text = `The difference paired by seed is ${estimateText(difference, decimals)} (${formatShare(study.confidence)} interval on ${seeds})`;
  const selectionBias = `it is biased, because these seeds also selected the best of ${formatCount(candidateCount, "candidate")}`;
  const others =
    indistinguishableCount === 0
      ? ""
      : ` On these seeds, ${formatCount(indistinguishableCount, "other candidate")} may be as good.`;
  return [
    verdictOf(study, difference) === "better"
      ? `${text}; ${selectionBias}.${others}`
      : `${text}: it is not statistically significant, use more seeds.${others}`,
  ];
}

/** Whether the held-out seeds confirm that the best beats the scenario as written; true without held-out seeds. */
function isConfirmedByHeldOut({ study, heldOut }: StudyResult): boolean {
  const row = heldOut?.rows.find(({ name }) => name === "as written");
  return row?.bestMinusThis == null || verdictOf(study, row.bestMinusThis) === "better";
}

/** Figures that get worse with disjoint intervals. */
function sideEffectSentence({ study, best, written }: StudyResult): string[] {
  if (best === null) return [];
  const worse = NUMERIC_KPI_NAMES.flatMap((kpi) => {
    const { unit, direction, shows } = kpiOf(kpi);
    const label = textOf("en", `kpi.${kpi}.label`);
    if (!shows.sideEffect) return [];
    const [before, after] = [written.kpis.get(kpi), best.scored.kpis.get(kpi)];
    if (before == null || after == null || before.low === null || before.high === null) return [];
    if (after.low === null || after.high === null || study.objective.terms.some((term) => term.kpi === kpi)) return [];
    if (direction === "more" ? before.low <= after.high : after.low <= before.high) return [];
    const text = ({ mean }: Estimate) => formatFixed(mean, meanDecimals(kpi));
    if (text(before) === text(after)) return [];
    return [`${label} from ${text(before)} to ${text(after)}${unit === "" ? "" : ` ${unit}`}`];
  });
  return worse.length === 0 ? [] : [`Other figures get worse: ${formatList(worse)}.`];
}

function heldOutSentences({ heldOut, best, study }: StudyResult): string[] {
  if (heldOut === null || best === null) return [];
  const seeds = formatCount(heldOut.seeds.length, "held-out seed");
  const sentences: string[] = [];
  const row = heldOut.rows.find(({ name }) => name === "as written");
  if (row?.bestMinusThis != null) {
    const verdictText: Record<Verdict, string> = {
      better: "the improvement is confirmed",
      worse: "it is worse, so keep the scenario as written or use more seeds",
      unclear: "the improvement is not statistically significant",
    };
    sentences.push(
      `On ${seeds}, the difference is ${estimateText(row.bestMinusThis, objectiveDecimals(study))}: ${verdictText[verdictOf(study, row.bestMinusThis)]}.`,
    );
  }
  return [
    ...sentences,
    ...rulesSentence(study, heldOut, sentences.length === 0 ? `On ${seeds}` : "On these seeds"),
    ...simultaneousSentence(study, heldOut),
    ...violatedSentence(study, heldOut),
  ];
}

/** The intervals are wider than those of a single comparison. */
function simultaneousSentence({ confidence }: Study, { comparisonCount, rows }: HeldOutResult): string[] {
  if (comparisonCount < 2 || rows.every(({ bestMinusThis }) => bestMinusThis?.low == null)) return [];
  return [
    `The intervals of these ${formatCount(comparisonCount, "comparison")} hold simultaneously at ${formatShare(confidence)} (Bonferroni).`,
  ];
}

/** Comparison with the reference weight rules. */
function rulesSentence(study: Study, { rows }: HeldOutResult, where: string): string[] {
  // An infeasible rule is not an alternative.
  const rules = rows.filter(({ name, scored }) => name !== "best" && name !== "as written" && scored.isFeasible);
  const rulesThat = (verdict: Verdict) =>
    rules.flatMap(({ name, bestMinusThis }) =>
      bestMinusThis !== null && verdictOf(study, bestMinusThis) === verdict ? [weightsText(name)] : [],
    );
  const groups = [
    ["is better than", rulesThat("better")],
    ["is not significantly different from", rulesThat("unclear")],
    ["is worse than", rulesThat("worse")],
  ] as const;
  const parts = groups.flatMap(([relation, names]) => (names.length === 0 ? [] : [`${relation} ${formatList(names)}`]));
  return parts.length === 0 ? [] : [`${where} it ${formatList(parts)}.`];
}

/** Rules that are better than every candidate: the design does not contain them, or the search did not find them. */
function betterRulesSentence({ study, best, references }: StudyResult): string[] {
  if (best === null) return [];
  return references
    .filter(({ scored }) => scored.isFeasible && compareCandidates(study, scored, best.scored) < 0)
    .map(({ name, scored }) => {
      const value = scored.objective === null ? "" : `, ${estimateText(scored.objective, objectiveDecimals(study))},`;
      return `${capitalised(weightsText(name))} are better than every candidate${value} and are not among them.`;
    });
}

/** Rules that the parameters can only approach. */
function unexpressedSentences({ references }: StudyResult): string[] {
  return references.flatMap(({ name, unexpressed }) => {
    if (unexpressed.length === 0) return [];
    const members = unexpressed.length <= 3 ? formatList(unexpressed) : formatCount(unexpressed.length, "member");
    return [
      `The parameters cannot express ${weightsText(name)}: ${members} ${unexpressed.length === 1 ? "has a weight" : "have weights"} in another ratio.`,
    ];
  });
}

const weightsText = (rule: string): string => (rule.startsWith("by ") ? `weights ${rule}` : rule);
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Constraints that are satisfied on the seeds of the study, but not on the held-out seeds. */
function violatedSentence({ constraints }: Study, { seeds, rows }: HeldOutResult): string[] {
  const { satisfiedShares } = rows[0].scored;
  return constraints.flatMap((constraint, k) =>
    satisfiedShares[k] === 1
      ? []
      : [
          `On the held-out seeds, ${constraintText(constraint)} is satisfied on only ${Math.round(satisfiedShares[k] * seeds.length)} of ${seeds.length}.`,
        ],
  );
}
