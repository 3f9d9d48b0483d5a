/**
 * Claims that stand together. Each of several intervals covers its truth with some confidence; that all of them do is less
 * likely. Bonferroni: with a share of the risk each, all hold at once with the confidence that is asked for, whatever
 * they have in common, and here they share a candidate and its seeds.
 */
import { canonicalJson } from "../../base/canonicalJson.ts";
import type { Study, StudyParameter } from "../study.ts";
import type { Estimate } from "./estimate.ts";
import { pairedDifference, type ScoredCandidate } from "./scoreCandidate.ts";

/** What each of several intervals takes for all of them to hold at once. @param confidence of all, 0..1 */
export const bonferroniConfidence = (comparisons: number, confidence: number): number =>
  1 - (1 - confidence) / Math.max(1, comparisons);

/** Settings of a candidate: two with the same ones are one, however they are written. */
export const settingsKey = (parameters: readonly StudyParameter[], { patch }: ScoredCandidate): string =>
  canonicalJson(parameters.map(({ path, writtenValue }) => patch[path] ?? writtenValue));

/** Of one candidate against others. */
export interface MultipleComparison {
  /** How many of the others are another candidate, and none of those before. */
  readonly count: number;
  /** Objective of the candidate less that of each other, paired by seed; `null` for itself and where one is not known. */
  readonly differences: readonly (Estimate | null)[];
}

/** Differences whose intervals hold all at once with the study's confidence. */
export function compareWithAll(
  study: Study,
  one: ScoredCandidate,
  others: readonly ScoredCandidate[],
): MultipleComparison {
  const own = settingsKey(study.parameters, one);
  const keys = others.map((other) => settingsKey(study.parameters, other));
  const count = new Set(keys.filter((key) => key !== own)).size;
  const confidence = bonferroniConfidence(count, study.confidence);
  return {
    count,
    differences: others.map((other, k) => (keys[k] === own ? null : pairedDifference(study, one, other, confidence))),
  };
}

/**
 * How many candidates the seeds cannot rule out to be as good as the best of them or better. With the study's confidence
 * the truly best one is among these or is the best.
 *
 * @param others feasible, none of them better on these seeds
 * @see Nelson, Swann, Goldsman, Song, Simple procedures for selecting the best simulated system when the number of
 * alternatives is large, Operations Research 49 (2001): screening by paired differences, each at its share of the risk
 */
export function countIndistinguishable(
  study: Study,
  best: ScoredCandidate,
  others: readonly ScoredCandidate[],
): number {
  if (study.seeds.length < 2) return 0;
  // One-sided: nobody asks how much better the best may be.
  const confidence = bonferroniConfidence(others.length, 1 - 2 * (1 - study.confidence));
  const { direction } = study.objective;
  return others.filter((other) => {
    const worse = pairedDifference(study, other, best, confidence);
    if (worse === null) return false;
    return direction === "minimise" ? (worse.low ?? 0) <= 0 : 0 <= (worse.high ?? 0);
  }).length;
}
