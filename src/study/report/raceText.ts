// What a study says that was raced: how sure a change is, what is known of those that left, and what it cost.
import { isMoney } from "../../accounting/kpis/kpi.ts";
import { kpiOf } from "../../accounting/kpis/kpiRegistry.ts";
import { log10 } from "../../base/elementary.ts";
import { largestOf, smallestOf } from "../../base/lists.ts";
import { captionOf } from "../../report/html/charts/timeChart.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import type { PageTexts } from "../../report/html/page/pageLocale.ts";
import { COMPARED_SEEDS_MIN } from "../allocation/selectBest.ts";
import { pairedDifference, type ScoredCandidate } from "../statistics/scoreCandidate.ts";
import { objectiveKpi, type Study } from "../study.ts";
import type { Confirmation, HeldOutResult, StudyResult } from "../studyResult.ts";
import { formatShare, objectiveDecimals, ruleText, valueFormat } from "./studyText.ts";

export const isRaced = ({ allocation }: StudyResult): boolean => allocation.method === "race";

/** Those whose means can be compared: of a race, the ones of enough seeds, or all where these are fewer than two. */
export function comparableCandidates(result: StudyResult, indices: readonly number[]): readonly number[] {
  const some = indices.filter((index) => COMPARED_SEEDS_MIN <= result.candidates[index].seedCount);
  return isRaced(result) && 2 <= some.length ? some : indices;
}

/** `8 to 24`, or `8`. */
export function seedsText(counts: readonly number[], { t }: PageTexts): string {
  const [low, high] = [smallestOf(counts), largestOf(counts)].map(String);
  return low === high ? low : t("study.interval", { low, high });
}

/** What the ends of keys of texts on the size of a study are: of `optimise`, finalists race. */
export const raceKind = (result: StudyResult): "" | "_raced" | "_search" =>
  isRaced(result) ? (result.search === null ? "_raced" : "_search") : "";

/** The values of these texts. */
export const sizeOf = ({ study, candidates, search, allocation: { rounds } }: StudyResult, texts: PageTexts) => ({
  candidates: candidates.length,
  count: study.seeds.length,
  seeds:
    rounds.length === 0
      ? ""
      : seedsText(
          rounds.map(({ seeds }) => seeds),
          texts,
        ),
  evaluations: search?.path.at(-1)?.evaluations ?? 0,
});

/** The scenario as written and the best on the same seeds. */
export interface ComparedPair {
  readonly written: ScoredCandidate;
  readonly best: ScoredCandidate;
}

export const writtenRow = (heldOut: HeldOutResult | null) => heldOut?.rows.find(({ name }) => name === "as written");

interface HeldOutChange extends Confirmation {
  readonly pair: ComparedPair;
  /** By which the best is better than the scenario as written; negative where it is worse. */
  readonly gain: number;
  readonly halfWidth: number;
  readonly seedCount: number;
}

/** The change of a race on held-out seeds; `null` where there is none to judge. */
export function raceChange(result: StudyResult): HeldOutChange | null {
  const { study, heldOut } = result;
  const row = writtenRow(heldOut);
  if (!isRaced(result) || heldOut?.change == null || row?.bestMinusThis == null) return null;
  const { mean, low, high } = row.bestMinusThis;
  return {
    ...heldOut.change,
    pair: { written: row.scored, best: heldOut.rows[0].scored },
    gain: study.objective.direction === "minimise" ? -mean : mean,
    halfWidth: low === null || high === null ? 0 : (high - low) / 2,
    seedCount: heldOut.seeds.length,
  };
}

/** `over 99.9 %`: intervals of few seeds say no more of such a probability. */
function probabilityText(probability: number, { t }: PageTexts): string {
  if (0.999 < probability) return t("study.over", { share: formatShare(0.999) });
  if (probability < 0.001) return t("study.under", { share: formatShare(0.001) });
  const decimals = 0.05 < probability && probability < 0.95 ? 0 : 1;
  return `${formatFixed(100 * probability, decimals)} %`;
}

/** Values of the objective with the digits that the last one leaves, and its unit: `1,704`, `230 kWh`. */
function roughTexts(study: Study, values: readonly number[], texts: PageTexts): string[] {
  const kpi = objectiveKpi(study);
  const last = values.length - 1;
  // Two digits, of a figure with no more decimals than it has elsewhere; formulas have any scale.
  const decimalsOfTwo = values[last] > 0 ? Math.max(0, 1 - Math.floor(log10(values[last]))) : 0;
  const decimals = Math.min(decimalsOfTwo, kpi === null ? 9 : objectiveDecimals(study));
  const text = valueFormat(kpi, values, texts, decimals);
  const isAmount = kpi !== null && isMoney(kpiOf(kpi));
  return values.map((value, k) => (isAmount || k === last ? text(value) : formatFixed(value, decimals)));
}

