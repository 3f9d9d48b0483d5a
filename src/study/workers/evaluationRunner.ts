import { type ResultStore, runKey } from "../resultStore.ts";
import type { ParameterPatch } from "../search/candidateDesign.ts";
import type { Outcome } from "./evaluator.ts";
import type { Executor, RunResult, StudyJob } from "./executor.ts";
import { CANDIDATES_PER_SEED } from "./fork.ts";

/** A candidate of which some seeds are still to come. */
interface PendingCandidate {
  readonly candidateIndex: number;
  readonly patch: ParameterPatch;
  /** Of the seeds to come: places among all seeds. */
  readonly missingSeeds: readonly number[];
  /** By place of the seed; filled as they come, given up when all are there. */
  outcomes: Outcome[];
  remainingRuns: number;
}

/** Told of each candidate once, in any order: its place, and an outcome per seed, same order. */
type OnCandidateEvaluated = (candidate: number, outcomes: readonly Outcome[]) => void;

/** Some of the seeds of a candidate. */
interface SeedGroup {
  readonly pending: PendingCandidate;
  /** By their place in the job: places among all seeds. */
  readonly seedIndices: readonly number[];
}

/** What follows each other shares most: all seeds of a candidate, one candidate after the other. */
const byCandidate = (begun: readonly PendingCandidate[]): SeedGroup[] =>
  begun.map((pending) => ({ pending, seedIndices: pending.missingSeeds }));

/** With a fork the candidates of a seed do. So many at a time, as what each gave is held until its last seed is there. */
function bySeed(begun: readonly PendingCandidate[]): SeedGroup[] {
  return splitIntoChunks(begun, CANDIDATES_PER_SEED).flatMap((together) => {
    const ofSeed: SeedGroup[][] = [];
    for (const pending of together)
      for (const place of pending.missingSeeds) (ofSeed[place] ??= []).push({ pending, seedIndices: [place] });
    return ofSeed.flat();
  });
}

/** Candidates that are handed out at one time where each of their seeds is a job of its own. */
const FORKED_CANDIDATES_MAX = 1024;

const splitIntoChunks = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, k) => list.slice(k * size, (k + 1) * size));

/** Hands out what has not been run before, and keeps what comes back. */
export class EvaluationRunner {
  readonly #executor: Executor;
  readonly #store: ResultStore;
  readonly #signal: AbortSignal;
  readonly #isForked: boolean;
  readonly #onRuns: (count: number) => void;

  constructor(options: {
    readonly executor: Executor;
    readonly store: ResultStore;
    readonly signal: AbortSignal;
    /** Whether the candidates of a seed share what comes before an instant. */
    readonly isForked: boolean;
    /** Told of finished runs: a candidate on a seed. */
    readonly onRuns: (count: number) => void;
  }) {
    this.#executor = options.executor;
    this.#store = options.store;
    this.#signal = options.signal;
    this.#isForked = options.isForked;
    this.#onRuns = options.onRuns;
  }

  /**
   * Runs candidates on seeds. What a candidate gave is held until its last seed is there, and passed on at once: memory
   * does not grow with seeds.
   */
  async evaluateEach(
    patches: readonly ParameterPatch[],
    seeds: readonly number[],
    scored: OnCandidateEvaluated,
  ): Promise<void> {
    const begun: PendingCandidate[] = [];
    const places = seeds.map((_, place) => place);
    patches.forEach((patch, candidateIndex) => {
      const outcomes: Outcome[] = [];
      const missingSeeds = places.filter((place) => {
        const known = this.#store.knownOutcomes.get(runKey(patch, seeds[place]));
        if (known !== undefined) outcomes[place] = known;
        return known === undefined;
      });
      if (missingSeeds.length < seeds.length) this.#onRuns(seeds.length - missingSeeds.length);
      if (missingSeeds.length === 0) return scored(candidateIndex, outcomes);
      begun.push({ candidateIndex, patch, missingSeeds, outcomes, remainingRuns: missingSeeds.length });
    });
    if (!this.#isForked) return this.#runGroups(byCandidate(begun), seeds, scored);
    for (const some of splitIntoChunks(begun, FORKED_CANDIDATES_MAX))
      await this.#runGroups(bySeed(some), seeds, scored);
  }

  async #runGroups(parts: readonly SeedGroup[], seeds: readonly number[], scored: OnCandidateEvaluated): Promise<void> {
    const jobs = parts.map(({ pending, seedIndices: some }): StudyJob => {
      const isWhole = some.length === seeds.length;
      return { patch: pending.patch, seeds: isWhole ? seeds : some.map((place) => seeds[place]) };
    });
    const take = ({ jobIndex, seedIndex, outcome }: RunResult): void => {
      const { pending, seedIndices: some } = parts[jobIndex];
      pending.outcomes[some[seedIndex]] = outcome;
      if (--pending.remainingRuns > 0) return;
      scored(pending.candidateIndex, pending.outcomes);
      pending.outcomes = [];
    };
    await this.#executor.run(
      jobs,
      (pieces) => {
        this.#store.append(
          pieces.map(({ jobIndex, seedIndex, outcome }) => [
            jobs[jobIndex].patch,
            jobs[jobIndex].seeds[seedIndex],
            outcome,
          ]),
        );
        pieces.forEach(take);
        this.#onRuns(pieces.length);
      },
      this.#signal,
    );
  }
}
