import type { Outcome } from "../workers/evaluator.ts";
import type { Executor, OnRunResults, StudyJob } from "../workers/executor.ts";
import { JobSplitter } from "./jobSplitter.ts";
import { JOBS_IN_FLIGHT, QueueClient, type QueueClientOptions } from "./queueClient.ts";
import type { JobFiles, QueuedJob } from "./queueNames.ts";

interface QueueExecutorOptions extends QueueClientOptions {
  readonly forkAtMs: number | null;
}

type ChunkClient = QueueClient<Omit<QueuedJob, keyof JobFiles>, readonly Outcome[]>;

/** Runs candidates of a study in `vppsim worker` processes. */
export class QueueExecutor implements Executor {
  readonly concurrency = JOBS_IN_FLIGHT;
  readonly #client: ChunkClient;
  readonly #forkAtMs: number | null;

  /** @throws InputErrors when the server is unreachable; QueueError when it stops answering */
  static async open(options: QueueExecutorOptions): Promise<QueueExecutor> {
    const client: ChunkClient = await QueueClient.open(
      options,
      "finished runs are stored, and --resume continues from them",
    );
    return new QueueExecutor(client, options.forkAtMs);
  }

  private constructor(client: ChunkClient, forkAtMs: number | null) {
    this.#client = client;
    this.#forkAtMs = forkAtMs;
  }

  /** Connected workers of this version. */
  workerCount(): Promise<number> {
    return this.#client.workerCount();
  }

  async run(jobs: readonly StudyJob[], report: OnRunResults, signal: AbortSignal): Promise<void> {
    const splitter = new JobSplitter(jobs, await this.workerCount());
    const dispatchChunks = async (): Promise<void> => {
      for (let chunk = splitter.nextChunk(); chunk !== null; chunk = splitter.nextChunk()) {
        signal.throwIfAborted();
        const { runs } = chunk;
        const { result, tookMs } = await this.#client.run({ jobs: chunk.jobs, forkAtMs: this.#forkAtMs });
        splitter.recordDuration(runs.length, tookMs);
        report(runs.map(({ jobIndex, seedIndex }, k) => ({ jobIndex, seedIndex, outcome: result[k] })));
      }
    };
    const stop = () => this.#client.failAll(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    try {
      await Promise.all(Array.from({ length: JOBS_IN_FLIGHT }, dispatchChunks));
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** Removes what is left of the study from the server, if it answers. */
  close(): Promise<void> {
    return this.#client.close();
  }
}
