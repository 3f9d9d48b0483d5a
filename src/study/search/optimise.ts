import { RandomStreams } from "../../kernel/random.ts";
import type { Scored } from "../statistics/scoreCandidate.ts";
import type { Choices, Study } from "../study.ts";
import { type Patch, patchOf } from "./candidates.ts";
import { type Merit, type SearchStep, searchBox } from "./searchBox.ts";

export interface Optimised {
  /** In the order in which they were looked at. */
  readonly candidates: readonly Scored[];
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
  starts: readonly Patch[],
  score: (patches: readonly Patch[]) => Promise<readonly Scored[]>,
): Promise<Optimised> {
  const { parameters } = study;
  const candidates: Scored[] = [];
  const search = await searchBox(
    {
      dimension: parameters.length,
      budget: study.budget ?? 1,
      stream: new RandomStreams(seed).stream("study optimise", study.name),
      starts: starts.map((patch) =>
        parameters.map(({ path, choices, writtenValue }) => shareOf(choices, patch[path] ?? writtenValue)),
      ),
    },
    async (points) => {
      const scored = await score(points.map((point) => patchOf(parameters, [...point])));
      candidates.push(...scored);
      return scored.map((candidate) => meritOf(study, candidate));
    },
  );
  return { candidates, path: search.path, stopped: search.stopped };
}

function meritOf({ objective: { direction } }: Study, { feasible, violation, objective }: Scored): Merit {
  const value = objective?.mean ?? 0;
  return { violation: feasible ? 0 : violation, value: direction === "minimise" ? value : -value };
}

/** Where a value stands in its range, 0..1; the middle where it is not known. */
function shareOf(choices: Choices, value: number | null): number {
  if (value === null) return 0.5;
  if (choices.kind === "range") return (value - choices.low) / (choices.high - choices.low);
  const distances = choices.values.map((known) => Math.abs(known - value));
  return (distances.indexOf(Math.min(...distances)) + 0.5) / choices.values.length;
}
