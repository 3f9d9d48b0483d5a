import { canonicalJson } from "../../base/canonicalJson.ts";
import { type ParameterPatch, scenarioPatch } from "../search/candidateDesign.ts";
import { settingsKey } from "../statistics/multipleComparisons.ts";
import { type ScoredCandidate, scoreCandidate } from "../statistics/scoreCandidate.ts";
import type { Study } from "../study.ts";
import type { EvaluationRunner } from "../workers/evaluationRunner.ts";
import type { Outcome } from "../workers/evaluator.ts";

interface HeldRuns {
  readonly patch: ParameterPatch;
  /** On the first of the seeds. */
  readonly outcomes: Outcome[];
}

/** Runs candidates on the first of a list of seeds, and on more of them later: no run is repeated while its candidate is held. */
export class SeedRuns {
  private readonly study: Study;
  private readonly evaluations: EvaluationRunner;
  private readonly seeds: readonly number[];
  private readonly held = new Map<string, HeldRuns>();

  constructor(study: Study, evaluations: EvaluationRunner, seeds: readonly number[]) {
    this.study = study;
    this.evaluations = evaluations;
    this.seeds = seeds;
  }

  /** Equal for candidates whose runs are the same. A fork sets weights anew, also to what they are. */
  keyOf(patch: ParameterPatch): string {
    const { forkAtMs, parameters } = this.study;
    return forkAtMs === null ? settingsKey(parameters, { patch }) : canonicalJson(patch);
  }

  /** Runs what is missing. @returns a score for each candidate, on the first `seedCount` seeds */
  async run(patches: readonly ParameterPatch[], seedCount: number): Promise<ScoredCandidate[]> {
    const wanted = new Map(patches.map((patch) => [this.keyOf(patch), patch]));
    const byHeldCount = new Map<number, HeldRuns[]>();
    for (const [key, patch] of wanted) {
      const runs = this.held.get(key) ?? { patch, outcomes: [] };
      this.held.set(key, runs);
      const { length } = runs.outcomes;
      if (seedCount <= length) continue;
      const alike = byHeldCount.get(length);
      if (alike === undefined) byHeldCount.set(length, [runs]);
      else alike.push(runs);
    }
    for (const [heldCount, some] of byHeldCount) {
      const changes = some.map(({ patch }) => scenarioPatch(this.study, patch));
      await this.evaluations.evaluateEach(changes, this.seeds.slice(heldCount, seedCount), (k, outcomes) => {
        for (const outcome of outcomes) some[k].outcomes.push(outcome);
      });
    }
    return patches.map((patch) => {
      const outcomes = this.held.get(this.keyOf(patch))?.outcomes ?? [];
      return scoreCandidate(this.study, patch, outcomes.slice(0, seedCount));
    });
  }

  /** Forgets the runs of a candidate that gets no more. */
  release(patch: ParameterPatch): void {
    this.held.delete(this.keyOf(patch));
  }
}