/** `12 kWh`, with the digits of the study file. */
export function minDifferenceText(study: Study, texts: PageTexts): string {
  const { minDifference } = study;
  const decimals = String(minDifference).split(".")[1]?.length ?? 0;
  return valueFormat(objectiveKpi(study), [minDifference], texts, decimals)(minDifference);
}

/** What to do, and how sure that is. @param settings  of the best */
export function changeSentence(
  { study, written }: StudyResult,
  change: HeldOutChange,
  { settings, isAdvised }: { settings: string; isAdvised: boolean },
  texts: PageTexts,
): string {
  const { t } = texts;
  const { gain, halfWidth, betterSeedCount: better, seedCount: count } = change;
  const values = {
    probability: probabilityText(change.probabilityBetter, texts),
    change: roughTexts(study, [gain, halfWidth], texts).join(" ± "),
    share: formatShare(study.confidence),
    count,
    better,
  };
  // Single seeds say nothing of a tail.
  const outcome = t(study.objective.worstPct === null ? "study.sure_better" : "study.sure_better_tail", values);
  if (isAdvised) return t("study.set", { settings, outcome });
  // To keep what violates a constraint is no advice.
  if (!written.isFeasible) return t("study.best_is", { settings, outcome });
  if (gain < 0)
    return t("study.keep_worse", { ...values, change: roughTexts(study, [-gain, halfWidth], texts).join(" ± ") });
  return gain < study.minDifference
    ? t("study.keep_too_small", { ...values, limit: minDifferenceText(study, texts) })
    : t("study.keep_unsure", values);
}

/** How much better the others could be, of which enough is known. */
export function othersSentence({ study, best, candidates }: StudyResult, texts: PageTexts): string[] {
  if (best === null || best.lossAtMost === null) return [];
  const { t } = texts;
  const [loss] = roughTexts(study, [best.lossAtMost], texts);
  const known = candidates.filter(({ isFeasible, seedCount }) => isFeasible && COMPARED_SEEDS_MIN <= seedCount);
  const refused = candidates.filter(({ refusal }) => refusal !== null).length;
  const left = best.leftEarlyCount - refused;
  const values = {
    total: candidates.length,
    count: known.length,
    seeds: COMPARED_SEEDS_MIN,
    share: formatShare(study.confidence),
    limit: best.lossAtMost === 0 ? t("study.none_better") : t("study.none_better_by", { loss }),
  };
  const sentences = [
    t(study.constraints.length === 0 ? "study.others" : "study.others_feasible", values),
    left > 0 ? t("study.left_early", { count: left }) : "",
    refused > 0 ? t("study.count_refused", { count: refused }) : "",
  ];
  return [captionOf(sentences, t)];
}

/** What the held-out seeds say beyond the verdict. */
export function changeEvidence({ study }: StudyResult, change: HeldOutChange, texts: PageTexts): string[] {
  const { t } = texts;
  const { gain, halfWidth, moreRuns, seedCount: count } = change;
  const { minDifference } = study;
  const isDecidedBelow = halfWidth <= minDifference && Math.abs(gain) < minDifference;
  const limit = minDifferenceText(study, texts);
  const probability = probabilityText(change.probabilityOfMinDifference, texts);
  const [before, after] = roughTexts(study, [halfWidth, moreRuns?.halfWidth ?? 0], texts);
  return [
    minDifference > 0 ? t("study.by_more_than", { limit, probability }) : "",
    moreRuns === null || isDecidedBelow ? "" : t("study.more_runs", { count: moreRuns.runs, before, after }),
    change.isCarriedByOne ? t("study.carried_by_one", { count }) : "",
  ].filter((sentence) => sentence !== "");
}

/** Rules that are better than the best candidate on the seeds of both, by more than chance. */
export function betterRacedRules(
  { study, references }: StudyResult,
  best: ScoredCandidate,
  texts: PageTexts,
): string[] {
  const sign = study.objective.direction === "minimise" ? -1 : 1;
  return references.flatMap(({ name, scored }) => {
    const difference = pairedDifference(study, scored, best);
    const ends = [difference?.low ?? 0, difference?.high ?? 0].map((end) => sign * end);
    const gain = sign * (difference?.mean ?? 0);
    if (!scored.isFeasible || smallestOf(ends) <= 0) return [];
    const change = valueFormat(objectiveKpi(study), [gain], texts)(gain);
    const count = Math.min(scored.seedCount, best.seedCount);
    return [texts.t("study.rule_ahead", { rule: ruleText(name, texts), count, change })];
  });
}

export const costSentence = (result: StudyResult, { t }: PageTexts): string => {
  const { runCount, equalRunCount } = result.allocation;
  return isRaced(result) ? t("study.cost", { count: runCount, equal: equalRunCount }) : "";
};
