import type { StudyJob } from "../workers/executor.ts";

/** Some runs that are handed out together, in the order of the jobs. */
export interface JobChunk {
  readonly jobs: readonly StudyJob[];
  /** One for each run: place of its job in the list, and of its seed in the job. */
  readonly runs: readonly { readonly jobIndex: number; readonly seedIndex: number }[];
}

/** What a parcel should take, in ms: much more than to hand it out, and no more than a worker that dies may lose. */
const CHUNK_TARGET_MS = 200;
const CHUNK_RUNS_MAX = 256;

/**
 * Cuts jobs into parcels, of one run each until it is known how long runs take; the fewer are left, the smaller, so that
 * all workers are done at the same time.
 */
export class JobSplitter {
  readonly #jobs: readonly StudyJob[];
  readonly #workers: number;
  #remainingRuns: number;
  #jobIndex = 0;
  #seedIndex = 0;
  /** Of the fastest parcel: what else a worker does, as reading the scenario for the first one, only makes it longer. */
  #msPerRun = Number.POSITIVE_INFINITY;

  /** @param workers that draw from them, about */
  constructor(jobs: readonly StudyJob[], workers: number) {
    this.#jobs = jobs;
    this.#workers = Math.max(1, workers);
    this.#remainingRuns = jobs.reduce((sum, { seeds }) => sum + seeds.length, 0);
  }

  /** @param ms that a worker took for a parcel of so many runs */
  recordDuration(runs: number, ms: number): void {
    this.#msPerRun = Math.min(this.#msPerRun, Math.max(1, ms) / runs);
  }

  /** `null` when nothing is left. */
  nextChunk(): JobChunk | null {
    if (this.#remainingRuns === 0) return null;
    const inTime = Math.floor(CHUNK_TARGET_MS / this.#msPerRun);
    let size = Math.max(1, Math.min(inTime, CHUNK_RUNS_MAX, Math.floor(this.#remainingRuns / (4 * this.#workers))));
    this.#remainingRuns -= size;
    const jobs: StudyJob[] = [];
    const runs: { jobIndex: number; seedIndex: number }[] = [];
    while (size > 0) {
      const { patch, seeds } = this.#jobs[this.#jobIndex];
      const end = Math.min(seeds.length, this.#seedIndex + size);
      jobs.push({ patch, seeds: seeds.slice(this.#seedIndex, end) });
      for (let seedIndex = this.#seedIndex; seedIndex < end; seedIndex++)
        runs.push({ jobIndex: this.#jobIndex, seedIndex });
      size -= end - this.#seedIndex;
      this.#seedIndex = end;
      if (end === seeds.length) {
        this.#jobIndex++;
        this.#seedIndex = 0;
      }
    }
    return { jobs, runs };
  }
}
