import type { Patch } from "../../inputs/scenario/patch/patchValue.ts";
import { type RunStore, runKey } from "../studyOutput.ts";
import type { Evaluator, Outcome } from "./evaluator.ts";
import type { Executor, RunResult, StudyJob } from "./executor.ts";
import { CANDIDATES_PER_SEED } from "./fork.ts";
import { createInlineWorker, sharedExecutor } from "./sharedExecutor.ts";

/** A candidate with unfinished runs. */
interface PendingCandidate {
  readonly candidateIndex: number;
  readonly patch: Patch;
  /** Indices of the seeds to run. */
  readonly missingSeeds: readonly number[];
  /** By index of the seed; released when all are present. */
  outcomes: Outcome[];
  remainingRuns: number;
}

/** Receives each candidate once, in any order: its index, and one outcome per seed, same order. */
type OnCandidateEvaluated = (candidate: number, outcomes: readonly Outcome[]) => void;

/** Some of the seeds of a candidate. */
interface SeedGroup {
  readonly pending: PendingCandidate;
  /** Indices among all seeds, in the order of the job's seeds. */
  readonly seedIndices: readonly number[];
}

/** Groups all seeds of a candidate, which share its world. */
const byCandidate = (pendingCandidates: readonly PendingCandidate[]): SeedGroup[] =>
  pendingCandidates.map((pending) => ({ pending, seedIndices: pending.missingSeeds }));

/**
 * Groups the candidates of a seed, which share the run up to the fork. Limited to `CANDIDATES_PER_SEED` candidates at a
 * time, because outcomes stay in memory until a candidate's last seed is finished.
 */
function bySeed(pendingCandidates: readonly PendingCandidate[]): SeedGroup[] {
  return splitIntoChunks(pendingCandidates, CANDIDATES_PER_SEED).flatMap((chunk) => {
    const ofSeed: SeedGroup[][] = [];
    for (const pending of chunk)
      for (const place of pending.missingSeeds) (ofSeed[place] ??= []).push({ pending, seedIndices: [place] });
    return ofSeed.flat();
  });
}

/** Candidates per call of the executor where each of their seeds is a separate job. */
const FORKED_CANDIDATES_MAX = 1024;

const splitIntoChunks = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, k) => list.slice(k * size, (k + 1) * size));

/** Runs missing candidates and stores their results. */
export class EvaluationRunner {
  private readonly executor: Executor;
  private readonly store: RunStore;
  private readonly signal: AbortSignal;
  private readonly isForked: boolean;
  private readonly onRuns: (count: number) => void;
  /** Runs so far, those of an earlier start included. */
  runCount = 0;

  constructor(options: {
    readonly executor: Executor;
    readonly store: RunStore;
    readonly signal: AbortSignal;
    /** Whether the candidates of a seed share the run up to an instant. */
    readonly isForked: boolean;
    /** Receives the number of finished runs. */
    readonly onRuns: (count: number) => void;
  }) {
    this.executor = options.executor;
    this.store = options.store;
    this.signal = options.signal;
    this.isForked = options.isForked;
    this.onRuns = (count) => {
      this.runCount += count;
      options.onRuns(count);
    };
  }

  /**
   * Runs candidates on seeds. A candidate's outcomes are passed on as soon as its last seed is finished, so that memory
   * does not grow with the number of candidates.
   */
  async evaluateEach(patches: readonly Patch[], seeds: readonly number[], scored: OnCandidateEvaluated): Promise<void> {
    const pendingCandidates: PendingCandidate[] = [];
    const places = seeds.map((_, place) => place);
    patches.forEach((patch, candidateIndex) => {
      const outcomes: Outcome[] = [];
      const missingSeeds = places.filter((place) => {
        const known = this.store.knownOutcomes.get(runKey(patch, seeds[place]));
        if (known !== undefined) outcomes[place] = known;
        return known === undefined;
      });
      if (missingSeeds.length < seeds.length) this.onRuns(seeds.length - missingSeeds.length);
      if (missingSeeds.length === 0) return scored(candidateIndex, outcomes);
      pendingCandidates.push({ candidateIndex, patch, missingSeeds, outcomes, remainingRuns: missingSeeds.length });
    });
    if (!this.isForked) return this.runGroups(byCandidate(pendingCandidates), seeds, scored);
    for (const some of splitIntoChunks(pendingCandidates, FORKED_CANDIDATES_MAX))
      await this.runGroups(bySeed(some), seeds, scored);
  }

  private async runGroups(
    groups: readonly SeedGroup[],
    seeds: readonly number[],
    scored: OnCandidateEvaluated,
  ): Promise<void> {
    const jobs = groups.map(({ pending, seedIndices: some }): StudyJob => {
      const isWhole = some.length === seeds.length;
      return { patch: pending.patch, seeds: isWhole ? seeds : some.map((place) => seeds[place]) };
    });
    const onResult = ({ jobIndex, seedIndex, outcome }: RunResult): void => {
      const { pending, seedIndices: some } = groups[jobIndex];
      pending.outcomes[some[seedIndex]] = outcome;
      if (--pending.remainingRuns > 0) return;
      scored(pending.candidateIndex, pending.outcomes);
      pending.outcomes = [];
    };
    await this.executor.run(
      jobs,
      (pieces) => {
        this.store.append(
          pieces.map(({ jobIndex, seedIndex, outcome }) => [
            jobs[jobIndex].patch,
            jobs[jobIndex].seeds[seedIndex],
            outcome,
          ]),
        );
        pieces.forEach(onResult);
        this.onRuns(pieces.length);
      },
      this.signal,
    );
  }
}

/** Runs jobs sequentially in this thread. */
export const inlineExecutor = (evaluator: Pick<Evaluator, "slices">): Executor =>
  sharedExecutor([createInlineWorker(evaluator)], async () => {});
