import type { Patch } from "./candidates.ts";
import type { Outcome } from "./evaluate.ts";
import type { Executor, Job } from "./executor.ts";
import { type ResultStore, runKey } from "./resultStore.ts";

/** Seeds of one job at most: the work that a crash loses. */
const JOB_SEEDS_MAX = 16;
/** Jobs for each that runs at one time, so that nobody waits long for the last one. */
const JOBS_PER_LANE = 16;

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

  /** Outcomes by candidate and seed, in the order in which both are given. */
  async of(patches: readonly Patch[], seeds: readonly number[]): Promise<Outcome[][]> {
    const outcomes = patches.map(() => new Array<Outcome>(seeds.length));
    const jobs: { job: Job; candidate: number; places: number[] }[] = [];
    const size = this.#jobSeeds(patches.length * seeds.length);
    let known = 0;
    patches.forEach((patch, candidate) => {
      const missing: number[] = [];
      seeds.forEach((seed, place) => {
        const outcome = this.#store.known.get(runKey(patch, seed));
        if (outcome === undefined) missing.push(place);
        else outcomes[candidate][place] = outcome;
      });
      known += seeds.length - missing.length;
      for (let k = 0; k < missing.length; k += size) {
        const places = missing.slice(k, k + size);
        jobs.push({ job: { patch, seeds: places.map((place) => seeds[place]) }, candidate, places });
      }
    });
    if (known > 0) this.#onRuns(known);
    await this.#executor.run(
      jobs.map(({ job }) => job),
      (k, found) => {
        const { job, candidate, places } = jobs[k];
        this.#store.add(job.patch, job.seeds, found);
        places.forEach((place, at) => {
          outcomes[candidate][place] = found[at];
        });
        this.#onRuns(places.length);
      },
      this.#signal,
    );
    return outcomes;
  }

  #jobSeeds(runs: number): number {
    const lanes = JOBS_PER_LANE * this.#executor.width;
    return Math.min(JOB_SEEDS_MAX, Math.max(1, Math.ceil(runs / lanes)));
  }
}
