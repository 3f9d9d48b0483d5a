import type { Job } from "../workers/executor.ts";

/** Some runs that are handed out together, in the order of the jobs. */
export interface Parcel {
  readonly jobs: readonly Job[];
  /** One for each run: place of its job in the list, and of its seed in the job. */
  readonly runs: readonly { readonly job: number; readonly place: number }[];
}

/** What a parcel should take, in ms: much more than to hand it out, and no more than a worker that dies may lose. */
const PARCEL_MS = 200;
const RUNS_MAX = 256;

/**
 * Cuts jobs into parcels, of one run each until it is known how long runs take; the fewer are left, the smaller, so that
 * all workers are done at the same time.
 */
export class Parcels {
  readonly #jobs: readonly Job[];
  readonly #workers: number;
  #left: number;
  #job = 0;
  #place = 0;
  /** Of the fastest parcel: what else a worker does, as reading the scenario for the first one, only makes it longer. */
  #msPerRun = Number.POSITIVE_INFINITY;

  /** @param workers that draw from them, about */
  constructor(jobs: readonly Job[], workers: number) {
    this.#jobs = jobs;
    this.#workers = Math.max(1, workers);
    this.#left = jobs.reduce((sum, { seeds }) => sum + seeds.length, 0);
  }

  /** @param ms that a worker took for a parcel of so many runs */
  took(runs: number, ms: number): void {
    this.#msPerRun = Math.min(this.#msPerRun, Math.max(1, ms) / runs);
  }

  /** `null` when nothing is left. */
  next(): Parcel | null {
    if (this.#left === 0) return null;
    const inTime = Math.floor(PARCEL_MS / this.#msPerRun);
    let size = Math.max(1, Math.min(inTime, RUNS_MAX, Math.floor(this.#left / (4 * this.#workers))));
    this.#left -= size;
    const jobs: Job[] = [];
    const runs: { job: number; place: number }[] = [];
    while (size > 0) {
      const { patch, seeds } = this.#jobs[this.#job];
      const end = Math.min(seeds.length, this.#place + size);
      jobs.push({ patch, seeds: seeds.slice(this.#place, end) });
      for (let place = this.#place; place < end; place++) runs.push({ job: this.#job, place });
      size -= end - this.#place;
      this.#place = end;
      if (end === seeds.length) {
        this.#job++;
        this.#place = 0;
      }
    }
    return { jobs, runs };
  }
}
