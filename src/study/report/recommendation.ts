import { KPI_REGISTRY } from "../../accounting/kpis/kpiRegistry.ts";
import { formatCount, formatFixed, formatList } from "../../report/html/page/format.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { compareCandidates } from "../statistics/scoreCandidate.ts";
import type { Study } from "../study.ts";
import type { BestCandidate, HeldOutResult, StudyResult } from "../studyResult.ts";
import { boundSentences } from "./boundText.ts";
import {
  constraintText,
  estimateText,
  formatShare,
  meanDecimals,
  objectiveDecimals,
  objectiveLabel,
  parameterValue,
  settingText,
} from "./studyText.ts";

/** The study's recommendation with its reasons, as sentences. */
export function recommendation(result: StudyResult): string[] {
  const { study, best, candidates, written } = result;
  if (best === null) return noFeasibleCandidate(result);
  const label = objectiveLabel(study);
  const decimals = objectiveDecimals(study);
  const [before, after] = [written.objective, best.scored.objective];
  if (best.candidateIndex < 0)
    return [
      `Keep the scenario as it is: of ${formatCount(candidates.length, "candidate")} none has a better ${label}${before === null ? "" : `, which is ${estimateText(before, decimals)}`}.`,
      ...heldOutSentences(result),
      ...betterRulesSentence(result),
      ...boundSentences(result),
    ];
  const settings = study.parameters.map(
    (parameter) => `${parameter.name} ${settingText(parameterValue(parameter, best.scored))}`,
  );
  const lead = isConfirmedByHeldOut(result)
    ? `Set ${formatList(settings)}`
    : `The best that was found is ${formatList(settings)}`;
  const from = before === null ? "" : ` instead of ${estimateText(before, decimals)} as written`;
  return [
    `${lead}: ${label} becomes ${after === null ? "–" : estimateText(after, decimals)}${from}.`,
    ...evidence(study, best, candidates.length),
    ...heldOutSentences(result),
    ...betterRulesSentence(result),
    ...priceSentence(result),
    ...boundSentences(result),
    ...(written.isFeasible ? [] : ["The scenario as written does not keep to the constraints."]),
  ];
}

function noFeasibleCandidate({ study, candidates, written }: StudyResult): string[] {
  const limits = study.constraints.map(constraintText);
  const refused = candidates.filter(({ refusal }) => refusal !== null).length;
  return [
    `None of ${formatCount(candidates.length, "candidate")}, nor the scenario as written, keeps to ${limits.length === 0 ? "what the objective needs" : `${formatList(limits)} on every seed`}.`,
    ...(refused > 0 ? [`${formatCount(refused, "candidate")} the scenario itself refuses.`] : []),
    ...(written.objective === null
      ? [`The objective ${study.objective.text} does not apply to this scenario: a figure of it is empty.`]
      : []),
  ];
}

type Verdict = "better" | "worse" | "unclear";

/** @param difference objective of the best candidate minus that of another */
function verdictOf({ objective: { direction } }: Study, { low, high }: Estimate): Verdict {
  if (low === null || high === null || (low <= 0 && 0 <= high)) return "unclear";
  return high < 0 === (direction === "minimise") ? "better" : "worse";
}

/** The difference on the study's seeds. The best was selected on them, so the difference is biased. */
function evidence(study: Study, { difference, indistinguishableCount }: BestCandidate, candidates: number): string[] {
  if (difference === null) return [];
  const decimals = objectiveDecimals(study);
  if (difference.low === null || difference.high === null)
    return ["On one seed nothing can be said about chance: give the study more seeds."];
  const seeds = formatCount(study.seeds.length, "seed");
  if (difference.low === difference.high)
    return [
      `The difference is ${formatFixed(difference.mean, decimals)} on each of ${seeds}: chance has no part in it.`,
    ];
  const text = `Seed by seed the difference is ${estimateText(difference, decimals)}, the interval at ${formatShare(study.confidence)} on ${seeds}`;
  const chosen = `being the best of ${formatCount(candidates, "candidate")} on these very seeds flatters it`;
  const among =
    indistinguishableCount === 0
      ? ""
      : ` ${formatCount(indistinguishableCount, "other candidate")} may be as good for all that these seeds tell.`;
  return [
    verdictOf(study, difference) === "better"
      ? `${text}; ${chosen}.${among}`
      : `${text}: it may be chance, and more seeds would tell.${among}`,
  ];
}

/** Whether the improvement is significant on held-out seeds; also true where there are none. */
function isConfirmedByHeldOut({ study, heldOut }: StudyResult): boolean {
  const row = heldOut?.rows.find(({ name }) => name === "as written");
  return row?.bestMinusThis == null || verdictOf(study, row.bestMinusThis) === "better";
}

