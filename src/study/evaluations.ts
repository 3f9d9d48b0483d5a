import type { Patch } from "./candidates.ts";
import type { Outcome } from "./evaluate.ts";
import type { Executor, Job } from "./executor.ts";
import { type ResultStore, runKey } from "./resultStore.ts";

/** Seeds of one job at most: the work that a crash loses. */
const JOB_SEEDS_MAX = 16;
/** Jobs for each that runs at one time, so that nobody waits long for the last one. */
const JOBS_PER_LANE = 16;

/** A candidate of which some seeds are still to come. */
interface Begun {
  readonly candidate: number;
  /** By place of the seed; filled as they come, given up when all are there. */
  outcomes: Outcome[];
  left: number;
}

interface Piece {
  readonly job: Job;
  /** Of its seeds. */
  readonly places: readonly number[];
  readonly begun: Begun;
}

function take(begun: Begun, place: number, outcome: Outcome): void {
  begun.outcomes[place] = outcome;
  begun.left--;
}

/** Hands out what has not been run before, and keeps what comes back. */
export class Evaluations {
  readonly #executor: Executor;
  readonly #store: ResultStore;
  readonly #signal: AbortSignal;
  readonly #onRuns: (count: number) => void;

  /** @param onRuns told of finished runs: a candidate on a seed */
  constructor(executor: Executor, store: ResultStore, signal: AbortSignal, onRuns: (count: number) => void) {
    this.#executor = executor;
    this.#store = store;
    this.#signal = signal;
    this.#onRuns = onRuns;
  }

  /**
   * Runs candidates on seeds. What a candidate gave is held until its last seed is there, and passed on at once: memory
   * does not grow with seeds.
   *
   * @param scored told of each candidate once, in any order: its place, and an outcome per seed, same order
   */
  async each(
    patches: readonly Patch[],
    seeds: readonly number[],
    scored: (candidate: number, outcomes: readonly Outcome[]) => void,
  ): Promise<void> {
    const pieces: Piece[] = [];
    const size = this.#jobSeeds(patches.length * seeds.length);
    const finish = (begun: Begun): void => {
      scored(begun.candidate, begun.outcomes);
      begun.outcomes = [];
    };
    patches.forEach((patch, candidate) => {
      const begun: Begun = { candidate, outcomes: [], left: seeds.length };
      const missing: number[] = [];
      seeds.forEach((seed, place) => {
        const outcome = this.#store.known.get(runKey(patch, seed));
        if (outcome === undefined) missing.push(place);
        else take(begun, place, outcome);
      });
      if (missing.length < seeds.length) this.#onRuns(seeds.length - missing.length);
      if (missing.length === 0) finish(begun);
      for (let k = 0; k < missing.length; k += size) {
        const places = missing.slice(k, k + size);
        pieces.push({ job: { patch, seeds: places.map((place) => seeds[place]) }, places, begun });
      }
    });
    await this.#executor.run(
      pieces.map(({ job }) => job),
      (k, found) => {
        const { job, places, begun } = pieces[k];
        this.#store.add(job.patch, job.seeds, found);
        places.forEach((place, at) => {
          take(begun, place, found[at]);
        });
        if (begun.left === 0) finish(begun);
        this.#onRuns(places.length);
      },
      this.#signal,
    );
  }

  #jobSeeds(runs: number): number {
    const lanes = JOBS_PER_LANE * this.#executor.width;
    return Math.min(JOB_SEEDS_MAX, Math.max(1, Math.ceil(runs / lanes)));
  }
}
