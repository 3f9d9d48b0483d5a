import { assert } from "../../base/assert.ts";
import { canonicalJson } from "../../base/canonicalJson.ts";
import { type ParameterPatch, scenarioPatch } from "../search/candidateDesign.ts";
import { optimise } from "../search/optimise.ts";
import { roundWeights } from "../search/roundedWeights.ts";
import { type ScoredCandidate, scoreCandidate } from "../statistics/scoreCandidate.ts";
import type { Study } from "../study.ts";
import type { EvaluationRunner } from "../workers/evaluationRunner.ts";
import type { AllocatedRuns, StudyPlan } from "./allocatedRuns.ts";
import { confirmOnce } from "./confirm.ts";
import { selectBest } from "./selectBest.ts";

/** Runs every candidate of a study on all of its seeds. */
export async function equalStudy(
  study: Study,
  { rules, design, ends, seed }: StudyPlan,
  evaluations: EvaluationRunner,
): Promise<AllocatedRuns> {
  const scoreAll = createScorer(study, evaluations);
  const first: ParameterPatch[] = [{}, ...rules.map(({ patch }) => patch)];
  // All candidates known from the start run in one batch, so that workers synchronise once.
  const [written, ...referenceScores] = await scoreAll([...first, ...design, ...ends]);
  const { candidates, search } =
    study.method === "optimise"
      ? await optimise(study, seed, first, scoreAll)
      : { candidates: await scoreAll(design), search: null };
  const best = selectBest(study, written, candidates);
  const references = rules.map(({ name, unexpressed }, k) => ({ name, unexpressed, scored: referenceScores[k] }));
  return {
    written,
    candidates,
    references,
    best,
    rounded: best === null ? null : await roundWeights(study, best, scoreAll),
    heldOut: best === null ? null : await confirmOnce(study, { best, written, references }, evaluations),
    ends: await scoreAll(ends),
    rounds: [],
    search,
  };
}

/** Scores candidates on the seeds of a study, each distinct candidate once; no outcomes stay in memory. */
function createScorer(
  study: Study,
  evaluations: EvaluationRunner,
): (patches: readonly ParameterPatch[]) => Promise<ScoredCandidate[]> {
  const scoredByKey = new Map<string, ScoredCandidate>();
  return async (patches) => {
    const keys = patches.map((patch) => canonicalJson(patch));
    const firsts = new Set<string>();
    const unscored = patches.filter((_, k) => !scoredByKey.has(keys[k]) && !firsts.has(keys[k]) && firsts.add(keys[k]));
    const changes = unscored.map((patch) => scenarioPatch(study, patch));
    await evaluations.evaluateEach(changes, study.seeds, (k, outcomes) => {
      scoredByKey.set(canonicalJson(unscored[k]), scoreCandidate(study, unscored[k], outcomes));
    });
    return keys.map((key) => {
      const scored = scoredByKey.get(key);
      assert(scored !== undefined, () => "each candidate was scored");
      return scored;
    });
  };
}
