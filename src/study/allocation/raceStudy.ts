import { roundWeights } from "../search/roundedWeights.ts";
import type { Study } from "../study.ts";
import type { EvaluationRunner } from "../workers/evaluationRunner.ts";
import type { AllocatedRuns, StudyPlan } from "./allocatedRuns.ts";
import { confirmInLooks } from "./confirm.ts";
import { roundSeeds } from "./halving.ts";
import { race } from "./race.ts";
import { searchFinalists } from "./searchFinalists.ts";
import { planSeeds } from "./seedPlan.ts";
import { SeedRuns } from "./seedRuns.ts";
import { selectBest } from "./selectBest.ts";

/** Seeds of the candidates that show the effect of one parameter. */
export const EFFECT_SEEDS = 4;
/** Finalists of a search are few and close: fewer seeds would draw among them. */
export const FINALIST_SEEDS = 4;

/** Runs a study in rounds: the better half of the candidates goes on with twice the seeds (docs/model/studies.md#race). */
export async function raceStudy(
  study: Study,
  { rules, design, ends, seed }: StudyPlan,
  evaluations: EvaluationRunner,
): Promise<AllocatedRuns> {
  const plan = planSeeds(study);
  const runs = new SeedRuns(study, evaluations, plan.selection);
  const scoredEnds = await runs.run(ends, EFFECT_SEEDS);
  const isSearch = study.method === "optimise";
  const search = isSearch ? await searchFinalists(study, { rules, seed, plan }, evaluations) : null;
  const patches = search?.finalists ?? design;
  const { rounds, scoreOf } = await race(
    study,
    [
      { patch: {}, isEligible: true },
      ...rules.map(({ patch }) => ({ patch, isEligible: false })),
      ...patches.map((patch) => ({ patch, isEligible: true })),
    ],
    runs,
    roundSeeds(isSearch ? FINALIST_SEEDS : 1, plan.selection.length),
  );
  const lastSeeds = rounds[rounds.length - 1].seeds;
  const [written] = await runs.run([{}], lastSeeds);
  const candidates = patches.map(scoreOf);
  const references = rules.map(({ name, unexpressed, patch }) => ({ name, unexpressed, scored: scoreOf(patch) }));
  const best = selectBest(study, written, candidates);
  const rounded = best === null ? null : await roundWeights(study, best, (some) => runs.run(some, lastSeeds));
  const heldOut =
    best === null ? null : await confirmInLooks(study, { best, written, references }, evaluations, plan.heldOut);
  return {
    written,
    candidates,
    references,
    best,
    rounded,
    heldOut,
    ends: scoredEnds,
    rounds,
    search: search?.search ?? null,
  };
}
