/**
 * Simultaneous confidence intervals. The probability that all of several intervals cover their true values is lower
 * than that of each. Bonferroni: if the intervals share the risk, all hold simultaneously with the requested
 * confidence, whatever their dependence. Here they share a candidate and its seeds.
 */
import { canonicalJson } from "../../base/canonicalJson.ts";
import type { Study, StudyParameter } from "../study.ts";
import type { Estimate } from "./estimate.ts";
import { pairedDifference, type ScoredCandidate } from "./scoreCandidate.ts";

/** Confidence of each interval for all of them to hold simultaneously. @param confidence of all, 0..1 */
export const bonferroniConfidence = (comparisons: number, confidence: number): number =>
  1 - (1 - confidence) / Math.max(1, comparisons);

/** Key of a candidate's settings: equal for equal effective values, whether written in the patch or in the scenario. */
export const settingsKey = (parameters: readonly StudyParameter[], { patch }: Pick<ScoredCandidate, "patch">): string =>
  canonicalJson(parameters.map(({ path, writtenValue }) => patch[path] ?? writtenValue));

interface MultipleComparison {
  /** Number of distinct other candidates. */
  readonly count: number;
  /**
   * Objective of the candidate minus that of each other, paired by seed; `null` for itself and where one is unknown.
   */
  readonly differences: readonly (Estimate | null)[];
}

/** Differences whose intervals hold simultaneously with a confidence, by default the study's. */
export function compareWithAll(
  study: Study,
  one: ScoredCandidate,
  others: readonly ScoredCandidate[],
  confidenceOfAll: number = study.confidence,
): MultipleComparison {
  const own = settingsKey(study.parameters, one);
  const keys = others.map((other) => settingsKey(study.parameters, other));
  const count = new Set(keys.filter((key) => key !== own)).size;
  const confidence = bonferroniConfidence(count, confidenceOfAll);
  return {
    count,
    differences: others.map((other, k) => (keys[k] === own ? null : pairedDifference(study, one, other, confidence))),
  };
}

/**
 * Number of candidates that the seeds cannot distinguish from the best. With the study's confidence, the true best is
 * among these or is the best.
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
  // One-sided: only the lower end of the difference matters.
  const confidence = bonferroniConfidence(others.length, 1 - 2 * (1 - study.confidence));
  const { direction } = study.objective;
  return others.filter((other) => {
    const worse = pairedDifference(study, other, best, confidence);
    if (worse === null) return false;
    return direction === "minimise" ? (worse.low ?? 0) <= 0 : 0 <= (worse.high ?? 0);
  }).length;
}