/** KPIs that get significantly worse: their two intervals are disjoint. */
function priceSentence({ study, best, written }: StudyResult): string[] {
  if (best === null) return [];
  const worse = KPI_REGISTRY.flatMap(({ name: kpi, label, unit, direction, shows }) => {
    if (!shows.sideEffect) return [];
    const [before, after] = [written.kpis.get(kpi), best.scored.kpis.get(kpi)];
    if (before == null || after == null || before.low === null || before.high === null) return [];
    if (after.low === null || after.high === null || study.objective.terms.some((term) => term.kpi === kpi)) return [];
    if (direction === "more" ? before.low <= after.high : after.low <= before.high) return [];
    const text = ({ mean }: Estimate) => formatFixed(mean, meanDecimals(kpi));
    if (text(before) === text(after)) return [];
    return [`${label} goes from ${text(before)} to ${text(after)}${unit === "" ? "" : ` ${unit}`}`];
  });
  return worse.length === 0 ? [] : [`It has its price: ${formatList(worse)}.`];
}

function heldOutSentences({ heldOut, best, study }: StudyResult): string[] {
  if (heldOut === null || best === null) return [];
  const seeds = formatCount(heldOut.seeds.length, "other seed");
  const sentences: string[] = [];
  const row = heldOut.rows.find(({ name }) => name === "as written");
  if (row?.bestMinusThis != null) {
    const words: Record<Verdict, string> = {
      better: "the choice holds",
      worse: "there it is worse, so keep the scenario as written or give the study more seeds",
      unclear: "there the choice cannot be told from chance",
    };
    sentences.push(
      `On ${seeds}, which had no say in the choice, the difference is ${estimateText(row.bestMinusThis, objectiveDecimals(study))}: ${words[verdictOf(study, row.bestMinusThis)]}.`,
    );
  }
  return [
    ...sentences,
    ...rulesSentence(study, heldOut, sentences.length === 0 ? `on ${seeds}` : "there"),
    ...togetherSentence(study, heldOut),
    ...brokenSentence(study, heldOut),
  ];
}

/** Explains why these intervals are wider than those of a single comparison. */
function togetherSentence({ confidence }: Study, { comparisonCount, rows }: HeldOutResult): string[] {
  if (comparisonCount < 2 || rows.every(({ bestMinusThis }) => bestMinusThis?.low == null)) return [];
  return [
    `What is said of ${formatCount(comparisonCount, "comparison")} there holds for all of them at once at ${formatShare(confidence)} (Bonferroni).`,
  ];
}

/** Compares the best candidate with the reference rules. */
function rulesSentence(study: Study, { rows }: HeldOutResult, where: string): string[] {
  // Only feasible rules are compared.
  const rules = rows.filter(({ name, scored }) => name !== "best" && name !== "as written" && scored.isFeasible);
  const named = (verdict: Verdict) =>
    rules.flatMap(({ name, bestMinusThis }) =>
      bestMinusThis !== null && verdictOf(study, bestMinusThis) === verdict ? [weightsText(name)] : [],
    );
  const parts = [
    ["it beats", named("better")],
    ["cannot be told from", named("unclear")],
    ["is worse than", named("worse")],
  ] as const;
  const clauses = parts.flatMap(([words, names]) => (names.length === 0 ? [] : [`${words} ${formatList(names)}`]));
  return clauses.length === 0
    ? []
    : [`${capitalised(where)} ${clauses[0].startsWith("it") ? "" : "it "}${formatList(clauses)}.`];
}

/**
 * Reference rules that are better than every candidate, because the design does not contain them or the search missed
 * them.
 */
function betterRulesSentence({ study, best, references }: StudyResult): string[] {
  if (best === null) return [];
  return references
    .filter(({ scored }) => scored.isFeasible && compareCandidates(study, scored, best.scored) < 0)
    .map(({ name, scored }) => {
      const value = scored.objective === null ? "" : `, ${estimateText(scored.objective, objectiveDecimals(study))},`;
      return `${capitalised(weightsText(name))} are better still${value} and are none of the candidates.`;
    });
}

const weightsText = (rule: string): string => (rule.startsWith("by ") ? `weights ${rule}` : rule);
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Constraints that hold on the study's seeds but not on the held-out ones. */
function brokenSentence({ constraints }: Study, { seeds, rows }: HeldOutResult): string[] {
  const { satisfiedShares } = rows[0].scored;
  return constraints.flatMap((constraint, k) =>
    satisfiedShares[k] === 1
      ? []
      : [
          `There ${constraintText(constraint)} holds on ${Math.round(satisfiedShares[k] * seeds.length)} of ${seeds.length} only: the study's own seeds were kind to it.`,
        ],
  );
}
