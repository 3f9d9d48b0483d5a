import type { Worker } from "bullmq";
import { VERSION } from "../../version.ts";
import type { Outcome } from "../workers/evaluator.ts";
import type { Executor, OnRunResults } from "../workers/executor.ts";
import { poolExecutor } from "../workers/poolExecutor.ts";
import { openRedis } from "./openRedis.ts";
import { filesKey, LOCK_MS, type QueuedJob, RUN_QUEUE, STALLED_CHECK_MS } from "./queueNames.ts";

export interface QueueWorker {
  /** Stops taking jobs and terminates active ones. */
  readonly close: () => Promise<void>;
}

interface StudyPool {
  readonly pool: Promise<Executor>;
  activeJobs: number;
}

/** A job may stall on any number of dying workers: stalling is not the job's failure. */
const STALLED_MAX = 1_000;

/**
 * Takes jobs of other processes' studies from the queue. They run in threads, so that this thread can renew its locks.
 *
 * @throws InputErrors when the server is unreachable
 */
export async function startQueueWorker(url: string, concurrency: number): Promise<QueueWorker> {
  const { bullmq, redis } = await openRedis(url);
  const studies = new Map<string, StudyPool>();

  /** Threads with the files of a study. A new study closes the pools of idle ones. */
  const poolFor = async ({ studyKey, scenarioFile, forkAtMs }: QueuedJob): Promise<StudyPool> => {
    let study = studies.get(studyKey);
    if (study === undefined) {
      const idle = [...studies].filter(([, { activeJobs }]) => activeJobs === 0);
      const files = redis.hgetallBuffer(filesKey(studyKey));
      const pool = files.then((found) =>
        poolExecutor({ scenarioFile, forkAtMs, files: new Map(Object.entries(found)) }, concurrency, 1),
      );
      studies.set(studyKey, (study = { pool, activeJobs: 0 }));
      for (const [key] of idle) studies.delete(key);
      for (const [, { pool: old }] of idle) await (await old).close();
    }
    return study;
  };

  const run = async (job: QueuedJob): Promise<Outcome[]> => {
    if (job.version !== VERSION)
      throw new Error(`this worker is vppsim ${VERSION}, the study was started by vppsim ${job.version}`);
    const study = await poolFor(job);
    study.activeJobs++;
    try {
      const outcomes = job.jobs.map((): Outcome[] => []);
      const collect: OnRunResults = (pieces) => {
        for (const { jobIndex: k, seedIndex, outcome } of pieces) outcomes[k][seedIndex] = outcome;
      };
      await (await study.pool).run(job.jobs, collect, new AbortController().signal);
      return outcomes.flat();
    } finally {
      study.activeJobs--;
    }
  };

  const connection = redis.duplicate();
  const worker: Worker<QueuedJob, Outcome[]> = new bullmq.Worker(RUN_QUEUE, async ({ data }) => run(data), {
    connection,
    concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: STALLED_MAX,
  });
  worker.on("error", () => {
    // The client reconnects, or the process ends. Active jobs are not affected.
  });
  await worker.waitUntilReady();
  return {
    async close() {
      await worker.close();
      for (const { pool } of studies.values()) await (await pool).close();
      connection.disconnect();
      redis.disconnect();
    },
  };
}
