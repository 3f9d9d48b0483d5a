import { largestOf } from "../../base/lists.ts";
import { bonferroniConfidence, countIndistinguishable, settingsKey } from "../statistics/multipleComparisons.ts";
import { bestCandidateIndex, pairedDifference, type ScoredCandidate } from "../statistics/scoreCandidate.ts";
import { isRace, type Study } from "../study.ts";
import type { BestCandidate } from "../studyResult.ts";

/** Of fewer seeds a paired difference says little. */
export const COMPARED_SEEDS_MIN = 8;

/**
 * The best feasible candidate, or the scenario as written, and what is known of the others; `null` when none is feasible.
 *
 * @param written  on as many seeds as those that can be chosen: who left a race earlier has a mean of other seeds
 */
export function selectBest(
  study: Study,
  written: ScoredCandidate,
  candidates: readonly ScoredCandidate[],
): BestCandidate | null {
  const all = [written, ...candidates];
  const bestIndex = bestCandidateIndex(study, all, written.seedCount);
  if (bestIndex < 0) return null;
  const scored = all[bestIndex];
  const key = settingsKey(study.parameters, scored);
  const others = candidates.filter(
    (candidate, k) => k !== bestIndex - 1 && candidate.isFeasible && settingsKey(study.parameters, candidate) !== key,
  );
  const compared = isRace(study) ? others.filter((other) => COMPARED_SEEDS_MIN <= other.seedCount) : others;
  const terms = lossTerms(study, scored, compared);
  return {
    candidateIndex: bestIndex - 1,
    scored,
    difference: pairedDifference(study, scored, written),
    indistinguishableCount: isRace(study)
      ? terms.filter((term) => study.minDifference < term).length
      : countIndistinguishable(study, scored, others),
    leftEarlyCount: isRace(study) ? candidates.filter(({ seedCount }) => seedCount < COMPARED_SEEDS_MIN).length : 0,
    lossAtMost: terms.length === 0 ? null : Math.max(0, largestOf(terms)),
  };
}

/**
 * How much better than the best each of the others could be, all at once with the study's confidence: one-sided, each at its share of
 * the risk.
 *
 * @see Hsu, Simultaneous confidence intervals for all distances from the "best", Annals of Statistics 9 (1981)
 */
function lossTerms(study: Study, best: ScoredCandidate, others: readonly ScoredCandidate[]): number[] {
  const confidence = bonferroniConfidence(others.length, study.confidence);
  return others.flatMap((other) => {
    const difference = pairedDifference(study, best, other, 2 * confidence - 1);
    const isLess = study.objective.direction === "minimise";
    const end = isLess ? difference?.high : difference?.low;
    return end == null ? [] : isLess ? end : -end;
  });
}
