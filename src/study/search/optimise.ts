import { RandomStreams } from "../../kernel/randomStreams.ts";
import type { ScoredCandidate } from "../statistics/scoreCandidate.ts";
import type { ParameterDomain, Study } from "../study.ts";
import { type ParameterPatch, patchFromShares } from "./candidateDesign.ts";
import { type Merit, type SearchStep, searchBox } from "./searchBox.ts";

export interface OptimisationResult {
  /** In the order in which they were looked at. */
  readonly candidates: readonly ScoredCandidate[];
  readonly path: readonly SearchStep[];
  readonly stopped: "budget" | "no progress";
}

/**
 * Looks for the best candidate within the budget: CMA-ES on shares of the parameters' ranges, all candidates on the same
 * seeds, so that what chance does to one it does to all.
 *
 * @param starts candidates to look at first: the scenario as written, and rules that people would choose
 */
export async function optimise(
  study: Study,
  seed: number,
  starts: readonly ParameterPatch[],
  score: (patches: readonly ParameterPatch[]) => Promise<readonly ScoredCandidate[]>,
): Promise<OptimisationResult> {
  const { parameters } = study;
  const candidates: ScoredCandidate[] = [];
  const search = await searchBox(
    {
      dimension: parameters.length,
      budget: study.budget ?? 1,
      stream: new RandomStreams(seed).getStream("study optimise", study.name),
      startPoints: starts.map((patch) =>
        parameters.map(({ path, domain, writtenValue }) => shareOf(domain, patch[path] ?? writtenValue)),
      ),
    },
    async (points) => {
      const scored = await score(points.map((point) => patchFromShares(parameters, [...point])));
      candidates.push(...scored);
      return scored.map((candidate) => meritOf(study, candidate));
    },
  );
  return { candidates, path: search.path, stopped: search.stopped };
}

function meritOf({ objective: { direction } }: Study, { isFeasible, violation, objective }: ScoredCandidate): Merit {
  const value = objective?.mean ?? 0;
  return { violation: isFeasible ? 0 : violation, value: direction === "minimise" ? value : -value };
}

/** Where a value stands in its range, 0..1; the middle where it is not known. */
function shareOf(choices: ParameterDomain, value: number | null): number {
  if (value === null) return 0.5;
  if (choices.kind === "range") return (value - choices.low) / (choices.high - choices.low);
  const distances = choices.values.map((known) => Math.abs(known - value));
  return (distances.indexOf(Math.min(...distances)) + 0.5) / choices.values.length;
}
