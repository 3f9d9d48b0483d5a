import type { Patch } from "./candidates.ts";
import type { Outcome } from "./evaluate.ts";
import type { Executor, Job, Piece } from "./executor.ts";
import { type ResultStore, runKey } from "./resultStore.ts";

/** A candidate of which some seeds are still to come. */
interface Begun {
  readonly candidate: number;
  /** Of the seeds to come, by their place in the job: places among all seeds. */
  readonly places: readonly number[];
  /** By place of the seed; filled as they come, given up when all are there. */
  outcomes: Outcome[];
  left: number;
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
    const jobs: Job[] = [];
    /** One per job. */
    const begun: Begun[] = [];
    const places = seeds.map((_, place) => place);
    patches.forEach((patch, candidate) => {
      const outcomes: Outcome[] = [];
      const missing = places.filter((place) => {
        const known = this.#store.known.get(runKey(patch, seeds[place]));
        if (known !== undefined) outcomes[place] = known;
        return known === undefined;
      });
      if (missing.length < seeds.length) this.#onRuns(seeds.length - missing.length);
      if (missing.length === 0) return scored(candidate, outcomes);
      jobs.push({ patch, seeds: missing.length < seeds.length ? missing.map((place) => seeds[place]) : seeds });
      begun.push({ candidate, places: missing, outcomes, left: missing.length });
    });
    const take = ({ job, place, outcome }: Piece): void => {
      const candidate = begun[job];
      candidate.outcomes[candidate.places[place]] = outcome;
      if (--candidate.left > 0) return;
      scored(candidate.candidate, candidate.outcomes);
      candidate.outcomes = [];
    };
    await this.#executor.run(
      jobs,
      (pieces) => {
        this.#store.add(pieces.map(({ job, place, outcome }) => [jobs[job].patch, jobs[job].seeds[place], outcome]));
        pieces.forEach(take);
        this.#onRuns(pieces.length);
      },
      this.#signal,
    );
  }
}
