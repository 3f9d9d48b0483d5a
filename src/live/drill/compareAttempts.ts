import { largestOf } from "../../base/extremes.ts";
import { roundTo } from "../../base/rounding.ts";
import type { PastAttempt } from "./attemptHistory.ts";

/** How an attempt compares with the earlier ones of the same person. */
interface AttemptComparison {
  /** Number of this attempt, from 1. */
  readonly number: number;
  /** `null`: it is the first. */
  readonly lastScore: number | null;
  /** Best score of the earlier attempts. */
  readonly bestScore: number | null;
  /** Difference from the score of the last attempt. */
  readonly scoreChange: number | null;
}

/** @param earlier  oldest first */
export function compareAttempts(score: number, earlier: readonly PastAttempt[]): AttemptComparison {
  const last = earlier.at(-1);
  if (last === undefined) return { number: 1, lastScore: null, bestScore: null, scoreChange: null };
  return {
    number: earlier.length + 1,
    lastScore: last.score,
    bestScore: largestOf(earlier.map((attempt) => attempt.score)),
    scoreChange: roundTo(score - last.score, 1),
  };
}
