import { mean, sampleStandardDeviation } from "simple-statistics";
import { largestOf, sumOf } from "../../base/lists.ts";
import { studentTProbability } from "./estimate.ts";

/**
 * Probability that the true mean of paired differences is below a limit: for independent normal differences and a flat
 * prior, the true mean less that of the sample is distributed as Student's t times the standard error. Without variance
 * 1 or 0; 0.5 if the differences are the limit.
 *
 * @param differences one per seed, at least one, in the unit of the limit; the seeds had no part in selecting the pair
 * @returns           0..1
 * @see Box and Tiao, Bayesian Inference in Statistical Analysis, 2.4
 */
export function probabilityBelow(differences: readonly number[], limit: number): number {
  const [first] = differences;
  if (differences.every((value) => value === first)) return 0.5 + 0.5 * Math.sign(limit - first);
  const standardError = sampleStandardDeviation([...differences]) / Math.sqrt(differences.length);
  return studentTProbability((limit - mean([...differences])) / standardError, differences.length - 1);
}

/**
 * Whether one seed makes up over half of the sum of squared deviations. The interval of the mean may then be too short:
 * the failures that cause such a difference may be missing from the other seeds.
 */
export function isCarriedByOne(differences: readonly number[]): boolean {
  // Of two, each makes up half.
  if (differences.length < 3) return false;
  const centre = mean([...differences]);
  const squares = differences.map((value) => (value - centre) ** 2);
  return 2 * largestOf(squares) > sumOf(squares);
}
