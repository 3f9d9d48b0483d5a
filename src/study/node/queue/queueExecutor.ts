import { sumOf } from "../../../base/lists.ts";
import type { Outcome } from "../../workers/evaluator.ts";
import type { Executor, OnRunResults, StudyJob } from "../../workers/executor.ts";
import { JOBS_IN_FLIGHT, QueueClient, type QueueClientOptions } from "./queueClient.ts";
import type { JobFiles, QueuedJob } from "./queueNames.ts";

interface QueueExecutorOptions extends QueueClientOptions {
  readonly forkAtMs: number | null;
}

type ChunkClient = QueueClient<Omit<QueuedJob, keyof JobFiles>, readonly Outcome[]>;

/** Runs candidates of a study in `vppsim worker` processes. */
export class QueueExecutor implements Executor {
  readonly concurrency = JOBS_IN_FLIGHT;
  private readonly client: ChunkClient;
  private readonly forkAtMs: number | null;

  /** @throws InputErrors when the server is unreachable; QueueError when it stops answering */
  static async open(options: QueueExecutorOptions): Promise<QueueExecutor> {
    const client: ChunkClient = await QueueClient.open(
      options,
      "finished runs are stored, and --resume continues from them",
    );
    return new QueueExecutor(client, options.forkAtMs);
  }

  private constructor(client: ChunkClient, forkAtMs: number | null) {
    this.client = client;
    this.forkAtMs = forkAtMs;
  }

  /** Connected workers of this version. */
  workerCount(): Promise<number> {
    return this.client.workerCount();
  }

  async run(jobs: readonly StudyJob[], report: OnRunResults, signal: AbortSignal): Promise<void> {
    const splitter = new JobSplitter(jobs, await this.workerCount());
    const dispatchChunks = async (): Promise<void> => {
      for (let chunk = splitter.nextChunk(); chunk !== null; chunk = splitter.nextChunk()) {
        signal.throwIfAborted();
        const { runs } = chunk;
        const { result, tookMs } = await this.client.run({ jobs: chunk.jobs, forkAtMs: this.forkAtMs });
        splitter.recordDuration(runs.length, tookMs);
        report(runs.map(({ jobIndex, seedIndex }, k) => ({ jobIndex, seedIndex, outcome: result[k] })));
      }
    };
    const stop = () => this.client.failAll(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    try {
      await Promise.all(Array.from({ length: JOBS_IN_FLIGHT }, dispatchChunks));
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** Removes what is left of the study from the server, if it answers. */
  close(): Promise<void> {
    return this.client.close();
  }
}

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
  private readonly jobs: readonly StudyJob[];
  private readonly workers: number;
  private remainingRuns: number;
  private jobIndex = 0;
  private seedIndex = 0;
  /** Of the fastest chunk: other work, such as reading the scenario for the first one, only adds time. */
  private msPerRun = Number.POSITIVE_INFINITY;

  /** @param workers approximate number of workers */
  constructor(jobs: readonly StudyJob[], workers: number) {
    this.jobs = jobs;
    this.workers = Math.max(1, workers);
    this.remainingRuns = sumOf(jobs, ({ seeds }) => seeds.length);
  }

  /** @param ms duration of a chunk with that number of runs */
  recordDuration(runs: number, ms: number): void {
    this.msPerRun = Math.min(this.msPerRun, Math.max(1, ms) / runs);
  }

  /** `null` when no runs are left. */
  nextChunk(): JobChunk | null {
    if (this.remainingRuns === 0) return null;
    const runsInTarget = Math.floor(CHUNK_TARGET_MS / this.msPerRun);
    let size = Math.max(1, Math.min(runsInTarget, CHUNK_RUNS_MAX, Math.floor(this.remainingRuns / (4 * this.workers))));
    this.remainingRuns -= size;
    const jobs: StudyJob[] = [];
    const runs: { jobIndex: number; seedIndex: number }[] = [];
    while (size > 0) {
      const { patch, seeds } = this.jobs[this.jobIndex];
      const end = Math.min(seeds.length, this.seedIndex + size);
      jobs.push({ patch, seeds: seeds.slice(this.seedIndex, end) });
      for (let seedIndex = this.seedIndex; seedIndex < end; seedIndex++)
        runs.push({ jobIndex: this.jobIndex, seedIndex });
      size -= end - this.seedIndex;
      this.seedIndex = end;
      if (end === seeds.length) {
        this.jobIndex++;
        this.seedIndex = 0;
      }
    }
    return { jobs, runs };
  }
}
