import { smallestOf } from "../../base/lists.ts";
import { RandomStreams } from "../../engine/kernel/randomStreams.ts";
import type { ScoredCandidate } from "../statistics/scoreCandidate.ts";
import type { ParameterDomain, Study } from "../study.ts";
import type { StudyResult } from "../studyResult.ts";
import { type ParameterPatch, patchFromShares } from "./candidateDesign.ts";
import { type Merit, type SearchOptions, searchBox } from "./searchBox.ts";

interface OptimisationResult {
  /** In the order of their evaluation. */
  readonly candidates: readonly ScoredCandidate[];
  readonly search: NonNullable<StudyResult["search"]>;
}

/**
 * Searches for the best candidate within the budget: CMA-ES on relative positions in the parameters' domains. All
 * candidates run on the same seeds, so that they share their random draws.
 *
 * @param starts candidates to evaluate first: the scenario as written, and the reference rules
 */
export async function optimise(
  study: Study,
  seed: number,
  starts: readonly ParameterPatch[],
  score: (patches: readonly ParameterPatch[]) => Promise<readonly ScoredCandidate[]>,
): Promise<OptimisationResult> {
  const candidates: ScoredCandidate[] = [];
  const { path, stopped } = await searchBox(searchOf(study, seed, starts), async (points) => {
    const scored = await score(points.map((point) => patchFromShares(study.parameters, [...point])));
    candidates.push(...scored);
    return scored.map((candidate) => meritOf(study, candidate));
  });
  return { candidates, search: { path, stopped } };
}

/** The box of a study's parameters. @param starts  candidates to evaluate first */
export function searchOf(
  { name, parameters, budget }: Study,
  seed: number,
  starts: readonly ParameterPatch[],
): SearchOptions {
  return {
    dimension: parameters.length,
    budget: budget ?? 1,
    stream: new RandomStreams(seed).getStream("study optimise", name),
    startPoints: starts.map((patch) =>
      parameters.map(({ path, domain, writtenValue }) => shareOf(domain, patch[path] ?? writtenValue)),
    ),
  };
}

export function meritOf(
  { objective: { direction } }: Study,
  { isFeasible, violation, objective }: ScoredCandidate,
): Merit {
  const value = objective?.mean ?? 0;
  return { violation: isFeasible ? 0 : violation, value: direction === "minimise" ? value : -value };
}

/** Relative position of a value in its domain, 0..1; 0.5 for an unknown value. */
function shareOf(domain: ParameterDomain, value: number | null): number {
  if (value === null) return 0.5;
  if (domain.kind === "range") return (value - domain.low) / (domain.high - domain.low);
  const distances = domain.values.map((known) => Math.abs(known - value));
  return (distances.indexOf(smallestOf(distances)) + 0.5) / domain.values.length;
}
