import { sumOf } from "../../base/sums.ts";
import type { StudyJob } from "../workers/executor.ts";

/** Runs that one worker takes at once, in the order of the jobs. */
export interface JobChunk {
  readonly jobs: readonly StudyJob[];
  /** One per run: index of its job in the list, and of its seed in the job. */
  readonly runs: readonly { readonly jobIndex: number; readonly seedIndex: number }[];
}

/** Target duration of a chunk, in ms: long against its dispatch, short enough to lose with a dead worker. */
const CHUNK_TARGET_MS = 200;
const CHUNK_RUNS_MAX = 256;

/**
 * Splits jobs into chunks. A chunk is one run until the duration of a run is known. Chunks shrink towards the end, so
 * that all workers finish at the same time.
 */
export class JobSplitter {
  readonly #jobs: readonly StudyJob[];
  readonly #workers: number;
  #remainingRuns: number;
  #jobIndex = 0;
  #seedIndex = 0;
  /** Of the fastest chunk: other work, such as reading the scenario for the first one, only adds time. */
  #msPerRun = Number.POSITIVE_INFINITY;

  /** @param workers approximate number of workers */
  constructor(jobs: readonly StudyJob[], workers: number) {
    this.#jobs = jobs;
    this.#workers = Math.max(1, workers);
    this.#remainingRuns = sumOf(jobs, ({ seeds }) => seeds.length);
  }

  /** @param ms duration of a chunk with that number of runs */
  recordDuration(runs: number, ms: number): void {
    this.#msPerRun = Math.min(this.#msPerRun, Math.max(1, ms) / runs);
  }

  /** `null` when no runs are left. */
  nextChunk(): JobChunk | null {
    if (this.#remainingRuns === 0) return null;
    const runsInTarget = Math.floor(CHUNK_TARGET_MS / this.#msPerRun);
    let size = Math.max(
      1,
      Math.min(runsInTarget, CHUNK_RUNS_MAX, Math.floor(this.#remainingRuns / (4 * this.#workers))),
    );
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
