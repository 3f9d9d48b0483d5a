import { pairedDifference, type ScoredCandidate } from "../statistics/scoreCandidate.ts";
import type { Study } from "../study.ts";
import type { BestCandidate, RoundedWeights } from "../studyResult.ts";
import type { ParameterPatch } from "./candidateDesign.ts";

const DIGITS_MAX = 6;

/**
 * The weights of the best candidate in the fewest significant digits, alike for all, that lie within its interval on the same
 * seeds (docs/model/studies.md#rounded-weights). Each number of digits is a run of these seeds.
 *
 * @returns `null` where the best has no weights with more digits, or none of the roundings is within its interval
 */
export async function roundWeights(
  study: Study,
  { scored: best, candidateIndex }: BestCandidate,
  scoreAll: (patches: readonly ParameterPatch[]) => Promise<readonly ScoredCandidate[]>,
): Promise<RoundedWeights | null> {
  if (candidateIndex < 0) return null;
  for (let digits = 1; digits <= DIGITS_MAX; digits++) {
    const patch = roundedPatch(study, best.patch, digits);
    if (patch === null) continue;
    if (Object.entries(patch).every(([path, value]) => best.patch[path] === value)) return null;
    const [scored] = await scoreAll([patch]);
    const difference = pairedDifference(study, scored, best);
    if (difference !== null && scored.isFeasible && isWithinInterval(study, best, difference.mean))
      return { digits, scored, difference };
  }
  return null;
}

/** @returns `null` where a rounded weight leaves its range */
function roundedPatch({ parameters }: Study, patch: ParameterPatch, digits: number): ParameterPatch | null {
  const rounded: Record<string, number> = { ...patch };
  for (const { path, domain, isFactor } of parameters) {
    if (!path.startsWith("weights.") || isFactor || domain.kind !== "range" || patch[path] === undefined) continue;
    rounded[path] = Number(patch[path].toPrecision(digits));
    if (rounded[path] < domain.low || domain.high < rounded[path]) return null;
  }
  return rounded;
}

/** Whether the best candidate with a difference is no worse than the worse end of its interval; on one seed, than itself. */
function isWithinInterval({ objective: { direction } }: Study, { objective }: ScoredCandidate, by: number): boolean {
  if (objective === null) return false;
  const { mean, low, high } = objective;
  return direction === "minimise" ? by <= (high ?? mean) - mean : (low ?? mean) - mean <= by;
}
