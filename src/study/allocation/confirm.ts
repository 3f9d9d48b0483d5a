import type { Estimate } from "../statistics/estimate.ts";
import { bonferroniConfidence, compareWithAll } from "../statistics/multipleComparisons.ts";
import { isCarriedByOne } from "../statistics/probabilityBetter.ts";
import {
  differencesBySeed,
  pairedDifference,
  probabilityBetter,
  type ScoredCandidate,
} from "../statistics/scoreCandidate.ts";
import { isRace, type Study } from "../study.ts";
import type { BestCandidate, Confirmation, HeldOutResult, NamedCandidate } from "../studyResult.ts";
import type { EvaluationRunner } from "../workers/evaluationRunner.ts";
import { nextSeeds } from "./seedPlan.ts";
import { SeedRuns } from "./seedRuns.ts";

interface Compared {
  readonly best: BestCandidate;
  readonly written: ScoredCandidate;
  readonly references: readonly NamedCandidate[];
}

/** Numbers of held-out seeds after which it is decided whether to go on. */
export const HELD_OUT_LOOKS = [16, 32, 64];
/** A decided interval is also this much smaller than the difference. */
const DECIDED_SHARE = 1 / 3;
/** Whose effect is said. */
const MORE_RUNS = 200;

/** Compares the best candidate with all others on as many further seeds as the study has. */
export async function confirmOnce(
  study: Study,
  compared: Compared,
  evaluations: EvaluationRunner,
): Promise<HeldOutResult | null> {
  // Without variance on the study's seeds, other seeds would give the same values.
  if (study.seeds.length < 2 || hasNoVariance(compared)) return null;
  const seeds = nextSeeds(study.seeds, study.seeds.length);
  const scored = await new SeedRuns(study, evaluations, seeds).run(patchesOf(compared), seeds.length);
  return heldOutResult(study, compared, scored, { seeds, looks: [seeds.length] });
}

/**
 * Compares the best candidate with the rules on the first held-out seeds, and with the scenario as written on more of them until the
 * difference is decided. By Bonferroni over the looks, its interval holds at whatever look it ends.
 *
 * @param seeds  as many as the last look has
 */
export async function confirmInLooks(
  study: Study,
  compared: Compared,
  evaluations: EvaluationRunner,
  seeds: readonly number[],
): Promise<HeldOutResult | null> {
  if (hasNoVariance(compared)) return null;
  const runs = new SeedRuns(study, evaluations, seeds);
  const looks = looksOf(study, seeds.length);
  const scored = await runs.run(patchesOf(compared), looks[0]);
  let look = 0;
  const isSame = compared.best.candidateIndex < 0;
  const { count } = compareWithAll(study, scored[0], scored);
  while (!isSame && look + 1 < looks.length && !isDecided(study, scored, count)) {
    look++;
    const pair = await runs.run(patchesOf(compared).slice(0, 2), looks[look]);
    scored.splice(0, 2, ...pair);
  }
  return heldOutResult(study, compared, scored, {
    seeds: seeds.slice(0, looks[look]),
    looks: looks.slice(0, look + 1),
  });
}

const patchesOf = ({ best, written, references }: Compared) => [
  best.scored.patch,
  written.patch,
  ...references.map(({ scored }) => scored.patch),
];

/** A tail needs all seeds. */
const looksOf = ({ objective }: Study, seedCount: number): number[] =>
  objective.worstPct === null ? HELD_OUT_LOOKS : [seedCount];

/** Confidence of the intervals of all looks together, as that of one look. */
const lookConfidence = (study: Study): number =>
  isRace(study) ? bonferroniConfidence(looksOf(study, 0).length, study.confidence) : study.confidence;

/** Whether the difference to the scenario as written is known well enough. */
function isDecided(study: Study, [best, written]: readonly ScoredCandidate[], count: number): boolean {
  const difference = pairedDifference(study, best, written, bonferroniConfidence(count, lookConfidence(study)));
  if (difference === null) return true;
  const { mean, high } = difference;
  const halfWidth = (high ?? mean) - mean;
  const { minDifference } = study;
  if (halfWidth <= minDifference) return true;
  return halfWidth < Math.abs(mean) && halfWidth <= Math.max(minDifference, DECIDED_SHARE * Math.abs(mean));
}

function heldOutResult(
  study: Study,
  { best, references }: Compared,
  scored: readonly ScoredCandidate[],
  taken: Pick<HeldOutResult, "seeds" | "looks">,
): HeldOutResult {
  const names = ["best", "as written", ...references.map(({ name }) => name)];
  const { count, differences } = compareWithAll(study, scored[0], scored, lookConfidence(study));
  return {
    ...taken,
    comparisonCount: count,
    confidenceOfEach: bonferroniConfidence(count, lookConfidence(study)),
    change: best.candidateIndex < 0 ? null : confirmationOf(study, scored, differences[1]),
    rows: names.map((name, k) => ({ name, scored: scored[k], bestMinusThis: differences[k] })),
  };
}

function confirmationOf(
  study: Study,
  [best, written]: readonly ScoredCandidate[],
  interval: Estimate | null,
): Confirmation | null {
  const differences = differencesBySeed(best, written);
  if (interval === null || differences === null) return null;
  const { length: count } = differences;
  const isLess = study.objective.direction === "minimise";
  const halfWidth = ((interval.high ?? 0) - (interval.low ?? 0)) / 2;
  return {
    probabilityBetter: probabilityBetter(study, best, written, 0) ?? 0,
    probabilityOfMinDifference: probabilityBetter(study, best, written, study.minDifference) ?? 0,
    betterSeedCount: differences.filter((difference) => (isLess ? difference < 0 : difference > 0)).length,
    isCarriedByOne: isCarriedByOne(differences),
    moreRuns:
      halfWidth === 0
        ? null
        : {
            runs: MORE_RUNS,
            halfWidth: halfWidth * Math.sqrt(count / (count + MORE_RUNS / 2)),
            // Half the width takes four times the seeds.
            runsToHalve: 2 * 3 * count,
          },
  };
}

const hasNoVariance = ({ best, written, references }: Compared): boolean =>
  [best.scored, written, ...references.map(({ scored }) => scored)].every(
    ({ objectivePerSeed }) =>
      objectivePerSeed === null || objectivePerSeed.every((value) => value === objectivePerSeed[0]),
  );
