import type { Worker } from "bullmq";
import { VERSION } from "../../version.ts";
import type { Outcome } from "../workers/evaluator.ts";
import type { Executor, OnRunResults } from "../workers/executor.ts";
import { poolExecutor } from "../workers/poolExecutor.ts";
import { openRedis } from "./openRedis.ts";
import { filesKey, LOCK_MS, type QueuedJob, RUN_QUEUE, STALLED_CHECK_MS } from "./queueNames.ts";

export interface QueueWorker {
  /** Ends what runs, takes nothing new. */
  readonly close: () => Promise<void>;
}

interface StudyPool {
  readonly pool: Promise<Executor>;
  /** Jobs that run in it now. */
  activeJobs: number;
}

/** A job may be left behind by any number of workers that die: it is never its own fault. */
const STALLED_MAX = 1_000;

/**
 * Serves studies that other processes run: takes jobs from the queue and runs them in threads, so that this thread can
 * tell the server that it is alive.
 *
 * @throws InputErrors when there is no such server
 */
export async function startQueueWorker(url: string, concurrency: number): Promise<QueueWorker> {
  const { bullmq, redis } = await openRedis(url);
  const studies = new Map<string, StudyPool>();

  /** Threads with the files of a study; those of studies that nobody works for are given up when another one comes. */
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
      const keep: OnRunResults = (pieces) => {
        for (const { jobIndex: k, seedIndex, outcome } of pieces) outcomes[k][seedIndex] = outcome;
      };
      await (await study.pool).run(job.jobs, keep, new AbortController().signal);
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
    // The connection comes back, or the process is ended: nothing that runs is lost by it.
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
